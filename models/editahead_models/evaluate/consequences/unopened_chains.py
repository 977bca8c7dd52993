"""Exported names renamed by hand with one file open: are they renamed in the rest of the project as they should be?

A declaration is drawn, its name is deleted and another one typed; then all next edits in files that are not open are
accepted until none comes. What ought to be renamed is said by another program, which reads the whole project.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE
from editahead.analysis.resolver.resolver import resolver_of
from editahead.index.project_imports import ProjectImports
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.consequences.renames.export_list import exported_strings
from editahead.suggest.types import Shown
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.syntax.scope_table import Action, ScopeKind
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

from editahead_models.evaluate.consequences.rename_chains import (
    Drawn,
    References,
    TypedFile,
    bytes_of,
    fresh_name,
    renamed_places,
)
from editahead_models.evaluate.consequences.unopened_project import UnopenedFolder

MOST_ROUNDS = 20
KINDS = frozenset({"function", "class", "variable", "method", "field"})
_SHORTEST = 3  # letters of a name
Places = Mapping[str, frozenset[int]]
"""Bytes by file."""


@dataclass(frozen=True)
class OtherFiles:
    """What one rename came to in files that were not open.

    `places` there should be renamed; of those `shown` by sure edits, `right` were among them; `listed` and
    `listed_right` count what is less sure, too. `sites`: the places by file that were missed, wrong or less sure.
    """

    project: str
    kind: str
    places: int
    shown: int
    right: int
    listed: int
    listed_right: int
    where: str
    sites: tuple[str, ...] = ()

    def row(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


class ProjectReferences(References):
    """Another program that knows the references of a whole project below a folder, asked line by line."""

    def __init__(self, command: Sequence[str], root: Path, files: Mapping[str, str]) -> None:
        super().__init__(command)
        self._root, self._files = root, files
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8", newline="")

    def everywhere(self, path: str, start: int) -> Places | None:
        """Where the name at a byte of a file is used, its declaration among them; None where the program fails."""
        answer = self.answer(path, self._files[path], start, root=str(self._root))
        if not answer:
            return None
        found = dict[str, list[tuple[int, int]]]()
        for other, line, column in answer:
            if other in self._files:
                found.setdefault(other, []).append((line, column))
        return {other: bytes_of(self._files[other], places) for other, places in found.items()}


def drawn(
    files: Mapping[str, str], language: Language, truth: ProjectReferences, rng: random.Random, *, each: int = 3
) -> Iterator[tuple[Drawn, Places]]:
    """Declarations of modules and classes whose names stand in other files, too, with where they are used.

    The strings of the list in which a module names its exports are references too, of which such programs say nothing.
    """
    paths = list(files)
    rng.shuffle(paths)
    for path in paths:
        names = resolver_of(open_snapshot(Buffer(files[path].encode()), language))
        if names is None:
            continue
        rows = [
            (unit.start + one.start, one.name)
            for unit in names.scopes.facts.units
            for one in unit.facts.occurrences
            if one.action is Action.BIND and len(one.name) >= _SHORTEST and not one.name.startswith("_")
        ]
        rng.shuffle(rows)
        count = 0
        for start, old in rows:
            at = names.name_at(start, old)
            binding = names.binding(at) if at is not None else None
            if count == each or binding is None or names.declarations(binding)[:1] != [at]:
                continue
            of_class = names.table.imports.names_package and names.scopes.kind(binding.scope) is ScopeKind.CLASS
            seen = binding.scope == MODULE_SCOPE or of_class
            held = any(old in text for other, text in files.items() if other != path)
            if not seen or not held or names.kind(binding) not in KINDS:
                continue
            places = truth.everywhere(path, start)
            if places is not None and start in places.get(path, ()):
                count += 1
                places = {other: _with_exports(files[other], language, old, rows) for other, rows in places.items()}
                new = fresh_name(" ".join(files[other] for other in places), rng)
                yield Drawn(path, files[path], start, old, new, names.kind(binding), places[path]), places


def _with_exports(text: str, language: Language, name: str, rows: frozenset[int]) -> frozenset[int]:
    return rows.union(exported_strings(open_snapshot(Buffer(text.encode()), language), name))


def followed(
    engine: Engine, one: Drawn, places: Places, files: Mapping[str, str], imports: ProjectImports, language: Language
) -> OtherFiles:
    """Type one rename and accept all edits in files that are not open, with those that are sure noted."""
    editor = TypedFile(one, language)
    old, new = one.old.encode(), one.new.encode()
    editor.edit(ByteEdit(one.start, one.start + len(old), b""))
    for number in range(len(new)):
        editor.edit(ByteEdit(editor.cursor, editor.cursor, new[number : number + 1]))
    shown, listed = set[tuple[str, int]](), set[tuple[str, int]]()
    open_paths = frozenset({one.path})
    for _ in range(MOST_ROUNDS):
        folder = UnopenedFolder(files, language, imports, open_paths)
        document = replace(editor.document(idle=True), unopened=folder)
        decision = engine.next_edits_unopened(document, editor.cursor, Cancel())
        if not isinstance(decision, Shown):
            break
        for item in decision.value.items:
            path = item.uri.removeprefix("file:///")
            at = renamed_places(item.edit, files[path].encode(), old, new)
            rows = {(path, start) for start in (at if at is not None else (item.edit.start,))}
            listed |= rows
            shown |= rows if item.sure else set()
            open_paths |= {path}
    engine.forget(editor.uri)
    due = {(path, at) for path, rows in places.items() if path != one.path for at in rows}
    sites = [
        f"{word} {path}:{files[path].encode().count(bytes([10]), 0, at) + 1}"
        for word, rows in (("missed", due - listed), ("wrong", listed - due), ("unsure", listed & due - shown))
        for path, at in sorted(rows)
    ]
    line = one.text.encode().count(b"\n", 0, one.start) + 1
    where = f"{one.path}:{line} {one.old}"
    counts = len(due), len(shown), len(due & shown), len(listed), len(due & listed)
    return OtherFiles("", one.kind, *counts, where, tuple(sites))


def figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Figures of each kind of declaration.

    Renames with uses in other files, how many of these were shown something and had all uses renamed; the places that
    were shown and are right; and of the renames without such uses those that were shown something.
    """
    found = dict[str, dict[str, float]]()
    for kind in sorted({row["kind"] for row in rows}):
        mine = [row for row in rows if row["kind"] == kind]
        used = [row for row in mine if row["places"]]
        found[kind] = {
            "renames": len(used),
            "offered": sum(row["shown"] > 0 for row in used),
            "to the end": sum(row["right"] == row["places"] == row["shown"] for row in used),
            "places": sum(row["places"] for row in used),
            "shown": sum(row["shown"] for row in mine),
            "right": sum(row["right"] for row in mine),
            "listed": sum(row["listed"] for row in mine),
            "listed, right": sum(row["listed_right"] for row in mine),
            "listed to the end": sum(row["listed_right"] == row["places"] == row["listed"] for row in used),
            "renames with a wrong place": sum(row["right"] < row["shown"] for row in mine),
            "unused elsewhere": len(mine) - len(used),
            "unused elsewhere, shown": sum(row["shown"] > 0 for row in mine if not row["places"]),
        }
    return found
