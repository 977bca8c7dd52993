"""The fuzz targets, for some hundred examples that hypothesis makes from good ones."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hard.fuzz import URI, bundle, door, door_methods, manifest, seeds

KEYS = st.sampled_from(
    ("textDocument", "uri", "version", "position", "line", "character", "range", "start", "end", "context", "text",
     "contentChanges", "arguments", "command", "settings", "editahead", "precision", "data", "label", "id", "event",
     "added", "removed", "triggerKind", "selectedCompletionInfo", "changes", "item", "languages", "index", "only")
)  # fmt: skip
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 10**12), st.floats(), st.text(max_size=5), st.just(URI),
    st.just(["editahead.snooze"]), st.sampled_from(("editahead.accept", "python", "file:///w", "http://[", "%")),
)  # fmt: skip
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=5)),
    max_leaves=15,
)
PLACE = st.fixed_dictionaries(
    {"textDocument": st.just({"uri": URI}), "position": st.dictionaries(KEYS, LEAVES, max_size=3)},
    optional={"contentChanges": VALUES, "range": VALUES, "context": VALUES, "text": LEAVES},
)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, 2 * len(door_methods()) - 1), st.one_of(VALUES, PLACE)), max_size=6))
def test_no_message_makes_the_door_fail(messages: list[tuple[int, Any]]) -> None:
    frames = [bytes([number]) + json.dumps(params).encode() for number, params in messages]
    assert door(b"\n".join(frames)) == []


@settings(max_examples=100)
@given(st.sampled_from(seeds("door")), st.integers(0, 300), st.binary(max_size=4))
def test_no_damage_to_a_message_makes_the_door_fail(seed: bytes, at: int, new: bytes) -> None:
    at %= len(seed)
    assert door(seed[:at] + new + seed[at + len(new) :]) == []


@pytest.mark.slow
@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from((
    "schema", "family", "language", "version", "graphs", "files", "calibration", "limits", "tolerance", "optional",
    "flavour", "licences", "normaliser_version")), VALUES, max_size=4), st.binary(max_size=20))  # fmt: skip
def test_no_manifest_makes_the_loader_fail(entries: dict[str, Any], rest: bytes) -> None:
    bundle(manifest(entries) + b"\0\0" + rest)


@settings(max_examples=100)
@given(st.sampled_from(seeds("bundle")), st.integers(0, 300), st.binary(max_size=4))
def test_no_damage_to_a_manifest_makes_the_loader_fail(seed: bytes, at: int, new: bytes) -> None:
    at %= len(seed)
    bundle(seed[:at] + new + seed[at + len(new) :])
