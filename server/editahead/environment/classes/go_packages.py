"""Packages of a Go module: the folder that an import means, its files, and what they export."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

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
_MAX_FILES = 200  # of a package
_MAX_ENTRIES = 5_000  # of a folder


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
                if number >= _MAX_ENTRIES or len(paths) >= _MAX_FILES:
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
