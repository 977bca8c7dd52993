"""Private names of classes, where a sign marks them: behind it stand these alone."""

from __future__ import annotations

import re

from editahead.suggest.context import CursorContext
from editahead.suggest.types import Document
from editahead.text.words import SCRIPT_IDENTIFIER


def private_names(document: Document, place: CursorContext, sign: str) -> frozenset[str]:
    """The names that the file writes behind the sign (`#a`), but for the one at the cursor."""
    names = re.finditer(re.escape(sign.encode()) + b"(" + SCRIPT_IDENTIFIER + b")", document.syntax.buffer.data)
    return frozenset(name[1].decode("utf-8", "replace") for name in names if name.start(1) != place.start)
