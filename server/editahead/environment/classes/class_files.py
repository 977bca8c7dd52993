"""How the files of a language share classes: where they are declared, and which members are visible where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.environment.classes.file_facts import FileFactsCache
from editahead.syntax.language import Language, by_path

FilesNamed = Callable[[str], Sequence[str]]
"""The files of the project that are called like a name, without ending, as paths relative to its root."""


class ReferencingFile(NamedTuple):
    """A file of a project: its path and language, the root of the project, its text and the files around it."""

    path: Path
    root: Path
    language_id: str
    data: bytes
    files_named: FilesNamed


def join_lexically(folder: Path, written: str) -> Path:
    """A folder and a relative path without `.` and `..`, which may lead through links."""
    for part in written.split("/"):
        folder = folder.parent if part == ".." else folder / part if part not in ("", ".") else folder
    return folder


_ENDS_MEMBER = re.compile(rb"[;{},]")
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_PRIVATE = re.compile(rb"\bprivate\b")
_MAX_MODIFIER_BYTES = 400  # bytes before the name of a member


class ClassLocation(NamedTuple):
    """A file that may declare a class, and the name that the class has there."""

    path: Path
    name: str


class ClassFiles:
    """The rules of a language that needs none: every file stands alone, and what is marked private is hidden.

    `facts`: the facts of files. Use it from a single thread.
    """

    def __init__(self, facts: FileFactsCache) -> None:
        self.facts = facts

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        """Where a dotted name of a file may be declared in other files, most likely first; a location may not exist.

        `module`: what its first name is imported from, as it is written; empty where it is not imported.
        """
        return iter(())

    def added_members(self, path: Path, name: str) -> Iterable[str]:
        """Members that other files add to the class of a name in a file."""
        return ()

    def parts(self, path: Path, name: str) -> Iterable[Path]:
        """Other files that may hold a part of the class of a name in a file."""
        return ()

    def package_names(self, source: ReferencingFile, name: str, module: str) -> tuple[str, ...] | None:
        """What a package exports that a file imports under a name; None where the name is none of a package."""
        return None

    def sees(self, source: ReferencingFile, path: Path) -> Callable[[str], bool] | None:
        """Which members of the classes of another file a file sees, by their names; None where it sees all."""
        return None

    def language_of(self, path: Path) -> Language | None:
        """The language of a file that a file of this language refers to."""
        return by_path(path.name)

    def hides(self, data: bytes, begins: int, ends: int) -> Callable[[NameAt], bool]:
        """Which members other files do not see, of the class at bytes [begins, ends) of a file."""
        return lambda member: _PRIVATE.search(before_member(data, member.start)) is not None


def before_member(data: bytes, name: int) -> bytes:
    """The text of a member before its name, without comments."""
    before = data[max(0, name - _MAX_MODIFIER_BYTES) : name]
    head, closed, rest = before.partition(b"*/")
    before = _COMMENT.sub(b" ", rest if closed and b"/*" not in head else before)
    return before[max((match.end() for match in _ENDS_MEMBER.finditer(before)), default=0) :]
