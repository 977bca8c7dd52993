"""What is remembered of a place from key to key: nothing is done twice, and nothing outlives a change."""

from __future__ import annotations

import pytest
from editahead.suggest.completion.extra_names import NO_NAMES
from editahead.suggest.completion.ranking import gather
from editahead.suggest.completion.ranking.document_scopes import document_scopes
from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.completion.ranking.slots import SlotKind
from editahead.suggest.context import place_at
from editahead.text.buffer import Buffer

from ...documents import document


def evidence(text: str) -> PlaceEvidence:
    made, byte = document(text)
    return gather.place_evidence(made, place_at(made, byte), NO_NAMES)


def test_letters_of_a_name_leave_the_slot_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    real = gather.slot_at
    monkeypatch.setattr(gather, "slot_at", lambda lines, language: asked.append(lines) or real(lines, language))
    before = "box.size = 1\n" + "x = " * 3
    for letters in ("", "b", "bo", "box"):
        assert evidence(f"{before}{letters}‸\nbox.close\n").slot.kind is SlotKind.VALUE
    assert len(asked) == 1
    assert evidence(f"{before}box.‸\nbox.close\n").receiver_pairs == {"size", "close"}
    assert evidence(f"{before}box.‸\nbox.write\n").receiver_pairs == {"size", "write"}
    assert evidence("one(‸)\nend\n").slot.kind is SlotKind.ARGUMENT
    assert evidence("one = ‸2\nend\n").slot.kind is SlotKind.VALUE  # the lines below are the same
    assert len(asked) == 5


@pytest.mark.parametrize("language", ["python", "java"])
def test_scopes_follow_every_change_around_the_line(language: str) -> None:
    above, below = (
        ("one = 1\n", "\ntwo = 2\n") if language == "python" else ("class A { int one; \n", "\n int two; }\n")
    )

    def visible(above: str, line: str, below: str) -> set[str]:
        made, byte = document(above + line + below, language)
        scopes = document_scopes(made, place_at(made, byte))
        assert scopes is not None
        return set(scopes.evidence.visible)

    for line in ("‸", "x‸", "xy‸"):
        assert {"one", "two"} <= visible(above, line, below)
    assert "six" in visible(above.replace("one", "six"), "xy‸", below)
    assert "ten" in visible(above, "xy‸", below.replace("two", "ten"))
    assert {"one", "two"} <= visible(above + "\n", "xy‸", below)


def test_no_copy_of_the_text_is_made_while_letters_are_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    made, byte = document("one = 1\nx‸\n")
    first = document_scopes(made, place_at(made, byte))
    monkeypatch.setattr(Buffer, "apply", lambda buffer, edit: pytest.fail("the text was copied"))
    made, byte = document("one = 1\nxy‸\n")
    assert document_scopes(made, place_at(made, byte)) is first
