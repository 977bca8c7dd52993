"""The words that a grammar reserves."""

from __future__ import annotations

from functools import lru_cache

from editahead.syntax.language import Language


def fixed_texts(language: Language) -> frozenset[str]:
    """Keywords, operators and brackets, as the grammar writes them. Raises GrammarMissing."""
    grammar = language.grammar()
    return frozenset(
        kind
        for number in range(grammar.node_kind_count)
        if grammar.node_kind_is_visible(number) and not grammar.node_kind_is_named(number)
        if (kind := grammar.node_kind_for_id(number))
    )


@lru_cache(maxsize=64)
def grammar_words(language: Language) -> frozenset[str]:
    """Keywords, as the grammar writes them. Raises GrammarMissing."""
    return frozenset(filter(str.isidentifier, fixed_texts(language)))
