"""Caches of texts that all documents share, such as tokens of lines; they are cleared when a document is closed.

Caches with an entry for each document keep a few of them, or as many as `keep_documents` says. Entries of a table that
begin with the typed letters are cached too: each further letter filters the previous result.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

PERIOD = 64  # requests
_minimum = {"documents": 0}  # that caches keep
_requests = {"count": 0}
_start_period: list[Callable[[], object]] = []
_clear: list[Callable[[], object]] = []
_sizes: list[Callable[[], int]] = []


def cache_texts(maxsize: int) -> Callable[[Function], Function]:
    """Decorate a function of texts with an `lru_cache` that `forget_texts` clears."""

    def decorate(function: Function) -> Function:
        cached = lru_cache(maxsize=maxsize)(function)
        on_forget(cached.cache_clear)
        _sizes.append(lambda: cached.cache_info().currsize)
        return cached  # type: ignore[return-value]

    return decorate


def remembered_by_identity(function: Function) -> Function:
    """Decorate a function whose first argument lives on from version to version of a text: a line, the facts of a unit.

    Its values are kept for the very object, as long as it is used once in `PERIOD` requests.
    """
    current, previous = dict[int, tuple[Any, Any]](), dict[int, tuple[Any, Any]]()

    @wraps(function)
    def cached(key: Any, *rest: Any) -> Any:
        entry = current.get(id(key))
        if entry is not None and entry[0] is key:
            return entry[1]
        entry = previous.get(id(key))
        value = entry[1] if entry is not None and entry[0] is key else function(key, *rest)
        current[id(key)] = key, value
        return value

    def clear() -> None:
        current.clear()
        previous.clear()

    def start_period() -> None:
        nonlocal current, previous
        current, previous = {}, current

    on_forget(clear)
    _sizes.append(lambda: len(current) + len(previous))
    _start_period.append(start_period)
    return cast("Function", cached)


def kept_while_equal(most: int = 1) -> Callable[[Function], Function]:
    """Decorate a function to keep its values for the latest arguments, which need not be hashable.

    Positional arguments are compared, the same objects at once; arguments by keyword follow from these.
    """

    def decorate(function: Function) -> Function:
        kept: list[tuple[tuple[Any, ...], Any]] = []  # the latest first

        @wraps(function)
        def cached(*key: Any, **rest: Any) -> Any:
            entry = next((entry for entry in kept if entry[0] == key), None) or (key, function(*key, **rest))
            kept[:] = [entry, *(other for other in kept if other is not entry)][:most]
            return entry[1]

        on_forget(kept.clear)
        return cast("Function", cached)

    return decorate


def begin_request() -> None:
    """Count a request; after `PERIOD`, drop what `remembered_by_identity` keeps and nobody used since the last time."""
    _requests["count"] += 1
    if _requests["count"] % PERIOD == 0:
        for start in _start_period:
            start()


def keep_documents(count: int) -> None:
    """Let caches keep at least so many documents: a team server has an active document for each client."""
    _minimum["documents"] = count


def documents_kept(most: int) -> int:
    """Return how many documents a cache keeps that keeps `most` on a laptop."""
    return max(most, _minimum["documents"])


def on_forget(clear: Callable[[], object]) -> None:
    """Register a function that clears a module's cache, for `forget_texts`."""
    _clear.append(clear)


def values_kept() -> int:
    """Return how many values of texts `cache_texts` and `remembered_by_identity` keep. Safe from any thread."""
    return sum(size() for size in _sizes)


def forget_texts() -> None:
    """Clear all registered caches."""
    for clear in _clear:
        clear()


Key = TypeVar("Key")
Value = TypeVar("Value")


class RecentEntries(OrderedDict[Key, Value]):
    """The entries that were kept last, at most `most`; with `by_document` as many as `documents_kept` says."""

    def __init__(self, most: int, *, by_document: bool = False) -> None:
        super().__init__()
        self._most, self._by_document = most, by_document

    def keep(self, key: Key, value: Value) -> Value:
        """Add an entry, or make it the most recent, and drop the least recent ones; return its value."""
        self[key] = value
        self.move_to_end(key)
        while len(self) > (documents_kept(self._most) if self._by_document else self._most):
            self.popitem(last=False)
        return value


TABLES_KEPT = 12
_kept: list[tuple[Mapping[str, Any], str, Mapping[str, Any]]] = []  # (table, prefix, its part), the latest first
on_forget(_kept.clear)


def beginning_with(table: Mapping[str, Value], prefix: str) -> Mapping[str, Value]:
    """The entries whose keys begin with a prefix, in the order of the table.

    Cached by the identity of the table, which must not change.
    """
    if not prefix:
        return table
    source, others = table, []
    for entry in tuple(_kept):
        cached_table, cached_prefix, part = entry
        if cached_table is not table:
            others.append(entry)
        elif cached_prefix == prefix:
            return part
        elif prefix.startswith(cached_prefix):
            source = part
    part = {key: value for key, value in source.items() if key.startswith(prefix)}
    _kept[:] = [(table, prefix, part), *others[: TABLES_KEPT - 1]]
    return part
