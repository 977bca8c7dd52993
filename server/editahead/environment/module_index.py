"""Modules and their exports on the search paths of a Python file, read on demand, cached while files are unchanged."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath

from editahead.analysis.type_expressions.python_values import TypeExpression
from editahead.environment.exports import Export, ModuleExports, builtin_module, module_exports
from editahead.regular_file import read_regular
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.memo import RecentEntries

_SOURCES = ("src", "lib", "python")  # folders of a project that often hold its packages
_MAX_PACKAGE_DEPTH = 20
_ENVIRONMENTS = (".venv", "venv", "env", ".env")
_MAX_ENTRIES = 20_000  # of a folder
_MAX_FOLDERS = 2_000  # that are cached
_SUFFIXES = (".pyi", ".py")  # stubs first: they say more of types
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "dist-packages"})
MAX_MODULE_BYTES = 400_000  # bytes; larger modules are skipped
MAX_READ_BYTES = 1_500_000  # bytes of source that a query reads
_MODULES = 400  # that are remembered
_MAX_DEPTH = 5  # re-exports and bases that are followed
_NO_MEMBERS = frozenset({"object", "Generic", "Protocol", "ABC", "abc.ABC", "typing.Generic", "typing.Protocol"})


def project_paths(root: Path | None, file: Path | None) -> list[Path]:
    """Return the search paths in the project, nearest first: folders from the file up, and usual source folders."""
    folders: list[Path] = []
    if root is not None:
        folders = [root, *(root / name for name in _SOURCES)]
    if file is not None:
        folders.append(file.parent)
    return [path for path in dict.fromkeys(folders) if path.is_dir()]


def library_paths(root: Path | None) -> list[Path]:
    """Return the search paths of installed packages (virtual environment, or this Python) and standard library."""
    folders: list[Path] = []
    variable = os.environ.get("VIRTUAL_ENV")
    environments = [root / name for name in _ENVIRONMENTS] if root is not None else []
    if variable:
        environments.append(Path(variable))
    for environment in environments:
        if (environment / "pyvenv.cfg").is_file():
            folders += sorted(environment.glob("lib/python3.*/site-packages"))
            windows = environment / "Lib" / "site-packages"
            folders += [windows] if windows.is_dir() else []
            break
    paths = sysconfig.get_paths()
    if not folders:
        folders.append(Path(paths["purelib"]))
    folders.append(Path(paths["stdlib"]))
    return [path for path in dict.fromkeys(folders) if path.is_dir()]


def package_of(file: Path) -> tuple[str, ...]:
    """Return the package that contains a file: the folders above it with an `__init__.py`, outermost first."""
    names: list[str] = []
    for folder in file.parents:
        if not (folder / "__init__.py").is_file() or len(names) >= _MAX_PACKAGE_DEPTH:
            break
        names.insert(0, folder.name)
    return tuple(names)


class ModuleTree:
    """The modules below some folders. Only folders on the path of a request are listed."""

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        built_in: bool = False,
        links: bool = False,
        readable: Callable[[Path], bool] = lambda path: True,
    ) -> None:
        """`built_in`: the interpreter's own modules are there too, although no file holds them.

        `links`: files that are links to files below the folders count; `readable` says whether a file may be opened.
        """
        self._paths = list(paths)
        self._built_in = built_in
        self._links = links
        self._readable = readable
        self._listed: dict[str, tuple[int, dict[str, bool]]] = {}

    def children(self, package: tuple[str, ...]) -> set[str]:
        """Return the modules and packages directly below a package; all top-level modules for the empty name."""
        names: set[str] = set()
        for path in self._folders(package):
            names.update(self._list(path))
        if not package and self._built_in:
            names.update(name for name in sys.stdlib_module_names if not name.startswith("_"))
        return names

    def file(self, module: tuple[str, ...]) -> Path | None:
        """Return the source file of a module, its stub if it exists, or None."""
        if not module:
            return None
        for folder in self._folders(module[:-1]):
            entry = self._list(folder).get(module[-1])
            if entry is None:
                continue
            inner = folder / module[-1]
            bases = (inner / "__init__", inner) if entry else (inner,)
            names = (f"{base}{suffix}" for base in bases for suffix in _SUFFIXES)
            for candidate in map(Path, names):
                leads_out = candidate.is_symlink() and not (self._links and self._is_inside(candidate))
                if not leads_out and candidate.is_file() and self._readable(candidate):
                    return candidate
        return None

    def _is_inside(self, link: Path) -> bool:
        """Whether a link leads to a file below the folders."""
        target = PurePath(os.path.realpath(link))
        return any(target.is_relative_to(os.path.realpath(path)) for path in self._paths)

    def _folders(self, package: tuple[str, ...]) -> list[Path]:
        folders = self._paths
        for name in package:
            folders = [folder / name for folder in folders if self._list(folder).get(name)]
        return folders

    def _list(self, folder: Path) -> dict[str, bool]:
        """Return the names of the modules in a folder; True for packages."""
        key, is_package = str(folder), dict[str, bool]()
        try:
            changed = os.stat(folder).st_mtime_ns
            cached = self._listed.get(key)
            if cached is not None and cached[0] == changed:
                return cached[1]
            with os.scandir(folder) as entries:
                for number, entry in enumerate(entries):
                    if number >= _MAX_ENTRIES:
                        break
                    stem, dot, suffix = entry.name.partition(".")
                    if not stem.isidentifier() or stem in _SKIPPED:
                        continue
                    if not dot and entry.is_dir(follow_symlinks=False):
                        is_package[stem] = True
                    elif suffix in ("py", "pyi") or (suffix.endswith(("so", "pyd")) and dot):
                        is_package.setdefault(stem, False)
        except OSError:
            return is_package
        if len(self._listed) >= _MAX_FOLDERS:
            self._listed.clear()
        is_package.pop("__init__", None)
        self._listed[key] = changed, is_package
        return is_package


ModuleName = tuple[str, ...]


class ModuleIndex:
    """The importable modules of a workspace folder."""

    def __init__(
        self, root: Path | None, file: Path | None = None, readable: Callable[[Path], bool] = lambda path: True
    ) -> None:
        """`readable` says of a file of the project whether it may be opened."""
        self._project = ModuleTree(project_paths(root, file), readable=readable)
        self._library = ModuleTree(library_paths(root), built_in=True, links=True)
        self._left = MAX_READ_BYTES
        self._exports = RecentEntries[ModuleName, tuple[tuple[int, int], ModuleExports]](_MODULES)

    def begin(self) -> None:
        """Begin a request, for which at most MOST_READ bytes of source files are read; the rest counts as unknown."""
        self._left = MAX_READ_BYTES

    def children(self, package: ModuleName) -> frozenset[str]:
        """Return the names of the modules directly below a package."""
        return frozenset(self._project.children(package) | self._library.children(package))

    def project_children(self, package: ModuleName) -> frozenset[str]:
        """Return the names of the project's own modules directly below a package."""
        return frozenset(self._project.children(package))

    def file(self, module: ModuleName) -> Path | None:
        """Return the source file of a module, or None."""
        return self._project.file(module) or self._library.file(module)

    def names(self, module: ModuleName) -> frozenset[str] | None:
        """Return the names that `from module import` accepts, submodules included; None for an unknown module."""
        exported = self.exports(module)
        children = self.children(module)
        if exported is None:
            return children or None
        names = set(exported.names)
        for star in exported.stars:
            taken = self.exports(star) if star != module else None
            if taken is not None:
                names.update(taken.listed or (name for name in taken.names if not name.startswith("_")))
        return frozenset(names | children)

    def is_complete(self, module: ModuleName) -> bool:
        """Whether `names` is complete: no name comes from a module without source, or is defined at run time."""
        exported = self.exports(module)
        if exported is None or "__getattr__" in exported.names:
            return False
        return all(star == module or self.exports(star) is not None for star in exported.stars)

    def export(self, module: ModuleName, name: str) -> Export | None:
        """Return the export of a module under a name, through re-exports, or None."""
        definition = self.definition(module, name)
        return definition[1] if definition is not None else None

    def definition(self, module: ModuleName, name: str) -> tuple[ModuleName, Export] | None:
        """Return the module that defines a name of a module, through re-exports, with its export there, or None."""
        return self._defined(module, name, 0)

    def member_type(
        self, module: ModuleName, name: str, member: str, depth: int = 0
    ) -> tuple[ModuleName, TypeExpression] | None:
        """Return the type of a member of a class, or of the nearest base that has it, with the module of its type."""
        definition = self._defined(module, name, 0)
        if definition is None or depth > _MAX_DEPTH:
            return None
        declaring_module, held = definition
        if (member_type := held.member_types.get(member)) is not None:
            return declaring_module, member_type
        if member in held.members:
            return None
        bases = (self._class(declaring_module, base) for base in held.bases)
        inherited = (self.member_type(*base, member, depth + 1) for base in bases if base is not None)
        return next((typed for typed in inherited if typed is not None), None)

    def members(self, module: ModuleName, name: str) -> frozenset[str] | None:
        """Return the members of a class and of its bases; None where it is no class or a base is unknown."""
        levels = self.member_levels(module, name)
        return frozenset(levels) if levels is not None else None

    def member_levels(self, module: ModuleName, name: str, depth: int = 0) -> dict[str, int] | None:
        """Return the members of a class and of its bases, each with the steps to the nearest class that declares it.

        None where it is no class or a base is unknown.
        """
        definition = self._defined(module, name, 0)
        if definition is None or definition[1].kind != "class" or depth > _MAX_DEPTH:
            return None
        declaring_module, held = definition
        levels = dict.fromkeys(held.members, 0)
        for base in held.bases:
            if base in _NO_MEMBERS:
                continue
            named = self._class(declaring_module, base)
            inherited = self.member_levels(*named, depth + 1) if named is not None else None
            if inherited is None:
                return None
            for member, level in inherited.items():
                levels[member] = min(level + 1, levels.get(member, level + 1))
        return levels

    def _defined(self, module: ModuleName, name: str, depth: int) -> tuple[ModuleName, Export] | None:
        """Return the module that defines a name of a module, with its export there, or None."""
        exported = self.exports(module)
        if exported is None or depth > _MAX_DEPTH:
            return None
        held = exported.names.get(name)
        if held is None:
            taken = (self._defined(star, name, depth + 1) for star in exported.stars if star != module)
            return next((definition for definition in taken if definition is not None), None)
        if held.origin is None:
            return module, held
        origin, inner = held.origin
        return self._defined(origin, inner, depth + 1) if inner is not None and origin != module else None

    def _alias(self, module: ModuleName) -> ModuleName | None:
        """Return the module behind an alias in a package: `os.path` is `posixpath`; None for no alias."""
        parent = self.exports(module[:-1]) if len(module) > 1 and self.file(module[:-1]) is not None else None
        held = parent.names.get(module[-1]) if parent is not None else None
        if held is None or held.origin is None or held.origin[1] is not None or held.origin[0] == module:
            return None
        return held.origin[0]

    def _class(self, module: ModuleName, written: str) -> tuple[ModuleName, str] | None:
        """Return the module and the name there of a class, given as written in a module, or None."""
        first, _, rest = written.partition(".")
        exported = self.exports(module)
        held = exported.names.get(first) if exported is not None else None
        if not rest:
            return module, first
        if held is None or held.origin is None or "." in rest:
            return None
        origin, inner = held.origin
        return (*origin, inner) if inner is not None else origin, rest

    def exports(self, module: ModuleName) -> ModuleExports | None:
        """Return all exports of a module, read again where its file changed; None if it has no readable file."""
        path = self.file(module)
        if path is None:
            real = self._alias(module)
            if real is not None:
                return self.exports(real)
            return builtin_module(module[0]) if len(module) == 1 else None
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            cached = self._exports.pop(module, None)
            if cached is None or cached[0] != stamp:
                if status.st_size > self._left:
                    return None
                self._left -= status.st_size
                text = read_regular(path, MAX_MODULE_BYTES, follow=True)
                language = by_id("python")
                if text is None or language is None:
                    return None
                package = module if path.stem == "__init__" else module[:-1]
                cached = (stamp, module_exports(SyntaxSnapshot.open(Buffer(text), language), package))
        except OSError:
            return None
        return self._exports.keep(module, cached)[1]
