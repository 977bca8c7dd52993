"""What each language gets: from a model, from its rules of names, or from the grammar alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from editahead.suggest.engine import Engine
from editahead.suggest.open_models import BODY_MODEL, EDIT_MODEL, FIX_MODEL, LANGUAGE_MODEL
from editahead.syntax.language import all_languages

REST = "other grammars"
WORDS = "words"
RANKER = "ranker"


@dataclass(frozen=True, slots=True)
class LanguageSupport:
    """What stands behind each surface in a language.

    `completions`: a language model with its ranker, a ranker alone, or the words of the file and the project.
    `next_edits`: consequences by scopes, repeated edits, the edit model. `more`: other surfaces that have a model.
    """

    language: str
    completions: str
    next_edits: str
    ghost_text: bool
    more: tuple[str, ...]


def language_support(engine: Engine, grammars: Collection[str]) -> Iterator[LanguageSupport]:
    """A row for each language with rules of names or a model, and a row for all others whose grammar loads."""
    rest, edits = 0, ""
    for language in all_languages():
        if language.id not in grammars:
            continue
        families = engine.families_for(language.id)
        sources = ["scopes"] if language.scopes is not None else []
        sources += ["repeats", *(["model"] if EDIT_MODEL in families else [])]
        if language.scopes is None and not families - {EDIT_MODEL}:
            rest, edits = rest + 1, ", ".join(sources)
            continue
        modelled = LANGUAGE_MODEL in families
        more = {FIX_MODEL: "fixes", BODY_MODEL: "bodies"}
        yield LanguageSupport(
            language.id,
            "model, ranker" if modelled else RANKER if language.scopes is not None else WORDS,
            ", ".join(sources),
            modelled,
            tuple(name for family, name in more.items() if family in families),
        )
    if rest:
        yield LanguageSupport(f"{rest} {REST}", WORDS, edits, False, ())
