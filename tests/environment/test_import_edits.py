"""The import of a name as the file itself would write it: order, groups, brackets, relative names, line ends."""

from __future__ import annotations

import ast

import pytest
from editahead.environment.import_edits import import_edit
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from hypothesis import given
from hypothesis import strategies as st


def imported(text: str, module: str, name: str, package: tuple[str, ...] = ()) -> str | None:
    language = by_id("python")
    assert language is not None
    syntax = SyntaxSnapshot.open(Buffer(text.encode()), language)
    edit = import_edit(syntax, tuple(module.split(".")), name, package)
    return syntax.buffer.apply(edit).data.decode() if edit is not None else None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x = 1\n", "from shop.cart import Cart\n\nx = 1\n"),
        ('"""About."""\n\nx = 1\n', '"""About."""\n\nfrom shop.cart import Cart\n\nx = 1\n'),
        ("# licence\nimport os\n\nx = 1\n", "# licence\nimport os\nfrom shop.cart import Cart\n\nx = 1\n"),
        ("from shop.cart import Line\n", "from shop.cart import Cart, Line\n"),
        ("from shop.cart import Add\n", "from shop.cart import Add, Cart\n"),
        ("from shop.cart import Zed, Add\n", "from shop.cart import Zed, Add, Cart\n"),
        ("from shop.base import A\nfrom shop.stock import B\n",
         "from shop.base import A\nfrom shop.cart import Cart\nfrom shop.stock import B\n"),
        ("from shop.stock import B\n", "from shop.cart import Cart\nfrom shop.stock import B\n"),
        ("import os\nimport sys\n\nfrom shop.base import A\n\nx = 1\n",
         "import os\nimport sys\n\nfrom shop.base import A\nfrom shop.cart import Cart\n\nx = 1\n"),
        ("from shop.cart import (\n    Add,\n    Line,\n)\n",
         "from shop.cart import (\n    Add,\n    Cart,\n    Line,\n)\n"),
        ("from shop.cart import (\n    Line,\n)\n", "from shop.cart import (\n    Cart,\n    Line,\n)\n"),
        ("from shop.cart import (\n    Add\n)\n", "from shop.cart import (\n    Add,\n    Cart\n)\n"),
        ("import os\r\n\r\nx = 1\r\n", "import os\r\nfrom shop.cart import Cart\r\n\r\nx = 1\r\n"),
        ("from __future__ import annotations\n\nimport os\n",
         "from __future__ import annotations\n\nimport os\nfrom shop.cart import Cart\n"),
        ("def f():\n    import os\n", "from shop.cart import Cart\n\ndef f():\n    import os\n"),
        ("", "from shop.cart import Cart\n\n"),
    ],
)  # fmt: skip
def test_where_and_how(text: str, wanted: str) -> None:
    assert imported(text, "shop.cart", "Cart") == wanted


def test_a_file_that_imports_relatively_goes_on_so() -> None:
    assert imported("from .base import A\n", "shop.cart", "Cart", ("shop",)) == (
        "from .base import A\nfrom .cart import Cart\n"
    )
    assert imported("from shop.base import A\n", "shop.cart", "Cart", ("shop",)) == (
        "from shop.base import A\nfrom shop.cart import Cart\n"
    )
    assert imported("from .cart import Add\n", "shop.cart", "Cart", ("shop",)) == "from .cart import Add, Cart\n"


@pytest.mark.parametrize("text", ["from shop.cart import Cart\n", "from shop.cart import (\n    A, Cart,\n    C)\n"])
def test_where_it_cannot_be_told_there_is_no_edit(text: str) -> None:
    assert imported(text, "shop.cart", "Cart") is None


NAMES = st.sampled_from(["alpha", "Beta", "gamma", "delta_x", "Zed"])
MODULES = st.sampled_from(["os", "shop.base", "shop.cart", "zoo", "abc", "shop"])
STATEMENTS = st.one_of(
    st.builds("import {}".format, MODULES),
    st.builds(lambda m, n: f"from {m} import {', '.join(n)}", MODULES, st.lists(NAMES, min_size=1, unique=True)),
    st.builds(lambda m, n: f"from {m} import (\n    {n},\n)", MODULES, NAMES),
    st.sampled_from(["", "# note", '"""Text."""', "x = 1", "if x:\n    import y", "try:\n    z\nfinally:\n    z"]),
)  # fmt: skip


@given(st.lists(STATEMENTS, max_size=8))
def test_the_file_still_parses_and_imports_the_name(statements: list[str]) -> None:
    text = "\n".join(statements) + "\n"
    made = imported(text, "shop.cart", "Cart")
    if made is None:
        return
    before, after = ast.parse(text), ast.parse(made)
    bound = {
        (node.module, alias.name)
        for node in after.body if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }  # fmt: skip
    assert ("shop.cart", "Cart") in bound
    others = [ast.dump(node) for node in before.body if not isinstance(node, ast.ImportFrom)]
    kept = [ast.dump(node) for node in after.body if not isinstance(node, ast.ImportFrom)]
    assert others == kept
