"""Code inside documents of another language: which bytes belong to which language."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.syntax.embedded import MAX_BYTES, EmbeddedRegion, blank_out, embedded_regions, only_language

from tests.growth import assert_linear


def code(host: str, text: str) -> list[tuple[str, str]]:
    data = text.encode()
    return [(r.language_id, data[r.start : r.end].decode()) for r in embedded_regions(host, data)]


@pytest.mark.parametrize("host", ["python", "json", "", "plaintext"])
def test_other_documents_hold_no_code(host: str) -> None:
    assert code(host, "```python\nx = 1\n```\n<script>a</script>") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Title\n```python\nx = 1\n```\n", [("python", "x = 1")]),
        ("```py\nx = 1\ny\n```\n", [("python", "x = 1\ny")]),
        ("~~~ JavaScript title=x\nlet a\n~~~\n", [("javascript", "let a")]),
        ("```{python}\nx\n```\n", [("python", "x")]),
        ("```c_sharp\nint a;\n```\n", [("c_sharp", "int a;")]),
        ("```python\r\nx = 1\r\n```\r\n", [("python", "x = 1")]),
        ("```python\n\n```", [("python", "")]),
        ("```python\n```", []),  # no line between the fences
        ("```\nplain\n```\n", []),
        ("```nosuchlanguage\nplain\n```\n", []),
        ("```python\nnot closed", [("python", "not closed")]),
        ("```python\n", [("python", "")]),
        ("```python", []),
        ("- item\n  ```go\n  x := 1\n  ```\n", [("go", "  x := 1")]),
        ("> ```rust\n> let a;\n> ```\n", [("rust", "> let a;")]),
        ("````python\n```\nx\n````\n", [("python", "```\nx")]),  # a shorter fence closes nothing
        ("```python\n~~~\nx\n```\n", [("python", "~~~\nx")]),  # nor one of another kind
        ("```python `x`\n```js\nlet a\n```\n", [("javascript", "let a")]),  # a line of prose opens nothing
        ("```python\nx\n```\ntext\n```java\ny\n```", [("python", "x"), ("java", "y")]),
    ],
)
def test_markdown_fences(text: str, found: list[tuple[str, str]]) -> None:
    assert code("markdown", text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<p>a</p><script>let a = 1</script>", [("javascript", "let a = 1")]),
        ('<script type="module">a</script>', [("javascript", "a")]),
        ('<script setup lang="ts">\nconst a = 1\n</script>', [("typescript", "\nconst a = 1\n")]),
        ("<SCRIPT LANG='TS'>a</SCRIPT >", [("typescript", "a")]),
        ('<script type="application/json">{"a": 1}</script>', []),
        ('<script type="text/x-template"><b></b></script>', []),
        ("<script>a", [("javascript", "a")]),
        ("<scripts>a</scripts>", []),
        ("<script></script>", [("javascript", "")]),
        ("<style>a { b: c }</style>", [("css", "a { b: c }")]),
        ("<script>a</script><script lang=ts>b</script>", [("javascript", "a"), ("typescript", "b")]),
    ],
)
@pytest.mark.parametrize("host", ["html", "vue", "svelte"])
def test_elements_of_pages(host: str, text: str, found: list[tuple[str, str]]) -> None:
    assert code(host, text) == found


def test_everything_else_is_blank_and_nothing_moves() -> None:
    data = "é🎉\r\n```python\nx = 'ü'\n```\n".encode()
    text = only_language(data, embedded_regions("markdown", data), "python")
    assert len(text) == len(data)
    assert text.strip() == "x = 'ü'".encode()
    assert text.index(b"x") == data.index(b"x")
    assert text.count(b"\r\n") == 1
    assert only_language(data, [EmbeddedRegion("java", 0, 3)], "python") == blank_out(data)


@pytest.mark.parametrize(
    ("host", "unit"),
    [
        ("markdown", "```python\nx\n```\n"),
        ("markdown", "```python\n"),
        ("markdown", "> > > > \n"),
        ("html", "<script>"),
        ("html", "<script "),
        ("html", "<script>a</script>"),
    ],
)
def test_the_search_is_linear_in_the_text(host: str, unit: str) -> None:
    def work(size: int) -> Callable[[], object]:
        data = unit.encode() * size
        return lambda: embedded_regions(host, data)

    assert_linear(work, 20_000)


def test_a_very_large_document_is_not_searched() -> None:
    text = "```python\nx = 1\n```\n"
    assert code("markdown", text + " " * (MAX_BYTES - len(text))) == [("python", "x = 1")]
    assert code("markdown", text + " " * MAX_BYTES) == []
