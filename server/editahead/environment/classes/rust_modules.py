"""Modules of Rust: which file a path of names leads to, through `use` statements and what modules hand on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

Used = Callable[[Path], "Sequence[UsedPath] | None"]
FilesNamed = Callable[[str], Sequence[str]]
_USE = re.compile(rb"^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?use[ \t]+([^;]{1,4000});", re.MULTILINE)
_WORD = re.compile(r"\w+|[{},*]|::")
_MAX_USES = 200  # statements of a file
_MAX_PATHS = 400  # of a file
_MAX_DEPTH = 4  # modules that hand a name on
_MAX_FILES = 64  # that a name may lead to
_ROOTS = ("lib.rs", "main.rs", "mod.rs")


class UsedPath(NamedTuple):
    """A path that a `use` statement brings in: its names, the last `*` for all of them, and the name it gets."""

    names: tuple[str, ...]
    known_as: str


def used_paths(data: bytes) -> list[UsedPath]:
    """The paths that a file brings in."""
    paths = list[UsedPath]()
    for match in islice(_USE.finditer(data), _MAX_USES):
        words = _WORD.findall(match[1].decode("utf-8", "replace"))
        paths += islice(_expanded(words), _MAX_PATHS - len(paths))
    return paths


def _expanded(words: Sequence[str]) -> Iterator[UsedPath]:
    """The paths of `a::{b, c::{d as e, *}}`, in a single pass."""
    stack, current = list[tuple[str, ...]](), list[str]()
    base: tuple[str, ...] = ()
    alias = False
    known_as = ""
    for word in (*words, ","):
        if word == "{":
            stack.append(base)
            base, current = (*base, *current), []
        elif word in (",", "}"):
            if current:
                names = (*base, *current)
                names = names[:-1] if names[-1] == "self" and len(names) > 1 else names
                yield UsedPath(names, known_as or names[-1])
            current, alias, known_as = [], False, ""
            if word == "}":
                base = stack.pop() if stack else ()
        elif word == "as":
            alias = True
        elif alias:
            known_as = word
        elif word != "::":
            current.append(word)


class RustModules:
    """The modules of a project. `used` gives the paths that a file brings in, None where it is not to be read."""

    def __init__(self, root: Path, files_named: FilesNamed, used: Used) -> None:
        self._root, self._named, self._used = root, files_named, used

    def files(self, here: Path, names: Sequence[str]) -> Iterator[tuple[Path, str]]:
        """Files that may declare what a path of names means in a file, nearest first, each with the name there."""
        row, seen = [(here, tuple(names), 0)], dict[tuple[Path, str], None]()
        for at, path, depth in row:
            for file, name in self._handed_on(at, path):
                if (file, name) in seen or len(seen) >= _MAX_FILES:
                    continue
                seen[file, name] = None
                yield file, name
                if file != at and depth < _MAX_DEPTH:
                    row.append((file, (name,), depth + 1))

    def _handed_on(self, here: Path, names: Sequence[str]) -> Iterator[tuple[Path, str]]:
        """Files that the `use` statements of a file refer to, each with the name there."""
        paths = self._used(here) or ()
        brought = [path.names for path in paths if path.known_as == names[0] and path.names != tuple(names)]
        wildcards = [(*path.names[:-1], *names) for path in paths if path.names[-1] == "*"]
        whole = [(*path, *names[1:]) for path in brought] or ([tuple(names)] if len(names) > 1 else wildcards)
        for path in dict.fromkeys(whole):
            file, rest = self._lead(here, path)
            if file is not None and len(rest) == 1:
                yield file, rest[0]

    def _lead(self, here: Path, path: Sequence[str]) -> tuple[Path | None, tuple[str, ...]]:
        """The file that the first names of a path lead to, and the names behind."""
        first, at = path[0], 1
        file: Path | None
        if first == "crate":
            file = self._crate_of(here)
        elif first in ("self", "super"):
            file = here
            while file is not None and at <= len(path) and path[at - 1] in ("self", "super"):
                file = file if path[at - 1] == "self" else self._parent(file)
                at += 1
            at -= 1
        else:
            child = self._child(here, first)
            file = child or self._crate_named(first)
        while file is not None and at < len(path) - 1:
            inner = self._child(file, path[at])
            if inner is None:
                break
            file, at = inner, at + 1
        return file, tuple(path[at:])

    def _child(self, file: Path, name: str) -> Path | None:
        folder = file.parent if file.name in _ROOTS else file.with_suffix("")
        rows = (folder / f"{name}.rs", folder / name / "mod.rs")
        return next((path for path in rows if path.is_relative_to(self._root) and path.is_file()), None)

    def _parent(self, file: Path) -> Path | None:
        folder = file.parent.parent if file.name == "mod.rs" else file.parent
        rows = (folder / "mod.rs", folder / "lib.rs", folder / "main.rs", folder.with_suffix(".rs"))
        return next(
            (path for path in rows if path != file and path.is_relative_to(self._root) and path.is_file()), None
        )

    def _crate_of(self, file: Path) -> Path | None:
        for folder in file.parents:
            if not folder.is_relative_to(self._root):
                break
            root_file = next((folder / name for name in ("lib.rs", "main.rs") if (folder / name).is_file()), None)
            if root_file is not None:
                return root_file
        return None

    def _crate_named(self, name: str) -> Path | None:
        """The crate of the project that is called so, by the folder around its `src`."""
        for path in self._named("lib"):
            parts = path.split("/")
            if len(parts) > 2 and parts[-2] == "src" and parts[-3].replace("-", "_") == name:
                return self._root / path
        return None
