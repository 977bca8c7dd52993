"""Notebooks over the protocol: cells come, go and change, and whatever a client sends, the server goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from editahead.lsp.session import Session
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
URI = "file:///w/shop.ipynb"
ELSEWHERE = {"experimental": {"editahead": {"nextEditElsewhere": True, "nextEditPlaces": True}}}


def cell_uri(number: int) -> str:
    return f"vscode-notebook-cell:/w/shop.ipynb#W{number}"


def documents(texts: dict[int, str], language: str = "python") -> list[dict[str, Any]]:
    return [
        {"uri": cell_uri(number), "languageId": language, "version": 1, "text": text} for number, text in texts.items()
    ]


def listed(numbers: Sequence[int]) -> list[dict[str, Any]]:
    return [{"kind": 2, "document": cell_uri(number)} for number in numbers]


def open_notebook(client: Client, *texts: str, uri: str = URI, language: str = "python") -> None:
    numbered = dict(enumerate(texts))
    notebook = {"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": listed(list(numbered))}
    params = {"notebookDocument": notebook, "cellTextDocuments": documents(numbered, language)}
    client.notify("notebookDocument/didOpen", params)


def change(client: Client, uri: str = URI, **cells: Any) -> None:
    client.notify(
        "notebookDocument/didChange", {"notebookDocument": {"uri": uri, "version": 2}, "change": {"cells": cells}}
    )


def text_change(number: int, version: int, *changes: tuple[tuple[int, int, int, int] | None, str]) -> dict[str, Any]:
    entries = [
        {"text": text}
        if span is None
        else {
            "text": text,
            "range": {
                "start": {"line": span[0], "character": span[1]},
                "end": {"line": span[2], "character": span[3]},
            },
        }
        for span, text in changes
    ]
    return {"document": {"uri": cell_uri(number), "version": version}, "changes": entries}


def structure(
    start: int, count: int, added: Sequence[int] = (), opened: dict[int, str] | None = None
) -> dict[str, Any]:
    array = {"start": start, "deleteCount": count, "cells": listed(added)}
    return {"array": array, "didOpen": documents(opened or {}), "didClose": []}


def session(client: Client) -> Session:
    client.settle()
    assert client.server is not None
    return client.server.session


def texts(client: Client) -> list[str]:
    return [document.buffer.text for document in session(client).documents.values()]


def labels(client: Client, number: int, line: int, character: int, **more: Any) -> list[str]:
    result = client.request("textDocument/completion", client.at(cell_uri(number), line, character, **more))
    return [item["label"] for item in result["items"]]


def test_the_server_advertises_notebooks(start: Start) -> None:
    sync = start().initialize_result["capabilities"]["notebookDocumentSync"]
    (selector,) = sync["notebookSelector"]
    assert selector["notebook"] == "*"
    names = [cell["language"] for cell in selector["cells"]]
    assert {"python", "java", "typescriptreact"} <= set(names)
    assert "markdown" not in names
    assert len(names) == len(set(names))
    assert sync["save"] is True


def test_names_of_other_cells_are_completed_in_the_range_of_the_cell(start: Start) -> None:
    client = start()
    open_notebook(client, "alphabet = 1", "pass\nal", "alphabetical = 2")
    params = client.at(cell_uri(1), 1, 2)
    items = client.request("textDocument/completion", params)["items"]
    assert [item["label"] for item in items] == ["alphabet", "alphabetical"]
    assert items[0]["textEdit"]["range"] == {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 2}}
    assert items[0]["detail"] == "50 %, from another cell"
    assert items[0]["data"]["uri"] == cell_uri(1)
    assert "another cell" in client.request("completionItem/resolve", items[0])["documentation"]["value"]
    change(client, textContent=[text_change(1, 2, ((0, 0, 0, 4), "align"))])
    items = client.request("textDocument/completion", client.at(cell_uri(1), 1, 2, version=2))["items"]
    (own,) = [item for item in items if item["label"] == "align"]
    assert (own["data"]["line"], own["detail"]) == (0, "33 %, from line 1")
    assert labels(client, 1, 1, 2, version=1) == []


def test_ghost_text_stands_in_the_cell(start: Start) -> None:
    client = start(initializationOptions={"precision": 0.6})
    open_notebook(client, "import os\nalphabet = 1", "x = 0\nal", "y")
    (item,) = client.request("textDocument/inlineCompletion", client.at(cell_uri(1), 1, 2))["items"]
    assert item["insertText"] == "phabet = 1"
    assert item["range"] == {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 2}}
    selected = {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 2}}, "text": "alphabet"}
    context = {"triggerKind": 2, "selectedCompletionInfo": selected}
    (item,) = client.request("textDocument/inlineCompletion", client.at(cell_uri(1), 1, 2, context=context))["items"]
    assert item["insertText"] == "alphabet = 1"
    assert item["range"] == selected["range"]


@pytest.mark.parametrize("capable", [True, False])
def test_a_next_edit_in_another_cell_names_that_cell_for_clients_that_show_it(start: Start, capable: bool) -> None:
    client = start(capabilities=ELSEWHERE if capable else {})
    open_notebook(client, "old = 1", "x = 1", "y = 2\nprint(old)")
    change(client, textContent=[text_change(0, 2, ((0, 0, 0, 3), "new"))])
    params = client.at(cell_uri(0), 0, 3, context={"idle": True})
    answer = client.request("editahead/nextEdit", params)
    if not capable:
        assert answer["edits"] == []
        assert client.request("textDocument/copilotInlineEdit", params) == {"edits": []}
        return
    (edit,) = answer["edits"]
    assert edit["textDocument"] == {"uri": cell_uri(2), "version": 1}
    assert edit["text"] == "print(new)"
    assert edit["range"] == {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 10}}
    queue = client.request("editahead/nextEdits", params)
    assert [(item["uri"], item["range"]["start"]["line"]) for item in queue["items"]] == [(cell_uri(2), 1)]


def test_a_place_in_another_cell_and_code_actions_name_their_cell(start: Start) -> None:
    action = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}, "workspace": {"workspaceEdit": {}}}
    client = start(capabilities={**ELSEWHERE, **action})
    open_notebook(client, "a = 1", "b == None\nc", "lacks()")
    (edit,) = client.request("editahead/nextEdit", client.at(cell_uri(0), 0, 0, context={"idle": True}))["edits"]
    assert (edit["jump"], edit["textDocument"]["uri"]) == (True, cell_uri(2))
    assert edit["range"]["start"] == {"line": 0, "character": 6}
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    diagnostics = [
        {"range": where, "message": "here"},
        {"range": {"start": {"line": 1, "character": 0}, "end": where["end"]}},
    ]
    params = {"textDocument": {"uri": cell_uri(1)}, "range": where, "context": {"diagnostics": diagnostics[:1]}}
    fix = client.request("textDocument/codeAction", params)[0]
    assert fix["edit"]["changes"] == {
        cell_uri(1): [
            {"range": {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 9}}, "newText": " is None"}
        ]
    }
    assert fix["diagnostics"] == diagnostics[:1]


def test_cells_are_added_removed_moved_and_change_their_language(start: Start) -> None:
    client = start()
    open_notebook(client, "a", "b", "c")
    assert texts(client) == ["a\nb\nc"]
    change(client, structure=structure(1, 0, [3], {3: "d"}))
    assert texts(client) == ["a\nd\nb\nc"]
    change(client, structure=structure(0, 4, [2, 0, 3]))  # moved, and the second removed
    assert texts(client) == ["c\na\nd"]
    assert sorted(session(client).cells) == [cell_uri(0), cell_uri(2), cell_uri(3)]
    change(client, structure=structure(1, 1))  # a client changes the language: out and in again
    java = {**structure(1, 0, [0]), "didOpen": documents({0: "class A {}"}, "java")}
    change(client, structure=java, textContent=[text_change(0, 2, ((0, 6, 0, 7), "B"))])
    assert texts(client) == ["c\nd", "class B {}"]
    assert [document.language_id for document in session(client).documents.values()] == ["python", "java"]
    change(client, structure=structure(1, 1))
    assert texts(client) == ["c\nd"]
    client.notify("notebookDocument/didSave", {"notebookDocument": {"uri": URI}})
    client.notify("notebookDocument/didClose", {"notebookDocument": {"uri": URI}, "cellTextDocuments": []})
    assert texts(client) == []
    assert not session(client).cells
    assert client.server is not None
    assert not client.server.context.notebooks
    assert labels(client, 0, 0, 0) == []


def test_a_name_of_another_notebook_is_named_by_its_file(start: Start) -> None:
    client = start()
    open_notebook(client, "fake:from notebook:///w/other.ipynb#python")
    (item,) = client.request("textDocument/completion", client.at(cell_uri(0), 0, 42))["items"]
    assert item["detail"] == "90 %, from other.ipynb:2"


def test_magics_are_no_code_and_the_client_keeps_its_text(start: Start) -> None:
    client = start()
    open_notebook(client, "%matplotlib inline\nalphabet = 1\nal", "%%bash\nal", "!ls al")
    assert labels(client, 0, 2, 2) == ["alphabet"]
    assert labels(client, 1, 1, 2) == []
    assert labels(client, 2, 0, 6) == []
    explained = client.request("editahead/explain", client.at(cell_uri(1), 1, 2))
    assert explained["gates"][0]["reason"] == "language"
    change(client, textContent=[text_change(1, 2, ((0, 0, 0, 6), "%%time"))])  # now it is Python
    assert labels(client, 1, 1, 2) == ["alphabet"]
    assert session(client).cells[cell_uri(0)].buffer.text.startswith("%matplotlib")


@pytest.mark.parametrize(
    ("uri", "options"),
    [
        ("file:///w/credentials.ipynb", {}),
        ("file:///w/drafts/a.ipynb", {"exclude": ["drafts/**"]}),
        (URI, {"languages": {"python": False}}),
        (URI, {"maxFileBytes": 1024}),
    ],
)
def test_limits_apply_to_the_notebook(start: Start, engine: FakeEngine, uri: str, options: dict[str, Any]) -> None:
    client = start(initializationOptions=options, rootUri="file:///w")
    open_notebook(client, "alphabet = 1\nal", "x = 1\n" * 200, uri=uri)
    assert labels(client, 0, 1, 2) == []
    assert engine.seen == []


@pytest.mark.slow
def test_bad_input_is_one_line_in_the_log_and_nothing_is_lost(stdio: Start) -> None:
    client = stdio()
    client.notify("notebookDocument/didChange", {"notebookDocument": {"uri": URI}, "change": {}})
    client.notify("notebookDocument/didClose", {"notebookDocument": {"uri": URI}})
    client.notify("notebookDocument/didSave", {"notebookDocument": {"uri": URI}})
    for broken in ({}, {"notebookDocument": 1}, {"notebookDocument": {"uri": 1}}):
        for method in ("didOpen", "didChange", "didSave", "didClose"):
            client.notify(f"notebookDocument/{method}", broken)
    notebook = {"uri": URI, "cells": [*listed([0, 0, 7]), 3, {"document": None}]}
    params = {"notebookDocument": notebook, "cellTextDocuments": [*documents({0: "alphabet = 1\nal"}), 5, {"uri": 1}]}
    client.notify("notebookDocument/didOpen", params)
    client.wait_logged("a cell stands twice in its notebook")
    client.wait_logged("a cell has no text")
    assert labels(client, 0, 1, 2) == ["alphabet"]
    for bad in ({}, {"array": {"start": 9, "deleteCount": 1}}, {"array": {"start": -1, "deleteCount": 1}}, [], "x"):
        change(client, structure=bad)
    change(client, structure=structure(5, 0, [1], {1: "b = 2"}))
    change(client, structure=structure(5, 1), textContent=[text_change(1, 2, (None, "lost"))])  # closed with it
    change(
        client,
        textContent=[text_change(9, 2, (None, "x")), 7, {"document": {}}, text_change(0, -5, ((0, 0, 0, 1), "A"))],
    )
    client.wait_logged("a change of a cell that is not open was ignored")
    change(client, structure={**structure(5, 0), "didClose": [{"uri": cell_uri(1)}]})  # for the second time
    client.wait_logged("a cell that is not open was closed")
    client.wait_logged("a change of the cells could not be read")
    change(client, textContent=[text_change(0, 3, ((90, 0, 99, 9), "p"))])  # clamped to the end, as in a document
    assert labels(client, 0, 1, 3) == []
    change(client, textContent=[{"document": {"uri": cell_uri(0), "version": 4}, "changes": [{"text": 1}]}])
    assert labels(client, 0, 1, 2) == []  # out of step until the whole text comes
    change(client, textContent=[text_change(0, 5, (None, "alphabet = 1\nal"))])
    assert labels(client, 0, 1, 2) == ["alphabet"]
    open_notebook(client, "alphabet = 1\nal")  # opened again
    assert labels(client, 0, 1, 2) == ["alphabet"]
    lines = client.stderr.decode().splitlines()
    assert len(lines) == len([line for line in lines if line[:4].isdigit()]), lines


def test_an_edit_that_was_rejected_in_a_cell_is_not_offered_again(start: Start) -> None:
    client = start(capabilities=ELSEWHERE)
    open_notebook(client, "old = 1", "print(old)")
    change(client, textContent=[text_change(0, 2, ((0, 0, 0, 3), "new"))])
    params = client.at(cell_uri(0), 0, 3, context={"idle": True})
    (edit,) = client.request("editahead/nextEdit", params)["edits"]
    client.notify("editahead/didReject", {"id": edit["command"]["arguments"][0]})
    assert client.request("editahead/nextEdit", params)["edits"] == []
