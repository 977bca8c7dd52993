"""Tree of modules by dotted name: the modules below a package, and the file of a module.

A folder is listed again when entries were added or removed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath

_MAX_ENTRIES = 20_000  # of a folder
_MAX_FOLDERS = 2_000  # that are cached
_SUFFIXES = (".pyi", ".py")  # stubs first: they say more of types
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "dist-packages"})


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
