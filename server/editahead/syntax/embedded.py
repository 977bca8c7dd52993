"""Code inside documents of another language: fenced blocks of Markdown, scripts and styles of HTML, Vue and Svelte.

The text around the code is blanked and not cut, so every offset of the code stays the same in its own view. All
blocks of a language in a document are a single program: a later block uses the names of earlier blocks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from editahead.syntax.language import by_id, by_path
from editahead.syntax.table_notation import by_word

MAX_REGIONS = 1_000  # per document; later regions are ignored
MAX_BYTES = 1 << 20  # of a document that is searched for code, since this is done at every change of it
_FENCE = re.compile(rb"^[ \t>]*(`{3,}|~{3,})([^\r\n]*)", re.MULTILINE)
_ELEMENT = re.compile(rb"<(script|style)(?=[\s>])([^<>]{0,1000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""\b(?:lang|type)\s*=\s*["']?([\w/+.-]+)""", re.IGNORECASE)
_WORD = re.compile(rb"[{.]*([\w+#-]+)")
HTML_LANGUAGES = frozenset({"html", "vue", "svelte"})
MARKUP_LANGUAGES = HTML_LANGUAGES | {"javascript", "tsx"}  # languages with elements: `<name>`
_SCRIPT_TYPES = {
    "": "javascript", "tsx": "tsx", "ts": "typescript", "text/typescript": "typescript",
    **by_word({"javascript": "js jsx module text/javascript application/javascript text/babel"}),
}  # fmt: skip
_EXTENSIONS = by_word({"markdown": ".md .markdown", "html": ".html .htm", "vue": ".vue", "svelte": ".svelte"})
_BLANK = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


@dataclass(frozen=True, slots=True)
class EmbeddedRegion:
    """Bytes [start, end) of a document are code of `language_id`; a cursor at `end` still stands in it."""

    language_id: str
    start: int
    end: int


def embedded_regions(host: str, data: bytes) -> tuple[EmbeddedRegion, ...]:
    """The code in a document of the language `host`, in the order of the text; none in any other language.

    Linear in the text; a document of more than MAX_BYTES holds none. Regions do not overlap, and an unclosed
    region reaches to the end of the text.
    """
    finder = _FINDERS.get(host) if len(data) <= MAX_BYTES else None
    return () if finder is None else tuple(finder(data)[:MAX_REGIONS])


def host_by_path(path: str | PurePath) -> str | None:
    """The language id of a document with embedded code, by the extension of its file; None for any other."""
    return _EXTENSIONS.get(PurePath(path).suffix.lower())


def hosts() -> tuple[str, ...]:
    """The language ids of documents with embedded code."""
    return tuple(_FINDERS)


def blank_out(data: bytes) -> bytes:
    """Replace everything but line ends by spaces; the number of bytes stays the same."""
    return data.translate(_BLANK)


def only_language(data: bytes, regions: Sequence[EmbeddedRegion], language_id: str) -> bytes:
    """The text with everything blanked but the regions of a language."""
    parts: list[bytes] = []
    at = 0
    for region in regions:
        if region.language_id == language_id:
            parts += [blank_out(data[at : region.start]), data[region.start : region.end]]
            at = region.end
    return b"".join([*parts, blank_out(data[at:])])


def _fenced_blocks(data: bytes) -> list[EmbeddedRegion]:
    """Blocks between fences whose opening line names a language (CommonMark 0.31, section 4.5)."""
    regions: list[EmbeddedRegion] = []
    fence, language_id, start = b"", None, 0
    for match in _FENCE.finditer(data):
        marks, info = match.group(1), match.group(2).strip()
        if not fence:
            if b"`" in info and marks[:1] == b"`":
                continue  # code in a line of prose
            fence, language_id = marks, _named(info)
            start = _next_line(data, match.end())
        elif marks[:1] == fence[:1] and len(marks) >= len(fence) and not info:
            _add(regions, language_id, start, _without_line_end(data, start, match.start()))
            fence = b""
    if fence:
        _add(regions, language_id, start, len(data))
    return regions


def _elements(data: bytes) -> list[EmbeddedRegion]:
    """What stands in `<script>` and `<style>`, in the language of their attribute `lang` or `type`."""
    regions: list[EmbeddedRegion] = []
    at = 0
    while match := _ELEMENT.search(data, at):
        name = match.group(1).lower()
        attribute = _ATTRIBUTE.search(match.group(2))
        written = attribute.group(1).decode("ascii", "replace").lower() if attribute else ""
        language_id = _SCRIPT_TYPES.get(written) if name == b"script" else (written or "css")
        closing = re.compile(rb"</" + name + rb"\s*>", re.IGNORECASE).search(data, match.end())
        end = closing.start() if closing else len(data)
        _add(regions, language_id, match.end(), end)
        at = end
    return regions


_FINDERS: Mapping[str, Callable[[bytes], list[EmbeddedRegion]]] = {
    "markdown": _fenced_blocks,
    "html": _elements,
    "vue": _elements,
    "svelte": _elements,
}


def _add(regions: list[EmbeddedRegion], language_id: str | None, start: int, end: int) -> None:
    """Add a region if its language is in the registry."""
    language = by_id(language_id) if language_id else None
    if language is not None and start <= end:
        regions.append(EmbeddedRegion(language.id, start, end))


def _named(info: bytes) -> str | None:
    """The language that the info string of a fence names: by its id (`python`) or as a file's extension (`py`)."""
    match = _WORD.match(info)
    if match is None:
        return None
    word = match.group(1).decode("ascii", "replace").lower()
    language = by_id(word) or by_path(f"file.{word}")
    return None if language is None else language.id


def _next_line(data: bytes, at: int) -> int:
    """The start of the line after that which ends at `at`."""
    if data[at : at + 2] == b"\r\n":
        return at + 2
    return min(at + 1, len(data)) if at < len(data) else len(data) + 1


def _without_line_end(data: bytes, start: int, end: int) -> int:
    """`end` before the line end that precedes it; below `start` where nothing is between two fences."""
    return end - 2 if data[max(start, end - 2) : end] == b"\r\n" else end - 1
