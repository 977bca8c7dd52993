"""The real server in Markdown, HTML, Vue and cells of notebooks: the code in them gets what a file of it gets."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from raw_client import Client, over_stdio

PYTHON = """class Basket:
    def __init__(self, items):
        self.items = items

    def total(self):
        return sum(self.items)


def describe(basket):
    total = basket.total()
    return """
SCRIPT = """function describe(basketItems) {
  const basketTotal = basketItems.length;
  return """
MARKDOWN = f"# Größe 🎉\n\nSome prose about baskets.\n\n```python\n{PYTHON}\n```\n\n```js\n{SCRIPT}\n}}\n```\n"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """One server for all tests, with deadlines for a slow machine."""
    made = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    made.hello(initializationOptions={"completionDeadlineMs": 20_000, "nextEditDeadlineMs": 20_000})
    yield made
    made.leave()
    assert made.faults == []
    assert made.stderr == b""


def end_of(text: str, words: str) -> tuple[int, int]:
    """Line and UTF-16 character behind the first occurrence of some words."""
    before = text[: text.index(words) + len(words)]
    return before.count("\n"), len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2


def labels(client: Client, uri: str, place: tuple[int, int]) -> list[str]:
    result = client.request("textDocument/completion", client.at(uri, *place))
    return [item["label"] for item in result["items"]]


def shown_next(client: Client, uri: str, place: tuple[int, int]) -> list[dict[str, Any]]:
    edits: list[dict[str, Any]] = client.request("editahead/nextEdit", client.at(uri, *place, context={"idle": True}))[
        "edits"
    ]
    return edits


@pytest.mark.slow
def test_both_languages_of_a_markdown_file_are_completed_and_prose_is_not(client: Client) -> None:
    uri = client.open(MARKDOWN, uri="file:///w/README.md", language="markdown")
    assert "total" in labels(client, uri, end_of(MARKDOWN, "basket.total()\n    return "))[:3]
    assert {"basketTotal", "basketItems"} & set(labels(client, uri, end_of(MARKDOWN, ".length;\n  return "))[:3])
    assert "total" in labels(client, uri, end_of(MARKDOWN, "basket.total()\n    return "))[:3]  # and back again
    line, character = end_of(MARKDOWN, "Some prose")
    explained = client.request("editahead/explain", client.at(uri, line, character))
    assert explained["languageId"] == "markdown"
    assert client.request("editahead/explain", client.at(uri, 6, 8))["languageId"] == "python"


def test_a_renamed_name_is_offered_in_its_fence_and_nowhere_else(client: Client) -> None:
    text = "The `basket` is sold.\n\n```python\ndef sell(basket):\n    print(basket)\n    return basket\n```\nbasket\n"
    uri = client.open(text, uri="file:///w/sell.md", language="markdown")
    client.settle()
    line, character = end_of(text, "def sell(")
    client.change(uri, 1, ((line, character, line, character + 6), "cart"))
    (edit,) = shown_next(client, uri, (line, character + 4))
    assert edit["range"]["start"]["line"] == 4
    assert "cart" in edit["text"]
    queue = client.request("editahead/nextEdits", client.at(uri, line, character + 4, context={"idle": True}))
    assert {item["range"]["start"]["line"] for item in queue["items"]} == {4, 5}


@pytest.mark.parametrize(
    ("language", "name", "opening"),
    [
        ("html", "a.html", "<p>é🎉</p><script>"),
        ("vue", "a.vue", "<template>\n  <p>{{ x }}</p>\n</template>\n<script setup lang='ts'>\n"),
        ("svelte", "a.svelte", "<script lang='ts'>\n"),
    ],
)
def test_scripts_of_pages_are_completed(client: Client, language: str, name: str, opening: str) -> None:
    text = f"{opening}{SCRIPT}\n}}\n</script>\n"
    uri = client.open(text, uri=f"file:///w/{name}", language=language)
    assert {"basketTotal", "basketItems"} & set(labels(client, uri, end_of(text, ".length;\n  return "))[:3])


def test_a_cell_of_a_notebook_is_a_document_of_its_language(client: Client) -> None:
    uri = client.open(PYTHON, uri="vscode-notebook-cell:/w/a.ipynb#W0sZmlsZQ%3D%3D", language="python")
    assert "total" in labels(client, uri, end_of(PYTHON, PYTHON))[:3]


def test_typing_through_a_markdown_file_key_by_key(client: Client) -> None:
    uri = client.open("", uri="file:///w/typed.md", language="markdown")
    line = character = 0
    for version, key in enumerate(MARKDOWN, 1):
        client.change(uri, version, ((line, character, line, character), key))
        line, character = (line + 1, 0) if key == "\n" else (line, character + len(key.encode("utf-16-le")) // 2)
    assert "total" in labels(client, uri, end_of(MARKDOWN, "basket.total()\n    return "))[:3]
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


@pytest.mark.slow
def test_a_switched_off_language_is_off_in_embedded_code_too() -> None:
    made = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    made.hello(initializationOptions={"languages": {"python": False}, "completionDeadlineMs": 20_000})
    uri = made.open(MARKDOWN, uri="file:///w/README.md", language="markdown")
    assert labels(made, uri, end_of(MARKDOWN, "basket.total()\n    return ")) == []
    assert labels(made, uri, end_of(MARKDOWN, ".length;\n  return ")) != []
    made.leave()


PAGE = """<body>
<ul class='x'>
<li>one</li>
<li>two</li>
{}
</ul>
<p></p>
<script>
let basket = 1;
bas
</script></body>
"""
GRID = """export function Page({ items }) {
  if (items.length <) return null;
  return (
    <Grid>
      <Card />
      <
    </Grid>
  );
}
"""


def opened_by(client: Client, uri: str, place: tuple[int, int], sign: str) -> list[str]:
    """The list that opens by itself when a sign is typed."""
    context = {"triggerKind": 2, "triggerCharacter": sign}
    result = client.request("textDocument/completion", client.at(uri, *place, context=context))
    return [item["label"] for item in result["items"]]


@pytest.mark.parametrize("language", ["html", "vue", "svelte"])
def test_elements_of_html_are_completed_without_its_grammar(client: Client, language: str) -> None:
    text = PAGE.format("<")
    uri = client.open(text, uri=f"file:///w/page.{language}", language=language)
    assert opened_by(client, uri, (4, 1), "<")[0] == "li"
    client.change(uri, 1, ((4, 1, 4, 1), "li>x</"))
    assert opened_by(client, uri, (4, 7), "/") == ["li>", "ul>", "body>"]
    assert opened_by(client, uri, (2, 7), "/") == []  # text, not the name of an element
    assert labels(client, uri, (6, 3)) == []
    assert "basket" in labels(client, uri, (9, 3))


def test_elements_of_jsx_are_completed_where_one_begins_or_ends(client: Client) -> None:
    uri = client.open(GRID, uri="file:///w/page.jsx", language="javascriptreact")
    assert {"Card", "Grid"} & set(opened_by(client, uri, (5, 7), "<")[:5])
    assert opened_by(client, uri, (1, 20), "<") == []
    client.change(uri, 1, ((5, 7, 5, 7), "Card>x</"))
    assert opened_by(client, uri, (5, 15), "/") == ["Card>", "Grid>"]
