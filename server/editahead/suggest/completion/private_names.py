"""Private names of JavaScript classes: behind `#` stand these alone."""

from __future__ import annotations

import re

from editahead.index.lexicon import language_family
from editahead.suggest.context import CursorContext
from editahead.suggest.types import Document

_PRIVATE = re.compile(rb"#([A-Za-z_$][\w$]*)")


def private_names(document: Document, place: CursorContext) -> frozenset[str] | None:
    """The names that the file writes behind `#`, but for the one at the cursor; None where none is asked for."""
    if not place.before.endswith("#") or language_family(document.language_id) != "javascript":
        return None
    names = _PRIVATE.finditer(document.syntax.buffer.data)
    return frozenset(name[1].decode("utf-8", "replace") for name in names if name.start(1) != place.start)
