"""Which names a body may not use: those that nobody defines before it reads them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from editahead.analysis.bindings import UsableNames, usable_names
from editahead.analysis.function_heads import FunctionHead, head_at
from editahead.analysis.known_names import unknown_in
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

LIBRARY = Path(ast.__file__).parent
SEEN = UsableNames({"self", "a"}, {"self", "a", "os", "helper"}, {"size", "run"}, {"self"})


@pytest.mark.parametrize(
    ("body", "unknown"),
    [
        ("return a + len(a)", ()),
        ("return b", ("b",)),
        ("b = a\nreturn b", ()),
        ("c = c + 1", ("c",)),
        ("helper = helper(a)", ("helper",)),
        ("list = list(a)", ("list",)),
        ("a = a or []", ()),
        ("b += 1", ("b",)),
        ("b: int\nreturn b", ("b",)),
        ("return [x for x in a if x]", ()),
        ("b = [x for x in a]\nreturn x", ("x",)),
        ("return {k: v for k, v in a.items()}", ()),
        ("for i, (j, *k) in a:\n    print(i, j, k)\nreturn i", ()),
        ("with open(a) as f:\n    return f.read()", ()),
        ("try:\n    return a\nexcept OSError as e:\n    raise ValueError from e", ()),
        ("except_ = e", ("e",)),
        ("if (n := len(a)):\n    return n", ()),
        ("return lambda x, *y, z=1, **w: (x, y, z, w, a)", ()),
        ("return lambda x=q: x", ("q",)),
        ("def inner(x):\n    return x + a + inner(1)\nreturn inner", ()),
        ("class B(A):\n    y = 1\nreturn B, y", ("A", "y")),
        ("return self.size + self.run()", ()),
        ("return self.weight", ("self.weight",)),
        ("self.weight = a\nreturn self.weight", ()),
        ("self.weight += 1", ("self.weight",)),
        ("return self.__class__.__name__", ()),
        ("return a.anything.at_all", ()),
        ("return super().run()", ()),
        ("return super().walk()", ("super().walk",)),
        ("return self.me()", ()),
        ("import json\nreturn json.dumps(a)", ()),
        ("import nothing_known", ("import nothing_known",)),
        ("from os.path import join\nreturn join(a)", ()),
        ("from . import x", ("import .",)),
        ("from os import *", ("import os",)),
        ("match a:\n    case [x, *y]:\n        return x, y\n    case {'k': v, **r}:\n        return v, r", ()),
        ("match a:\n    case Q(x):\n        return x", ("Q",)),
        ("del b", ("b",)),
        ("global c\nc = 1", ("c",)),
        ("return f'{a} {b}'", ("b",)),
        ("return quit()", ("quit",)),
    ],
)
def test_names_must_be_defined_before_they_are_read(body: str, unknown: tuple[str, ...]) -> None:
    assert unknown_in(ast.parse(body).body, SEEN, "me") == unknown


def unknown_names(text: str, syntax: SyntaxSnapshot, head: FunctionHead) -> tuple[str, ...]:
    return unknown_in(ast.parse(text).body, usable_names(syntax, head), head.name)


def test_the_file_says_what_is_known() -> None:
    text = "import os\n\nclass A:\n    def __init__(self):\n        self.x = 1\n    def f(self, y):\n        pass\n"
    language = by_id("python")
    assert language is not None
    syntax = SyntaxSnapshot.open(Buffer(text.encode()), language)
    head = head_at(syntax, text.index("def f"))
    assert head is not None
    assert unknown_names("return os.path.join(self.x, y, A)", syntax, head) == ()
    assert unknown_names("return f(self.z, re)", syntax, head) == ("f", "self.z", "re")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["queue.py", "textwrap.py", "shutil.py"])
def test_what_people_wrote_is_hardly_ever_unknown(name: str) -> None:
    """Real bodies of a library: nine of ten and more use only what the check knows."""
    text = (LIBRARY / name).read_text(encoding="utf-8")
    language = by_id("python")
    assert language is not None
    buffer = Buffer(text.encode())
    syntax = SyntaxSnapshot.open(buffer, language)
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    fine = 0
    for node in functions:
        head = head_at(syntax, buffer.line_span(node.lineno - 1)[0] + node.col_offset)
        assert head is not None, node.name
        fine += unknown_names("\n".join(ast.unparse(one) for one in node.body), syntax, head) == ()
    assert fine >= 0.9 * len(functions)
