"""Scenario files: a buffer, what the user does, and what must be offered, or that nothing must.

A file is a list of sections, each opened by a line `== KIND ARGUMENTS`; `‸` marks the cursor.

    == language python            before the first buffer
    == buffer                     the file's text, with the cursor
    == file NAME                  another file is opened, as with buffer; with no text: the user goes back to that file
                                  (the first is called `first`)
    == type                       text typed at the cursor, one keystroke at a time (a final line end is not typed)
    == backspace N                N characters deleted before the cursor
    == go                         a unique piece of the text, with the cursor in it: the cursor jumps there
    == replace                    `old` `->` `new`: the first occurrence at or after the cursor, as one typed change
    == pause                      two seconds pass, so that typing settles
    == format                     `old` `->` `new`, several with blank lines between them: a formatter changes the first
                                  occurrence of each, as one change, and the file is saved
    == reject                     the last next edit or place offered, if there was one, is turned down
    == completion [N]             the text must be among the first N completions (N = 1 when not given)
    == inline                     ghost text: the insertion must be exactly this
    == next-edit                  `line before` `->` `line after`: the offered edit must make the same text as this
                                  change of one line (or more) does
    == listed                     as with next-edit: among the ten likeliest candidates, however probable
    == queue                      the lines that the sure places of the queue would make, and no others, in text order;
                                  one of another file with that file's name and a colon before it
    == place                      the line to which the cursor is led for an edit whose text is not sure
    == body                       asked by hand in a function without a body: the first one must be exactly this
    == quiet SURFACE              completion, inline, next-edit, queue, place or body must show nothing
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import (
    Decision,
    Document,
    EditPlace,
    NextEdit,
    NextEdits,
    Rejection,
    Shown,
    WrittenBodies,
)
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

CURSOR = "‸"
CHECKS = ("completion", "inline", "next-edit", "listed", "queue", "place", "body", "quiet")
LISTED = 10
"""The likeliest candidates that count as listed."""


@dataclass(frozen=True)
class Section:
    """One step of a scenario."""

    kind: str
    argument: str
    body: str
    line: int


@dataclass
class Play:
    """A scenario being played: the document as an editor would hold it."""

    engine: Engine
    uri: str
    clock: float = 0.0
    idle: bool = False
    cursor: int = 0
    language_id: str = "python"
    syntax: SyntaxSnapshot | None = None
    history: History | None = None
    rejections: list[Rejection] = field(default_factory=list)
    offered: NextEdit | EditPlace | None = None
    name: str = "first"
    parked: dict[str, tuple[SyntaxSnapshot, History, int]] = field(default_factory=dict)

    def open(self, text: str) -> None:
        """The file as it stands when the scenario begins."""
        language = by_id(self.language_id)
        assert language is not None
        self.cursor = len(text[: text.index(CURSOR)].encode())
        buffer = Buffer(text.replace(CURSOR, "", 1).encode())
        self.syntax = SyntaxSnapshot.open(buffer, language)
        self.history = History(buffer, lambda: self.clock)

    def turn_to(self, name: str, text: str) -> None:
        """Open another file, or go back to one that is open."""
        assert self.syntax is not None
        assert self.history is not None
        self.parked[self.name] = self.syntax, self.history, self.cursor
        self.name = name
        if text:
            self.open(text)
        else:
            self.syntax, self.history, self.cursor = self.parked.pop(name)

    def edit(self, start: int, end: int, new: str) -> None:
        """One change by the user."""
        assert self.syntax is not None
        assert self.history is not None
        self.clock += 0.1
        self.idle = False
        change = ByteEdit(start, end, new.encode())
        before = self.syntax.buffer
        self.history.push(change, before)
        self.syntax = self.syntax.advance(before.apply(change), [change])
        self.cursor = change.new_end

    def format(self, pairs: list[tuple[str, str]]) -> None:
        """The changes of a formatter, in one notification, and the save behind them."""
        assert self.syntax is not None
        assert self.history is not None
        self.clock += 0.1
        found = [(self.find(old), old, new) for old, new in pairs]
        pushed: list[tuple[ByteEdit, Buffer]] = []
        for at, old, new in sorted(found, reverse=True):
            change, before = ByteEdit(at, at + len(old.encode()), new.encode()), self.syntax.buffer
            pushed.append((change, before))
            self.syntax = self.syntax.advance(before.apply(change), [change])
            self.cursor += change.delta if at < self.cursor else 0
        self.history.push_all(pushed)
        self.history.absorb_formatting()

    def document(self) -> Document:
        """The snapshot that a surface is asked with."""
        assert self.syntax is not None
        assert self.history is not None
        others = tuple(self._frozen(name, syntax, history) for name, (syntax, history, _) in self.parked.items())
        return replace(self._frozen(self.name, self.syntax, self.history), others=others)

    def _frozen(self, name: str, syntax: SyntaxSnapshot, history: History) -> Document:
        uri = self.uri if name == "first" else f"{self.uri}/{name}"
        return Document(
            uri, None, self.language_id, 0, syntax, history.view(), Settings(),
            rejections=tuple(self.rejections), now=self.clock, idle=self.idle,
        )  # fmt: skip

    def find(self, text: str, start: int = 0) -> int:
        """Where a text stands, in bytes; AssertionError when it does not."""
        assert self.syntax is not None
        at = self.syntax.buffer.data.find(text.encode(), start)
        assert at >= 0, f"the buffer has no {text!r}"
        return at


def parse(path: Path) -> list[Section]:
    """The sections of a scenario file."""
    sections: list[Section] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.startswith("== "):
            kind, _, argument = line[3:].partition(" ")
            sections.append(Section(kind, argument.strip(), "", number))
        elif sections:
            last = sections[-1]
            sections[-1] = replace(last, body=f"{last.body}{line}\n")
    return [replace(section, body=section.body.removesuffix("\n").removesuffix("\n")) for section in sections]


def act(play: Play, section: Section) -> bool:
    """Do what a section says the user does; False when it is a check."""
    kind = section.kind
    if kind == "language":
        play.language_id = section.argument
    elif kind == "buffer":
        play.open(section.body + "\n")
    elif kind == "file":
        play.turn_to(section.argument, section.body + "\n" if section.body else "")
    elif kind == "type":
        for character in section.body:
            play.edit(play.cursor, play.cursor, character)
    elif kind == "backspace":
        for _ in range(int(section.argument)):
            play.edit(play.cursor - 1, play.cursor, "")
    elif kind == "go":
        before, _, after = section.body.partition(CURSOR)
        play.cursor = play.find(before + after) + len(before.encode())
    elif kind == "replace":
        old, _, new = section.body.partition("\n->\n")
        at = play.find(old, play.cursor)
        play.edit(at, at + len(old.encode()), new)
    elif kind == "pause":
        play.clock += 2.0
        play.idle = True
        assert play.history is not None
        play.history.settle(play.clock)
    elif kind == "format":
        play.format([(old, new) for old, _, new in (pair.partition("\n->\n") for pair in section.body.split("\n\n"))])
    elif kind == "reject":
        if play.offered is not None:
            play.rejections.append(Rejection(play.offered.key, play.clock))
    else:
        return False
    return True


@dataclass(frozen=True)
class Outcome:
    """What a check found: was anything shown, was it right (silence where silence was asked for), and what is wrong."""

    surface: str
    quiet: bool
    shown: bool
    problem: str | None


def played(engine: Engine, path: Path) -> list[Outcome]:
    """Play a whole file; AssertionError when it cannot be played."""
    play = Play(engine, f"file:///{path.stem}")
    found: list[Outcome] = []
    for section in parse(path):
        if act(play, section):
            continue
        assert section.kind in CHECKS, f"{path.name}:{section.line}: no such section as {section.kind!r}"
        outcome = check(play, section)
        problem = outcome.problem and f"{path.name}:{section.line}: {outcome.problem}"
        found.append(replace(outcome, problem=problem))
    return found


def check(play: Play, section: Section) -> Outcome:
    """Ask a surface and compare."""
    document = play.document()
    surface = section.argument if section.kind == "quiet" else section.kind
    decision: Decision[object]
    if surface == "listed":
        found = listed(play, document, section)
        problem = None if found else f"not among the candidates: {section.body!r}"
        return Outcome(surface, False, found is not None, problem)
    if surface == "completion":
        decision = play.engine.complete(document, play.cursor, Cancel())
    elif surface == "inline":
        decision = play.engine.inline(document, play.cursor, Cancel())
    elif surface == "body":
        decision = play.engine.bodies(document, play.cursor, Cancel())
    elif surface == "queue":
        decision = play.engine.next_edits(document, play.cursor, Cancel())
    elif surface == "place":
        decision = play.engine.next_edit_place(replace(document, may_lead=True), play.cursor, Cancel())
    else:
        decision = play.engine.next_edit(document, play.cursor, Cancel())
    found = told(play, surface, decision)
    if section.kind == "next-edit" and isinstance(decision, Shown) and isinstance(decision.value, NextEdit):
        found = as_asked(document.syntax.buffer, decision.value.edit, section) or found
    if isinstance(decision, Shown) and isinstance(decision.value, NextEdit | EditPlace):
        play.offered = decision.value
    problem = _problem(section, surface, found, decision)
    return Outcome(surface, section.kind == "quiet", found is not None, problem)


def _problem(section: Section, surface: str, found: object, decision: Decision[object]) -> str | None:
    """What is wrong with an answer, or None."""
    if section.kind == "quiet":
        return None if found is None else f"expected silence, got {found!r}"
    if surface == "completion":
        top = int(section.argument or 1)
        labels = found[:top] if isinstance(found, list) else []
        return None if section.body in labels else f"expected {section.body!r} in {labels}"
    if surface == "queue":
        lines = "\n".join(found) if isinstance(found, list) else ""
        return None if lines == section.body else f"expected {section.body!r}, got {lines!r} ({decision})"
    wanted: object = tuple(section.body.split("\n->\n")) if surface == "next-edit" else section.body
    if found == wanted:
        return None
    return f"expected {wanted!r}, got {found!r}" + ("" if found else f" ({decision})")


def told(play: Play, surface: str, decision: Decision[object]) -> object:
    """What the user sees: labels, an insertion, or (old lines, new lines); None for silence."""
    if not isinstance(decision, Shown):
        return None
    value = decision.value
    if surface == "completion":
        return [item.label for item in value.items]  # type: ignore[attr-defined]
    if surface == "inline":
        return value.insert  # type: ignore[attr-defined]
    if isinstance(value, WrittenBodies):
        return value.items[0].key
    if isinstance(value, NextEdits):
        return sure_lines(play.document(), value) or None
    assert play.syntax is not None
    if isinstance(value, EditPlace):
        return play.syntax.buffer.line_text(play.syntax.buffer.line_at(value.start)).strip()
    assert isinstance(value, NextEdit)
    return changed_lines(play.syntax.buffer, value.edit)


def listed(play: Play, document: Document, section: Section) -> tuple[str, str] | None:
    """The lines that the section names, where one of the likeliest candidates changes them so."""
    items = play.engine.rated_candidates(document, play.cursor, Cancel(), thorough=False).items
    own = [one for one in items if one.candidate.document.uri == document.uri]
    likeliest = sorted(own, key=lambda one: -one.probability)[:LISTED]
    made = (as_asked(document.syntax.buffer, one.candidate.offer, section) for one in likeliest)
    return next((one for one in made if one is not None), None)


def as_asked(buffer: Buffer, edit: ByteEdit, section: Section) -> tuple[str, str] | None:
    """The lines that the section names, where changing them as it says makes the same text as the edit does.

    The end of one line and the beginning of the next are one place.
    """
    old, _, new = section.body.partition("\n->\n")
    after = buffer.apply(edit).data.decode()
    text = buffer.data.decode()
    at = text.find(old)
    while at >= 0:
        if f"{text[:at]}{new}{text[at + len(old) :]}" == after:
            return old, new
        at = text.find(old, at + 1)
    return None


def sure_lines(document: Document, found: NextEdits) -> list[str]:
    """The lines that sure places would make, in text order; those of other files with the file's name."""
    buffers = {one.uri: one.syntax.buffer for one in (document, *document.others)}
    lines: list[tuple[str, int, str]] = []
    for item in found.items:
        if item.sure:
            name = "" if item.uri == document.uri else f"{item.uri.removeprefix(document.uri).strip('/') or 'first'}: "
            new = changed_lines(buffers[item.uri], item.edit)[1]
            lines.append((name, item.edit.start, f"{name}{new}"))
    return [line for _, _, line in sorted(lines)]


def changed_lines(buffer: Buffer, edit: ByteEdit) -> tuple[str, str]:
    """The whole lines that an edit touches, before and after."""
    first = buffer.line_span(buffer.line_at(edit.start))[0]
    last = buffer.line_span(buffer.line_at(edit.old_end))[1]
    after = buffer.apply(edit).data
    old = buffer.data[first:last].decode()
    return old, after[first : last + edit.delta].decode()
