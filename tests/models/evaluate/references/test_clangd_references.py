"""Names of which clangd cannot know all places."""

from __future__ import annotations

import pytest
from editahead_models.evaluate.references.clangd_references import in_doubt

TEXT = "#ifdef WIDE\nint wide;\n#endif\n#define TWICE(x) \\\n  (2 * (x) + base)\nint base, width, wide_sum;\n"
LEFT_OUT = [{"start": {"line": 1}, "end": {"line": 1}}]


@pytest.mark.parametrize(("word", "doubt"), [("base", True), ("width", False), ("wide_sum", False)])
def test_names_of_the_preprocessor_are_in_doubt(word: str, doubt: bool) -> None:
    column = TEXT.split("\n")[5].index(word)
    assert in_doubt(TEXT, 6, column, LEFT_OUT) is doubt


def test_names_of_code_that_is_left_out_are_in_doubt() -> None:
    text = TEXT + "int wide;\n"
    assert in_doubt(text, 7, 4, LEFT_OUT)
    assert not in_doubt(text, 7, 4, [])
