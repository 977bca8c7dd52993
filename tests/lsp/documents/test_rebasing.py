"""Completions for a text that moved on: what still fits, in an order that is safe to accept from."""

from __future__ import annotations

from editahead.lsp.documents.rebasing import rebase_completions
from editahead.suggest.types import Completion, Completions
from editahead.text.edits import ByteEdit


def listed(*labels: str) -> Completions:
    items = tuple(Completion(label, 0.1, "name", "cache") for label in labels)
    return Completions(items, 10, 14, complete=False)


def typed(text: bytes) -> list[ByteEdit]:
    return [ByteEdit(14 + at, 14 + at, text[at : at + 1]) for at in range(len(text))]


def test_a_word_typed_to_its_end_meanwhile_is_first() -> None:
    found = rebase_completions(listed("failed_events", "fails", "failed"), typed(b"ed"))
    assert found is not None
    assert [item.label for item in found.items] == ["failed", "failed_events"]


def test_only_the_typed_word_left_is_no_list() -> None:
    assert rebase_completions(listed("fails", "failed"), typed(b"ed")) is None
