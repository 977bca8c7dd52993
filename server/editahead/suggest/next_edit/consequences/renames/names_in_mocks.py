"""Names of exports that tests replace: `patch("shop.cart.load")`, `jest.mock("./cart", () => ({ load: f }))`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from editahead.syntax.construct_tables import MOCKED_KEYS, MOCKED_PATHS
from editahead.text.words import whole_word

_PATCH = re.compile(rb"\b(?:patch(?:\.dict|\.multiple)?|setattr|delattr)\(\s*(['\"])((?:\w+\.)+)(\w+)(?:\.\w+)*\1")
_FACTORY = re.compile(
    rb"\b(?:jest|vi)\.(?:doMock|mock)\(\s*(['\"][^'\"\n]{1,400}['\"])\s*,\s*(?:async\s*)?\([^()]{0,200}\)\s*=>\s*\(\s*(?=\{)"
)
_TOKEN = re.compile(rb"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|[$\w\x80-\xff]+|[^\s$\w\x80-\xff]")
_MAX_FACTORY = 20_000  # bytes
_MAX_FACTORIES = 30


def mocked_names(
    data: bytes, name: str, mocks: str, modules: Sequence[Callable[[str], bool]]
) -> Iterator[tuple[int, str]]:
    """Yield the offsets of a name that a module has which any of the tests accepts, with `Occurrence.shorthand`."""
    if name.encode() not in data:
        return
    if mocks == MOCKED_PATHS:
        yield from ((start, "") for start in _patched_names(data, name, modules))
    elif mocks == MOCKED_KEYS:
        for match, _ in zip(_FACTORY.finditer(data), range(_MAX_FACTORIES), strict=False):
            if any(is_module(match[1].decode("utf-8", "replace")) for is_module in modules):
                yield from _keys(data, name.encode(), match.end())


def _patched_names(data: bytes, name: str, modules: Sequence[Callable[[str], bool]]) -> Iterator[int]:
    pattern = whole_word(name)
    for match in _PATCH.finditer(data):
        for word in pattern.finditer(data, match.start(2), match.end() - 1):
            module = data[match.start(2) : word.start()].rstrip(b".").decode("utf-8", "replace")
            if any(is_module(module) for is_module in modules if module):
                yield word.start()


def _keys(data: bytes, name: bytes, start: int) -> Iterator[tuple[int, str]]:
    """Yield the keys of a name in the object literal that begins at a byte, but not in what it holds."""
    depth, before = 0, b""
    for token in _TOKEN.finditer(data, start, start + _MAX_FACTORY):
        text = token[0]
        depth += (text in (b"{", b"(", b"[")) - (text in (b"}", b")", b"]"))
        if depth == 0:
            return
        if depth == 1 and text == name and before in (b"{", b","):
            after = data[token.end() : token.end() + _MAX_FACTORY].lstrip()[:1]
            yield token.start(), "key" if after in (b",", b"}") else ""
        before = text
