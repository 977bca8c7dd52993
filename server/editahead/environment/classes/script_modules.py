"""Modules of JavaScript and TypeScript: the names that a file brings in and hands on, and the files of a path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from editahead.text.words import SCRIPT_IDENTIFIER

DEFAULT = "default"
ALL = "*"
_FROM = re.compile(
    rb"\b(?P<verb>import|export)\s{1,8}(?:type\s{1,8})?(?:(?P<default>%b)\s{0,8},?\s{0,8})?"
    rb"(?:(?P<all>\*)(?:\s{1,8}as\s{1,8}(?P<known_as>%b))?|\{(?P<names>[^{}]{0,8000})\})?"
    rb"\s{0,8}(?:\bfrom\s{0,8}(?P<quote>[\"'])(?P<path>[^\"'\n]{1,200})(?P=quote))?"
    % (SCRIPT_IDENTIFIER, SCRIPT_IDENTIFIER)
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)  # of names, which are short
_DEFAULT = re.compile(
    rb"^export\s{1,8}default\s{1,8}(?:abstract\s{1,8})?(?:async\s{1,8})?(?:(?:class|interface|function\*?)\s{1,8})?(%b)"
    % SCRIPT_IDENTIFIER,
    re.MULTILINE,
)
_BEFORE = 200  # bytes of a line before a statement
_MAX_STATEMENTS = 400
_MAX_NAMES = 200  # of a statement
_ENDINGS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs")
_WRITTEN_ENDINGS = (".js", ".jsx", ".mjs", ".ts", ".tsx")


class ForeignName(NamedTuple):
    """A name of another module: the path as it is written, empty for the file itself, and the name there.

    `ALL` stands for the module itself, `DEFAULT` for what it exports without a name.
    """

    path: str
    name: str


class ScriptFile(NamedTuple):
    """What a file brings in, by the names that it gives it; what it exports under a name; the paths it hands on."""

    imported: Mapping[str, ForeignName]
    exported: Mapping[str, ForeignName]
    wildcards: tuple[str, ...]


def read_script_file(data: bytes) -> ScriptFile:
    """The names that a file brings in and hands on, by patterns. Never raises."""
    imported, exported, wildcards = dict[str, ForeignName](), dict[str, ForeignName](), list[str]()
    for match in islice(_DEFAULT.finditer(data), 1):
        exported[DEFAULT] = ForeignName("", _text(match[1]))
    for match in islice(_FROM.finditer(data), _MAX_STATEMENTS):
        path, is_import = _text(match["path"]), match["verb"] == b"import"
        before = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()][-_BEFORE:].lstrip()
        if before.startswith((b"//", b"*", b"/*")) or (not path if is_import else match["default"]):
            continue  # a word of the text, or a declaration
        if match["all"] and path:
            known_as = _text(match["known_as"])
            if known_as:
                (imported if is_import else exported)[known_as] = ForeignName(path, ALL)
            elif not is_import:
                wildcards.append(path)
        if match["default"]:
            imported[_text(match["default"])] = ForeignName(path, DEFAULT)
        for name, known_as in _names(_text(match["names"])):
            (imported if is_import else exported)[known_as] = ForeignName(path, name)
    return ScriptFile(imported, exported, tuple(dict.fromkeys(wildcards)))


def module_files(base: Path) -> Iterator[Path]:
    """The files that a path of a module may mean, likeliest first."""
    stem = base.with_suffix("") if base.suffix in _WRITTEN_ENDINGS else base
    for ending in _ENDINGS:
        yield stem.with_name(stem.name + ending)
    for ending in _ENDINGS:
        yield base / f"index{ending}"


def _names(written: str) -> Iterator[tuple[str, str]]:
    """The names of `{ A, type B as C }`, each with the name that it gets."""
    for specifier in islice(_COMMENT.sub(" ", written).split(","), _MAX_NAMES):
        words = specifier.split()
        if words[:1] in (["type"], ["typeof"]) and len(words) in (2, 4):
            words = words[1:]
        if len(words) == 1 or (len(words) == 3 and words[1] == "as"):
            yield words[0], words[-1]


def _text(part: bytes | None) -> str:
    return part.decode("utf-8", "replace") if part else ""
