"""What the registry says that a source serves: after the first edit of an example, it gives the later one."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from editahead.analysis.edit_relations import EditRelation
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.consequences import registry
from editahead.suggest.next_edit.consequences.rates import rate
from editahead.suggest.next_edit.edit_candidate import NETWORK, REPEAT
from editahead.suggest.next_edit.open_places import RATES
from editahead.suggest.next_edit.scoring.candidate_features import LATER, SCORED_SOURCES

from tests.suggest.next_edit.consequences.marked_renames import played, wanted

from .examples import EXAMPLES

REMOVED = frozenset(
    "sibling commented extracted unpacking parallel name-part mention call unused imported moved type".split()
)
"""Sources that the scorer was fitted on and that were removed since: their columns are always 0."""
CLAIMS = [(source.name, relation) for source in registry.SOURCES for relation in source.relations]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.mark.parametrize(("source", "relation"), CLAIMS, ids=[f"{name}-{one.name}" for name, one in CLAIMS])
def test_a_source_gives_the_later_edit(engine: Engine, source: str, relation: EditRelation) -> None:
    files = EXAMPLES[relation]
    documents = {path: played(marked, path) for path, marked in files.items()}
    first = next(path for path, marked in files.items() if "«" in marked)
    document = replace(documents[first], others=tuple(one for path, one in documents.items() if path != first))
    byte = len(files[first].split("«")[0])
    rated = engine.rated_candidates(document, byte, Cancel()).items
    given = [one.candidate for one in rated if one.candidate.source == source]
    texts = [(one.document.uri, one.offer.apply(one.document.syntax.buffer.data)) for one in given]
    for path, marked in files.items():
        if wanted(marked):
            data = re.sub("[«‹]([^«»‹›>]*)>([^«»‹›]*?)[»›]", r"\2", marked).encode()
            assert (path, data) in texts


def test_every_scored_source_is_registered_or_removed() -> None:
    scored = {"repeat" if name.startswith("repeat_") else name for name in SCORED_SOURCES} - {NETWORK}
    assert {one.name for one in registry.SOURCES} | REMOVED == scored
    assert not {one.name for one in registry.SOURCES} & REMOVED
    assert REPEAT in scored


def test_every_generator_of_the_package_is_registered() -> None:
    files = [path.read_text(encoding="utf-8") for path in Path(registry.__file__).parent.rglob("*.py")]
    named = {name for text in files for name in re.findall(r'^SOURCE = "(.+)"$', text, re.MULTILINE)}
    given = {import_module(generator.__module__).SOURCE for generator in registry.GENERATORS}
    assert named == given


def test_sources_of_places_alone_serve_no_relation_and_have_measured_rates() -> None:
    names = {one.name for one in registry.PLACE_SOURCES}
    assert names
    assert not names & {source for relation in EditRelation for source in registry.sources_of(relation)}
    assert all(rate(RATES.format(name), "") > 0 for name in names)


def test_every_generator_that_came_later_has_measured_rates() -> None:
    assert {name for name in LATER if rate(name, "") > 0} == LATER
