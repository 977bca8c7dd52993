"""Names that calls in tests replace by their dotted path in a string: `mock.patch("shop.cart.load")` (Python)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from editahead.text.words import whole_word

_CALL = re.compile(rb"\b(?:patch(?:\.dict|\.multiple)?|setattr|delattr)\(\s*(['\"])((?:\w+\.)+)(\w+)(?:\.\w+)*\1")


def patched_names(data: bytes, name: str, modules: Sequence[Callable[[str], bool]]) -> Iterator[int]:
    """Yield the offsets of a name behind the path of a module that any of the tests accepts."""
    pattern = whole_word(name)
    for match in _CALL.finditer(data) if name.encode() in data else ():
        for word in pattern.finditer(data, match.start(2), match.end() - 1):
            module = data[match.start(2) : word.start()].rstrip(b".").decode("utf-8", "replace")
            if any(is_module(module) for is_module in modules if module):
                yield word.start()
