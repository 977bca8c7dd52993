"""The packages of other folders that a file sees, where folders are packages: by paths (Go), namespaces (C#), or names.

Paths and packages are compared by their last parts, without the roots of projects: `using Shop.Models` leads to the
folder `Models` or `Shop.Models`, `import "example.org/shop/models"` to the folder `models` of `shop`. A package of Java
is compared as a whole: `import shop.models.*` leads to the folder `models` in `shop`.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from editahead.syntax.construct_tables import BY_NAMESPACES, BY_PACKAGES, BY_PATHS, ImportTable

_NAMESPACE = re.compile(rb"^[ \t]*(?:global[ \t]+)?(?:using|namespace)[ \t]+([\w.]+)", re.MULTILINE)
_PACKAGE = re.compile(rb"^[ \t]*(?:package[ \t]+([\w.]+)|import[ \t]+([\w.]+)\.\*)[ \t]*;", re.MULTILINE)
_IMPORT = re.compile(rb'^[ \t]*(?:import[ \t]+)?(?:(\w+)[ \t]+)?"([^"\n]+)"', re.MULTILINE)
_FIRST_DECLARATION = re.compile(rb"^(?:func|type|var|const)\b", re.MULTILINE)
_VERSION = re.compile(r"v\d+")  # a last part of a path that names no package
_MAX_ROOT = 3  # parts of a path that are no folders: `github.com/owner/project`


class SeenPackages:
    """What a text sees of the folder of the file `declaring_path`. The text is read once."""

    def __init__(
        self, data: bytes, table: ImportTable, declaring_path: PurePosixPath, path: PurePosixPath | None = None
    ) -> None:
        folder = declaring_path.parent
        self.has_bare_names = table.folder_is_one_module and path is not None and folder == path.parent
        """Whether the file uses the types of the folder by their bare names."""
        self._names: frozenset[str] = frozenset()  # of the package of the folder, in Go by the imports
        if table.packages == BY_NAMESPACES:
            names = (match[1].decode("utf-8", "replace") for match in _NAMESPACE.finditer(data))
            self.has_bare_names = self.has_bare_names or any(f".{name}".endswith(f".{folder.name}") for name in names)
            self._names = frozenset({folder.name.rpartition(".")[2]})
        elif table.packages == BY_PACKAGES and path is not None:
            names = ((match[1] or match[2]).decode("utf-8", "replace") for match in _PACKAGE.finditer(data))
            self.has_bare_names = self.has_bare_names or any(_is_package(name, folder) for name in names)
            self._names = frozenset({folder.name})
        elif table.packages == BY_PATHS:
            end = _FIRST_DECLARATION.search(data)
            imports = _IMPORT.finditer(data, 0, end.start() if end is not None else len(data))
            pairs = (((match[1] or b"").decode(), match[2].decode("utf-8", "replace")) for match in imports)
            self._names = frozenset(alias or _package(path) for alias, path in pairs if _is_path_to(path, folder))

    def has_name(self, name: str) -> bool:
        """Whether a name denotes the package of the folder: `shop` of `shop.Load`, `Models` of `Shop.Models.Row`."""
        return name in self._names


def is_hidden(name: str, table: ImportTable, declaring_path: PurePosixPath, path: PurePosixPath) -> bool:
    """Whether a name cannot be used in another folder: in Go, if it begins with a small letter."""
    return table.packages == BY_PATHS and not name[:1].isupper() and declaring_path.parent != path.parent


def _is_package(name: str, folder: PurePosixPath) -> bool:
    parts = tuple(name.split("."))
    return folder.parts[-len(parts) :] == parts


def _parts(path: str) -> list[str]:
    parts = path.split("/")
    return parts[:-1] if len(parts) > 1 and _VERSION.fullmatch(parts[-1]) else parts


def _package(path: str) -> str:
    return _parts(path)[-1]


def _is_path_to(path: str, folder: PurePosixPath) -> bool:
    parts = _parts(path)
    pairs = list(zip(reversed(parts), reversed(folder.parts), strict=False))
    common = next((count for count, (part, name) in enumerate(pairs) if part != name), len(pairs))
    return common > 1 or (common == 1 and len(parts) - common <= _MAX_ROOT)
