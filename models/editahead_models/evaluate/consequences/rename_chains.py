"""Renames typed by hand in real files, followed through every consequence that the engine offers.

A declaration is drawn, the cursor goes to it, the name is deleted and another one typed letter by letter; then every
next edit is accepted until none comes. What ought to be renamed is said by another program (`jedi_references.py`,
`JavacReferences.java`), never by our resolver.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.consequences.renames.exported_types import exported_strings
from editahead.suggest.types import Document, NextEdit, Shown
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.syntax.scope_table import Action
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

MAX_STEPS = 200  # accepted edits of one rename
_FIRST, _SECOND = ("fresh", "other", "inner", "plain", "whole"), ("label", "amount", "entry", "figure", "marker")


@dataclass(frozen=True)
class Drawn:
    """A declaration to rename: the byte of its name, and the bytes where another program says that it is used."""

    path: str
    text: str
    start: int
    old: str
    new: str
    kind: str
    truth: frozenset[int]


@dataclass(frozen=True)
class Chain:
    """What one rename came to.

    `offered`: something was shown at first; `steps` edits were accepted, `wrong` of them changed what they should not;
    `missed` places were never offered; `half_typed` answers came while the name was not finished and were not empty;
    `after`: something was shown when nothing was left.
    """

    kind: str
    places: int
    offered: bool
    steps: int
    wrong: int
    missed: int
    half_typed: int
    after: bool
    sources: tuple[str, ...]
    where: str
    note: str = ""  # the last edit that was wrong or not due

    def row(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


class References:
    """Another program that knows references, asked line by line."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def of(self, path: str, text: str, start: int) -> frozenset[int] | None:
        """The bytes where the name at a byte is used, its declaration among them; None where the program fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        data = text.encode()
        line = data.count(b"\n", 0, start) + 1
        column = len(data[data.rfind(b"\n", 0, start) + 1 : start].decode())
        asked = {"path": path, "text": text, "line": line, "column": column}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline() or "null")
        return bytes_of(text, answer) if answer else None

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()


def bytes_of(text: str, places: Iterable[Sequence[int]]) -> frozenset[int]:
    """The bytes of places in a text: lines from 1, columns in characters."""
    rows, lines = text.split("\n"), [0]
    for row in rows:
        lines.append(lines[-1] + len(row.encode()) + 1)
    return frozenset(lines[line - 1] + len(rows[line - 1][:column].encode()) for line, column in places)


def drawn(
    files: Sequence[tuple[str, bytes]],
    language: Language,
    truth: References,
    rng: random.Random,
    *,
    each: int = 4,
    again: bool = False,
) -> Iterator[Drawn]:
    """Declarations of files, a few of each, with what another program says of them; with `again`, round after round.

    The strings of the list in which a module names its exports are references too, of which such programs say nothing.
    """
    left: dict[str, list[tuple[int, str]]] = {}
    while True:
        for path, content in files:
            if path in left and not left[path]:
                continue
            text = content.decode("utf-8", "replace")
            snapshot = open_snapshot(Buffer(text.encode()), language)
            names = resolver_of(snapshot)
            if names is None or "\r" in text:
                left[path] = []
                continue
            if path not in left:
                left[path] = _names(names)
                rng.shuffle(left[path])
            rows, left[path] = left[path][:each], left[path][each:]
            for start, old in rows:
                at = names.name_at(start, old)
                binding = names.binding(at) if at is not None else None
                first = binding is not None and names.declarations(binding)[:1] == [at]
                if binding is None or not first or old in ("self", "cls", "_") or old.startswith("__"):
                    continue
                places = truth.of(path, text, start)
                if places is not None and start in places:
                    places |= frozenset(exported_strings(snapshot, old) if binding.scope == MODULE_SCOPE else ())
                    yield Drawn(path, text, start, old, fresh_name(text, rng), names.kind(binding), places)
        if not again or not any(left.values()):
            return


def _names(names: Resolver) -> list[tuple[int, str]]:
    """Where names are declared: byte and name."""
    return [
        (unit.start + occurrence.start, occurrence.name)
        for unit in names.scopes.facts.units
        for occurrence in unit.facts.occurrences
        if occurrence.action is Action.BIND or occurrence.kind
    ]


def fresh_name(text: str, rng: random.Random) -> str:
    """A name that does not stand in a text."""
    while True:
        name = f"{rng.choice(_FIRST)}_{rng.choice(_SECOND)}"
        if name not in text:
            return name


class TypedFile:
    """A file as an editor holds it."""

    def __init__(self, one: Drawn, language: Language) -> None:
        self.clock = 0.0
        buffer = Buffer(one.text.encode())
        self.syntax = open_snapshot(buffer, language)
        self.history = History(buffer, lambda: self.clock)
        self.language, self.version, self.cursor = language, 0, one.start
        self.uri = f"file:///{one.path}"

    def edit(self, edit: ByteEdit) -> None:
        """One change by the user."""
        self.clock += 0.1
        self.version += 1
        before = self.syntax.buffer
        self.history.push(edit, before)
        self.syntax = self.syntax.advance(before.apply(edit), [edit])
        self.cursor = edit.new_end

    def document(self, *, idle: bool) -> Document:
        """The snapshot that a surface is asked with."""
        view = self.history.view()
        return Document(self.uri, None, self.language.id, self.version, self.syntax, view, Settings(), idle=idle)


def followed(engine: Engine, one: Drawn, language: Language) -> Chain:
    """Type one rename and accept all that follows."""
    editor = TypedFile(one, language)
    old, new = one.old.encode(), one.new.encode()
    editor.edit(ByteEdit(one.start, one.start + len(old), b""))
    half, note = 0, ""
    for number in range(len(new)):
        editor.edit(ByteEdit(editor.cursor, editor.cursor, new[number : number + 1]))
        if number in (1, len(new) - 2):
            early = engine.next_edit(editor.document(idle=False), editor.cursor, Cancel())
            half += isinstance(early, Shown)
            note = _described(early.value, editor) if isinstance(early, Shown) else note
    left = set(one.truth) - {one.start}
    done = {one.start}
    steps = wrong = 0
    sources: list[str] = []
    shown = _ask(engine, editor)
    offered = shown is not None
    while shown is not None and left and steps < MAX_STEPS:
        steps += 1
        sources.append(shown.source)
        touched = renamed_places(shown.edit, editor.syntax.buffer.data, old, new)
        places = {before_renames(at, done, len(new) - len(old)) for at in touched} if touched is not None else set()
        good = touched is not None and bool(places) and places <= left
        wrong += not good
        if not good:
            note = _described(shown, editor)
            break
        left -= places
        done |= places
        editor.edit(shown.edit)
        editor.clock += 2.0
        editor.history.settle(editor.clock)
        shown = _ask(engine, editor)
    if shown is not None and not left:
        note = _described(shown, editor)
    engine.forget(editor.uri)
    after = not left and not wrong and shown is not None
    where = f"{one.path}:{one.text.encode()[: one.start].count(bytes([10])) + 1} {one.old}"
    return Chain(one.kind, len(one.truth), offered, steps, wrong, len(left), half, after, tuple(sources), where, note)


def _described(edit: NextEdit, editor: TypedFile) -> str:
    buffer = editor.syntax.buffer
    line = buffer.line_at(edit.edit.start)
    return f"{edit.source or 'other'} in line {line + 1}: {edit.edit.old_bytes(buffer.data)!r} -> {edit.edit.new!r}"


def _ask(engine: Engine, editor: TypedFile) -> NextEdit | None:
    decision = engine.next_edit(editor.document(idle=True), editor.cursor, Cancel())
    return decision.value if isinstance(decision, Shown) else None


def renamed_places(edit: ByteEdit, data: bytes, old: bytes, new: bytes) -> list[int] | None:
    """The bytes of `data` where an edit puts the new name for the old one; None where it does anything else."""
    removed, found, at = edit.old_bytes(data), list[int](), 0
    places = [n for n in range(len(removed)) if removed.startswith(old, n)]
    rebuilt, cut = b"", 0
    for n in places:  # greedy: an old name is renamed where the new text goes on with the new name
        head = removed[cut:n]
        if edit.new.startswith(head + new, at):
            rebuilt += head + new
            at, cut = len(rebuilt), n + len(old)
            found.append(edit.start + n)
    rebuilt += removed[cut:]
    return found if rebuilt == edit.new else None


def before_renames(at: int, done: set[int], delta: int) -> int:
    """A byte of the text with some places renamed, in the text before all of it."""
    for place in sorted(done):
        if place < at:
            at -= delta
    return at
