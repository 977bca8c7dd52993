"""The rules of each language whose classes are resolved across files; and the packages of a Go module."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.environment.classes.class_files import (
    ClassFiles,
    ClassLocation,
    FileFactsCache,
    ReferencingFile,
    before_member,
    join_lexically,
)
from editahead.environment.classes.rust_modules import RustModules, UsedPath, used_paths
from editahead.environment.classes.script_modules import (
    ALL,
    ForeignName,
    ScriptFile,
    ScriptPackages,
    led_to,
    module_files,
    read_script_file,
)
from editahead.syntax.language import Language, by_id
from editahead.text.words import IDENTIFIER

_MODULE = re.compile(rb"^module[ \t]+\"?([^\s\"]+)", re.MULTILINE)
_DECLARED = re.compile(rb"^(?:type|func|var|const)[ \t]+(" + IDENTIFIER + rb")", re.MULTILINE)
_METHOD = re.compile(
    rb"^func[ \t]*\([^()\n]{0,80}?\*?[ \t]*(" + IDENTIFIER + rb")(?:\[[^\]\n]*\])?\)[ \t]*(" + IDENTIFIER + rb")",
    re.MULTILINE,
)

_IMPORT = re.compile(rb'^(?:import)?[ \t]*(?:([\w.]+)[ \t]+)?"([^"\n]{1,200})"', re.MULTILINE)
_CODE = re.compile(rb"^(?:func|type|var|const)\b", re.MULTILINE)
_VERSION = re.compile(r"v\d+$")
_BLOCK = re.compile(rb"^(?:type|var|const)[ \t]*\(\n(.*?)^\)", re.MULTILINE | re.DOTALL)
_IN_BLOCK = re.compile(rb"^\t(" + IDENTIFIER + rb")", re.MULTILINE)
_MAX_FOLDERS = 12  # from a file up to its go.mod
_MAX_PACKAGE_FILES = 200  # of a package
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]{1,200})[>"]', re.MULTILINE)
_ACCESS = re.compile(rb"^[ \t]*(public|protected|private)[ \t]*:(?!:)", re.MULTILINE)
_MAX_INCLUDES = 40
_INCLUDED_FROM = ("", "include", "src", "lib")  # folders below the root
_READ = 64 * 1024  # bytes from the start of a file: includes and imports stand there
_MAX_ENTRIES = 5_000  # of a folder
_MAX_PARTS = 8
_PUBLIC = re.compile(rb"\bpub\b")
_STRUCT = re.compile(rb"(?:pub(?:\([^)\n]*\))?\s+)?struct\b")
_MAX_DEPTH = 4  # modules that hand a name on
_MAX_FILES = 32  # that a name may lead to


class GoFile(NamedTuple):
    """The names that a file declares, those of methods aside, and the methods by the type that has them."""

    names: tuple[str, ...]
    methods: Mapping[str, tuple[str, ...]]


def go_package_folder(path: Path, root: Path, module: str, named_by: Callable[[Path], str]) -> Path | None:
    """The folder of the package of an import path, as it is written, in a file; None where the project has none.

    `named_by` gives the module that a `go.mod` names, empty where there is none.
    """
    written = module.strip('"`')
    if ".." in written:
        return None
    for folder in [path.parent, *path.parent.parents][:_MAX_FOLDERS]:
        if not folder.is_relative_to(root):
            break
        own = named_by(folder / "go.mod")
        if own and (written == own or written.startswith(f"{own}/")):
            return folder / written[len(own) + 1 :]
        if own:
            break
    vendored = root / "vendor" / written
    return vendored if written and vendored.is_relative_to(root) else None


def package_files(folder: Path, name: str) -> list[Path]:
    """The files of a package, tests aside, those first whose name is part of that of a type."""
    paths = list[Path]()
    try:
        with os.scandir(folder) as entries:
            for number, entry in enumerate(entries):
                if number >= _MAX_ENTRIES or len(paths) >= _MAX_PACKAGE_FILES:
                    break
                if entry.name.endswith(".go") and not entry.name.endswith("_test.go"):
                    paths.append(Path(entry.path))
    except OSError:
        return []
    lower = name.lower()
    return sorted(paths, key=lambda path: (path.stem.replace("_", "") not in lower, path.name))


def imported_path(data: bytes, name: str) -> str:
    """The import path that a file gives a name: its own, or the last part of the path; empty where none is."""
    code = _CODE.search(data)
    for match in _IMPORT.finditer(data, 0, code.start() if code else len(data)):
        path = match[2].decode("utf-8", "replace")
        parts = [part for part in path.split("/") if not _VERSION.match(part)]
        own = match[1].decode("ascii", "replace") if match[1] else parts[-1] if parts else ""
        if own == name:
            return path
    return ""


def read_go_file(data: bytes) -> GoFile:
    """What a file declares for the other files of its package."""
    names, methods = dict[str, None](), dict[str, dict[str, None]]()
    for match in _DECLARED.finditer(data):
        names[match[1].decode("utf-8", "replace")] = None
    for block in _BLOCK.finditer(data):
        for match in _IN_BLOCK.finditer(block[1]):
            names[match[1].decode("utf-8", "replace")] = None
    for match in _METHOD.finditer(data):
        methods.setdefault(match[1].decode("utf-8", "replace"), {})[match[2].decode("utf-8", "replace")] = None
    return GoFile(tuple(names), {name: tuple(rows) for name, rows in methods.items()})


def module_of(data: bytes) -> str:
    """The module that a `go.mod` names; empty where it names none."""
    match = _MODULE.search(data)
    return match[1].decode("utf-8", "replace") if match else ""


class _CFiles(ClassFiles):
    """Included files are looked for beside the file and below the root."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        for match in islice(_INCLUDE.finditer(source.data[:_READ]), _MAX_INCLUDES):
            written = match[1].decode("utf-8", "replace")
            yield ClassLocation(join_lexically(source.path.parent, written), names[-1])
            for folder in _INCLUDED_FROM:
                yield ClassLocation(join_lexically(source.root / folder, written), names[-1])


class CppFiles(_CFiles):
    """The sections of a class say what is hidden. Headers are called like those of C."""

    def language_of(self, path: Path) -> Language | None:
        """As in ClassFiles."""
        return by_id("cpp")

    def hides(self, data: bytes, begins: int, ends: int) -> Callable[[NameAt], bool]:
        """As in ClassFiles."""
        sections = [(begins, data.startswith(b"class", begins))]
        sections += ((match.start(), match[1] != b"public") for match in _ACCESS.finditer(data, begins, ends))
        return lambda member: sections[max(0, bisect_left(sections, (member.start, False)) - 1)][1]


class _CSharpFiles(ClassFiles):
    """The only file of a name in the project, for namespaces do not say where theirs are."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        files = [path for path in source.files_named(names[-1]) if path.rpartition("/")[2] == f"{names[-1]}.cs"]
        return iter([ClassLocation(source.root / files[0], names[-1])] if len(files) == 1 else ())

    def parts(self, path: Path, name: str) -> Iterator[Path]:
        try:
            with os.scandir(path.parent) as entries:
                row = sorted(entry.name for entry in islice(entries, _MAX_ENTRIES))
        except OSError:
            return
        parts = (file for file in row if file == f"{name}.cs" or (file.startswith(f"{name}.") and file.endswith(".cs")))
        yield from islice((path.with_name(file) for file in parts if file != path.name), _MAX_PARTS)


class _JavaFiles(ClassFiles):
    """The package is that of an import, or the file's own."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        name = names[0]
        if not module:
            yield ClassLocation(source.path.with_name(f"{name}.java"), names[-1])
            return
        written = module.split(".")
        ending = f"{'/'.join(written if written[-1] == name else [*written, name])}.java"
        for path in source.files_named(name):
            if path.endswith(".java") and f"/{path}".endswith(f"/{ending}"):
                yield ClassLocation(source.root / path, names[-1])


class _RustFiles(ClassFiles):
    """Fields of a struct are hidden unless they are public."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:

        def used_paths_of(path: Path) -> Sequence[UsedPath] | None:
            """The paths that a file brings in; for the referring file as in the editor."""
            return used_paths(source.data) if path == source.path else self.facts.get(path, used_paths)

        modules = RustModules(source.root, source.files_named, used_paths_of)
        return (ClassLocation(path, name) for path, name in modules.files(source.path, names))

    def hides(self, data: bytes, begins: int, ends: int) -> Callable[[NameAt], bool]:
        if _STRUCT.match(data, begins) is None:
            return lambda member: False

        def is_hidden(member: NameAt) -> bool:
            is_field = member.occurrence.kind == "field"
            return is_field and _PUBLIC.search(before_member(data, member.start)) is None

        return is_hidden


class _GoFiles(ClassFiles):
    """Other packages see what begins with a capital letter."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        folder = source.path.parent
        if len(names) > 1:
            go_package_folder = self._folder(source, module or imported_path(source.data, names[0]))
            if go_package_folder is None:
                return
            folder = go_package_folder
        for path in package_files(folder, names[-1]):
            facts = self.facts.get(path, read_go_file)
            if facts is not None and names[-1] in facts.names:
                yield ClassLocation(path, names[-1])

    def added_members(self, path: Path, name: str) -> Iterable[str]:
        """As in ClassFiles: the methods of a type."""
        for other in package_files(path.parent, name):
            facts = self.facts.get(other, read_go_file) if other != path else None
            yield from facts.methods.get(name, ()) if facts is not None else ()

    def package_names(self, source: ReferencingFile, name: str, module: str) -> tuple[str, ...] | None:
        written = module or imported_path(source.data, name)
        folder = self._folder(source, written) if written else None
        files = package_files(folder, name) if folder is not None else []
        rows = (facts.names for path in files if (facts := self.facts.get(path, read_go_file)) is not None)
        return tuple(dict.fromkeys(name for row in rows for name in row if _is_exported(name))) or None

    def sees(self, source: ReferencingFile, path: Path) -> Callable[[str], bool] | None:
        return _is_exported if path.parent != source.path.parent else None

    def _folder(self, source: ReferencingFile, module: str) -> Path | None:
        return go_package_folder(source.path, source.root, module, lambda path: self.facts.get(path, module_of) or "")


def _is_exported(name: str) -> bool:
    return name[:1].isupper()


class ScriptFiles(ClassFiles):
    """Paths are relative, or what the project's configuration and its packages make of them."""

    def __init__(self, facts: FileFactsCache) -> None:
        super().__init__(facts)
        self._packages = ScriptPackages(facts)

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        """As in ClassFiles."""
        own = read_script_file(source.data[:_READ]).imported.get(names[0])
        path = module.strip("'\"") or (own.path if own is not None else "")
        if not path:
            return
        name = names[-1] if len(names) > 1 or own is None or own.name == ALL else own.name
        row, seen = [(source.path, ForeignName(path, name), 0)], {source.path}
        for at, foreign, depth in row:
            module_file = self._module(at, source.root, foreign.path)
            if module_file is None or module_file[0] in seen or len(seen) > _MAX_FILES:
                continue
            file, facts = module_file
            seen.add(file)
            exported = facts.exported.get(foreign.name, ForeignName("", foreign.name))
            inner = facts.imported.get(exported.name, exported) if not exported.path else exported
            if not inner.path:
                yield ClassLocation(file, inner.name)
            further = [inner] if inner.path else [ForeignName(other, foreign.name) for other in facts.wildcards]
            row += [(file, other, depth + 1) for other in further if depth < _MAX_DEPTH and other.name != ALL]

    def _module(self, file: Path, root: Path, path: str) -> tuple[Path, ScriptFile] | None:
        """The file that a path of a module means in another file, and what is read of it."""
        for base in self._paths(file, root, path):
            for candidate in module_files(base):
                inside = candidate != file and candidate.is_relative_to(root)
                facts = self.facts.get(candidate, read_script_file) if inside else None
                if facts is not None:
                    return candidate, facts
        return None

    def _paths(self, file: Path, root: Path, path: str) -> Iterator[Path]:
        if path.startswith("."):
            yield join_lexically(file.parent, path)
            return
        yield from led_to(file, root, path, self.facts)
        yield from self._packages.paths(root, path)


CLASS_FILES: Mapping[str, type[ClassFiles]] = {
    "c": _CFiles,
    "c_sharp": _CSharpFiles,
    "cpp": CppFiles,
    "go": _GoFiles,
    "java": _JavaFiles,
    "javascript": ScriptFiles,
    "rust": _RustFiles,
    "tsx": ScriptFiles,
    "typescript": ScriptFiles,
}
