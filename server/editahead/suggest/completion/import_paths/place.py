"""Whether the cursor stands in the quoted path of an import, and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from editahead.index.import_paths import READ, read_path_imports, taken_names, to_absolute_path
from editahead.index.lexicon import language_family
from editahead.syntax.language import Language
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import Buffer

_LINES_BACK = 400  # of a block of imports
_STATEMENT_LINES = 30  # of the names that a statement takes
_MAX_LINE_BYTES = 400  # bytes of a line that is read
_TYPED: Mapping[str, re.Pattern[str]] = {
    "go": re.compile(r'[ \t]*(?P<import>import[ \t]+)?(?:[\w.]+[ \t]+)?"(?P<path>[^"]*)'),
    "javascript": re.compile(
        r"""(?:.*?[\s}*;]|)(?P<import>from|import|(?:require|import)\s*\()\s*["'](?P<path>[^"']*)"""
    ),
    "c": re.compile(r'[ \t]*#[ \t]*(?P<import>include|import)[ \t]*(?P<path>[<"][^>"]*)'),
}
_BLOCK = re.compile(r"[ \t]*import[ \t]*\(\s*")  # of Go, around paths that stand alone
_IN_BLOCK = re.compile(r'[ \t]*(?://.*|(?:[\w.]+[ \t]+)?"[^"]*"[ \t]*(?://.*)?)?\s*')


class ImportPathPlace(NamedTuple):
    """The path [start, end) that is typed so far; paths as the index keeps them (`index/import_paths.py`).

    `names`: what the statement takes from the module. `before`, `after`: the paths of the lines beside it, None where
    these import nothing. `present`: all that the file imports already. `own`: the file below the project's root.
    """

    family: str
    typed: str
    start: int
    end: int
    names: tuple[str, ...]
    before: str | None
    after: str | None
    present: frozenset[str]
    own: str


def import_path_place(syntax: SyntaxSnapshot, byte: int, own: str) -> ImportPathPlace | None:
    """The import whose quoted path contains a byte; None elsewhere."""
    family = language_family(syntax.language.id)
    pattern, buffer = _TYPED.get(family), syntax.buffer
    if pattern is None:
        return None
    line = buffer.line_at(byte)
    start, end = buffer.line_span(line)
    if byte - start > _MAX_LINE_BYTES or end - start > 2 * _MAX_LINE_BYTES:
        return None
    match = pattern.fullmatch(buffer.data[start:byte].decode("utf-8", "replace"))
    if match is None or not (match["import"] or _is_in_block(buffer, line)):
        return None
    quote = match.start("path") - (family != "c")  # of C the quote is a part of the path, as there are two kinds
    if syntax.region_at(start + len(match[0][:quote].encode("utf-8"))) is not Region.CODE:
        return None
    read = read_path_imports(buffer.data[: min(start, READ)] + b"\n" + buffer.data[end : end + READ], family, own)
    names: tuple[str, ...] = ()
    if family == "javascript":
        names = _taken(buffer, line, match)
    typed = match["path"]
    return ImportPathPlace(
        family, typed, byte - len(typed.encode("utf-8")), byte, names,
        _path_of_line(buffer, line - 1, family, own), _path_of_line(buffer, line + 1, family, own),
        frozenset(path for path, _ in read.imports), own,
    )  # fmt: skip


def is_read(language: Language) -> bool:
    """Whether imports of a language name their module in quotes."""
    return language_family(language.id) in _TYPED


def _is_in_block(buffer: Buffer, line: int) -> bool:
    for above in range(line - 1, max(-1, line - _LINES_BACK), -1):
        start, end = buffer.line_span(above)
        if end - start > _MAX_LINE_BYTES:
            return False
        text = buffer.line_text(above)
        if _BLOCK.fullmatch(text):
            return True
        if not _IN_BLOCK.fullmatch(text):
            return False
    return False


def _taken(buffer: Buffer, line: int, match: re.Match[str]) -> tuple[str, ...]:
    """The names between `import` and `from`, of which the former may stand on a line above."""
    if match["import"] != "from":
        return ()
    text = match[0][: match.start("import")]
    for above in range(line - 1, max(-1, line - _STATEMENT_LINES), -1):
        if "import" in text or ";" in text:
            break
        text = f"{buffer.line_text(above)[:_MAX_LINE_BYTES]}\n{text}"
    _, word, names = text.rpartition("import")
    return tuple(taken_names(names)) if word else ()


def _path_of_line(buffer: Buffer, line: int, family: str, own: str) -> str | None:
    if not 0 <= line < buffer.line_count:
        return None
    start, end = buffer.line_span(line)
    if end - start > _MAX_LINE_BYTES:
        return None
    read = read_path_imports(buffer.data[start:end], family, own)
    return to_absolute_path(read.imports[-1][0], own, family) if read.imports else None
