"""An hour of typing in miniature, with the menu of completions on."""

from __future__ import annotations

from collections.abc import Callable

from editor import Editor
from typed_session import pair, type_in  # noqa: F401  a fixture


def test_the_text_is_what_was_typed_with_the_menu(pair: Callable[[str], tuple[Editor, Editor]]) -> None:  # noqa: F811
    type_in(pair, "completion = true")
