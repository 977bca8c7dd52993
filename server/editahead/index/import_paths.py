"""Imports that name their module in quotes: what a file imports so, with the names that it takes from there.

Go, JavaScript and TypeScript, C and C++. Only these paths are kept of quoted text. A path relative to the file is kept
relative to the project's root, behind a slash, so that files of all folders mean the same by it.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from editahead.text.words import SCRIPT_IDENTIFIER

DEFAULT = "default "
MAX_PATHS = 400  # of a file
READ = 64 * 1024  # bytes from the start of a file: imports stand there
_MAX_STATEMENT_BYTES = 2000  # bytes between `import` and `from`
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_MAX_NAMES = 40  # of a statement

_GO = re.compile(rb'^(?:import[ \t]+)?[ \t]*(?:[\w.]+[ \t]+)?"([^"\n]{1,200})"[ \t]*(?://[^\n]*)?$', re.MULTILINE)
_GO_CODE = re.compile(rb"^(?:func|type|var|const)\b", re.MULTILINE)
_SCRIPT = re.compile(
    rb"""(?:\b(?P<from>from)|\bimport|\b(?:require|import)\s{0,4}\()\s{0,4}"""
    rb"""(?P<quote>["'])(?P<path>[^"'\n]{1,200})(?P=quote)"""
)
_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*(?:include|import)[ \t]*([<"][^>"\n]{1,200})[>"]', re.MULTILINE)
_DECLARED = re.compile(
    rb"^export\s+(default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
    rb"(?:function\*?|class|const|let|var|interface|type|enum|namespace)\s+(" + SCRIPT_IDENTIFIER + rb")",
    re.MULTILINE,
)


class WrittenPath(NamedTuple):
    """Bytes [start, end) of a quoted path, in C and C++ with the quote before it, and the names taken from there."""

    start: int
    end: int
    names: tuple[str, ...] = ()


class PathImports(NamedTuple):
    """(path, name) of what a file imports, the name empty for the module itself, and the names that it exports.

    `DEFAULT` stands before a name that its module exports as the default.
    """

    imports: tuple[tuple[str, str], ...] = ()
    declared: tuple[str, ...] = ()


def read_path_imports(data: bytes, family: str, where: str) -> PathImports:
    """What a file imports by quoted paths; `where` is its path relative to the project's root. Never raises."""
    pairs = (
        (sys.intern(to_absolute_path(data[path.start : path.end].decode("utf-8", "replace"), where, family)), name)
        for path in written_paths(data, family)
        for name in ("", *path.names)
    )
    declared: Iterator[str] = iter(())
    if family == "javascript":
        declared = ((DEFAULT if match[1] else "") + match[2].decode("ascii") for match in _DECLARED.finditer(data))
    return PathImports(
        tuple(dict.fromkeys(islice(pairs, MAX_PATHS))), tuple(dict.fromkeys(islice(declared, MAX_PATHS)))
    )


def written_paths(data: bytes, family: str) -> Iterator[WrittenPath]:
    """The paths of a file's imports, in order; nothing where imports are not quoted."""
    reader = _READERS.get(family)
    return iter(()) if reader is None else reader(data[:READ])


def to_absolute_path(path: str, where: str, family: str) -> str:
    """The stored form of a path: relative paths are converted to paths from the project's root, behind a slash."""
    if family != "javascript" or not path.startswith("."):
        return path
    return posixpath.normpath("/" + posixpath.join(posixpath.dirname(where), path))


def as_written(path: str, where: str) -> str:
    """A kept path as the file `where` writes it: relative to its own folder where it lies in the project."""
    if not path.startswith("/"):
        return path
    relative = posixpath.relpath(path, "/" + posixpath.dirname(where))
    return relative if relative.startswith(".") else f"./{relative}"


def is_own_path(path: str, where: str) -> bool:
    """Whether a kept path of a script names the file `where` itself, by its folder where it is the index of that."""
    own = _SUFFIX.sub("", f"/{where}")
    return _SUFFIX.sub("", path) in (own, own.removesuffix("/index"))


def _go(data: bytes) -> Iterator[WrittenPath]:
    code = _GO_CODE.search(data)
    for match in _GO.finditer(data, 0, code.start() if code else len(data)):
        yield WrittenPath(*match.span(1))


def _script(data: bytes) -> Iterator[WrittenPath]:
    for match in _SCRIPT.finditer(data):
        names: tuple[str, ...] = ()
        if match["from"]:
            end = match.start()
            start = data.rfind(b"import", max(0, end - _MAX_STATEMENT_BYTES), end)
            text = data[start + len(b"import") : end].decode("utf-8", "replace") if start >= 0 else ""
            names = tuple(islice(taken_names(text), _MAX_NAMES))
        yield WrittenPath(*match.span("path"), names)


def taken_names(text: str) -> Iterator[str]:
    """The names that stand between `import` and `from`, as the module calls them; `DEFAULT` before its default."""
    before, braces = "", text.find("{")
    for match in _NAME.finditer(text):
        if match[0] == "as":
            before = "as"
        elif match[0] in ("type", "typeof") and not before:
            before = match[0]
        else:
            if before != "as":
                yield match[0] if 0 <= braces < match.start() else f"{DEFAULT}{match[0]}"
            before = "," if before != "as" else ""


def _include(data: bytes) -> Iterator[WrittenPath]:
    for match in _INCLUDE.finditer(data):
        yield WrittenPath(*match.span(1))


_READERS: Mapping[str, Callable[[bytes], Iterator[WrittenPath]]] = {"go": _go, "javascript": _script, "c": _include}
PATH_FAMILIES = frozenset(_READERS)
