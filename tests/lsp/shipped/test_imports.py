"""A name of the project is typed, its completion accepted: the real server's edits make a file that imports it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from raw_client import Client, over_stdio

TEXT = "import os\n\n\ndef total(lines):\n    cart = Shop\n"
WANTED = "import os\nfrom shop.cart import ShoppingCart\n\n\ndef total(lines):\n    cart = ShoppingCart\n"


def started(root: Path) -> Client:
    client = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    options = {"completionFloor": 0.0, "completionDeadlineMs": 20_000}
    client.hello(initializationOptions=options, workspaceFolders=[{"uri": root.as_uri(), "name": "p"}])

    def built(status: Any) -> bool:
        index = status.get("index")
        return index is not None and index["building"] is None and index["files"] >= 2

    client.wait_told("didChangeStatus", built)
    return client


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    rows = text.split("\n")
    for edit in sorted(edits, key=lambda one: -one["range"]["start"]["line"]):
        first, last = edit["range"]["start"], edit["range"]["end"]
        head, tail = rows[first["line"]][: first["character"]], rows[last["line"]][last["character"] :]
        rows[first["line"] : last["line"] + 1] = (head + edit["newText"] + tail).split("\n")
    return "\n".join(rows)


def shop(root: Path) -> None:
    """A project with one class."""
    (root / "shop").mkdir()
    (root / "shop/__init__.py").write_text("")
    (root / "shop/cart.py").write_text("class ShoppingCart:\n    pass\n")
    (root / "main.py").write_text(TEXT)


@pytest.mark.slow
def test_accepting_a_class_of_the_project_imports_it(tmp_path: Path) -> None:
    shop(tmp_path)
    client = started(tmp_path)
    uri = (tmp_path / "main.py").as_uri()
    client.open(TEXT, uri)
    answer = client.request("textDocument/completion", client.at(uri, 4, 15))
    item = next(item for item in answer["items"] if item["label"] == "ShoppingCart")
    assert item["detail"].endswith("adds an import from shop.cart")
    edit = item["textEdit"]
    edits = [{"range": edit["range"], "newText": edit["newText"]}, *item["additionalTextEdits"]]
    assert applied(TEXT, edits) == WANTED
    client.leave()


@pytest.mark.slow
def test_an_import_goes_into_embedded_code_and_never_into_prose(tmp_path: Path) -> None:
    shop(tmp_path)
    client = started(tmp_path)
    for name, fenced, line in (("with.md", TEXT, 7), ("without.md", TEXT.removeprefix("import os\n\n\n"), 4)):
        uri = client.open(f"Prose.\n\n```python\n{fenced}```\n", (tmp_path / name).as_uri(), "markdown")
        answer = client.request("textDocument/completion", client.at(uri, line, 15))
        item = next(item for item in answer["items"] if item["label"] == "ShoppingCart")
        lines = [edit["range"]["start"]["line"] for edit in item.get("additionalTextEdits", ())]
        assert lines == [3]
    client.leave()


@pytest.mark.slow
def test_accepting_a_java_class_of_the_project_imports_it(tmp_path: Path) -> None:
    (tmp_path / "shop/cart").mkdir(parents=True)
    cart = "package shop.cart;\n\npublic class ShoppingCart {\n}\n"
    (tmp_path / "shop/cart/ShoppingCart.java").write_text(cart)
    user = "package shop;\n\nimport shop.cart.ShoppingCart;\n\nclass User {\n    ShoppingCart cart;\n}\n"
    (tmp_path / "shop/User.java").write_text(user)
    body = "class Main {\n    void run() {\n        var c = new Shop\n    }\n}\n"
    text = f"package shop;\n\nimport java.util.List;\n\n{body}"
    (tmp_path / "shop/Main.java").write_text(text)
    client = started(tmp_path)
    uri = client.open(text, (tmp_path / "shop/Main.java").as_uri(), "java")
    answer = client.request("textDocument/completion", client.at(uri, 6, 24))
    item = next(item for item in answer["items"] if item["label"] == "ShoppingCart")
    edits = [{"range": item["textEdit"]["range"], "newText": item["textEdit"]["newText"]}, *item["additionalTextEdits"]]
    wanted = text.replace("List;\n", "List;\nimport shop.cart.ShoppingCart;\n").replace("new Shop", "new ShoppingCart")
    assert applied(text, edits) == wanted
    client.leave()
