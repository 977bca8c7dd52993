"""Where a function has no body yet, in code that need not be whole, and how what is written there is laid out."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from editahead.analysis.bindings import usable_names
from editahead.analysis.function_heads import EmptyBody, empty_body_at, stays_empty
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BODY = "x = 1\nif x:\n    return 'ü'"


def at_mark(text: str) -> tuple[SyntaxSnapshot, EmptyBody | None]:
    """The snapshot of a text without its `‸`, and the empty body there."""
    language = by_id("python")
    assert language is not None
    before, _, after = text.partition("‸")
    syntax = SyntaxSnapshot.open(Buffer((before + after).encode()), language)
    return syntax, empty_body_at(syntax, len(before.encode()))


def filled(text: str, unit: bytes = b"    ", eol: bytes = b"\n") -> str:
    syntax, empty = at_mark(text)
    assert empty is not None
    edit = ByteEdit(empty.start, empty.end, empty.text(BODY, unit, eol))
    return syntax.buffer.apply(edit).data.decode()


FLAT = "    x = 1\n    if x:\n        return 'ü'\n"
DEEP = "        x = 1\n        if x:\n            return 'ü'\n"
CASES = {
    "nothing, next line": ("def f(a):\n‸\n", f"def f(a):\n{FLAT}"),
    "nothing, indented": ("def f(a):\n    ‸", "def f(a):\n    x = 1\n    if x:\n        return 'ü'"),
    "nothing, two deep": ("def f(a):\n  ‸\n", "def f(a):\n  x = 1\n  if x:\n      return 'ü'\n"),
    "docstring": (
        'def f(a):\n    """Doc."""\n    ‸\n',
        'def f(a):\n    """Doc."""\n    x = 1\n    if x:\n        return \'ü\'\n',
    ),
    "cursor in the signature": (
        'def f(‸a):\n    """Doc."""\n\n\ny = 2\n',
        'def f(a):\n    """Doc."""\n    x = 1\n    if x:\n        return \'ü\'\n\n\ny = 2\n',
    ),
    "cursor in a long docstring": (
        'def f(a):\n  """Doc.\n\n  ‸More.\n  """\ny = 2\n',
        'def f(a):\n  """Doc.\n\n  More.\n  """\n  x = 1\n  if x:\n      return \'ü\'\ny = 2\n',
    ),
    "pass": ("def f(a):\n    pass‸\n", f"def f(a):\n{FLAT}"),
    "dots with a comment": (
        "def f(a):\n    # why\n    ...  # later‸\n",
        "def f(a):\n    # why\n    x = 1\n    if x:\n        return 'ü'  # later\n",
    ),
    "one line": ("def f(a): pass‸\ny = 2\n", "def f(a):\n    x = 1\n    if x:\n        return 'ü'\ny = 2\n"),
    "one line of dots": ("async def f(a) -> int: ...‸\n", f"async def f(a) -> int:\n{FLAT}"),
    "comment behind the colon": (
        "def f(a):  # noqa‸\n\ny = 2\n",
        "def f(a):  # noqa\n    x = 1\n    if x:\n        return 'ü'\n\ny = 2\n",
    ),
    "method, signature on several lines": (
        "class A:\n    @property\n    def f(\n        self,\n    ) -> int:\n        ‸\n    def g(self):\n        ...\n",
        f"class A:\n    @property\n    def f(\n        self,\n    ) -> int:\n{DEEP}    def g(self):\n        ...\n",
    ),
    "nested": (
        "def f(a):\n    def g(b):\n        ‸\n    return g\n",
        f"def f(a):\n    def g(b):\n{DEEP}    return g\n",
    ),
    "wide names": (
        "def größe(länge, 名=1):\n    ‸\n",
        "def größe(länge, 名=1):\n    x = 1\n    if x:\n        return 'ü'\n",
    ),
    "broken above": (
        "y = (1,\n\ndef f(a):\n    ‸\n",
        "y = (1,\n\ndef f(a):\n    x = 1\n    if x:\n        return 'ü'\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_statements_go_where_the_body_belongs(name: str) -> None:
    before, after = CASES[name]
    assert filled(before) == after


@pytest.mark.parametrize("name", [name for name in CASES if name != "broken above"])
def test_what_is_filled_in_parses(name: str) -> None:
    functions = [n for n in ast.walk(ast.parse(filled(CASES[name][0]))) if isinstance(n, FUNCTIONS)]
    assert BODY in ["\n".join(ast.unparse(statement) for statement in one.body[-2:]) for one in functions]


def test_tabs_and_line_ends_are_kept() -> None:
    text = filled('class A:\r\n\tdef f(a):\r\n\t\t"""Doc."""‸\r\n', b"\t", b"\r\n")
    assert text.startswith('class A:\r\n\tdef f(a):\r\n\t\t"""Doc."""\r\n\t\tx = 1\r\n\t\tif x:\r\n')
    assert filled("\tdef f(a): pass‸", b"\t").startswith("\tdef f(a):\n\t\tx = 1\n\t\tif x:")


@pytest.mark.parametrize(
    "text",
    [
        "def f(a):\n    return 1‸\n",
        "def f(a):\n    ‸\n    return 1\n",
        "def f(a):\n    pass\n    pass‸\n",
        "def f(a): 'doc'‸\n",
        "def f(a)‸\n",
        "def f(a‸\n",
        "x = 1‸\n",
        "class A:\n    ‸\n",
        "def f(a):\n    pass\n\n\n‸",
        "def f(a):\n    '''Doc.'''\n\n\n‸y = 1\n",
        "def f(a):\n    '''Doc.'''\n# code\n‸\n",
        "def f(a):\n    '''Doc.\n    ‸\n    return 1\n",
        "async with a: pass‸\n",
        "‸",
    ],
)
def test_where_a_body_stands_or_none_belongs_there_is_none(text: str) -> None:
    assert at_mark(text)[1] is None


def test_a_blank_line_is_the_functions_own_only_when_it_is_indented_or_next() -> None:
    assert at_mark("def f(a):\n    '''Doc.'''\n\n    ‸\ny = 1\n")[1] is not None
    assert at_mark("def f(a):\n    '''Doc.'''\n‸\ny = 1\n")[1] is not None
    empty = at_mark("def f(a):\n    '''Doc.'''\n\n    ‸\ny = 1\n")[1]
    assert empty is not None
    assert empty.line == 3


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("@overload\ndef f(a): ...‸\n", True),
        ("class A(ABC):\n    @abc.abstractmethod\n    def f(self):\n        ‸\n", True),
        ("class A(Protocol):\n    def f(self): ...‸\n", True),
        ("class A(B):\n    @property\n    def f(self): ...‸\n", False),
    ],
)
def test_some_functions_stay_empty(text: str, meant: bool) -> None:
    syntax, empty = at_mark(text)
    assert empty is not None
    assert stays_empty(syntax, empty.head) is meant


PIECES = (
    "", "def f(a", "    ", "\n", '"""', "(", ":", "\t", "\r\n", "async def x(): ...\n", "def größe(ä): pass\n", "\\\n",
    "class A(", "from x import (", "@", "pass", "#", "\n    def f(self, b=1) -> int:\n        ", "\ndef f(*, b):\n    ",
)  # fmt: skip


def test_any_text_at_all_has_a_body_to_fill_or_none() -> None:
    """Pieces of a library with damage in them: nothing raises, and what is found lies in the text."""
    rng, whole = random.Random(5), Path(ast.__file__).read_text(encoding="utf-8")
    found = 0
    for _ in range(400):
        start = rng.randrange(len(whole))
        text = whole[start : start + rng.randrange(20, 1500)]
        at = 0
        for _ in range(rng.randrange(6)):
            cut, piece = rng.randrange(len(text) + 1), rng.choice(PIECES)
            text = text[:cut] + piece + text[cut + rng.randrange(30) :]
            at = cut + len(piece) // 2  # in the middle of what is new
        syntax, empty = at_mark(f"{text[:at]}‸{text[at:]}")
        if empty is not None:
            found += 1
            assert 0 <= empty.start <= empty.end <= len(syntax.buffer.data)
            stays_empty(syntax, empty.head)
            visible = usable_names(syntax, empty.head)
            assert {one.name for one in empty.head.parameters} == visible.parameters <= visible.names
            assert BODY.split("\n", maxsplit=1)[0].encode() in empty.text(BODY, b"\t", b"\n")
    assert found > 10
