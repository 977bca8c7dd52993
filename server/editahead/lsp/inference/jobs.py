"""Jobs of the inference thread, and the interface of the engine that runs them."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from editahead.lsp.surfaces.surface import Surface
from editahead.suggest.types import (
    Completions,
    Decision,
    Document,
    EditPlace,
    Explanation,
    Fixes,
    InlineSuggestion,
    NextEdit,
    NextEdits,
    QueuedEdit,
    Shown,
    Suppressed,
    WrittenBodies,
)

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel

NO_DOCUMENT = ""  # instead of a URI

T = TypeVar("T")


class EngineLike(Protocol):
    """The interface of an engine that the worker uses (see `editahead.suggest.engine.Engine`)."""

    def complete(self, document: Document, byte: int, cancel: Cancel) -> Decision[Completions]:
        """Completions at a byte."""

    def rank(self, document: Document, byte: int, labels: Sequence[str], cancel: Cancel) -> Decision[tuple[float, ...]]:
        """Probabilities of labels that another source offers at a byte."""

    def inline(self, document: Document, byte: int, cancel: Cancel) -> Decision[InlineSuggestion]:
        """Ghost text at a byte."""

    def alternatives(
        self, document: Document, byte: int, shown: InlineSuggestion, cancel: Cancel
    ) -> tuple[Shown[InlineSuggestion], ...]:
        """Other ghost texts at a byte than `shown`."""

    def next_edit(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdit]:
        """The next edit, near a byte first."""

    def next_edit_elsewhere(self, document: Document, byte: int, cancel: Cancel) -> Decision[QueuedEdit]:
        """The most probable site of a repeated edit in another open document."""

    def next_edit_place(self, document: Document, byte: int, cancel: Cancel) -> Decision[EditPlace]:
        """The next site that needs an edit whose text is uncertain."""

    def next_edits_unopened(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdits]:
        """The places in files of the project that are not open."""

    def next_edits(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdits]:
        """The remaining places of a repeated edit."""

    def fixes(self, document: Document, start: int, end: int, cancel: Cancel) -> Decision[Fixes]:
        """Fixes of bytes [start, end)."""

    def bodies(self, document: Document, byte: int, cancel: Cancel) -> Decision[WrittenBodies]:
        """Bodies for the function at a byte."""

    def explain(self, document: Document, byte: int, cancel: Cancel) -> Explanation:
        """The readings of all gates and the suggestions with their scores at a byte."""

    def forget(self, uri: str) -> None:
        """Delete everything that is cached for a document, and what was read of files that are not open."""


Progress = Callable[[str, float], None]
Load = Callable[[Progress], EngineLike]
Run = Callable[[EngineLike, "Cancel"], "T | Suppressed"]


@dataclass(eq=False)
class Job(Generic[T]):
    """A request to the engine. `future` is completed exactly once, on the loop; `cancel` exists while it runs."""

    uri: str
    surface: Surface
    run: Run[T]
    future: asyncio.Future[T | Suppressed]
    order: int
    deadline: float  # seconds
    late_at: float = math.inf  # second of `time.monotonic` from which the job should return a cheap answer
    last_at: float = math.inf  # that from which only the cheapest answer is in time
    timer: asyncio.TimerHandle | None = None
    cancel: Cancel | None = None
    again: bool = False  # was preempted by a more urgent job and will be run again

    @property
    def key(self) -> tuple[str, str]:
        """The queue slot (document, surface), which holds at most one waiting job."""
        return self.uri, self.surface.name


@dataclass
class Events:
    """Callbacks of the worker, always on the loop's thread."""

    loading: Callable[[str, float], None]
    loaded: Callable[[EngineLike | None, str], None]  # the engine, or None and the reason
    broken: Callable[[Surface, str], None]  # a surface was switched off, with the last failure
