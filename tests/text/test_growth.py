"""What the event loop does to a text costs what the text is long, whatever stands in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.recording.anonymise import Anonymiser, hidden_change
from editahead.suggest.next_edit.rollout.decoder_cache import _rough_edits
from editahead.text.buffer import Buffer
from editahead.text.diff import MAX_ALL_CELLS
from editahead.text.edits import ByteEdit, minimal_diff
from editahead.text.words import word_before

from tests.growth import assert_linear, seconds


def numbered(row: bytes, n: int) -> bytes:
    """Many stretches of one row between lines that occur once."""
    return b"".join(b"%d\n%s\n" % (number, row) for number in range(n // (len(row) + 6)))


WHOLE_TEXTS: dict[str, Callable[[int], tuple[bytes, bytes]]] = {
    "the same words in another order": lambda n: (b"a b\n" * (n // 4), b"b a\n" * (n // 4)),
    "many changed stretches": lambda n: (numbered(b"a b c " * 30, n), numbered(b"b a c " * 31, n)),
    "other line ends": lambda n: (b"a\n" * (n // 2), b"a\r\n" * (n // 2)),
    "one line": lambda n: (b"a b " * (n // 4), b"b c " * (n // 4)),
    "characters of two bytes": lambda n: ("é".encode() * (n // 2), "è".encode() * (n // 2)),
}


@pytest.mark.parametrize("case", WHOLE_TEXTS)
def test_finding_what_changed_grows_with_the_text(case: str) -> None:
    texts = {n: WHOLE_TEXTS[case](n) for n in (50_000, 100_000, 200_000)}
    assert_linear(lambda n: lambda: minimal_diff(*texts[n]), 50_000)


def test_what_difflib_is_asked_in_one_comparison_is_bounded() -> None:
    """500 stretches that it may each take long for would stop the loop for seconds."""
    old, new = numbered(b"a b c " * 30, 80_000), numbered(b"b a c " * 31, 80_000)
    assert MAX_ALL_CELLS * 20 < (30 * 3 * 2) ** 2 * 400
    assert seconds(lambda: minimal_diff(old, new), 3) < 2


@pytest.mark.slow
def test_counting_the_edits_of_a_hunk_grows_with_its_tokens() -> None:
    rows = {n: ("a, " * n + str(n), "b, " * n + str(n)) for n in (20_000, 40_000, 80_000)}
    assert_linear(lambda n: lambda: _rough_edits([rows[n][0]], [rows[n][1]]), 20_000)
    assert _rough_edits(["a b b"], ["b c", "a"]) == 5  # two `b` behind a blank go, `b` and `c` come, and a line


def test_hiding_a_long_word_grows_with_it() -> None:
    def work(n: int) -> Callable[[], object]:
        buffer = Buffer(b"x" * n + b" y")
        return lambda: hidden_change(Anonymiser(), buffer, ByteEdit(n + 1, n + 1, b"z"))

    assert_linear(work, 20_000)

    def typed(n: int) -> Callable[[], object]:
        buffer = Buffer(b"x" * n)
        return lambda: hidden_change(Anonymiser(b"key"), buffer, ByteEdit(n, n, b"z"))

    assert_linear(typed, 5_000)


@pytest.mark.parametrize("word", ["1", "0x1", "1_", "0b1"])
def test_hiding_what_is_no_number_in_the_end_grows_with_it(word: str) -> None:
    assert_linear(lambda n: lambda: Anonymiser(b"key").text(word * n + "z" + "x" * 3), 5_000)


def test_finding_the_typed_word_grows_with_it() -> None:
    assert_linear(lambda n: lambda: word_before("1" * n + "x" * n), 20_000)
