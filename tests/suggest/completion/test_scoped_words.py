"""Completions of a language that has rules of names and no model."""

from __future__ import annotations

import pytest
from editahead.runtime.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.without_model import complete_without_model
from editahead.suggest.types import Document, Shown
from editahead.syntax.chunked import open_snapshot
from editahead.syntax.language import by_path
from editahead.text.buffer import Buffer
from editahead.text.history import History


def labels(text: str, path: str = "a.ts") -> list[str]:
    """What is offered at the mark `|`."""
    before, _, after = text.partition("|")
    language = by_path(path)
    assert language is not None
    buffer = Buffer((before + after).encode())
    view = History(buffer, lambda: 0.0).view()
    document = Document(f"file:///{path}", None, language.id, 1, open_snapshot(buffer, language), view, Settings())
    found = complete_without_model(DocumentCaches(words_of), document, len(before.encode()), Cancel())
    return [item.label for item in found.value.items] if isinstance(found, Shown) else []


BOX = """class Box {
  width = 1;
  height = 2;
  fill(): void {}
}
class Cup {
  depth = 3;
  pour(): void { log.depth; log.depth; log.depth; }
}
"""


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (BOX + "const box = new Box();\nbox.|\n", "a.ts"),
        (BOX.replace("width = 1;", "width = 1;\n  area() { return this.| }"), "a.ts"),
        (
            "package a\n\ntype Box struct {\n\twidth, height int\n}\n\nfunc (b *Box) fill() {}\n\n"
            "type Cup struct {\n\tdepth int\n}\n\nfunc paint(b *Box, c Cup) {\n\tuse(c.depth, c.depth)\n\tb.|\n}\n",
            "a.go",
        ),
    ],
)
def test_members_of_a_known_class_are_offered_and_no_others(text: str, path: str) -> None:
    assert {"width", "height"} <= set(labels(text, path)) <= {"width", "height", "fill", "area"}


def test_a_name_of_another_function_is_not_first() -> None:
    text = (
        "function first(alpha: number) {\n  return alpha + alpha;\n}\n"
        "function second(total: number) {\n  return |;\n}\n"
    )
    found = labels(text)
    assert "total" in found
    assert "alpha" not in found[: found.index("total")]


def test_a_new_name_may_be_one_of_another_function() -> None:
    before = "".join(f"function f{n}() {{\n  const result = g();\n}}\n" for n in range(2))
    text = before + "function k() {\n  const |\n}\n"
    assert labels(text)[:1] == ["result"]
