"""The bundles that serve a language, each with a hash of what it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from editahead.runtime.bundle import Bundle, find_bundles
from editahead.suggest.engine import Engine

from editahead_models.data.corpus.source_files import languages_of_model
from editahead_models.publishing import ledger

NOT_MEASURED = "copyspan"
"""The family of models that only answers requests for fixes."""


def served_bundles(engine: Engine, language: str) -> list[Bundle]:
    """The bundles that the engine uses in the languages that share a model."""
    served = {name for one in languages_of_model(language) for name in engine.models_for(one.id)}
    return [one for one in engine.report().bundles if one.manifest.name in served]


def hashes_of(bundles: Iterable[Bundle]) -> dict[str, str]:
    """Hashes by name, without those that are not measured."""
    return {one.manifest.name: ledger.digest(one) for one in bundles if one.manifest.family != NOT_MEASURED}


def hashes_for(language: str, extra: Sequence[Path] = ()) -> dict[str, str]:
    """Hashes of the bundles that a server would use for a language, with bundles that go before the shipped ones."""
    return hashes_of(served_bundles(Engine.load(find_bundles(extra), "cpu", lambda text, share: None), language))
