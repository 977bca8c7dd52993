"""Strings and comments that may go on over the end of a line: what opens and closes them, and where code is in them.

Each language has its own in its folder (`languages/<id>/quoting.py`); block comments follow from its comment signs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

ESCAPED = rb"\\."  # whatever a backslash stands before


def same(opening: bytes) -> bytes:
    """Closed by what opened it."""
    return opening


class LongText(NamedTuple):
    """A kind of string or comment; patterns have no groups and match whatever opens or hides, never a part of it.

    `sign` stands in every opening: a text without it has none. `closes` and `code` receive the opening; `code` is the
    pattern of what opens code in the text, up to the brace that matches, and `skipped` that of what hides either.
    """

    opens: bytes
    sign: bytes
    closes: Callable[[bytes], bytes] = same
    skipped: bytes = b""
    code: Callable[[bytes], bytes] | None = None
    one_line: bool = False  # only what is in the code may go on
    is_comment: bool = False
    nested: bool = False  # it may hold others of its kind


TRIPLE_QUOTED = LongText(rb'"""', b'"""', skipped=ESCAPED)
BLOCK_COMMENT = LongText(rb"/\*", b"/*", lambda _: b"*/", is_comment=True)
NESTED_COMMENT = BLOCK_COMMENT._replace(nested=True)
