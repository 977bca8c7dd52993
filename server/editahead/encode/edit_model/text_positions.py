"""Positions of the tokens of an edited state in the current text, and byte edits for new edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from editahead.encode.edit_model.history import LineRegion, indent_above, region_lines
from editahead.encode.edit_model.tokens import EditToken, indent_of, lex_line, newline_delta, render_indent
from editahead.encode.edit_model.window import SENTINELS, Window
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import style_of


class MapError(ValueError):
    """The tokens of a state are not those of the current text."""


@dataclass(frozen=True, slots=True)
class TokenPosition:
    """The position of a token in the current text: bytes [start, end) and its line."""

    start: int
    end: int
    line: int


def current_line(line: int, regions: Sequence[LineRegion]) -> int | None:
    """Map an anchor line to the current text; None inside a changed region."""
    shift = 0
    for region in regions:
        if line < region.a0:
            break
        if line < region.a1:
            return None
        shift += region.shift
    return line + shift


def lines_now(window: Window, regions: Sequence[LineRegion]) -> list[list[int]]:
    """Return the current line numbers in a window, a list for each range between sentinels."""
    runs: list[list[int]] = []
    for first, last in window.ranges:
        run: list[int] = []
        done: set[LineRegion] = set()
        for line in range(first, last):
            for region in regions:
                if region not in done and region.a0 == region.a1 == line and (line > first or first == 0):
                    run.extend(range(region.c0, region.c1))
                    done.add(region)
            now = current_line(line, regions)
            if now is not None:
                run.append(now)
                continue
            region = next(region for region in regions if region.a0 <= line < region.a1)
            if region not in done:
                run.extend(range(region.c0, region.c1))
                done.add(region)
        for region in regions:
            if region not in done and region.a0 == region.a1 == last and last > first:
                run.extend(range(region.c0, region.c1))
        runs.append(run)
    return runs


def token_positions(
    names: Sequence[int], keys: Mapping[int, EditToken], window: Window, regions: Sequence[LineRegion], buffer: Buffer
) -> dict[int, TokenPosition]:
    """Return the position of every live token. Raises MapError when the text does not contain these tokens."""
    pending = [name for name in names if keys[name] not in SENTINELS]
    positions: dict[int, TokenPosition] = {}
    at = 0
    for run in lines_now(window, regions):
        for line in run:
            text = region_lines(buffer, line, line + 1)[0]
            tokens = lex_line(text)
            start = buffer.line_span(line)[0]
            if at >= len(pending) or not keys[pending[at]].text.startswith("\n"):
                raise MapError(f"no line starts at token {at}")
            low = _visible_end(buffer, line - 1) if line else 0
            first = start + (tokens.blank_chars if tokens.pieces else 0)
            positions[pending[at]] = TokenPosition(low, first, line)
            at += 1
            for piece in tokens.pieces:
                if at >= len(pending) or keys[pending[at]].text != piece.key.text:
                    raise MapError(f"line {line}: {piece.key.text!r} expected")
                low_chars, high_chars = len(text[: piece.start].encode()), len(text[: piece.end].encode())
                positions[pending[at]] = TokenPosition(start + low_chars, start + high_chars, line)
                at += 1
    if at != len(pending):
        raise MapError("tokens remain after the last line")
    return positions


def _visible_end(buffer: Buffer, line: int) -> int:
    """Return the byte after the last visible character of a line, its start when there is none."""
    start, _ = buffer.line_span(line)
    text = region_lines(buffer, line, line + 1)[0]
    return start + len((text.rstrip() or text).encode())


def byte_edit(
    before: Sequence[int],
    after: Sequence[int],
    keys: Mapping[int, EditToken],
    where: Mapping[int, TokenPosition],
    buffer: Buffer,
) -> ByteEdit | None:
    """Return the edit of the current text that turns the live names `before` into `after`; None if they are equal.

    None also where it would reach over lines that the window does not show. Kept tokens keep their bytes; new ones are
    written with their blanks, new lines with the file's own line end.
    """
    head = _shared_prefix(before, after)
    tail = min(_shared_prefix(before[::-1], after[::-1]), min(len(before), len(after)) - head)
    if head == len(before) == len(after):
        return None
    stretch = before[head : len(before) - tail]
    if any(name not in where for name in stretch):  # the lines between two parts of the window would go, too
        return None
    before_edit = where.get(before[head - 1]) if head else None
    after_edit = where.get(before[len(before) - tail]) if tail else None
    gone = [where[name] for name in stretch]
    if before_edit is not None:
        start = before_edit.end
    elif gone:
        start = gone[0].start
    else:
        return None
    end = gone[-1].end if gone else start
    if not gone and after_edit is not None and after_edit.start < start:
        return None
    kept = set(before)
    out: list[bytes] = []
    indent = _indent_at(before_edit, buffer)
    tabs, eol = style_of(buffer.data)
    for name in after[head : len(after) - tail]:
        key = keys[name]
        if name in kept:
            position = where[name]
            out.append(buffer.data[position.start : position.end])
            if key.text.startswith("\n"):
                indent = _indent_at(position, buffer)
            continue
        if key.text.startswith("\n"):
            delta = newline_delta(key.text)
            if delta is None:
                out.append(eol)
            else:
                indent = max(0, indent + delta)
                out.append(eol + render_indent(indent, tabs).encode())
        else:
            out.append((" " * key.gap + key.text).encode())
    edit = ByteEdit(start, end, b"".join(out))
    return None if edit.is_noop(buffer.data) else edit.trim(buffer.data)


def _shared_prefix(first: Sequence[int], second: Sequence[int]) -> int:
    """Count the equal first names."""
    differing = (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)
    return next(differing, min(len(first), len(second)))


def _indent_at(position: TokenPosition | None, buffer: Buffer) -> int:
    """Return the indentation of a token's line, or of the nearest visible line above when that is blank."""
    if position is None:
        return 0
    own = indent_of(region_lines(buffer, position.line, position.line + 1)[0])
    return own if own >= 0 else indent_above(buffer, position.line)
