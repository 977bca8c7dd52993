"""The real server in a notebook: what stands in a cell is known in the others, and its changes reach them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from raw_client import Client, over_stdio

URI = "file:///w/shop.ipynb"
CELLS = (
    "%matplotlib inline\nimport numpy as np\n!pip install pandas",
    "def total_price(basket, rate):\n    return sum(item.price for item in basket) * rate",
    "%%bash\ncat items.csv",
    "basket = load()\nprice = total_price(basket, 1.2)\nprint(total_",
    "%%time\nfiles = !ls\nfor name in files:\n    print(total_price(name, 1))",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One server for all tests, with deadlines for a slow machine."""
    root = tmp_path_factory.mktemp("shop").as_uri()
    made = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    wanted = {"experimental": {"editahead": {"nextEditElsewhere": True, "nextEditPlaces": True}}}
    options = dict.fromkeys(("completionDeadlineMs", "inlineDeadlineMs", "nextEditDeadlineMs"), 60000)
    made.hello(capabilities=wanted, initializationOptions=options, rootUri=root)
    yield made
    made.leave()
    assert made.faults == []
    assert made.stderr == b""


@pytest.fixture
def client(server: Client) -> Iterator[Client]:
    """The server; the notebook of the test is closed afterwards."""
    yield server
    server.notify("notebookDocument/didClose", {"notebookDocument": {"uri": URI}, "cellTextDocuments": []})


def cell(number: int) -> str:
    return f"vscode-notebook-cell:/w/shop.ipynb#W{number}"


def open_notebook(client: Client, *cells: str, uri: str = URI) -> None:
    listed = [{"kind": 2, "document": cell(number)} for number in range(len(cells))]
    texts = [
        {"uri": cell(number), "languageId": "python", "version": 1, "text": text} for number, text in enumerate(cells)
    ]
    notebook = {"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": listed}
    client.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": texts})


def replace(client: Client, number: int, version: int, line: int, start: int, end: int, text: str) -> None:
    span = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    changed = {"document": {"uri": cell(number), "version": version}, "changes": [{"range": span, "text": text}]}
    change = {"cells": {"textContent": [changed]}}
    client.notify("notebookDocument/didChange", {"notebookDocument": {"uri": URI, "version": 2}, "change": change})


def next_edit(client: Client, number: int, line: int, character: int) -> dict[str, Any]:
    answer = client.request("editahead/nextEdit", client.at(cell(number), line, character, context={"idle": True}))
    (edit,) = answer["edits"] or [answer]
    found: dict[str, Any] = edit
    return found


@pytest.mark.slow
def test_a_function_of_one_cell_is_completed_in_another(client: Client) -> None:
    open_notebook(client, *CELLS)
    items = client.request("textDocument/completion", client.at(cell(3), 2, 12))["items"]
    assert items[0]["label"] == "total_price"
    assert items[0]["textEdit"]["range"] == {"start": {"line": 2, "character": 6}, "end": {"line": 2, "character": 12}}
    for number, line, character in ((2, 1, 5), (0, 2, 10)):  # bash, and a shell command
        assert client.request("textDocument/completion", client.at(cell(number), line, character))["items"] == []


def test_a_rename_goes_through_the_cells_and_leaves_magics_alone(client: Client) -> None:
    open_notebook(client, *CELLS[:3], "basket = load()\nprice = total_price(basket, 1.2)", CELLS[4])
    client.settle()
    replace(client, 1, 2, 0, 4, 15, "full_price")
    first = next_edit(client, 1, 0, 14)
    assert first["textDocument"]["uri"] == cell(3), first
    assert first["text"] == "price = full_price(basket, 1.2)"
    assert first["range"]["start"] == {"line": 1, "character": 0}
    queue = client.request("editahead/nextEdits", client.at(cell(1), 0, 14, context={"idle": True}))["items"]
    assert {(item["uri"], item["range"]["start"]["line"]) for item in queue} == {(cell(3), 1), (cell(4), 3)}
    replace(client, 3, 2, 1, 8, 19, "full_price")
    second = next_edit(client, 3, 1, 18)
    assert (second["textDocument"]["uri"], second["text"]) == (cell(4), "    print(full_price(name, 1))")


def test_a_name_that_a_shell_command_assigns_is_renamed(client: Client) -> None:
    open_notebook(client, "files = !ls *.csv", "for file in files:\n    print(file)")
    client.settle()
    replace(client, 0, 2, 0, 0, 5, "paths")
    edit = next_edit(client, 0, 0, 5)
    assert (edit["textDocument"]["uri"], edit["text"]) == (cell(1), "for file in paths:\n"), edit


def test_ghost_text_takes_the_cells_around_as_context(client: Client) -> None:
    open_notebook(client, "import numpy as np\nimport pandas as ", "values = np.zeros(3)\nframe = pd.DataFrame(values)")
    params = client.at(cell(0), 1, 17, context={"triggerKind": 1})
    items = client.request("textDocument/inlineCompletion", params)["items"]
    assert [item["insertText"] for item in items][:1] == ["pd"]
    assert items[0]["range"]["start"] == {"line": 1, "character": 17}


def test_cells_of_secret_notebooks_are_left_alone(client: Client) -> None:
    secret = "file:///w/credentials.ipynb"
    open_notebook(client, "alphabet = 1\nal", uri=secret)
    assert client.request("textDocument/completion", client.at(cell(0), 1, 2))["items"] == []
    assert client.request("editahead/explain", client.at(cell(0), 1, 2))["gates"][-1]["reason"] == "excluded"
    client.notify("notebookDocument/didClose", {"notebookDocument": {"uri": secret}, "cellTextDocuments": []})
    open_notebook(client, "alphabet = 1\nal")
    assert client.request("textDocument/completion", client.at(cell(0), 1, 2))["items"][0]["label"] == "alphabet"
