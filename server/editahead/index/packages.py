"""The packages of a project's files where each file names its own (Java): what it imports, and the types it declares.

A type is seen without an import by the files of its package. Paths are relative to the project's root, with slashes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.index.sliced_work import Steps
from editahead.text.words import SCRIPT_IDENTIFIER

FAMILIES = frozenset(("java",))
MAX_IMPORTS = 400  # of a file
MAX_TYPES = 200  # of a file
MAX_ENTRIES = 100_000  # imports and types of a project
MAX_TOKENS = 40  # tokens of a dotted name
_MAX_TYPES_LOOKED_UP = 20  # of a file
_STEP = 100
_READ = 64 * 1024  # bytes from the start of a file: its package stands there
_PACKAGE = re.compile(
    rb"(?:\s|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*package\s+(%b(?:\.%b)*)\s*;" % (SCRIPT_IDENTIFIER, SCRIPT_IDENTIFIER)
)
_BUILT = frozenset(("build", "target"))  # folders of what a build writes
_BOM = b"\xef\xbb\xbf"

Numbers = npt.NDArray[np.uint32]


class FilePackage(NamedTuple):
    """The package of a file (or ""), the dotted names that it imports (`a.b.*` too), and its types."""

    package: str = ""
    imports: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


@dataclass(frozen=True)
class TokenFiles:
    """Which files hold a token: the T tokens of all files, where each file's end, and the numbers of words."""

    stream_T: Numbers
    paths: Sequence[str]
    ends: npt.NDArray[np.int64]
    numbers: Mapping[str, int]

    def holding(self, name: str) -> frozenset[str] | None:
        """The files that hold a name, in time linear in the project; None where the index does not know the name."""
        number = self.numbers.get(name)
        if number is None:
            return None
        at = np.unique(np.searchsorted(self.ends, np.flatnonzero(self.stream_T == number), side="right"))
        return frozenset(self.paths[file] for file in at.tolist())


@dataclass(frozen=True)
class ProjectPackages:
    """The packages of the files of a project. Immutable, so any thread may use it.

    `inside`: the files of a package; `importing`: those that import something of a package or of a type in it;
    `declaring`: those that declare a type of a name.
    """

    files: Mapping[str, FilePackage] = field(default_factory=dict)
    inside: Mapping[str, list[str]] = field(default_factory=dict)
    importing: Mapping[str, list[str]] = field(default_factory=dict)
    declaring: Mapping[str, list[str]] = field(default_factory=dict)
    tokens: TokenFiles | None = None

    def users(self, name: str, declaring: str, check: Callable[[], None] = lambda: None) -> Iterator[str]:
        """Yield the files that may use `name`, which the file `declaring` declares: a type, or a member of a type.

        Generated files are skipped: a build writes them again. `check` ends the work by raising.
        """
        mine = self.files.get(declaring)
        if mine is None:
            return
        holding = self._holding(name, mine.types)
        starts = frozenset((f"{mine.package}.*", *(f"{mine.package}.{type_name}" for type_name in (*mine.types, name))))
        for path in dict.fromkeys((*self.importing.get(mine.package, ()), *self.inside.get(mine.package, ()))):
            check()
            if path == declaring or (holding is not None and path not in holding):
                continue
            candidate = self.files[path]
            if not _is_generated(declaring, mine.package) and _is_generated(path, candidate.package):
                continue
            same_package = candidate.package == mine.package
            is_near = same_package and (bool(mine.package) or _folder(path) == _folder(declaring))
            if is_near or any(_has_prefix_in(imported, starts) for imported in candidate.imports):
                yield path

    def _holding(self, name: str, types: Sequence[str]) -> frozenset[str] | None:
        """The files that contain a name; for a member (it begins with a lower-case letter) also its type."""
        paths = self.tokens.holding(name) if self.tokens is not None else None
        if paths is None or self.tokens is None or not name[:1].islower():
            return paths
        if len(types) > _MAX_TYPES_LOOKED_UP:
            return paths
        return paths & frozenset(path for type_name in types for path in self.tokens.holding(type_name) or ())

    def is_import_of(self, written: str, importing: str, declaring: str) -> bool:
        """Whether a type as it is written in the file `importing` is declared by the file `declaring` and no other.

        `a.b.C` is C of the package a.b. C alone is used by a file of the same package, or after an import of all types
        of a package; then no other file may declare a type of this name that could hide it.
        """
        package, _, name = written.rpartition(".")
        mine, user = self.files.get(declaring, FilePackage()), self.files.get(importing, FilePackage())
        others = [path for path in self.declaring.get(name, ()) if path != declaring]
        if package:
            return not any(self.files[path].package == package for path in others)
        if user.package != mine.package:
            return not others
        return not any(self.files[path].package == mine.package or not _is_named(path, name) for path in others)

    def has_type(self, name: str, package: str, but: str = "") -> bool:
        """Whether a file of a package, other than `but`, declares a type of a name."""
        return any(path != but and self.files[path].package == package for path in self.declaring.get(name, ()))


def package_of(data: bytes) -> str:
    """The package that a file names at its start, or "". Never raises."""
    match = _PACKAGE.match(data, len(_BOM) if data.startswith(_BOM) else 0, _READ)
    return match[1].decode("ascii") if match is not None else ""


def read_package(statements: Iterable[Sequence[str]], types: Iterable[str]) -> FilePackage:
    """What a file says: the tokens that begin with `package` or `import`, and the words behind `class` and the like."""
    package, imports = "", dict[str, None]()
    for words in statements:
        rest = [word for word in words[1:] if word not in ("static", "\n")]
        dotted = "".join(rest[: rest.index(";")]) if ";" in rest else ""
        if words[0] == "package":
            package = package or dotted
        elif dotted and len(imports) < MAX_IMPORTS:
            imports[sys.intern(dotted)] = None
    named = dict.fromkeys(word for word in types if word.isidentifier())
    return FilePackage(sys.intern(package), tuple(imports), tuple(islice(named, MAX_TYPES)))


def build_packages(files: Mapping[str, FilePackage], tokens: TokenFiles | None) -> Steps[ProjectPackages]:
    """Build the table of some files; beyond `MAX_ENTRIES` imports and types only the first files count."""
    kept = dict[str, FilePackage]()
    inside, importing, declaring = dict[str, list[str]](), dict[str, list[str]](), dict[str, list[str]]()
    total = 0
    for number, (path, file) in enumerate(files.items()):
        if number % _STEP == 0:
            yield
        total += len(file.imports) + len(file.types)
        if total > MAX_ENTRIES:
            break
        kept[path] = file
        inside.setdefault(file.package, []).append(path)
        for holder in dict.fromkeys(holder for dotted in file.imports for holder in _packages_in(dotted)):
            importing.setdefault(holder, []).append(path)
        for name in file.types:
            declaring.setdefault(name, []).append(path)
    return ProjectPackages(kept, inside, importing, declaring, tokens)


def _packages_in(dotted: str) -> Iterator[str]:
    """The possible packages of an imported name: what stands before any of its last three parts."""
    for _ in range(3):
        dotted = dotted.rpartition(".")[0]
        if dotted:
            yield dotted


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _has_prefix_in(dotted: str, starts: Collection[str]) -> bool:
    """Whether a dotted name, or a prefix of it that ends before a dot, is among some names."""
    return dotted in starts or any(dotted[:at] in starts for at, sign in enumerate(dotted) if sign == ".")


def _is_generated(path: str, package: str) -> bool:
    """Whether a file lies in the output folder of a build, above the folders of its package."""
    folders, own = path.split("/")[:-1], package.split(".") if package else []
    above = folders[: len(folders) - len(own)] if own and folders[-len(own) :] == own else folders
    return not _BUILT.isdisjoint(above)


def _is_named(path: str, name: str) -> bool:
    """Whether a file bears the name of a type, which then stands in no other type."""
    return path.rpartition("/")[2].partition(".")[0] == name


EMPTY_PACKAGES = ProjectPackages()
