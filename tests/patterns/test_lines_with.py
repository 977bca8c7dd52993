"""The lines that hold the word of a pattern."""

from __future__ import annotations

import subprocess
import sys

from editahead.patterns.matching import lines_with
from editahead.text.buffer import MAX_LINE_BYTES, Buffer


def test_whole_words_in_text_order_once_a_line() -> None:
    assert lines_with("a", Buffer(b"a = a\nbad\nc\na\n"), 0) == [0, 3]


def test_of_too_many_lines_the_nearest() -> None:
    assert lines_with("a", Buffer(b"a\n" * 20), 10, most=3) == [9, 10, 11]


def test_parts_far_from_the_line_are_not_read_once_enough_lines_are_known() -> None:
    part = b"a\n" * 5 + b"b\n" * 5
    buffer = Buffer(part * 9)
    parts = [(len(part) * number, part) for number in range(9)]
    for near in (0, 7, 44, 51, 89):
        for most in (1, 4, 12, 100):
            assert lines_with("a", buffer, near, most, parts) == lines_with("a", buffer, near, most)
    far = [(first, part if 3 <= number <= 5 else b"") for number, (first, part) in enumerate(parts)]
    assert lines_with("a", buffer, 44, 4, far) == lines_with("a", buffer, 44, 4)


def test_lines_of_data_are_left_out() -> None:
    assert lines_with("a", Buffer(b"a " * MAX_LINE_BYTES + b"\na\n"), 0) == [1]


def test_the_first_search_loads_no_further_modules() -> None:
    """`numpy.unique` loads masked arrays when it is first called, which took 26 ms of the first request."""
    program = (
        "import sys\n"
        "from editahead.patterns.matching import lines_with\n"
        "from editahead.text.buffer import Buffer\n"
        "assert lines_with('a', Buffer(b'a'), 0) == [0]\n"
        "assert 'numpy.ma' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
