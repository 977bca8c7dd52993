"""Documents whose languages share declarations: TypeScript and JavaScript, C and C++."""

from __future__ import annotations

from editahead.index.lexicon import language_family
from editahead.suggest.types import Document


def is_related(first: Document, second: Document) -> bool:
    """Whether declarations of the first document can be used in the second."""
    return language_family(first.syntax.language.id) == language_family(second.syntax.language.id)
