"""What is remembered of a place from key to key: nothing is done twice, and nothing outlives a change."""

from __future__ import annotations

import pytest
from editahead.suggest.completion.extra_names import NO_NAMES
from editahead.suggest.completion.ranking import document_scopes as module
from editahead.suggest.completion.ranking import gather
from editahead.suggest.completion.ranking.document_scopes import document_scopes
from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.completion.ranking.slots import SlotKind
from editahead.suggest.context import place_at
from editahead.text.buffer import Buffer
from editahead.text.memo import forget_texts
from hypothesis import given
from hypothesis import strategies as st

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


BODY = st.recursive(
    st.sampled_from(["one = two", "pass", "return self.size", "import os", ""]).map(lambda line: [line]),
    lambda inner: st.tuples(
        st.sampled_from(["class Box:", "def put(self, item):", "if one:", "for at in row:"]),
        st.sampled_from([1, 2, 4]),
        st.lists(inner, min_size=1, max_size=3),
    ).map(lambda block: [block[0], *(" " * block[1] + line for part in block[2] for line in part), "   "]),
    max_leaves=8,
)


@pytest.mark.slow
@given(st.lists(BODY, min_size=1, max_size=4), st.data())
def test_blanks_are_read_as_the_level_that_they_mean(parts: list[list[str]], data: st.DataObject) -> None:
    rows = [line for part in parts for line in part]
    row = data.draw(st.integers(0, len(rows)))
    above, below = "".join(f"{line}\n" for line in rows[:row]), "".join(f"\n{line}" for line in rows[row:])

    def scopes(column: int) -> tuple[object, list[str]]:
        made, byte = document(f"{above}{' ' * column}‸{below}")
        read = document_scopes(made, place_at(made, byte))
        assert read is not None
        return read.evidence._replace(unbound={}), list(read.evidence.unbound)

    with pytest.MonkeyPatch.context() as patch:
        forget_texts()
        at_once = [scopes(column) for column in range(10)]  # as they are typed: each may find what was read before
        patch.setattr(module, "_indent_of", lambda text, place: len(text) - len(text.lstrip()))
        for column, found in enumerate(at_once):
            forget_texts()
            assert scopes(column) == found, column


def test_no_copy_of_the_text_is_made_while_letters_are_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    made, byte = document("one = 1\nx‸\n")
    first = document_scopes(made, place_at(made, byte))
    monkeypatch.setattr(Buffer, "apply", lambda buffer, edit: pytest.fail("the text was copied"))
    made, byte = document("one = 1\nxy‸\n")
    assert document_scopes(made, place_at(made, byte)) is first
