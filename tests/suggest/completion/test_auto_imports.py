"""A completion brings its import where a module of the project defines it, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from editahead.index.types import NameOrigin
from editahead.lsp.rebasing import rebase_completions
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completion, Completions, Shown
from editahead.text.edits import ByteEdit

from tests.suggest.completion.test_completions import Names
from tests.suggest.documents import document

TEXT = "import os\n\n\ndef total(lines):\n    cart = Shopping‸\n"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/__init__.py").write_text("")
    (tmp_path / "shop/cart.py").write_text("class ShoppingCart:\n    pass\n\n\nshopping_now = 1\n")
    return tmp_path


def offered(engine: Engine, root: Path, text: str = TEXT, **settings: object) -> dict[str, Completion]:
    here = NameOrigin("project", "shop/cart.py", 0, 9, 3)
    origins: Mapping[str, NameOrigin] = dict.fromkeys(("ShoppingCart", "shopping_now", "ShoppingGone"), here)
    chosen = replace(Settings(completion_floor=0.0), **settings)
    made, byte = document(text, path=root / "main.py", root=root, elsewhere=Names(origins), settings=chosen)
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Shown), decision
    return {item.label: item for item in decision.value.items}


def test_a_class_of_the_project_brings_its_import(engine: Engine, project: Path) -> None:
    item = offered(engine, project)["ShoppingCart"]
    assert item.import_from == "shop.cart"
    assert item.import_edit == ByteEdit(9, 9, b"\nfrom shop.cart import ShoppingCart")


@pytest.mark.parametrize(
    "text",
    [
        "from shop.cart import ShoppingCart\ncart = Shopping‸\n",  # has it
        "class ShoppingCart: ...\n\n\ncart = Shopping‸\n",  # has its own
        "cart = shop.Shopping‸\n",  # behind a dot
        "def Shopping‸",  # a new name
        "from shop.cart import Shopping‸\n",
    ],
)
def test_nothing_is_added_where_it_is_not_needed(engine: Engine, project: Path, text: str) -> None:
    item = offered(engine, project, text).get("ShoppingCart")
    assert item is None or item.import_edit is None


def test_nothing_is_added_that_no_module_defines(engine: Engine, project: Path) -> None:
    found = offered(engine, project)
    assert found["ShoppingGone"].import_edit is None  # the index is older than the file
    lower = offered(engine, project, TEXT.replace("Shopping‸", "shopping‸"))
    assert lower["shopping_now"].import_edit is None  # a variable is no interface


def test_switches_and_other_files(engine: Engine, project: Path) -> None:
    assert offered(engine, project, completion_imports=False)["ShoppingCart"].import_edit is None
    assert offered(engine, project, index_environment=False)["ShoppingCart"].import_edit is None
    (project / "shop/cart.py").rename(project / "shop/my_secret_cart.py")
    assert offered(engine, project)["ShoppingCart"].import_edit is None


def test_an_import_is_dropped_when_something_was_typed_above_it() -> None:
    item = Completion("ShoppingCart", 0.5, "class", "project", import_from="a", import_edit=ByteEdit(9, 9, b"x"))
    made = Completions((item,), 40, 42, complete=False)
    below = rebase_completions(made, [ByteEdit(42, 42, b"o")])
    assert below is not None
    above = rebase_completions(replace(made, items=(item,)), [ByteEdit(2, 2, b"# ")])
    assert above is not None
    assert [one.import_edit for one in above.items] == [None]
