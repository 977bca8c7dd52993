"""What the model reads for a place in a file."""

from __future__ import annotations

import pytest
from editahead.suggest.context import (
    ABOVE_LINES,
    AFTER_LINES,
    MOST_TOKENS,
    CursorWindow,
    names_below,
    names_nearby,
    place_at,
    window_start,
)
from editahead.syntax.tokens import TokenKind

from .documents import document


@pytest.mark.parametrize(
    ("text", "prefix", "before", "after"),
    [
        ("x = val‸ue + 1", "val", "x = ", "ue + 1"),
        ("x = ‸", "", "x = ", ""),
        ("x = 12‸", "", "x = 12", ""),
        ("x = 1e‸", "", "x = 1e", ""),
        ("größe_‸", "größe_", "", ""),
        ("    ‸", "", "    ", ""),
        ("a.b‸", "b", "a.", ""),
    ],
)
def test_prefix_and_the_text_beside_it(text: str, prefix: str, before: str, after: str) -> None:
    made, byte = document(text)
    place = place_at(made, byte)
    assert (place.prefix, place.before, place.after) == (prefix, before, after)
    assert made.syntax.buffer.data[place.start : place.end].decode() == prefix


def test_the_context_ends_before_the_prefix() -> None:
    made, byte = document("total = compute(val‸ue, other)\n")
    texts = [token.text for token in place_at(made, byte).lines[-1]]
    assert texts == ["", "total", "=", "compute", "("]


def test_an_empty_line_counts_with_its_indentation() -> None:
    made, byte = document("def f():\n        ‸\n")
    last = place_at(made, byte).lines[-1]
    assert last[0].kind is TokenKind.NEWLINE
    assert last[0].text == " " * 8


def test_the_window_depends_on_the_line_alone_and_keeps_the_head_of_the_file() -> None:
    text = "import os\n" + "".join(f"x{n} = {n}\n" for n in range(500)) + "‸"
    made, byte = document(text)
    numbers = place_at(made, byte).numbers
    assert numbers[:40] == list(range(40))
    assert numbers[40] == window_start(501) == 400
    assert numbers[-1] == 501
    assert window_start(199) == 0
    assert window_start(200) == 100


def test_names_are_found_again_where_they_are_after_the_text_has_moved() -> None:
    text = "‸\n" + "below1 = 1\nbelow2 = below1\n"
    made, _ = document(text)
    assert names_nearby(made.syntax, 0, far=False) == {"below1": 1, "below2": 2}
    moved, _ = document("x = 1\n\n" + text)
    assert names_nearby(moved.syntax, 2, far=False) == {"below1": 3, "below2": 4}
    other, _ = document("‸\nbelow1 = 1\nchanged = below1\n")
    assert names_nearby(other.syntax, 0, far=False, prefix="ch") == {"changed": 2}


def test_names_outside_the_window_come_nearest_first() -> None:
    text = "".join(f"above{n} = 1\n" for n in range(300)) + "‸\n" + "below1 = below2\nabove0 = 1\n"
    made, _ = document(text)
    near = names_nearby(made.syntax, 300, far=False)
    assert list(near) == ["below1", "below2", "above0"]
    far = names_nearby(made.syntax, 300, far=True)
    assert far["above199"] == 199
    assert far["above0"] == 302
    assert "above250" not in far  # inside the window: the model knows it


def test_a_line_of_data_is_read_as_if_it_were_blank() -> None:
    data = "odd_one, " * MOST_TOKENS
    text = f"first = 1\nDATA = [{data}]\nlast = fi‸\nMORE = [{data}]\nend = 2\n"
    made, byte = document(text)
    place = place_at(made, byte)
    assert [len(line) for line in place.lines[:2]] == [4, 0]
    assert [token.text for token in place.below[1]][-3:] == ["end", "=", "2"]
    assert not place.below[0]
    assert names_nearby(made.syntax, place.line, far=False) == {"end": 4}


def test_far_names_are_lexed_without_a_tree() -> None:
    head = ["z = 3"] * 3 + ["# comment1 = 1", 'text = "quoted1"', "for kept1 in range(5): pass"]
    made, _ = document("\n".join([*head, *["x = 1"] * 240, "near1 = ‸", "# below2", "below1 = 2"]))
    names = names_nearby(made.syntax, 212, far=True)
    assert (names["kept1"], names["text"]) == (5, 4)
    assert not {"comment1", "quoted1", "for", "in"} & names.keys()
    assert names_nearby(made.syntax, 212, far=True, prefix="ke") == {"kept1": 5}
    assert names_below(made.syntax, 120, "b") == {"below1"}


@pytest.mark.parametrize("line", [0, 30, 99, 250, 299])
def test_far_names_are_those_of_the_lines_however_blocks_are_cut(line: int) -> None:
    made, _ = document("\n".join(f"row{n} = 1" for n in range(300)) + "‸")
    below = names_below(made.syntax, line, "row")
    assert below == {f"row{n}" for n in range(line + 1 + AFTER_LINES, min(300, line + 1 + ABOVE_LINES))}
    far = names_nearby(made.syntax, line, far=True)
    assert far == {f"row{n}": n for n in (*range(window_start(line)), *range(line + 1, min(300, line + 101)))}
    window = CursorWindow.nearest(line)
    narrow = names_nearby(made.syntax, line, window, far=True)
    assert narrow == {f"row{n}": n for n in (*range(window.first), *range(line + 1, min(300, line + 101)))}
