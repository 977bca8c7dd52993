"""Kinds of rejected edits: what is the same kind, how a rejection decays, what is withheld."""

from __future__ import annotations

import pytest
from editahead.learning.rejected_kinds import HALF_LIFE, MAX_KINDS, RejectedKind, RejectedKinds, kind_of_edit


def kind(removed: str, inserted: str, line: str = "", source: str = "rename") -> RejectedKind:
    found = kind_of_edit("/p", "python", "next_edit", source, removed.encode(), inserted.encode(), line.encode())
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("total", "amount", "    return total"), ("price", "cost", "  return price + 1")),
        (("", "(self, 1)", "f = g"), ("", "(other,  22)", "h = k")),
        (("", '"text"', "print("), ("", "'another'", "log(")),
        (("", "\n        x = y", "if a:"), ("", "\n    b = c", "if d:")),
    ],
)
def test_names_numbers_texts_and_blanks_make_no_difference(
    one: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    assert kind(*one).pattern == kind(*other).pattern


@pytest.mark.parametrize(
    "other",
    [
        ("total", "amount + amount", "    return total"),
        ("total", "total", "    return total"),
        ("total", "amount", "    total = 1"),
        ("total", "None", "    return total"),
        ("total", "amount", "    return total", "repeat"),
    ],
)
def test_form_statement_and_source_do(other: tuple[str, ...]) -> None:
    assert kind("total", "amount", "    return total").pattern != kind(*other).pattern


def test_no_word_of_the_text_is_in_a_kind_and_statements_are_keywords() -> None:
    found = kind("Zebra", "Quagga_42", "    Okapi = Zebra('Tapir')")
    assert found.statement == "assignment"
    text = repr(found).lower()
    assert not any(word in text for word in ("zebra", "quagga", "okapi", "tapir"))
    assert kind("a", "b", "\tpass").statement == "pass"
    assert kind("a", "b", "Okapi()").statement == "call"
    assert kind("a", "b", "Okapi").statement == "other"


def test_a_long_edit_has_no_kind() -> None:
    assert kind_of_edit("", "python", "next_edit", "", b"", b"x" * 401, b"") is None


def test_three_rejections_withhold_a_kind_for_two_days_and_an_acceptance_clears_it() -> None:
    kinds, rejected = RejectedKinds(), kind("a", "b")
    for number in range(3):
        assert kinds.reason(rejected.pattern, 100) == "", number
        kinds.reject(rejected, 100)
    assert kinds.reason(rejected.pattern, 100) == f"edits of this kind were rejected 3 times ({rejected.pattern})"
    assert kinds.reason(rejected.pattern, 101)
    assert not kinds.reason(rejected.pattern, 102)
    assert kinds.accept(rejected.pattern)
    assert kinds.kinds == []


def test_rejections_in_several_projects_add_up() -> None:
    kinds, rejected = RejectedKinds(), kind("a", "b")
    for project in ("/p", "/q", "/r"):
        kinds.reject(RejectedKind(project, *list(_fields(rejected))[1:6]), 100)
    assert kinds.reason(rejected.pattern, 100)


def _fields(value: RejectedKind) -> list[str]:
    return [value.project, value.pattern, value.language, value.kind, value.source, value.statement]


def test_a_rejection_decays_over_days_and_a_clock_that_jumps_back_does_no_harm() -> None:
    rejected = kind("a", "b").rejected_again(100)
    assert rejected.weight_at(100) == 1.0
    assert rejected.weight_at(100 + HALF_LIFE) == 0.5
    assert rejected.weight_at(-5000) == 1.0
    again = rejected.rejected_again(-5000)
    assert (again.weight, again.day) == (2.0, 100)


def test_the_kind_with_the_least_weight_goes_when_there_are_too_many() -> None:
    kinds = RejectedKinds()
    for number in range(MAX_KINDS + 5):
        kinds.reject(RejectedKind("", f"{number:016x}", "python", "inline", "", "other"), 100 + number)
    patterns = {each.pattern for each in kinds.kinds}
    assert len(patterns) == MAX_KINDS
    assert f"{0:016x}" not in patterns
    assert f"{MAX_KINDS + 4:016x}" in patterns


def test_normalising_takes_time_in_proportion_to_the_edit_which_is_bounded() -> None:
    for text in ('"' * 399, "a" * 399, "1." * 199, " \n" * 199):
        kind(text, "", text * 1000)
