"""Lookup of languages by their LSP id and by a file's extension."""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePath

from editahead.syntax.language_definition import Language
from editahead.syntax.languages import REGISTRY

__all__ = ["Language", "all_languages", "by_id", "by_path"]


def all_languages() -> tuple[Language, ...]:
    """Every language with a model or a grammar; those with models first."""
    return REGISTRY


@lru_cache(maxsize=256)
def by_id(language_id: str) -> Language | None:
    """The language of an LSP language id such as `python`, or None."""
    return next((lang for lang in all_languages() if language_id == lang.id or language_id in lang.aliases), None)


def by_path(path: str | PurePath) -> Language | None:
    """The language that a file's extension names, or None."""
    suffix = PurePath(path).suffix.lower()
    return next((lang for lang in all_languages() if suffix and suffix in lang.extensions), None)
