"""Names that a file binds, read from tokens: never more than Python itself binds, and hardly less."""

from __future__ import annotations

import ast
import symtable
from pathlib import Path

import pytest
from editahead.analysis.bindings import UsableNames, bound, usable_names
from editahead.analysis.function_heads import head_at
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

LIBRARY = Path(ast.__file__).parent
FILES = ("argparse.py", "configparser.py", "dataclasses.py", "shutil.py", "queue.py", "tempfile.py", "textwrap.py")


def snapshot(text: str) -> SyntaxSnapshot:
    language = by_id("python")
    assert language is not None
    return SyntaxSnapshot.open(Buffer(text.encode()), language)


def seen(text: str) -> UsableNames:
    """What the function at the `‸` may use."""
    before, _, after = text.partition("‸")
    syntax = snapshot(before + after)
    head = head_at(syntax, len(before.encode()))
    assert head is not None
    return usable_names(syntax, head)


def names(statement: str) -> list[str]:
    return list(bound([t for t in snapshot(statement).tokens() if t.kind.name not in ("NEWLINE", "COMMENT")]))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("import os, a.b, c.d as e", ["os", "a", "e"]),
        ("from .x import (a, b as c,\n  d)", ["a", "c", "d"]),
        ("from x import *", []),
        ("a = b, (c, *d) = [e, f[g]], h.i = 1", ["a", "b", "c", "d", "e"]),
        ("[a, b] = c", ["a", "b"]),
        ("x: dict[str, int] = {}", ["x"]),
        ("x: int", []),
        ("f = lambda x=1: x", ["f"]),
        ("f(a=1)", []),
        ("a == b", []),
        ("a += 1", []),
        ("x.y = z[i] = 1", []),
        ("for a, (b, c) in d: e = 1", ["a", "b", "c", "e"]),
        ("async for a in b: pass", ["a"]),
        ("with a as b, c() as (d, e): pass", ["b", "d", "e"]),
        ("except (A, B) as e: pass", ["e"]),
        ("if (n := f()): pass", ["n"]),
        ("try: import json", ["json"]),
        ("a = 1; b = 2", ["a", "b"]),
        ("def f(a, b=1): c = 1", ["f"]),
        ("class A(B): c = 1", ["A"]),
        ("return a", []),
        ("import", []),
        ("from x", []),
    ],
)
def test_what_a_statement_binds(statement: str, expected: list[str]) -> None:
    assert names(statement) == expected


FILE = """\
import os
try:
    import fast as quick
except ImportError:
    quick = None
if os.name == "nt":
    SEP = "x"
TOP: int = 1

def helper(arg):
    local = 1
    import inner
    ‸def nested(own):
        other = 2
    late = 3

class Base(Exception):
    kind: str
    def __init__(self):
        self.code = 1

class Child(Base):
    size = (
        4,
    )
    def first(self, item):
        local2 = self.deep.deeper
        for x in item:
            pass
    def second(me):
        me.mine_only = 1
"""


def test_a_nested_function_sees_those_around_it() -> None:
    found = seen(FILE)
    module = {"os", "quick", "SEP", "TOP", "helper", "Base", "Child"}
    assert found.names == module | {"own", "arg", "local", "inner", "nested", "late"}
    assert (found.attributes, found.self_names) == (set(), set())


def test_a_method_sees_its_class_through_its_object_only() -> None:
    found = seen(FILE.replace("‸", "").replace("def first", "‸def first"))
    assert found.names == {"os", "quick", "SEP", "TOP", "helper", "Base", "Child", "self", "item"}
    assert found.self_names == {"self"}
    assert {"size", "first", "second", "deep", "kind", "code", "args", "__init__", "with_traceback"} <= found.attributes
    assert found.attributes.isdisjoint({"deeper", "mine_only", "local2", "x"})
    again = seen(FILE.replace("‸", "").replace("def second", "‸def second"))
    assert (again.self_names, "mine_only" in again.attributes) == ({"me"}, True)


def test_what_only_type_checkers_import_is_not_there_when_it_runs() -> None:
    text = "if TYPE_CHECKING:\n    from a import B\nelse:\n    C = 1\nif not x:\n    D = 1\n‸def f(a):\n    pass\n"
    assert seen(text).names == {"a", "f", "C", "D"}


def test_static_methods_have_no_object() -> None:
    text = "class A:\n    @staticmethod\n    ‸def f(a):\n        pass\n"
    assert seen(text).self_names == set()
    nested = "class A:\n    def f(self):\n        x = 1\n        ‸def g():\n            pass\n"
    assert (seen(nested).self_names, seen(nested).names) == ({"self"}, {"A", "self", "x", "g"})


@pytest.mark.parametrize("broken", ["y = (1,\n", "def g(:\n    z = 1\n", "if x\n    w = 1\n"])
def test_broken_code_hides_little_and_invents_nothing(broken: str) -> None:
    found = seen(f"import os\nA = 1\n{broken}‸def f(a):\n    pass\n\nB = 2\n")
    assert {"os", "A", "a", "f", "B"} <= found.names <= {"os", "A", "a", "f", "B", "y", "g", "w"}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_it_never_knows_more_than_python_and_misses_little(name: str) -> None:
    text = (LIBRARY / name).read_text(encoding="utf-8")
    table = symtable.symtable(text, name, "exec")
    real = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    found = seen(text + "\n\n‸def made_up():\n    pass\n").names - {"made_up"}
    assert found <= real
    assert len(real - found) <= 0.02 * len(real)
