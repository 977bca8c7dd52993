"""Changes of parameter lists, and the corresponding edits of argument lists."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from editahead.analysis.signatures import Item, Row
from editahead.text.edits import ByteEdit


class RowChange(NamedTuple):
    """A parameter that was `added`, `removed` or `retyped`, or parameters in another order (`moved`).

    `at` is the index of the parameter, if removed before the change. `needed`: callers must pass it; `keyword`: by its
    name only. `order`: for each current parameter its index before the change.
    """

    kind: str
    at: int
    name: str
    needed: bool = True
    keyword: bool = False
    order: tuple[int, ...] = ()


def changed_row(before: Row, now: Row, earlier: bytes = b"", data: bytes = b"") -> RowChange | None:
    """The change of a parameter list; None for no change, for a renamed parameter, and for several changes.

    With the texts of both, `earlier` and `data`, also another type of a parameter.
    """
    old, new = before.names, now.names
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    if len(set(old)) < len(old) or len(set(new)) < len(new) or len(gone) + len(come) > 1:
        return None
    if come:
        index = new.index(come[0])
        item = now.items[index]
        if item.form != "plain" or tuple(name for name in new if name != come[0]) != old:
            return None
        before_it = now.items[:index]
        keyword = any(item.form == "rest" or (item.name == "" and item.form != "object") for item in before_it)
        return RowChange("added", index, come[0], not item.optional, keyword)
    if gone:
        index = old.index(gone[0])
        if before.items[index].form != "plain" or tuple(name for name in old if name != gone[0]) != new:
            return None
        return RowChange("removed", index, gone[0])
    movable = all(item.form in ("plain", "object") and not item.optional for item in (*before.items, *now.items))
    if old != new and movable:
        return RowChange("moved", 0, "", order=tuple(old.index(name) for name in new))
    pairs = zip(before.items, now.items, strict=True) if old == new else ()
    texts = [(earlier[was.start : was.end].split(), data[item.start : item.end].split()) for was, item in pairs]
    retyped = [at for at, (was, text) in enumerate(texts) if was != text]
    return RowChange("retyped", retyped[0], new[retyped[0]], needed=False) if len(retyped) == 1 else None


def inserted_argument(row: Row, at: int, name: str, *, keyword: bool, sign: str = "=") -> ByteEdit | None:
    """The insertion of an argument `name`: as a keyword if necessary, or if arguments before it are missing.

    None where it must be a keyword and the language has no `sign` for these.
    """
    positional = sum(not item.name for item in row.items)
    if keyword or at > positional:
        return appended(row, f"{name}{sign}{name}".encode()) if sign else None
    return inserted_parameter(row, at, name)


def argument_place(row: Row, at: int, *, keyword: bool) -> int:
    """The byte where `inserted_argument` writes."""
    positional = sum(not item.name for item in row.items)
    if keyword or at > positional or at >= len(row.items):
        return row.items[-1].end if row.items else row.start
    return row.items[at].start


def inserted_parameter(row: Row, at: int, text: str) -> ByteEdit:
    """The insertion of an item at an index, or behind all items."""
    if at >= len(row.items):
        return appended(row, text.encode())
    start = row.items[at].start
    return ByteEdit(start, start, text.encode() + b", ")


def removed(row: Row, at: int, name: str) -> ByteEdit | None:
    """The deletion of the item with a name, else of the positional argument at an index; None without such an item."""
    named = [number for number, item in enumerate(row.items) if name and item.name == name]
    items, positional = row.items, sum(not item.name for item in row.items)
    if not named and not 0 <= at < positional:
        return None
    at = named[0] if named else at
    if at + 1 < len(items):
        return ByteEdit(items[at].start, items[at + 1].start, b"")
    if at > 0:
        return ByteEdit(items[at - 1].end, items[at].end, b"")
    return ByteEdit(row.start, row.end, b"")


def reordered(row: Row, order: tuple[int, ...], data: bytes) -> ByteEdit | None:
    """The arguments in another order; None unless all of them are positional."""
    return None if any(item.name for item in row.items) else reordered_parameters(row, order, data)


def reordered_parameters(row: Row, order: tuple[int, ...], data: bytes) -> ByteEdit | None:
    """The items in another order; None unless it is an order of all items and changes the text."""
    items: tuple[Item, ...] = row.items
    if len(items) != len(order) or sorted(order) != list(range(len(order))):
        return None
    parts = [data[items[at].start : items[at].end] for at in order]
    gaps = [data[item.end : following.start] for item, following in pairwise(items)]
    text = parts[0] + b"".join(gap + part for gap, part in zip(gaps, parts[1:], strict=True))
    edit = ByteEdit(items[0].start, items[-1].end, text)
    return None if edit.is_noop(data) else edit


def appended(row: Row, text: bytes) -> ByteEdit:
    """The insertion of an item behind all others."""
    if not row.items:
        return ByteEdit(row.start, row.start, text)
    at = row.items[-1].end
    return ByteEdit(at, at, b", " + text)
