"""What the files of a project import, as it is written there, and the classes and functions that they declare.

In Python a module is its dotted path, behind the dots of a relative import: `os.path`, `..models`. Where a quoted path
names it, it is that path (`import_paths`).
"""

from __future__ import annotations

import heapq
import math
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from editahead.index.packages import EMPTY_PACKAGES, ProjectPackages
from editahead.index.sliced_work import Steps


class ModuleLookup:
    """Immutable; built in time linear in the files and the imported modules of a project.

    `modules`: paths from the root on without endings; `named`: these by their last part. `imported`: dotted modules as
    they are written, by their last part, "" for those of dots alone.
    """

    def __init__(self, paths: Iterable[str], imported: Iterable[str]) -> None:
        """`imported`: each module once."""
        self.modules = frozenset("/".join(module_parts(path)) for path in paths)
        self.named: Mapping[str, list[str]] = _by_last_part(sorted(self.modules), "/")
        self.imported: Mapping[str, list[str]] = _by_last_part(imported, ".")


def module_parts(path: str) -> list[str]:
    """The folders and the name of a Python module; of a package those of its folder."""
    parts = path.removesuffix(".pyi").removesuffix(".py").split("/")
    return parts[:-1] if parts[-1] == "__init__" else parts


def _by_last_part(names: Iterable[str], sign: str) -> dict[str, list[str]]:
    names_by_part = dict[str, list[str]]()
    for name in names:
        names_by_part.setdefault(name.rpartition(sign)[2], []).append(name)
    return names_by_part


MAX_IMPORTS_OF_FILE = 400  # imported names
MAX_DECLARED = 200
MAX_NAMES = 100_000  # names of a project
MAX_STATEMENT_TOKENS = 250  # tokens of a statement
_COMMON = 400  # files: a module that more of them import says nothing of a file
_ALIKE = 48  # files that are compared
_MAX_SOURCES = 24  # whose sources are looked up
_MAX_DECLARING = 20  # files that declare the same name
_RECEIVERS = frozenset(("self", "cls"))
_STEP = 100

_SOURCES = frozenset(("src", "lib", "python"))  # folders of a project that often hold its packages


class FileImports(NamedTuple):
    """(module, name) of what a file imports, the name empty for the module itself, and the names that it declares."""

    imports: tuple[tuple[str, str], ...] = ()
    declared: tuple[str, ...] = ()


def imports_of(statement: Sequence[str]) -> Iterator[tuple[str, str]]:
    r"""Yield (module, name) of all that a statement imports which begins these tokens; `"\n"` is a line's end."""
    texts = statement[:MAX_STATEMENT_TOKENS]
    yield from _from(texts) if texts[:1] == ["from"] else _import(texts)


def declared_by(following: Sequence[str]) -> str:
    """The class or function that these tokens declare, which begin with `class` or `def`; "" for a method."""
    word, name, bracket, first = [*following[:4], "", "", ""][:4]
    declares = word == "class" or (bracket == "(" and first not in _RECEIVERS)
    return name if declares and name.isidentifier() else ""


def _from(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    at = 1
    while at < len(texts) and (texts[at].strip(".") == "" or texts[at].isidentifier()) and texts[at] != "import":
        if not texts[at].strip():  # the line's end
            return
        at += 1
    if texts[at : at + 1] != ["import"]:
        return
    module, bracket, before = sys.intern("".join(texts[1:at])), False, "import"
    for text in texts[at + 1 :]:
        if text == "(":
            bracket = True
        elif text == ")" or (text == "\n" and not bracket):
            return
        elif text.isidentifier() and text != "as" and before != "as":
            yield module, text
        before = text if text != "\n" else before


def _import(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    path, before = "", "import"
    for text in [*texts[1:], "\n"]:
        if text in (",", "\n"):
            if path:
                yield sys.intern(path), ""
            path = ""
        elif text != "as" and before != "as":
            path += text
        if text == "\n":
            return
        before = text


class ImportVotes(NamedTuple):
    """How many other files import something; how many of those most alike, and of the same folder, in [0, 1]."""

    files: int
    alike: float
    folder: float


@dataclass(frozen=True)
class ProjectImports:
    """The imports of the files of a project. Immutable, so any thread may use it.

    `following`: what stands behind a beginning ("": a first module, `a.b.`: the next, `a.b import`: a name), and the
    numbers of the files; `holders`: the files that import a module; `sources`: modules that a name is imported from;
    `declaring`: the files that declare a name. `packages`: where files name their own, instead of all these.
    """

    files: Mapping[str, FileImports] = field(default_factory=dict)
    paths: Sequence[str] = ()
    following: Mapping[str, Mapping[str, list[int]]] = field(default_factory=dict)
    holders: Mapping[str, list[int]] = field(default_factory=dict)
    sources: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    declaring: Mapping[str, list[int]] = field(default_factory=dict)
    packages: ProjectPackages = EMPTY_PACKAGES

    @cached_property
    def lookup(self) -> ModuleLookup:
        """The files and the imported modules by their names."""
        return ModuleLookup(self.paths, self.holders)

    def votes(self, beginning: str, modules: Collection[str], own: str | None) -> dict[str, ImportVotes]:
        """What other files import behind a beginning; `modules`: those that the file `own` imports already."""
        behind = self.following.get(beginning)
        if behind is None:
            return {}
        alike, beside = self._alike(modules, own), self._beside(own)
        weights, near = sum(alike.values()) or 1.0, len(beside) or 1
        votes = {}
        for text, files in behind.items():
            others = [file for file in files if self.paths[file] != own]
            if others:
                vote = sum(alike.get(file, 0.0) for file in others) / weights
                votes[text] = ImportVotes(len(others), vote, sum(file in beside for file in others) / near)
        return votes

    def path_votes(self, paths: Collection[str], own: str | None) -> dict[str, ImportVotes]:
        """How many other files import each path; `paths`: those that the file `own` imports already."""
        alike, beside = self._alike(paths, own), self._beside(own)
        weights, near = sum(alike.values()) or 1.0, len(beside) or 1
        votes, folder = self._summed(alike), self._summed(dict.fromkeys(beside, 1.0))
        mine = frozenset(module for module, _ in self.files.get(own or "", FileImports()).imports)
        result = {}
        for path, files in self.holders.items():
            others = len(files) - (path in mine)
            if others:
                result[path] = ImportVotes(others, votes.get(path, 0.0) / weights, folder.get(path, 0.0) / near)
        return result

    def sources_of(self, name: str, own: str | None) -> dict[str, float]:
        """The paths that other files take a name from, with the share of each."""
        mine = frozenset(self.files.get(own or "", FileImports()).imports)
        counts = {path: files - ((path, name) in mine) for path, files in self.sources.get(name, {}).items()}
        total = sum(counts.values())
        return {path: files / total for path, files in counts.items() if files}

    def exporting(self, name: str, own: str | None) -> list[str]:
        """The files that export a name, but for `own`."""
        return [self.paths[file] for file in self.declaring.get(name, ())[:_MAX_DECLARING] if self.paths[file] != own]

    def import_shares(self, beginning: str, names: Iterable[str], own: str | None) -> dict[str, float]:
        """How many of some names other files import from modules that begin so, by the next part of the module."""
        shares: dict[str, float] = {}
        for name in islice(names, _MAX_SOURCES):
            for module, share in self.sources_of(name, own).items():
                text = module[len(beginning) :].partition(".")[0] if module.startswith(beginning) else ""
                if text:
                    shares[text] = shares.get(text, 0.0) + share
        return shares

    def declaration_shares(self, beginning: str, names: Iterable[str], own: str | None) -> dict[str, float]:
        """How many of some names other files declare in modules that begin so, by the next part of the module."""
        dots = len(beginning) - len(beginning.lstrip("."))
        before = [part for part in beginning.split(".") if part]
        if dots:
            folders = (own or "").split("/")[:-1]
            if own is None or dots - 1 > len(folders):
                return {}
            before = [*folders[: len(folders) - (dots - 1)], *before]
            before = before[1:] if before[:1] and before[0] in _SOURCES else before
        shares: dict[str, float] = {}
        for name in islice(names, _MAX_SOURCES):
            files = self.exporting(name, own)
            for path in files:
                module = _module_parts(path)
                if module[: len(before)] == before and len(module) > len(before):
                    text = module[len(before)]
                    shares[text] = shares.get(text, 0.0) + 1 / len(files)
        return shares

    def _summed(self, files: Mapping[int, float]) -> dict[str, float]:
        """The weights of the files that import each path, summed."""
        weights: dict[str, float] = {}
        for file, weight in files.items():
            for path in {module for module, _ in self.files[self.paths[file]].imports}:
                weights[path] = weights.get(path, 0.0) + weight
        return weights

    def _alike(self, modules: Collection[str], own: str | None) -> dict[int, float]:
        """The files that share most modules with these, rare ones counting more, with their weights."""
        weights: dict[int, float] = {}
        for module in modules:
            files = self.holders.get(module, ())
            if len(files) <= _COMMON:
                for file in files:
                    weights[file] = weights.get(file, 0.0) + 1 / math.log(2 + len(files))
        best = heapq.nlargest(_ALIKE, weights.items(), key=lambda item: (item[1], -item[0]))
        return {file: weight * weight for file, weight in best if self.paths[file] != own}

    def _beside(self, own: str | None) -> frozenset[int]:
        """The files of the same folder."""
        if own is None:
            return frozenset()
        folder = own.rpartition("/")[0]
        return frozenset(n for n, path in enumerate(self.paths) if path.rpartition("/")[0] == folder and path != own)


def build_project_imports(files: Mapping[str, FileImports], *, dotted: bool = True) -> Steps[ProjectImports]:
    """Build the table of some files; of a project beyond `MAX_NAMES` names only the first files count.

    `dotted`: modules are dotted paths, which are written part by part.
    """
    paths: list[str] = []
    following: dict[str, dict[str, list[int]]] = {}
    holders: dict[str, list[int]] = {}
    sources: dict[str, dict[str, int]] = {}
    declaring: dict[str, list[int]] = {}
    total = 0
    for path, (imports, declared) in files.items():
        if total > MAX_NAMES:
            break
        number, total = len(paths), total + len(imports) + len(declared)
        paths.append(path)
        for at, (module, name) in enumerate(imports):
            if at % _STEP == 0:
                yield
            for beginning, text in _parts(module, name) if dotted else ():
                _add(following.setdefault(beginning, {}).setdefault(text, []), number)
            _add(holders.setdefault(module, []), number)
            if name:
                counts = sources.setdefault(name, {})
                counts[module] = counts.get(module, 0) + 1
        yield
        for name in declared:
            declaring.setdefault(name, []).append(number)
    return ProjectImports(files, paths, following, holders, sources, declaring)


def _module_parts(path: str) -> list[str]:
    """The names of a file's module, from the project's root on."""
    parts = path.removesuffix(".py").split("/")
    parts = parts[1:] if len(parts) > 1 and parts[0] in _SOURCES else parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def _parts(module: str, name: str) -> Iterator[tuple[str, str]]:
    """Each word of an import with what stands before it."""
    at = len(module) - len(module.lstrip("."))
    while at < len(module):
        end = module.find(".", at)
        end = len(module) if end < 0 else end
        yield module[:at], module[at:end]
        at = end + 1
    if name:
        yield f"{module} import", name


def _add(files: list[int], number: int) -> None:
    if not files or files[-1] != number:
        files.append(number)


EMPTY_IMPORTS = ProjectImports()
