"""A completion brings its import where a module of the project defines it, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from editahead.index.types import NameOrigin
from editahead.lsp.documents.rebasing import rebase_completions
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completion, Completions, Shown
from editahead.text.edits import ByteEdit

from tests.suggest.completion.test_completions import Names
from tests.suggest.completion.test_import_paths import surroundings
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


JAVA = """package shop.order;

import java.util.List;
import shop.stock.Warehouse;

class Basket {
    List<String> names;

    int total() {
        ‸
    }
}
"""
CART = "/* Carts. */\npackage shop.cart;\n\npublic final class ShoppingCart {\n}\n"


@pytest.fixture
def java_project(tmp_path: Path) -> Path:
    (tmp_path / "shop/cart").mkdir(parents=True)
    (tmp_path / "shop/cart/ShoppingCart.java").write_text(CART)
    return tmp_path


def java_offered(engine: Engine, root: Path, typed: str, text: str = JAVA) -> Completion | None:
    here = NameOrigin("project", "shop/cart/ShoppingCart.java", 3, 9, 3)
    chosen = Settings(completion_floor=0.0)
    names = Names({"ShoppingCart": here})
    path = root / "shop/order/Basket.java"
    filled = text.replace("‸", f"{typed}‸")
    made, byte = document(filled, "java", path=path, root=root, elsewhere=names, settings=chosen)
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Shown), decision
    return next((item for item in decision.value.items if item.label == "ShoppingCart"), None)


@pytest.mark.parametrize("typed", ["Shopping", "var cart = new Shopping", "return pay(1, Shopping"])
def test_a_java_class_of_the_project_brings_its_import(engine: Engine, java_project: Path, typed: str) -> None:
    item = java_offered(engine, java_project, typed)
    assert item is not None
    assert item.import_edit is not None
    assert item.import_from == "shop.cart"
    after = item.import_edit.apply(JAVA.encode()).decode()
    assert "import java.util.List;\nimport shop.cart.ShoppingCart;\nimport shop.stock.Warehouse;\n" in after


def test_a_java_parameter_has_a_type_that_may_need_an_import(engine: Engine, java_project: Path) -> None:
    text = JAVA.replace("        ‸\n", "").replace("int total()", "int total(Shopping‸)")
    item = java_offered(engine, java_project, "", text)
    assert item is not None
    assert item.import_edit is not None


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("package shop.order", "package shop.cart"),  # the same package
        ("import shop.stock.Warehouse;", "import shop.cart.*;"),
        ("import shop.stock.Warehouse;", "import other.ShoppingCart;"),  # another class of that name
        ("import shop.stock.Warehouse;", "import shop.cart.ShoppingCart;"),
    ],
)
def test_no_java_import_is_added_where_none_is_needed(
    engine: Engine, java_project: Path, there: str, instead: str
) -> None:
    item = java_offered(engine, java_project, "Shopping", JAVA.replace(there, instead))
    assert item is None or item.import_edit is None


@pytest.mark.parametrize(
    "content",
    [
        CART.replace("public final", "final"),  # of its package alone
        CART.replace("ShoppingCart", "ShoppingCarts"),
        CART.replace("package shop.cart;\n", ""),  # the unnamed package cannot be imported
        "/*" * 100_000,
    ],
    ids=["package-private", "renamed", "unnamed", "hostile"],
)
def test_no_java_import_is_made_of_what_declares_no_public_type(
    engine: Engine, java_project: Path, content: str
) -> None:
    (java_project / "shop/cart/ShoppingCart.java").write_text(content)
    item = java_offered(engine, java_project, "Shopping")
    assert item is None or item.import_edit is None


SHOP = {
    "src/money.ts": "export class Money {}\nexport default class Purse {}\n",
    "src/total.ts": "import { Money } from './money'\nimport { useState } from 'react'\n",
    "src/list.ts": "import { useState } from 'react'\nimport { useOnce } from 'other'\n",
}


def script_offered(engine: Engine, text: str, own: str = "src/shop/page.ts") -> dict[str, Completion]:
    names = surroundings(SHOP, own, "typescript")
    made, byte = document(
        text,
        "typescript",
        path=Path("/p") / own,
        root=Path("/p"),
        elsewhere=names,
        settings=Settings(completion_floor=0.0),
    )
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Shown), decision
    return {item.label: item for item in decision.value.items}


def test_a_name_of_a_script_brings_its_import_from_the_file_that_exports_it(engine: Engine) -> None:
    text = "import a from './a'\n\nconst price = Mon‸\nconst later = Money\n"
    item = script_offered(engine, text)["Money"]
    assert item.import_from == "../money"
    assert item.import_edit == ByteEdit(0, 0, b"import { Money } from '../money'\n")  # in order


def test_a_default_export_is_imported_without_braces(engine: Engine) -> None:
    item = script_offered(engine, "import a from './a'\n\nconst p = Pur‸\nconst later = Purse\n")["Purse"]
    assert item.import_edit == ByteEdit(0, 0, b"import Purse from '../money'\n")


def test_a_package_that_all_other_files_use_is_imported(engine: Engine) -> None:
    text = "import a from './a'\n\nconst p = use‸\nconst q = useState\nconst r = useOnce\n"
    found = script_offered(engine, text)
    assert found["useState"].import_edit == ByteEdit(19, 19, b"\nimport { useState } from 'react'")
    assert found["useOnce"].import_edit is None  # one file alone imports it


def test_a_name_of_python_that_all_other_files_import_is_imported(engine: Engine, tmp_path: Path) -> None:
    files = {f"shop/{n}.py": "from pathlib import Path\nfrom .base import Base\n" for n in "abc"}
    names = surroundings(files, "shop/new.py", "python")
    made, byte = document(
        "import os\n\n\ndef run(root):\n    here = Pat‸\n    return Path\n", "python", path=tmp_path / "shop/new.py",
        root=tmp_path, elsewhere=names, settings=Settings(completion_floor=0.0),
    )  # fmt: skip
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Shown)
    item = next(item for item in decision.value.items if item.label == "Path")
    assert item.import_from == "pathlib"
    assert item.import_edit == ByteEdit(9, 9, b"\nfrom pathlib import Path")


def test_a_module_of_python_does_not_import_from_itself(engine: Engine, tmp_path: Path) -> None:
    """What others still import was taken out of the file."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/__init__.py").touch()
    (tmp_path / "shop/cart.py").touch()
    files = {f"{n}.py": "from shop.cart import compute_total\n" for n in "abc"}
    made, byte = document(
        "import os\n\n\ndef run(root):\n    here = compute_t‸\n    return compute_total\n", "python",
        path=tmp_path / "shop/cart.py", root=tmp_path, elsewhere=surroundings(files, "shop/cart.py", "python"),
        settings=Settings(completion_floor=0.0),
    )  # fmt: skip
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Shown)
    item = next(item for item in decision.value.items if item.label == "compute_total")
    assert item.import_edit is None


@pytest.mark.parametrize(
    ("own", "written"),
    [("src/money.ts", "./money"), ("src/money.ts", "./money.js"), ("src/money/index.ts", "./money")],
)
def test_a_module_of_scripts_does_not_import_from_itself(engine: Engine, own: str, written: str) -> None:
    files = {f"src/{n}.ts": f"import {{ formatPrice }} from '{written}'\n" for n in "abc"}
    made, byte = document(
        "import a from './a'\n\nconst p = formatP‸\nconst q = formatPrice\n", "typescript", path=Path("/p") / own,
        root=Path("/p"), elsewhere=surroundings(files, own, "typescript"), settings=Settings(completion_floor=0.0),
    )  # fmt: skip
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Shown)
    item = next(item for item in decision.value.items if item.label == "formatPrice")
    assert item.import_edit is None
