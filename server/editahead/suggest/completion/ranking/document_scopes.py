"""The scopes around the cursor's line, read from the document as if that line were not written yet.

So the answer depends on the rest of the file alone: it is the same for every letter that is typed on the line, costs
nothing after the first, and half a statement does not hide what stands around it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from editahead.analysis.facts.file_facts import document_facts
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.suggest.completion.ranking.scope_evidence import LineScopes, line_scopes
from editahead.suggest.completion.ranking.slots import open_bracket
from editahead.suggest.completion.ranking.stand_in import head_word, lua_statement, stand_in
from editahead.suggest.completion.ranking.visible_names import Reach
from editahead.suggest.context import HEAD_LINES, CursorContext
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.memo import RecentEntries, on_forget

_DOCUMENTS = 2  # whose facts are kept
_REACH = 1 << 15  # bytes on each side of the cursor that are read: 300 lines of code, a part of a line of data
_AHEAD = 1 << 16  # bytes on each side of an edit whose facts are read while nothing is requested
_READINGS = 4  # versions of a document, which differ in its classes
_WITHOUT_BRACES = frozenset(("python", "lua"))
_LOOKED_BACK = 4000  # bytes, for the end of the text before a line
_HEADS = {b"def ": b"def _():", b"async def ": b"def _():", b"class ": b"class _:"}  # what stands below belongs to them


class _Readings:
    """Versions of a document that were read; later ones are resolved by them, as far as they are alike.

    Unfinished code may open or close a class, and the next line may take it back.
    """

    def __init__(self, uri: str) -> None:
        self._cache = document_facts(uri)
        self._versions: list[tuple[SyntaxSnapshot, Resolver]] = []

    def resolve(self, syntax: SyntaxSnapshot) -> Resolver | None:
        """The names of a version; None in a language without a table."""
        for number, (version, names) in enumerate(self._versions):
            patched = names.patched(version, syntax, self._cache)
            if patched is not None:
                self._versions.insert(0, self._versions.pop(number))
                return patched
        read = resolver_of(syntax, self._cache)
        if read is not None:
            self._versions = [(syntax, read), *self._versions[: _READINGS - 1]]
        return read


class _Kept(NamedTuple):
    """What was read of a document, the text around a line, what the line is, and the answer."""

    readings: _Readings
    before: bytes
    form: bytes
    after: bytes
    scopes: LineScopes | None

    def is_of(self, data: bytes, begin: int, form: bytes, end: int) -> bool:
        """Whether the answer holds for a text with a line of a form at bytes [begin, end). Copies nothing."""
        same = form == self.form and begin == len(self.before) and len(data) - end == len(self.after)
        return same and data.startswith(self.before) and data.endswith(self.after)


_kept = RecentEntries[str, _Kept](_DOCUMENTS, by_document=True)
on_forget(_kept.clear)


def document_scopes(document: Document, cursor: CursorContext) -> LineScopes | None:
    """The scopes for the cursor's line; None in a language without a table."""
    buffer = document.syntax.buffer
    start, end = buffer.line_span(cursor.line)
    text = buffer.data[start:end]
    # Where brackets delimit blocks, the indentation does not matter: no change of it is read again.
    language = document.syntax.language.id
    line = text.strip()
    indent = _indent_of(text, cursor) if language == "python" else 0
    form = _form(document.syntax, cursor, line, language)
    cached = _kept_of(document.uri)  # also if the reading below is interrupted: the facts of units stay valid
    if cached.scopes is None or not cached.is_of(buffer.data, start + indent, form, end):
        before, after = buffer.data[: start + indent], buffer.data[end:]
        standing, closing = form, b""
        if language not in _WITHOUT_BRACES:
            standing, closing = stand_in(
                before, after, form.decode(), language,
                lambda bracket: document.syntax.count(bracket) - text.count(bracket),
            )  # fmt: skip
        syntax, changed = document.syntax, buffer
        edits = [ByteEdit(start + indent, end, standing)]
        if closing:
            edits.insert(0, ByteEdit(len(buffer.data), len(buffer.data), closing))
        for edit in edits:
            changed = changed.apply(edit)
        syntax = syntax.advance(changed, edits)
        read = _read(syntax, cached.readings, cursor, start, indent)
        cached = _kept[document.uri] = cached._replace(before=before, form=form, after=after, scopes=read)
    return cached.scopes


def read_ahead(document: Document, byte: int, check: Callable[[], None]) -> None:
    """Read the facts of the units around a byte, the nearest first. Raises what the check raises.

    What was read until then is kept.
    """
    readings = _kept_of(document.uri).readings
    with interruptible(check):
        resolver = readings.resolve(document.syntax)
        if resolver is None:
            return
        span = (max(0, byte - _AHEAD), min(len(document.syntax.buffer.data), byte + _AHEAD))
        units = [resolver.scopes.facts.units[number] for number in resolver.scopes.units_of((span,))]
        for unit in sorted(units, key=lambda unit: abs(unit.start - byte)):
            check()
            assert unit.facts is not None  # read on first use


def _kept_of(uri: str) -> _Kept:
    """What was read of a document, which becomes the most recent."""
    return _kept.keep(uri, _kept.get(uri) or _Kept(_Readings(uri), b"", b"", b"", None))


def _form(syntax: SyntaxSnapshot, cursor: CursorContext, line: bytes, language: str) -> bytes:
    """The stand-in of the line where words delimit blocks; elsewhere its head word, from which that is built."""
    if language == "python":
        return _python_stand_in(syntax, cursor, line)
    if language == "lua":
        bracket, _ = open_bracket(cursor.lines[:-1])
        opens = _is_block_opened(syntax.buffer, cursor.line)
        return lua_statement(line.decode("utf-8", "replace"), bracket, opens=opens).encode()
    return head_word(line).encode()


def _read(
    syntax: SyntaxSnapshot, readings: _Readings, cursor: CursorContext, start: int, indent: int
) -> LineScopes | None:
    resolver = readings.resolve(syntax)
    if resolver is None:
        return None
    starts = syntax.buffer.line_starts
    rows = (HEAD_LINES, cursor.window.first, cursor.window.last - 1)
    head, first, last = (int(starts[min(row, len(starts) - 1)]) for row in rows)
    reach = Reach(min(head, _REACH), max(first, start - _REACH), min(last, start + _REACH))
    return line_scopes(resolver, _last_text(syntax.buffer, start), start + indent, indent, reach)


def _indent_of(text: bytes, cursor: CursorContext) -> int:
    """The indentation of a line in bytes; while it is being indented, the least that means the same.

    Blanks that match none of the levels around are all read as the next smaller level plus 1.
    """
    indent = len(text) - len(text.lstrip())
    if text.strip(b" ") or indent % cursor.indent_unit == 0:
        return indent
    levels = {len(line[0].text) for line in (*cursor.lines[:-1], *cursor.below) if line}
    return indent if indent in levels else max((level for level in levels if level < indent), default=0) + 1


def _python_stand_in(syntax: SyntaxSnapshot, cursor: CursorContext, text: bytes) -> bytes:
    """The stand-in of the cursor's line, so that the lines around it keep their meaning."""
    opens = _is_block_opened(syntax.buffer, cursor.line)
    if text.startswith(b"@"):
        return b"@_"
    for head, stands in _HEADS.items():
        if opens and text.startswith(head):
            return stands
    if open_bracket(cursor.lines[:-1])[0] is not None:
        return b"_"
    return b"if _:" if opens else b"pass"


def _is_block_opened(buffer: Buffer, line: int) -> bool:
    start, end = buffer.line_span(line)
    text = buffer.data[start:end]
    own = len(text) - len(text.lstrip()) if text.strip() else len(text)
    rest = buffer.data[end : end + _LOOKED_BACK]
    following = next((row for row in rest.splitlines()[:50] if row.strip()), b"")
    return len(following) - len(following.lstrip()) > own and bool(following)


def _last_text(buffer: Buffer, byte: int) -> int:
    """The end of the last text before a byte that is no blank."""
    first = max(0, byte - _LOOKED_BACK)
    return first + len(buffer.data[first:byte].rstrip())
