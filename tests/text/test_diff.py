"""What changed between two texts: exact spans, the bounds of the search, and borders that no position could name."""

from __future__ import annotations

import pytest
from editahead.text import diff
from editahead.text.diff import Span, changed_spans, common_ends
from hypothesis import given, settings
from hypothesis import strategies as st

TEXTS = st.text(alphabet="\r\nab é", max_size=12).map(str.encode)


def spans(old: str, new: str) -> list[tuple[str, str]]:
    """What each span removes and inserts."""
    a, b = old.encode(), new.encode()
    return [(a[i:j].decode(), b[k:m].decode()) for i, j, k, m in changed_spans(a, b)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("alpha beta gamma\n", "alpha delta gamma\n", [("be", "del")]),
        ("a = 1\nb = 2\nc = 3\n", "a = 1\nc = 3\n", [("b = 2\n", "")]),
        ("f(one, two)\n", "f(uno, two, tre)\n", [("one", "uno"), ("", ", tre")]),
        ("one\ntwo\n", "eins\nzwei\n", [("one\ntwo", "eins\nzwei")]),  # hardly anything is left: told as a whole
        ("x\n", "x\n", []),
        ("", "x\n", [("", "x\n")]),
    ],
)
def test_spans(old: str, new: str, expected: list[tuple[str, str]]) -> None:
    assert spans(old, new) == expected


def test_what_stands_above_makes_no_span_coarser() -> None:
    above = "".join(f"line {n}\n" for n in range(2_000))
    found = spans(above + "call(one, middle, two)\n", above + "call(uno, middle, dos)\n")
    assert found == [("one", "uno"), ("two", "dos")]


def test_how_much_is_kept_is_told_by_the_stretch_alone() -> None:
    above = "".join(f"line {n}\n" for n in range(50))
    assert len(spans(above + "one two\nsix\n", above + "eins zwei\nsechs\n")) == 1  # hardly anything
    grown = "z call(mid) " + "and more " * 12 + "w\n"
    assert len(spans(above + "x call(mid) y\n", above + grown)) > 1  # all of the old one


def test_a_long_text_that_becomes_a_short_one_is_one_span() -> None:
    assert len(spans("x " * 25_000 + "end\n", "y " * 50 + "fin\n")) == 1
    assert len(spans("y " * 50 + "fin\n", "x " * 25_000 + "end\n")) == 1


def test_a_long_stretch_of_more_lines_than_before_is_one_span() -> None:
    old = "".join(f"call({n}, old, {'x, ' * 20}end)\n" for n in range(60))
    new = "".join(f"call({n + 1}, new, {'y, ' * 20}fin)\n" for n in range(70))
    assert len(spans(old, new)) == len(spans(new, old)) == 1


def test_lines_far_from_the_change_cost_nothing_of_the_budget() -> None:
    above = "".join(f"line {n}\n" for n in range(2_000))
    below = "".join(f"row {n}\n" for n in range(2_000))
    old = above + "a = 1\nkept\nb = 2\n" + below
    new = above + "a = 3\nkept\nb = 4\n" + below
    assert spans(old, new) == [("1", "3"), ("2", "4")]


def test_one_line_of_too_many_words_is_one_span() -> None:
    words = [f"word{n}" for n in range(300)]
    old = "x " + " ".join(words) + " y\n"
    new = old.replace("word0 ", "ward ").replace("word250", "ward250")
    (only,) = spans(old, new)
    assert only[0].startswith("o")
    assert only[0].endswith("word250") or "word249" in only[0]


def test_one_line_of_too_many_bytes_is_one_span() -> None:
    old = "x" * 30_000 + " a " + "y" * 50_000 + " b " + "z\n"
    new = "x" * 30_000 + " c " + "y" * 50_000 + " d " + "z\n"
    assert len(spans(old, new)) == 1


def test_each_of_many_long_lines_is_read_by_itself() -> None:
    def line(n: int, word: str) -> str:
        return f"call({n}, {word}, {'x, ' * 20}end)\n"

    old = "".join(line(n, "old") for n in range(60))
    new = "".join(line(n, "new") for n in range(60))
    assert spans(old, new) == [("old", "new")] * 60


def test_a_large_change_is_read_between_lines_that_stand_once() -> None:
    def text(word: str) -> str:
        return "".join(f"row {n}\nagain\n{word} {n}\nand again\n" for n in range(250))

    assert spans(text("old"), text("new")) == [("old", "new")] * 250


def test_only_what_differs_counts_against_the_largest_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "MAX_BYTES", 60)
    same = "line\n" * 50
    assert spans(f"{same}a(b, c)\n{same}", f"{same}a(d, e)\n{same}") == [("b", "d"), ("c", "e")]
    far = "".join(f"{n}\n" for n in range(40))
    assert len(spans(f"{same}a\n{far}b\n{same}", f"{same}c\n{far}d\n{same}")) == 1


def test_without_a_budget_a_stretch_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = "a\nsame\nx\nsame\nb\n", "c\nsame\nsame\nd\n"
    assert len(spans(old, new)) > 1
    monkeypatch.setattr(diff, "MAX_CELLS", 0)
    assert len(spans(old, new)) == 1


def test_lines_that_stand_in_many_places_are_matched_too() -> None:
    common = "p\n" * 50
    old = f"s1\n{common}e1\n"
    new = "s2\n" + "q\n" * 150 + f"{common}e2\n"
    assert sum(len(removed) for removed, _ in spans(old, new)) < 10


@pytest.mark.slow
@settings(max_examples=400)
@given(TEXTS, TEXTS, TEXTS)
def test_spans_give_the_new_text_and_split_no_character_and_no_line_end(same: bytes, old: bytes, new: bytes) -> None:
    before, after = same + old + same, same + new + same
    made, last, previous = b"", 0, (-1, -1)
    for span in changed_spans(before, after):
        a, b, c, d = span
        assert previous[0] < a
        assert before[a:b] != after[c:d]
        assert _clean(before, after, span)
        made += before[last:a] + after[c:d]
        last, previous = b, (b, d)
    assert made + before[last:] == after


def _clean(before: bytes, after: bytes, span: Span) -> bool:
    def border(data: bytes, at: int) -> bool:
        inside = 0 < at < len(data)
        return not inside or (data[at - 1 : at + 1] != b"\r\n" and data[at] & 0xC0 != 0x80)

    a, b, c, d = span
    return border(before, a) and border(before, b) and border(after, c) and border(after, d)


@given(st.text("ab", max_size=8), st.text("ab", max_size=8))
def test_common_ends_are_equal_apart_and_as_long_as_can_be(one: str, other: str) -> None:
    head, tail = common_ends(one, other)
    assert one[:head] == other[:head]
    assert one[len(one) - tail :] == other[len(other) - tail :]
    left, right = one[head : len(one) - tail], other[head : len(other) - tail]
    assert len(left) + head + tail == len(one)
    assert not (left and right) or (left[0] != right[0] and left[-1] != right[-1])
