"""Scenario files: a buffer, what the user does, and what must be offered, or that nothing must.

A file is a list of sections, each opened by a line `== KIND ARGUMENTS`; `‸` marks the cursor.

    == language python            before the first buffer
    == buffer                     the file's text, with the cursor
    == type                       text typed at the cursor, one keystroke at a time (a final line end is not typed)
    == backspace N                N characters deleted before the cursor
    == go                         a unique piece of the text, with the cursor in it: the cursor jumps there
    == replace                    `old` `->` `new`: the first occurrence at or after the cursor, as one typed change
    == pause                      two seconds pass, so that typing settles
    == reject                     the last next edit offered is turned down
    == completion [N]             the text must be among the first N completions (N = 1 when not given)
    == inline                     ghost text: the insertion must be exactly this
    == next-edit                  `line before` `->` `line after`: what the offered edit must do to one line (or more)
    == quiet SURFACE              completion, inline or next-edit must show nothing
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Decision, Document, NextEdit, Rejection, Shown
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

CURSOR = "‸"
CHECKS = ("completion", "inline", "next-edit", "quiet")


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
    cursor: int = 0
    language_id: str = "python"
    syntax: SyntaxSnapshot | None = None
    history: History | None = None
    rejections: list[Rejection] = field(default_factory=list)
    offered: NextEdit | None = None

    def open(self, text: str) -> None:
        """The file as it stands when the scenario begins."""
        language = by_id(self.language_id)
        assert language is not None
        self.cursor = len(text[: text.index(CURSOR)].encode())
        buffer = Buffer(text.replace(CURSOR, "", 1).encode())
        self.syntax = SyntaxSnapshot.open(buffer, language)
        self.history = History(buffer, lambda: self.clock)

    def edit(self, start: int, end: int, new: str) -> None:
        """One change by the user."""
        assert self.syntax is not None
        assert self.history is not None
        self.clock += 0.1
        change = ByteEdit(start, end, new.encode())
        before = self.syntax.buffer
        self.history.push(change, before)
        self.syntax = self.syntax.advance(before.apply(change), [change])
        self.cursor = change.new_end

    def document(self) -> Document:
        """The snapshot that a surface is asked with."""
        assert self.syntax is not None
        assert self.history is not None
        return Document(
            self.uri, None, self.language_id, 0, self.syntax, self.history.view(), Settings(),
            rejections=tuple(self.rejections), now=self.clock,
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
        assert play.history is not None
        play.history.settle(play.clock)
    elif kind == "reject":
        assert play.offered is not None, "nothing was offered that could be turned down"
        play.rejections.append(Rejection(play.offered.key, play.clock))
    else:
        return False
    return True


def check(play: Play, section: Section) -> str | None:
    """What is wrong with the answer, or None."""
    document = play.document()
    surface = section.argument if section.kind == "quiet" else section.kind
    decision: Decision[object]
    if surface == "completion":
        decision = play.engine.complete(document, play.cursor, Cancel())
    elif surface == "inline":
        decision = play.engine.inline(document, play.cursor, Cancel())
    else:
        decision = play.engine.next_edit(document, play.cursor, Cancel())
    found = told(play, surface, decision)
    if surface == "next-edit" and isinstance(decision, Shown) and isinstance(decision.value, NextEdit):
        play.offered = decision.value
    if section.kind == "quiet":
        return None if found is None else f"expected silence, got {found!r}"
    if surface == "completion":
        top = int(section.argument or 1)
        labels = found[:top] if isinstance(found, list) else []
        return None if section.body in labels else f"expected {section.body!r} in {labels}"
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
    assert play.syntax is not None
    assert isinstance(value, NextEdit)
    return changed_lines(play.syntax.buffer, value.edit)


def changed_lines(buffer: Buffer, edit: ByteEdit) -> tuple[str, str]:
    """The whole lines that an edit touches, before and after."""
    first = buffer.line_span(buffer.line_at(edit.start))[0]
    last = buffer.line_span(buffer.line_at(edit.old_end))[1]
    after = buffer.apply(edit).data
    old = buffer.data[first:last].decode()
    return old, after[first : last + edit.delta].decode()
