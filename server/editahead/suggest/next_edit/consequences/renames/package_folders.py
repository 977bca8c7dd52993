"""Whether a file sees what the files of another folder declare, where folders are packages (Go, C#).

Paths and packages are compared by their last parts, without the roots of projects: `using Shop.Models` leads to the
folder `Models` or `Shop.Models`, `import "example.org/shop/models"` to the folder `models` of `shop`.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_NAMESPACE = re.compile(rb"^[ \t]*(?:global[ \t]+)?(?:using|namespace)[ \t]+([\w.]+)", re.MULTILINE)  # of C#
_MAX_ROOT = 3  # parts of an import of Go that are no folders: `github.com/owner/project`


def is_folder_visible(data: bytes, declaring_path: PurePosixPath, path: PurePosixPath) -> bool:
    """Whether a file uses the types of a folder by their bare names: its own, or that of a namespace of C#."""
    folder = declaring_path.parent
    if folder == path.parent:
        return True
    if path.suffix != ".cs":
        return False
    names = (match[1].decode("utf-8", "replace") for match in _NAMESPACE.finditer(data))
    return any(f".{name}".endswith(f".{folder.name}") for name in names)


def is_package(data: bytes, name: str, declaring_path: PurePosixPath) -> bool:
    """Whether an import of Go binds a name to the package of a file."""
    word = re.escape(name.encode())
    aliased, plain = rb"\b" + word + rb'[ \t]+"([^"\n]+)"', rb'"((?:[^"\n]*/)?' + word + rb')"'
    match = re.search(aliased, data) or re.search(plain, data)
    if match is None or declaring_path.suffix != ".go":
        return False
    parts, folders = match[1].decode("utf-8", "replace").split("/"), declaring_path.parent.parts
    pairs = list(zip(reversed(parts), reversed(folders), strict=False))
    common = next((count for count, (part, folder) in enumerate(pairs) if part != folder), len(pairs))
    return common > 1 or (common == 1 and len(parts) - common <= _MAX_ROOT)
