"""A name or a line is added to imports in every form that the languages allow, and nothing else changes."""

from __future__ import annotations

import ast

import pytest
from editahead.environment.import_edits import import_edit, java_import_edit
from editahead.environment.script_imports import script_import_edit
from editahead.syntax.language import by_id
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

BREAKS = st.sampled_from(["\n", "\r\n"])


def opened(text: str, language_id: str) -> SyntaxSnapshot:
    language = by_id(language_id)
    assert language is not None
    return SyntaxSnapshot.open(Buffer(text.encode()), language)


def applied(text: str, edit: ByteEdit, newline: str) -> str:
    """The text after the edit, which keeps every byte and writes no other line break than those that stand there."""
    data = text.encode()
    removed = edit.old_bytes(data)
    assert removed in edit.new
    made = (data[: edit.start] + edit.new + data[edit.old_end :]).decode()
    if newline == "\r\n" and newline in text:
        assert "\n" not in made.replace("\r\n", "")
        assert "\r" not in made.replace("\r\n", "")
    elif newline == "\n":
        assert "\r" not in made
    return made


# -- Python

PYTHON_NAMES = st.sampled_from(["Add", "Zed", "alpha", "beta as b", "Cart as C", "gamma"])
PYTHON_MODULES = st.sampled_from(["os", "shop.base", "shop.cart", "shop", "zoo"])


@st.composite
def python_import(draw: DrawFn) -> str:
    module, names = draw(PYTHON_MODULES), draw(st.lists(PYTHON_NAMES, min_size=1, max_size=3, unique=True))
    form = draw(st.sampled_from(["module", "plain", "brackets", "backslash", "star"]))
    if form == "module":
        return f"import {module}" + draw(st.sampled_from(["", " as m", ", sys"]))
    if form == "star":
        return f"from {module} import *"
    if form == "plain":
        return f"from {module} import {', '.join(names)}" + draw(st.sampled_from(["", "  # noqa"]))
    if form == "backslash":
        gap = st.sampled_from([" ", " \\\n    ", " \\\n"])
        listed = "".join(name + ("," + draw(gap) if name != names[-1] else "") for name in names)
        return f"from {module} import{draw(gap)}{listed}"
    gap = st.sampled_from(["", " ", "\n    ", "  # a note, of one\n    ", "\n    # above\n    ", "\n\n    "])
    listed = "".join(f"{draw(gap)}{name}{draw(gap)}," for name in names)
    if draw(st.booleans()):
        listed = listed[:-1]
    return f"from {module} import ({listed}{draw(st.sampled_from(['', ' # end', chr(10)]))}".rstrip(" ") + draw(
        st.sampled_from(["\n)", "\n)  # noqa"])
    )


PYTHON_LINES = st.sampled_from(
    ["", "# note", "x = 1", "def f():\n    import os", "if TYPE_CHECKING:\n    from shop.cart import Add",
     "try:\n    from shop.cart import Zed\nexcept ImportError:\n    Zed = None"]
)  # fmt: skip


@st.composite
def python_file(draw: DrawFn) -> str:
    head = draw(st.sampled_from(["", '"""About."""\n', '"""About."""; ', "from __future__ import annotations\n"]))
    body = ""
    for line in draw(st.lists(st.one_of(python_import(), PYTHON_LINES), max_size=5)):
        can_go_on = line and "\n" not in line and "#" not in line
        body += line + (draw(st.sampled_from(["\n", "; ", "; y = '''\n'''\n"])) if can_go_on else "\n")
        if body.endswith("; "):
            body += "import abc\n" if draw(st.booleans()) else "pass\n"
    text = head + body
    if head.endswith("; ") and not body.startswith(("from", "import", "x =")):
        text = head + "import abc\n" + body
    return text[:-1] if draw(st.booleans()) else text


def python_bound(tree: ast.Module) -> list[tuple[str, str, str | None]]:
    return [
        (getattr(node, "module", None) or "", alias.name, alias.asname)
        for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]  # fmt: skip


@given(python_file(), BREAKS)
def test_python(text: str, newline: str) -> None:
    text = text.replace("\n", newline)
    try:
        before = ast.parse(text)
    except SyntaxError:
        return
    edit = import_edit(opened(text, "python"), ("shop", "cart"), "Cart")
    if edit is None:
        assert ("shop.cart", "*", None) in python_bound(before)
        return
    made = applied(text, edit, newline)
    after = ast.parse(made)
    assert sorted(map(str, python_bound(after))) == sorted(
        map(str, [*python_bound(before), ("shop.cart", "Cart", None)])
    )
    assert ast.get_docstring(after) == ast.get_docstring(before)
    compile(made, "a.py", "exec")  # also: imports of the future stay first


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from shop.cart import \\\n    open_basket\n", "from shop.cart import \\\n    Cart, open_basket\n"),
        ("from shop.cart import Add, \\\n    Line\n", "from shop.cart import Add, \\\n    Cart, Line\n"),
        ("from shop.cart import (  # noqa\n    Add,  # first\n    Line\n)\n",
         "from shop.cart import (  # noqa\n    Add,  # first\n    Cart,\n    Line\n)\n"),
        ("from shop.cart import (\n    Add  # last\n)\n", "from shop.cart import (\n    Add,  # last\n    Cart\n)\n"),
        ("from shop.cart import (\n    # about it\n    Line,\n)\n",
         "from shop.cart import (\n    # about it\n    Line,\n    Cart,\n)\n"),
        ("from shop.cart import (Add,\n    Line)\n", "from shop.cart import (Add,\n    Cart, Line)\n"),
        ("from shop.cart import (\n    A, B,\n    C)\n", "from shop.cart import (\n    A, B,\n    C,\n    Cart)\n"),
        ("from shop.cart import Add as A\n", "from shop.cart import Add as A, Cart\n"),
        ("import os; from shop.cart import Add; x = 1\n", "import os; from shop.cart import Add, Cart; x = 1\n"),
        ("import os; x = '''\n'''\n", "import os\nfrom shop.cart import Cart; x = '''\n'''\n"),
        ("if TYPE_CHECKING:\n    import os\nfrom shop.cart import Add\n",
         "if TYPE_CHECKING:\n    import os\nfrom shop.cart import Add, Cart\n"),
        ("from __future__ import annotations", "from __future__ import annotations\n\nfrom shop.cart import Cart\n"),
        ('"""About."""; x = 1\n', '"""About."""; from shop.cart import Cart\n\nx = 1\n'),
        (f"from shop.cart import {'A' * 70}\n", f"from shop.cart import {'A' * 70}\nfrom shop.cart import Cart\n"),
        ("from shop.cart import *\n", None),
        ("from shop.other import Line as Cart\n", None),
    ],
)  # fmt: skip
def test_python_forms(text: str, expected: str | None) -> None:
    edit = import_edit(opened(text, "python"), ("shop", "cart"), "Cart")
    assert (applied(text, edit, "\n") if edit is not None else None) == expected


# -- TypeScript

SCRIPT_NAMES = st.sampled_from(["a", "zed", "B as x", "type T", "default as d", "type"])


@st.composite
def script_import(draw: DrawFn) -> str:
    path = draw(st.sampled_from(["'./m'", '"./m"', "'./b'"]))
    end = draw(st.sampled_from(["", ";"])) + draw(st.sampled_from(["", " // note", " /* note */", " /* note\n */"]))
    form = draw(st.sampled_from(["names", "names", "default", "both", "types", "space", "effect", "empty"]))
    names = draw(st.lists(SCRIPT_NAMES, min_size=1, max_size=3, unique=True))
    gap = st.sampled_from(
        ["", " ", "\n  ", " // a note, of one\n  ", " /* b */ ", "\n  // above\n  ", "\n  /** c */\n  "]
    )
    listed = ",".join(draw(gap) + name + draw(gap) for name in names) + draw(st.sampled_from(["", ",", ",\n"]))
    if listed.rstrip("\n").endswith("note"):
        listed += "\n"
    clause = {
        "names": f"{{{listed}}} from ", "default": "D from ", "both": f"D, {{{listed}}} from ", "space": "* as n from ",
        "types": "type { U } from ", "effect": "", "empty": "{} from ",
    }[form]  # fmt: skip
    return f"import {clause}{path}{end}"


@st.composite
def script_file(draw: DrawFn) -> str:
    head = draw(st.sampled_from(["", "#!/usr/bin/env node\n", "'use strict';\n", "// licence\n", "/** licence */\n\n"]))
    lines = draw(st.lists(script_import(), max_size=3))
    body = draw(st.sampled_from(["", "/** About f. */\nfunction f() {}\n", "const q = 1;\n", "f(); g();\n"]))
    joined = "".join(line + (" " if line.endswith(";") and draw(st.booleans()) else "\n") for line in lines)
    return head + joined + body


def script_bound(node: Node) -> list[str]:
    bound = []
    for statement in node.children:
        if statement.type == "import_statement":
            source = node_text(statement.child_by_field_name("source") or statement).strip("'\"")
            for clause in (child for child in statement.named_children if child.type == "import_clause"):
                for part in clause.named_children:
                    items = [item for item in part.named_children if item.type == "import_specifier"] or [part]
                    bound += [f"{source} {node_text(item)}" for item in items if node_text(item) != "{}"]
    return bound


@pytest.mark.slow
@given(script_file(), BREAKS, st.booleans())
def test_typescript(text: str, newline: str, is_default: bool) -> None:
    text = text.replace("\n", newline)
    before = opened(text, "typescript")
    if before.tree.root_node.has_error:
        return
    edit = script_import_edit(before, "./m", "New", is_default=is_default)
    assert edit is not None
    after = opened(applied(text, edit, newline), "typescript").tree.root_node
    assert not after.has_error
    assert sorted(script_bound(after)) == sorted([*script_bound(before.tree.root_node), "./m New"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import D from './m';\n", "import D, { New } from './m';\n"),
        ("import D, { a } from './m';\n", "import D, { New, a } from './m';\n"),
        ("import type { A } from './m';\nimport { b } from './m';\n",
         "import type { A } from './m';\nimport { New, b } from './m';\n"),
        ("import {\n  A, // first\n  type B\n} from './m'\n",
         "import {\n  A, // first\n  type B,\n  New\n} from './m'\n"),
        ("import { New as Other } from './m'\n", "import { New, New as Other } from './m'\n"),
        ("import a from './a' /* more\n*/\n", "import a from './a'\nimport { New } from './m'\n /* more\n*/\n"),
        ("/** About f. */\nfunction f() {}\n", "import { New } from './m'\n\n/** About f. */\nfunction f() {}\n"),
    ],
)  # fmt: skip
def test_typescript_forms(text: str, expected: str) -> None:
    edit = script_import_edit(opened(text, "typescript"), "./m", "New")
    assert edit is not None
    assert applied(text, edit, "\n") == expected


def test_a_default_export_joins_the_names_of_its_module() -> None:
    edit = script_import_edit(opened("import { a } from './m'\n", "typescript"), "./m", "New", is_default=True)
    assert edit is not None
    assert applied("import { a } from './m'\n", edit, "\n") == "import New, { a } from './m'\n"


# -- Java

JAVA_LINES = st.sampled_from(
    ["import a.A;", "import static a.A.f;", "import shop.*;", "import z.Z; // note", "import b.B; import c.C;",
     "import /* in */ d.D /* it */ ;", "// note", "import e.E; /* note\n*/", ""]
)  # fmt: skip


@st.composite
def java_file(draw: DrawFn) -> str:
    head = draw(st.sampled_from(["", "// licence\n", "/* licence */\n\n", "/** licence */\n"]))
    package = draw(
        st.sampled_from(["", "package own;\n", "package own; // note\n", "package own; ", "package /**/ b;"])
    )
    body = draw(st.sampled_from(["", "/** About A. */\nclass A {}\n", "@B class A {}\n", "class A {} class B {}\n"]))
    return head + package + "".join(f"{line}\n" for line in draw(st.lists(JAVA_LINES, max_size=4))) + body


def java_bound(syntax: SyntaxSnapshot) -> list[str]:
    return [node_text(node) for node in syntax.tree.root_node.children if node.type == "import_declaration"]


@given(java_file(), BREAKS)
def test_java(text: str, newline: str) -> None:
    text = text.replace("\n", newline)
    before = opened(text, "java")
    assert not before.tree.root_node.has_error
    edit = java_import_edit(before, "shop", "Cart")
    if edit is None:
        assert "import shop.*;" in text
        return
    after = opened(applied(text, edit, newline), "java")
    assert not after.tree.root_node.has_error
    assert sorted(java_bound(after)) == sorted([*java_bound(before), "import shop.Cart;"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("package a; // note\n\nclass A {}\n", "package a; // note\n\nimport shop.Cart;\n\nclass A {}\n"),
        ("package a;\n\nimport static b.C.d;\n", "package a;\n\nimport shop.Cart;\n\nimport static b.C.d;\n"),
        ("/** About A. */\nclass A {}\n", "import shop.Cart;\n\n/** About A. */\nclass A {}\n"),
        ("import a.A; import z.Z;\n", "import a.A;\nimport shop.Cart;\n import z.Z;\n"),
    ],
)
def test_java_forms(text: str, expected: str) -> None:
    edit = java_import_edit(opened(text, "java"), "shop", "Cart")
    assert edit is not None
    assert applied(text, edit, "\n") == expected
