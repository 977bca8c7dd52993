"""Private names of classes, where a sign marks them: behind it stand these alone."""

from __future__ import annotations

import re

from editahead.suggest.context import CursorContext
from editahead.suggest.types import Document
from editahead.text.words import SCRIPT_IDENTIFIER


def private_names(document: Document, cursor: CursorContext, sign: str) -> frozenset[str]:
    """The names that follow the sign in the file (`#a`), except that at the cursor."""
    names = re.finditer(re.escape(sign.encode()) + b"(" + SCRIPT_IDENTIFIER + b")", document.syntax.buffer.data)
    return frozenset(name[1].decode("utf-8", "replace") for name in names if name.start(1) != cursor.start)
