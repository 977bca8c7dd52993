"""The real server in a project: an exported name is renamed by hand, and its uses in files that are not open follow."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editahead.lsp.documents.unopened_files import MAX_FILES
from raw_client import over_stdio

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": "def total(lines):\n    return sum(lines)\n\n\nprint(total([1]))\n",
    "shop/order.py": "from .cart import total\n\n\ndef price(order):\n    return total(order.lines) + order.total\n",
    "report.py": "from shop import cart\n\nprint(cart.total([]), total)\n",
    "mall.py": "from mall.cart import total\n\nprint(total([2]))\n",
    "ignored.py": "from shop.cart import total\n",
    ".gitignore": "ignored.py\n",
}
CAPABILITIES = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "experimental": {"editahead": {"nextEditElsewhere": True, "nextEditUnopened": True}},
}


class Shop:
    """A project in which `total` of one open file is now `amount`, there everywhere."""

    def __init__(self, root: Path, capabilities: dict[str, Any]) -> None:
        self.root = root
        for name, text in FILES.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
        self.client = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
        options = {"nextEditDeadlineMs": 60_000}
        folders = [{"uri": root.as_uri(), "name": "p"}]
        self.client.hello(capabilities=capabilities, initializationOptions=options, workspaceFolders=folders)
        self.client.wait_told("didChangeStatus", _built)
        self.home = self.uri("shop/cart.py")
        self.client.open(FILES["shop/cart.py"], self.home, version=1)
        self.client.change(self.home, 2, ((0, 4, 0, 9), "amount"))
        self.client.change(self.home, 3, ((4, 6, 4, 11), "amount"))

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def asked(self, version: int = 3) -> Any:
        params = {**self.client.at(self.home, 4, 12, version=version), "context": {"idle": True}}
        return self.client.request("editahead/nextEdit", params)


def _built(status: Any) -> bool:
    index = status.get("index")
    return index is not None and index["building"] is None and index["files"] >= 4


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path, CAPABILITIES)
    yield made
    made.client.leave()
    assert made.client.faults == []


@pytest.mark.slow
def test_the_next_edit_leads_into_a_file_that_is_not_open(shop: Shop) -> None:
    (edit,) = shop.asked()["edits"]
    assert edit["textDocument"] == {"uri": shop.uri("report.py"), "version": None}
    assert (edit["text"], edit["source"]) == ("print(cart.amount([]), total)\n", "rename")
    shop.client.open(FILES["report.py"], shop.uri("report.py"), version=1)
    (edit,) = shop.asked()["edits"]  # opened, it is one of the open files
    assert edit["textDocument"] == {"uri": shop.uri("report.py"), "version": 1}


@pytest.mark.slow
def test_one_action_renames_all_places_of_the_project_that_lead_to_the_module(shop: Shop) -> None:
    where = {"line": 4, "character": 12}
    context: dict[str, Any] = {"diagnostics": []}
    params = {"textDocument": {"uri": shop.home}, "range": {"start": where, "end": where}, "context": context}
    (action,) = shop.client.request("textDocument/codeAction", params)
    assert action["title"] == "Rename `total` to `amount` in 3 more places in 2 files"
    changed = {one["textDocument"]["uri"]: one for one in action["edit"]["documentChanges"]}
    assert set(changed) == {shop.uri("report.py"), shop.uri("shop/order.py")}
    assert {one["textDocument"]["version"] for one in changed.values()} == {None}
    starts = [edit["range"]["start"] for edit in changed[shop.uri("shop/order.py")]["edits"]]
    assert starts == [{"line": 0, "character": 18}, {"line": 4, "character": 11}]
    params = shop.client.at(shop.home, 4, 12)
    assert len(shop.client.request("editahead/nextEdits", params)["items"]) == 3


@pytest.mark.slow
def test_a_file_that_changed_on_disk_is_read_again(shop: Shop) -> None:
    assert shop.asked()["edits"]
    (shop.root / "report.py").write_text("\n" + FILES["report.py"])
    (edit,) = shop.asked()["edits"]
    assert edit["range"]["start"]["line"] in (2, 3)  # of this file, or of the next one, which is read in any case
    (shop.root / "report.py").unlink()
    shop.client.change(shop.home, 4, ((5, 0, 5, 0), "\n"))
    (edit,) = shop.asked(4)["edits"]
    assert edit["textDocument"]["uri"] == shop.uri("shop/order.py")


@pytest.mark.slow
def test_a_client_that_opens_no_files_gets_no_next_edit_in_one(tmp_path: Path) -> None:
    made = Shop(tmp_path, {"experimental": {"editahead": {"nextEditElsewhere": True}}})
    assert made.asked()["edits"] == []
    made.client.leave()


@pytest.mark.slow
def test_a_file_that_is_open_through_a_link_or_must_not_be_written_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "shop")
    (tmp_path / "fixed.py").write_text("from shop.cart import total\n")
    (tmp_path / "fixed.py").chmod(0o444)
    made = Shop(tmp_path, CAPABILITIES)
    made.client.open("# changed\n" + FILES["mall.py"].replace("mall", "shop"), made.uri("link/order.py"), version=1)
    items = made.client.request("editahead/nextEdits", made.client.at(made.home, 4, 12))["items"]
    assert {one["uri"] for one in items} == {made.uri("link/order.py"), made.uri("report.py")}
    made.client.leave()


@pytest.mark.slow
def test_an_action_says_that_more_files_are_left(tmp_path: Path) -> None:
    for number in range(MAX_FILES + 5):
        (tmp_path / f"use{number}.py").write_text("from shop.cart import total\n")
    made = Shop(tmp_path, CAPABILITIES)
    where = {"line": 4, "character": 12}
    params = {"textDocument": {"uri": made.home}, "range": {"start": where, "end": where}, "context": {}}
    (action,) = made.client.request("textDocument/codeAction", {**params, "context": {"diagnostics": []}})
    assert action["title"].endswith(f" in {MAX_FILES} files; other files may still use it")
    made.client.leave()


JAVA = {
    "src/main/java/shop/Cart.java": (
        "package shop;\n\npublic class Cart {\n    public int total(int tax) {\n        return tax;\n    }\n}\n"
    ),
    "src/main/java/shop/Order.java": (
        "package shop;\n\nclass Order extends Cart {\n    @Override\n    public int total(int tax) {\n"
        "        return super.total(tax);\n    }\n}\n"
    ),
    "src/test/java/shop/CartTest.java": (
        "package shop;\n\nclass CartTest {\n    private final Cart cart = new Cart();\n\n"
        "    int test(Mall mall) {\n        return cart.total(1) + mall.total(2);\n    }\n}\n"
    ),
    "src/main/java/desk/Desk.java": (
        "package desk;\n\nimport shop.Cart;\n\n"
        "class Desk {\n    int sum(Cart cart) {\n        return cart.total(3);\n    }\n}\n"
    ),
    "src/main/java/desk/Cart.java": "package desk;\n\nclass Cart {\n    int total(int a) { return a; }\n}\n",
    "src/main/java/desk/Till.java": (
        "package desk;\n\nclass Till {\n    int sum(Cart cart) {\n        return cart.total(4);\n    }\n}\n"
    ),
}


SCRIPTS = {
    "cart.ts": "export function total(lines: number[]): number {\n  return lines.length;\n}\n",
    "Card.tsx": "import { total } from './cart';\n\nexport const Card = () => <p>{total([1])}</p>;\n",
    "use.js": "import { total } from './cart';\n\ntotal([2]);\n",
    "far.ts": "import { total } from './mall';\n\ntotal([3]);\n",
}


def project(root: Path, files: dict[str, str]) -> Any:
    """A client of a server that has read the files of a folder."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    client = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    options, folders = {"nextEditDeadlineMs": 60_000}, [{"uri": root.as_uri(), "name": "p"}]
    client.hello(capabilities=CAPABILITIES, initializationOptions=options, workspaceFolders=folders)
    client.wait_told("didChangeStatus", _built)
    return client


@pytest.mark.slow
def test_a_function_of_typescript_leads_into_tsx_and_javascript(tmp_path: Path) -> None:
    client = project(tmp_path, SCRIPTS)
    home = (tmp_path / "cart.ts").as_uri()
    client.open(SCRIPTS["cart.ts"], home, version=1, language="typescript")
    client.change(home, 2, ((0, 16, 0, 21), "amount"))
    params = client.at(home, 0, 22, version=2)
    items = client.request("editahead/nextEdits", {**params, "context": {"idle": True}})["items"]
    rows = sorted((item["uri"].rpartition("/")[2], item["range"]["start"]["line"]) for item in items)
    assert rows == [("Card.tsx", 0), ("Card.tsx", 2), ("use.js", 0), ("use.js", 2)]
    client.leave()
    assert client.faults == []


@pytest.mark.slow
def test_a_method_and_a_class_of_java_lead_into_the_files_that_use_them(tmp_path: Path) -> None:
    client = project(tmp_path, JAVA)
    home = (tmp_path / "src/main/java/shop/Cart.java").as_uri()
    client.open(JAVA["src/main/java/shop/Cart.java"], home, version=1, language="java")

    def found(version: int, line: int, character: int) -> list[tuple[str, int]]:
        params = client.at(home, line, character, version=version)
        items = client.request("editahead/nextEdits", {**params, "context": {"idle": True}})["items"]
        rows = {(one["uri"].rpartition("/")[2], one["range"]["start"]["line"]) for one in items}
        return sorted(row for row in rows if row[0] != "Cart.java")

    client.change(home, 2, ((3, 15, 3, 20), "amount"))
    assert found(2, 3, 21) == [("CartTest.java", 6), ("Desk.java", 6), ("Order.java", 4), ("Order.java", 5)]
    client.change(home, 3, ((3, 15, 3, 21), "total"))
    client.change(home, 4, ((2, 13, 2, 17), "Basket"))
    assert found(4, 2, 19) == [("CartTest.java", 3), ("Desk.java", 2), ("Desk.java", 5), ("Order.java", 2)]
    client.leave()
    assert client.faults == []
