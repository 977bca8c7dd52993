"""What a surface decides: a suggestion with its probability, or a named reason for silence. Never a bare None.

Offsets are bytes into `Document.syntax.buffer.data`. Probabilities are calibrated, in [0, 1].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from editahead.text.edits import ByteEdit  # also at run time: answers are decoded by their types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from editahead.index.types import OutsideNames
    from editahead.settings import Settings, SuggestionKind
    from editahead.syntax.snapshot import SyntaxSnapshot
    from editahead.text.coalesced_edits import HistoryView

T_co = TypeVar("T_co", covariant=True)


class Reason(str, Enum):
    """Why nothing is shown. The value is what `explain`, logs and the command line print."""

    DISABLED = "disabled"
    SNOOZED = "snoozed"
    LANGUAGE = "language"
    NO_MODEL = "no-model"
    COMMENT_OR_STRING = "comment-or-string"
    EXCLUDED = "excluded"
    TOO_LARGE = "too-large"
    EMPTY = "empty"
    LOW_PROBABILITY = "low-probability"
    NO_FIT = "no-fit"
    NO_OP = "no-op"
    REVERSAL = "reversal"
    PARSES_WORSE = "parses-worse"
    BREAKS_CODE = "breaks-code"
    REJECTED = "rejected"
    STALE = "stale"
    CANCELLED = "cancelled"
    DEADLINE = "deadline"
    FAILED = "failed"
    INTERRUPTIONS = "interruptions"


@dataclass(frozen=True, slots=True)
class GateReading:
    """One gate as it stood: its reason, whether it let the suggestion pass, and the value that it saw."""

    reason: Reason
    passed: bool
    value: str


@dataclass(frozen=True, slots=True)
class Shown(Generic[T_co]):
    """Something to show."""

    value: T_co
    probability: float
    gates: tuple[GateReading, ...] = ()


@dataclass(frozen=True, slots=True)
class Suppressed:
    """Silence, and why."""

    reason: Reason
    detail: str = ""
    gates: tuple[GateReading, ...] = ()


Decision = Shown[T_co] | Suppressed
INTERRUPTED = frozenset({Reason.CANCELLED, Reason.DEADLINE})
"""Reasons that say nothing about the code: the work was not finished."""
LEARNED = "place"
"""The source of places that a model expects."""


def interrupted(*, is_out_of_time: bool) -> Suppressed:
    """The answer of work that was not finished."""
    if is_out_of_time:
        return Suppressed(Reason.DEADLINE, "ran out of time")
    return Suppressed(Reason.CANCELLED, "a newer request took over")


@dataclass(frozen=True, slots=True)
class Completion:
    """One ranked completion. `label` is the real text that is inserted."""

    label: str
    probability: float
    # "class" | "function" | "parameter" | "argument" | "variable" | "attribute" | "keyword" | "name" | "text" |
    # "module" (a quoted path) | "element" (of HTML or JSX)
    kind: str
    source: str  # "pointer" | "vocabulary" | "cache" (this file) | "open" | "project"
    origin_line: int | None = None  # zero-based line the name was copied from, in this file or in `origin_where`
    origin_where: str | None = None  # another file: URI of an open document, or path below the workspace folder
    import_from: str = ""  # the module from which accepting it imports the name
    import_edit: ByteEdit | None = None  # above the cursor; it only adds
    arguments: tuple[str, ...] | None = None  # that a call must have, `name=name` of a keyword; None: not a call


@dataclass(frozen=True, slots=True)
class Completions:
    """Ranked completions that replace bytes [start, end) (the identifier prefix before the cursor)."""

    items: tuple[Completion, ...]
    start: int
    end: int
    complete: bool  # False: ask again after the next character (LSP isIncomplete)
    copied: float | None = None  # the pointer's share lambda of the model's probability
    has_unread: bool = False  # the model has read the nearest lines alone: `Engine.read_window` reads the others


class GhostToken(NamedTuple):
    """A token of ghost text with its origin. `text` includes the space or line break before it.

    `probability` is the model's, given the tokens before it; `copied` is the pointer's share lambda at that point.
    `origin_line` is the zero-based line of a copied name, None if that is in the ghost text itself; `origin_where` the
    file of that line if it is another file.
    """

    text: str
    probability: float
    source: str = "vocabulary"  # as a completion's; "written": a whole body, from its function's description
    origin_line: int | None = None
    origin_where: str | None = None
    copied: float | None = None


@dataclass(frozen=True, slots=True)
class InlineSuggestion:
    """Ghost text: `insert` replaces bytes [start, end); `tokens` make it up, with what was typed of the first."""

    insert: str
    start: int
    end: int
    tokens: tuple[GhostToken, ...] = ()


@dataclass(frozen=True, slots=True)
class NextEdit:
    """The predicted next edit as a byte edit of the buffer; `key` names its normalised pattern for rejections."""

    edit: ByteEdit
    key: str
    steps: tuple[tuple[str, float], ...] = ()  # each (description, probability) of the roll-out
    group: str = ""  # the repeated edit that it goes on with, as in QueuedEdit
    source: str = ""  # the generator of consequences that gave it; empty: repeated edits and the edit model
    pattern: str = ""  # as in QueuedEdit


@dataclass(frozen=True, slots=True)
class QueuedEdit:
    """A remaining edit of a change: an edit of the document `uri` at `version`.

    `group` is the same for all edits of a change; `examples` counts how often the user did it. `sure`: it reaches the
    required precision. `key` names this edit for rejections, `pattern` the change at any site.
    """

    uri: str
    version: int
    edit: ByteEdit
    probability: float
    group: str
    examples: int
    line: int  # zero-based
    like: int  # zero-based line of the newest example, in its own document
    key: str
    pattern: str
    sure: bool
    source: str = ""  # as in NextEdit


@dataclass(frozen=True, slots=True)
class EditPlace:
    """A site of an edit whose text nobody knows, at byte `start` of the document `uri` at `version`.

    `message` tells people what is due. `key`, `pattern` and `source` are as in QueuedEdit.
    """

    uri: str
    version: int
    start: int
    message: str
    key: str
    pattern: str
    source: str


@dataclass(frozen=True, slots=True)
class NextEdits:
    """All remaining places of the repeated edits, likeliest first."""

    items: tuple[QueuedEdit, ...]

    @property
    def summary(self) -> str:
        """How many places remain, in words: `3 more`, `3 more, 1 of them less sure`, `1 more, less sure`."""
        unsure = sum(not item.sure for item in self.items)
        much = "" if not unsure else ", less sure" if unsure == len(self.items) else f", {unsure} of them less sure"
        return f"{len(self.items)} more{much}"


@dataclass(frozen=True, slots=True)
class RequestedEdit:
    """An answer to a user's request as a byte edit of the buffer; `key` names it for rejections."""

    edit: ByteEdit
    probability: float
    key: str


@dataclass(frozen=True, slots=True)
class RequestedEdits:
    """Different answers to a request, likeliest first."""

    items: tuple[RequestedEdit, ...]


@dataclass(frozen=True, slots=True)
class Fixes(RequestedEdits):
    """Rewritings of lines [first, last] (zero-based); `unchanged` is how probable it is that they are right already."""

    first: int
    last: int
    unchanged: float


@dataclass(frozen=True, slots=True)
class WrittenBodies(RequestedEdits):
    """Bodies of the function `name`, which has none; `line` (zero-based) is that of its `def`."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Rejection:
    """A pattern that the user turned down, with the time (seconds, the session's clock) and document of it."""

    key: str
    time: float
    uri: str = ""


UNOPENED = -1  # the version of a document that no editor has open: its text is that of the file


class UnopenedProject(Protocol):
    """The files of a project that are not open. For the inference thread.

    `cut`: names that more files may use than those that `importing` gave, or than may be edited.
    """

    cut: set[str]

    def importing(self, uri: str, name: str, check: Callable[[], None]) -> Iterator[Document]:
        """Yield the files that may use a name which the file of a URI declares, few. Raises what the check raises."""
        ...

    def unchanged(self) -> bool:
        """Whether the files that were read are as they were."""
        ...

    def leads_to(self, module: str, here: str, home: str) -> bool:
        """Whether a dotted module as it is written in the file of the URI `here` is the file of the URI `home`."""
        ...

    def declares(self, name: str, package: str, but: str) -> bool:
        """Whether a file of a package, other than that of the URI `but`, declares a type of a name."""
        ...


MAX_FILTERED = 300  # items of a list that the client narrows itself


@dataclass(frozen=True, slots=True)
class Document:
    """The view of an open file for a surface: a frozen snapshot made before the first await."""

    uri: str
    path: Path | None
    language_id: str
    version: int
    syntax: SyntaxSnapshot
    history: HistoryView
    settings: Settings
    root: Path | None = None  # workspace folder that holds the file
    rejections: tuple[Rejection, ...] = ()
    declined: int = 0  # next edits rejected since the last acceptance, within `rejection_minutes`
    now: float = 0.0  # the session's clock, seconds
    elsewhere: OutsideNames | None = None  # names of other open documents and of the project
    others: tuple[Document, ...] = ()  # further open files, where a surface looks at them; none of these has others
    unopened: UnopenedProject | None = None  # the same object while nothing about it changes
    idle: bool = False  # the user rests: what is being typed may be taken as finished
    may_lead: bool = False  # the user rests for longer: a site may be shown that a model expects
    only_sure: bool = False  # of the remaining edits only those of changes with an edit that reaches the threshold
    filtered_by_client: bool = False  # the client narrows a list of completions itself: it needs what may follow, too
    exclusion_path: Path | None = None  # by which patterns judge it where `path` is None: its URI is not a file's
    reads_nearest_first: bool = False  # where much is unread, a completion reads the nearest lines alone
    gate_offset: float = 0.0  # log odds that the outcomes of the session add to the probability of ghost text
    admitted: bool = False  # it reaches an engine only if `exclusion` gave no reason, so that no gate looks again

    @property
    def is_typing(self) -> bool:
        """Whether the last edit may go on: the user is not idle."""
        return self.history.pending is not None and not self.idle

    def target_precision(self, kind: SuggestionKind) -> float:
        """The target precision of a kind of suggestions, as set for this language."""
        return self.settings.target_precision(kind, self.language_id)

    @property
    def max_completions(self) -> int:
        """The most items of a list; for a client that narrows it, enough for all that may be typed of the word."""
        return MAX_FILTERED if self.filtered_by_client else self.settings.max_completions


@dataclass(frozen=True, slots=True)
class Explanation:
    """Every gate with its value and what each surface would answer, for `editahead explain`."""

    language_id: str
    models: tuple[str, ...]
    gates: tuple[GateReading, ...]
    surfaces: dict[str, Decision[object]] = field(default_factory=dict)
    unsure: tuple[float, Shown[object]] | None = None  # a lower precision and the ghost text that it would show
