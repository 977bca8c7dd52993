"""Memories of texts that all documents share, such as the tokens of a line: emptied when a document is closed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol, TypeVar
from weakref import WeakSet

Function = TypeVar("Function", bound=Callable[..., object])


class Forgetful(Protocol):
    """An object that remembers texts."""

    def forget(self) -> None:
        """Drop the cached values."""


_clear: list[Callable[[], object]] = []
_owners: WeakSet[Forgetful] = WeakSet()


def remembered(maxsize: int) -> Callable[[Function], Function]:
    """`lru_cache` for a function of texts, emptied by `forget_texts`."""

    def decorate(function: Function) -> Function:
        cached = lru_cache(maxsize=maxsize)(function)
        on_forget(cached.cache_clear)
        return cached  # type: ignore[return-value]

    return decorate


def on_forget(clear: Callable[[], object]) -> None:
    """Have `forget_texts` call this: for what a module remembers."""
    _clear.append(clear)


def owned(owner: Forgetful) -> None:
    """Have `forget_texts` call `owner.forget` for as long as there is that object."""
    _owners.add(owner)


def forget_texts() -> None:
    """Empty all of them. What is asked again is computed again."""
    for clear in _clear:
        clear()
    for owner in list(_owners):
        owner.forget()
