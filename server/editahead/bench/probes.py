"""Planning of probes: the requests during a replay, and the ground truth that answers are compared with.

After each typed key: completions where a name begins or goes on, ghost text where a new token may begin. After each
change that was not typed, and where typing ends in a recorded session: the next edit. The truth is the text typed
without moving the cursor, and the document as it is in the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from editahead.recording.session_file import Close, Open, RecordedChange, RecordedSession
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import by_id
from editahead.syntax.tokens import TokenKind
from editahead.text.buffer import Buffer
from editahead.text.words import word_before

MAX_LETTERS = 5  # of a name, after which completions are no longer requested
_STROKE = re.compile(rb"\r?\n[ \t]*|[^\x80-\xbf][\x80-\xbf]*", re.DOTALL)
_NAME = re.compile(r"[^\W\d]\w*")


class ProbedSurface(str, Enum):
    """A surface that is probed."""

    COMPLETION = "completion"
    INLINE = "inline"
    NEXT_EDIT = "next_edit"


@dataclass(frozen=True, slots=True)
class Probe:
    """One question at a byte of a document.

    `rest` is what is typed on from here (bytes), `at` how much of the run is typed; `name` is the whole name that the
    cursor stands in or before, `letters` how many of its characters stand there, `in_code` whether it is a name of the
    program and no word of a comment, text or keyword. For next edits: `final` is the text in the end.
    """

    surface: ProbedSurface
    document: int
    byte: int
    run: int = 0
    at: int = 0
    rest: bytes = b""
    name: str = ""
    letters: int = 0
    in_code: bool = False


@dataclass(slots=True)
class TypedRun:
    """A run of typed keys at a single position: bytes [start, start + len(text)) of the text at its end."""

    number: int
    document: int
    start: int
    text: bytes = b""
    typed: list[tuple[int, bytes]] = field(default_factory=list)  # (index of the event, the run's text after it)


def strokes(text: bytes) -> list[bytes]:
    """Split a typed text into keystrokes; a line end and the indentation behind it are a single keystroke."""
    return _STROKE.findall(text)


def word_at(before: str, ahead: str) -> str:
    """Return the whole word that a cursor between two texts stands in or before; empty where the rest of it is empty.

    Inside a number no word begins.
    """
    prefix = word_before(before)
    name = _NAME.match(prefix + ahead)
    inside_number = not prefix and before[-1:].isalnum()
    return name.group() if name and len(name.group()) > len(prefix) and not inside_number else ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The probes by the index of the event before them, and the final texts and runs, for scoring."""

    probes: dict[int, tuple[Probe, ...]]
    finals: dict[int, bytes]
    runs: tuple[TypedRun, ...]


def plan(session: RecordedSession) -> Plan:
    """Plan the probes of a session."""
    finals: dict[int, bytes] = {}
    buffers: dict[int, Buffer] = {}
    languages: dict[int, str] = {}
    runs: list[TypedRun] = []
    current: dict[int, TypedRun] = {}
    edits: dict[int, Probe] = {}  # by event: where the next edit is requested
    probes: dict[int, list[Probe]] = {}

    def leave(document: int) -> None:
        run = current.pop(document, None)
        if run is None:
            return
        final = buffers[document]
        for index, planned in _probes_of(run, final, languages[document]):
            probes.setdefault(index, []).append(planned)
        if session.source == "session":
            last = run.typed[-1][0]
            edits[last] = Probe(ProbedSurface.NEXT_EDIT, document, run.start + len(run.text))

    for index, event in enumerate(session.events):
        if isinstance(event, Open):
            current.pop(event.document, None)
            buffers[event.document], languages[event.document] = Buffer(event.text), event.language_id
            finals[event.document] = event.text
        elif isinstance(event, RecordedChange):
            run = current.get(event.document)
            grown = _typed(event, run)
            if grown is None:
                leave(event.document)
                run, grown = None, _typed(event, None)
            for edit in event.edits:
                buffers[event.document] = buffers[event.document].apply(edit)
            finals[event.document] = buffers[event.document].data
            if grown is None:
                if event.edits:
                    edits[index] = Probe(ProbedSurface.NEXT_EDIT, event.document, event.edits[-1].new_end)
                continue
            if run is None:
                run = TypedRun(len(runs), event.document, event.edits[0].start)
                runs.append(run)
                current[event.document] = run
            run.text = grown
            run.typed.append((index, grown))
        elif isinstance(event, Close):
            leave(event.document)
    for document in list(current):
        leave(document)
    for index, edit_probe in edits.items():
        probes.setdefault(index, []).append(edit_probe)
    return Plan({index: tuple(planned) for index, planned in probes.items()}, finals, tuple(runs))


def _typed(event: RecordedChange, run: TypedRun | None) -> bytes | None:
    """Return the run's text after an event that is a key of the run (or starts a run, if `run` is None); else None."""
    if len(event.edits) != 1:
        return None
    (edit,) = event.edits
    end = edit.start if run is None else run.start + len(run.text)
    if edit.start == edit.old_end == end and len(strokes(edit.new)) == 1:
        return (run.text if run else b"") + edit.new
    if run and not edit.new and edit.old_end == end and edit.start >= run.start:
        remaining = run.text[: edit.start - run.start]
        return remaining if len(strokes(run.text[len(remaining) :])) <= 1 else None
    return None


def _probes_of(run: TypedRun, final: Buffer, language_id: str) -> list[tuple[int, Probe]]:
    """Return the probes of a finished run, with the index of their events."""
    probes: list[tuple[int, Probe]] = []
    names = _names_in_code(final, run.start, run.start + len(run.text), language_id)
    line = final.data.rfind(b"\n", 0, run.start) + 1
    for index, typed in run.typed:
        if not run.text.startswith(typed) or len(typed) == len(run.text):
            continue  # a slip that was undone, or the end
        rest = run.text[len(typed) :]
        byte = run.start + len(typed)
        before = final.data[max(line, final.data.rfind(b"\n", 0, byte) + 1) : byte].decode("utf-8", "replace")
        prefix = word_before(before)
        common = {"document": run.document, "byte": byte, "run": run.number, "at": len(typed), "rest": rest}
        name = word_at(before, rest.decode("utf-8", "replace"))
        if name and len(prefix) <= MAX_LETTERS:
            in_code = byte - len(prefix.encode()) in names
            probe = Probe(ProbedSurface.COMPLETION, **common, name=name, letters=len(prefix), in_code=in_code)  # type: ignore[arg-type]
            probes.append((index, probe))
        if not prefix and not before[-1:].isalnum():  # inside a number no token begins
            probes.append((index, Probe(ProbedSurface.INLINE, **common)))  # type: ignore[arg-type]
    return probes


def _names_in_code(buffer: Buffer, start: int, end: int, language_id: str) -> set[int]:
    language = by_id(language_id)
    if language is None:
        return set()
    try:
        first, last = buffer.line_at(start), buffer.line_at(end)
        lines: Sequence[Sequence[object]] = open_snapshot(buffer, language).lines(first, last + 1)
    except GrammarMissing:
        return set()
    starts = set()
    for number, tokens in enumerate(lines, first):
        base = buffer.line_span(number)[0]
        starts |= {base + token.start for token in tokens if token.kind is TokenKind.NAME}  # type: ignore[attr-defined]
    return starts
