"""What follows from a name that was replaced by hand: «old>new» is typed, ‹old>new› must follow, nothing else may."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from editahead.analysis.facts import file_facts
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.consequences.source import ConsequenceSource
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.types import Rejection, Shown, Suppressed

from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

HOME, OTHER, JAVA = "file:///w/home.py", "file:///w/other.py", "file:///w/A.java"

PYTHON = {
    "a parameter at its declaration": (
        "def area(«size>width», unit):\n    print(box.size, ‹size>width›)\n    return ‹size>width› * unit\n\n"
        "def volume(size):\n    return size\n\narea(‹size>width›=3, unit=1)\n"
    ),
    "a parameter at a use": "def area(‹size>width›):\n    a = ‹size>width›\n    return «size>width» * a\n",
    "a variable": "x = 1\ndef f():\n    «x>count» = 2\n    ‹x>count› += 1\n    return ‹x>count›\nprint(x)\n",
    "two places at once": "def f(«a>b»):\n    x = «a>b»\n    return ‹a>b›\n",
    "two bindings of one name": (
        "def f(«a>b»):\n    return ‹a>b›\ndef g(«a>b»):\n    return ‹a>b›\ndef h(a):\n    return a\n"
    ),
    "a function": "def «f>g»():\n    return ‹f>g›\nclass C:\n    def f(self): return ‹f>g›() + self.f()\n",
    "a method and its override": (
        "class C:\n    def «m>n»(self): pass\nclass D(C):\n    def ‹m>n›(self):\n        super().‹m>n›()\nD().‹m>n›()\n"
    ),
    "an attribute": (
        "class C:\n    def __init__(self):\n        self.«a>b» = 1\n    def m(self):\n        return self.‹a>b› + o.a\n"
    ),
    "an import alias": "import numpy as «np>numpy»\n‹np>numpy›.array(other.np)\n",
    "an imported name": "from m import «load>read»\ndef f(load=1): return load\n‹load>read›()\n",
    "what stands in for an import": (
        "try:\n    import ‹yaml>yaml as reader›\nexcept ImportError:\n    «yaml>reader» = None\n\n\n"
        "def parse(text):\n    return ‹yaml>reader›.load(text) if ‹yaml>reader› else None\n"
    ),
    "what stands in for an imported name": (
        "try:\n    from fast import ‹dumps>dumps as encode›\nexcept ImportError:\n"
        "    def «dumps>encode»(value):\n        return str(value)\n‹dumps>encode›(1)\n"
    ),
    "what stands in for an import with another name": (
        "try:\n    import ujson as ‹json>reader›\nexcept ImportError:\n    «json>reader» = None\n‹json>reader›\n"
    ),
    "a class": "class «A>B»:\n    def m(self) -> ‹A>B›: return ‹A>B›()\n",
    "a class in quoted types": ("class «A>B»:\n    def m(self, a: 'list[‹A>B›]') -> '‹A>B›':\n        return 'A'\n"),
    "an attribute in slots": (
        "class C:\n    __slots__ = ('‹a>b›', 'c')\n    def __init__(self):\n        self.«a>b» = 'a'\n"
    ),
    "a name of the module from a function": "‹n>k› = 0\ndef f():\n    global «n>k»\n    ‹n>k› += 1\nprint(‹n>k›)\n",
    "a name of the function around": (
        "def f():\n    ‹n>k› = 0\n    def g():\n        nonlocal ‹n>k›\n        «n>k» += 1\n    return ‹n>k›, g\n"
    ),
    "no import of something else": "«import os>from pathlib import Path»\n\nprint(os.sep, Path)\n",
    "no argument that moved": "def f(a, b):\n    «g(a, b)>g(c, a)»\n    return a\n",
    "no arguments that moved one by one": "def f(a, b):\n    g(«a>c», «b>a»)\n    return a\n",
    "no words between other signs": "def f():\n    a = «old(a, b)>new(b)[a]»\n    return a\n",
    "a keyword argument": "def f(‹a>b›):\n    return ‹a>b›\nf(«a>b»=1)\ng(a=1)\n",
    "a use that was misspelt": "def f():\n    «cuont>count» = 1\n    ‹cuont>count› += 1\n    return count\n",
    "a name of another scope may be hidden": "count = 1\ndef f(«x>count»):\n    return ‹x>count›\nprint(count)\n",
    "names of any script": "«größe>breite» = 1\nprint('ä', ‹größe>breite›)\n",
    "several on one line": "def f(«a>bb»):\n    return ‹a>bb› + ‹a>bb› + c.a + ‹a>bb›\n",
}
JAVA_CASES = {
    "a parameter": "class A {\n  int x;\n  A(int «x>y») { this.x = ‹x>y›; }\n  int get() { return x; }\n}\n",
    "a local": "class A {\n  int m() { int «a>b» = 1; return ‹a>b› + this.a; }\n  int n(int a) { return a; }\n}\n",
    "a field": "class A {\n  int «x>y»;\n  A(int x) { this.‹x>y› = x; }\n  int get() { return ‹x>y›; }\n}\n",
    "a method": (
        "class A {\n  int «m>n»() { return 1; }\n  int k() { return ‹m>n›() + this.‹m>n›() + o.m(); }\n  int m;\n}\n"
    ),
    "a class": "class «A>B» {\n  ‹A>B›() {}\n  static ‹A>B› make() { return new ‹A>B›(); }\n}\n",
    "a constructor": "class ‹A>B› {\n  «A>B»() {}\n  static ‹A>B› make() { return new ‹A>B›(); }\n}\n",
    "a pattern variable": (
        "class A {\n  int m(Object o) {\n    if (o instanceof P «p>q») return ‹p>q›.x;\n"
        "    return o instanceof Q p ? p.y : 0;\n  }\n}\n"
    ),
    "a record component": "record A(int «x>y») {\n  int twice() { return ‹x>y› * 2; }\n}\n",
    "an import": "import a.b.«C>D»;\nclass A { ‹C>D› c = ‹C>D›.make(); }\n",
}
VARIANTS = {
    "a property and its setter": (
        HOME,
        "class A:\n    @property\n    def «a>b»(self):\n        return 1\n\n    @‹a>b›.setter\n"
        "    def ‹a>b›(self, v):\n        self.v = v\n\n    @‹a>b›.deleter\n    def ‹a>b›(self):\n"
        "        del self.v\n\n    def f(self):\n        return self.‹a>b›\n",
    ),
    "overloads and the function": (
        HOME,
        "@overload\ndef ‹f>g›(x: int) -> int: ...\n@typing.overload\ndef «f>g»(x: str) -> str: ...\ndef ‹f>g›(x):\n"
        "    return x\n\n‹f>g›(1)\n",
    ),
    "overloads and the function in TypeScript": (
        "file:///w/a.ts",
        "function «f>g»(x: number): number;\nfunction ‹f>g›(x: string): string;\nfunction ‹f>g›(x: any) { return x; }\n"
        "‹f>g›(1);\n",
    ),
    "overloads of a method in TypeScript": (
        "file:///w/a.ts",
        "class A {\n  «f>g»(x: number): number;\n  ‹f>g›(x: any) { return x; }\n  h() { return this.‹f>g›(1); }\n}\n",
    ),
    "no element of a loop that counts now": (
        JAVA,
        "class A {\n  void f(String[] rows) {\n    for («String row : rows>int i = 0; i < rows.length; i++») {\n"
        "      use(row);\n    }\n  }\n}\n",
    ),
    "a method beside a local variable of its new name": (
        HOME,
        "class C:\n    def «f>g»(self):\n        g = self.‹f>g›()\n        return [g.f for g in D(C().‹f>g›())]\n",
    ),
    "a parameter beside a local variable of its new name at a call": (
        HOME, "def f(«a>b»):\n    return ‹a>b›\n\ndef g(b):\n    return f(‹a>b›=b)\n",
    ),
    "no second function with another decorator": (
        HOME, "@cached\ndef f(x):\n    return x\n\n@cached\ndef «f>g»(x):\n    return x\n\nf(1)\n",
    ),
}  # fmt: skip
REFUSED = {
    "is a key in strings": "class B(t.TypedDict): ...\nclass C(B):\n    «a>b»: int\nC(a=1)['a']\n",
    "exists in that scope already": "def f(«a>b», b):\n    return a + b\n",
    "is another name that can be used there": "def f(a, b):\n    c = a\n    return «a>b»\nb = 1\n".replace(
        "(a, b)", "(a)"
    ),
    "is declared again": "def f(a):\n    return a\n\ndef «f>g»(a):\n    return a\nf(1)\n",
    "no declaration of `undefined` is known": "print(«undefined>other»)\nprint(undefined)\n",
    "`load` is imported": "from m import load\n«load>read»(1)\n«load>read»(2)\nload(3)\n",
    "the class has `b` already": "class C:\n    def «a>b»(self): return self.a()\n    def b(self): pass\n",
    "is a name of the language": "def f(a):\n    return «a>len»\n",
    "exists in a scope that uses it": "def f(«a>b»):\n    return [a + b for b in c]\n",
    "is used there for something else": "b = 1\ndef f(«a>b»):\n    return a + b\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON)
def test_python(marked: str) -> None:
    assert_follows({HOME: marked})


@pytest.mark.parametrize("marked", JAVA_CASES.values(), ids=JAVA_CASES)
def test_java(marked: str) -> None:
    assert_follows({JAVA: marked})


@pytest.mark.parametrize(("uri", "marked"), VARIANTS.values(), ids=VARIANTS)
def test_variants_of_a_function(uri: str, marked: str) -> None:
    assert_follows({uri: marked})


@pytest.mark.parametrize("reason", REFUSED)
def test_refused(reason: str) -> None:
    found = assert_follows({HOME: REFUSED[reason]})
    assert any(reason in one.reason for one in found.refusals), found.refusals


def test_nothing_follows_where_nothing_is_left() -> None:
    assert_follows({HOME: "def f(«a>b»):\n    return «a>b» + c.a\n\ndef g(a):\n    return a\n"})


ELSEWHERE = {
    "from home import": "from home import ‹load>read›, other\n‹load>read›(o.load)\ndef f(load): return load\n",
    "from . import": "from .home import ‹load>read›\n‹load>read›()\n",
    "under another name": "from w.home import ‹load>read› as l\nl()\n",
    "as a member of the module": "import home\nhome.‹load>read›()\n",
    "as a member of an alias": "from w import home\nhome.‹load>read›()\n",
    "from another module": "from house import load\nload()\n",
    "of its own": "def load(): pass\nload()\n",
    "where the new name is taken": "from home import load\ndef read(): return load()\n",
    "where a local name would hide it": (
        "from home import load\n\ndef f(rows):\n    read = load(rows)\n    return read\n\nprint(load([1]))\n"
    ),
    "where a parameter would hide it": "from home import load\ndef f(read): return load(read)\n",
    "where a name of the class would hide it": "from home import load\nclass A:\n    read = 1\n    x = load(read)\n",
    "where it would hide another name": "def f():\n    from home import load\n    return load(read)\nread = 1\n",
    "where others come from somewhere": "from a import *\nfrom home import load\nload(read)\n",
    "beside members and locals of the new name": (
        "from home import ‹load>read›\nclass A:\n    read = 1\n    def f(self): return ‹load>read›(self.read)\n"
        "def g(read): return read\n"
    ),
    "with the module under another name": "import home as h\nfrom w import home as i\nh.‹load>read›(i.‹load>read›)\n",
    "with two modules under one name": (
        "try:\n    import home as h\nexcept ImportError:\n    import house as h\nh.load()\n"
    ),
    "with another module beside it": "import home\nimport house as home2\nhome2.load(home.‹load>read›)\n",
    "in the list of exported names": (
        "from home import ‹load>read›\n__all__ = ['‹load>read›', 'loads']\n__all__ += (\"‹load>read›\",)\n"
        "__all__.extend(['‹load>read›'])\nx = ['load']\n"
    ),
    "in a list of exported names that is not of the module": (
        "def f():\n    from home import ‹load>read›\n__all__ = ['load']\n"
    ),
}
SCRIPTS = {
    "imports": "import { ‹total>amount› } from './cart';\nconsole.log(‹total>amount›(1), { ‹total>total: amount› });\n",
    "a local name would hide it": "import { total } from './cart';\nfunction f(amount) { return total(amount); }\n",
    "a local name that is declared further on": (
        "import { total } from './cart';\nfunction f() { const amount = total(1); return amount; }\n"
    ),
    "the whole module": "import * as c from './cart';\nlet t: typeof c.‹total>amount›;\nc.‹total>amount›(d.total);\n",
    "its default export": "import c from './cart';\nc.total(1);\n",
    "another name that is imported as this one": "import { x as total } from './cart';\ntotal(1);\n",
    "exports under the same name": "export { ‹total>amount as total›, tax } from './cart';\n",
    "exports under another name": "export { ‹total>amount› as sum } from './cart';\nexport { total } from './till';\n",
    "exports of what it imports": (
        "import { ‹total>amount› } from './cart';\nexport { ‹total>amount as total› };\ncall(‹total>amount›);\n"
    ),
}


@pytest.mark.parametrize("other", ELSEWHERE.values(), ids=ELSEWHERE)
def test_other_open_files(other: str) -> None:
    assert_follows({HOME: "def «load>read»(): pass\n‹load>read›()\n", OTHER: other})


@pytest.mark.parametrize("other", SCRIPTS.values(), ids=SCRIPTS)
def test_other_open_files_of_scripts(other: str) -> None:
    home = "export function «total>amount»(a: number) { return a; }\n"
    assert_follows({"file:///w/cart.ts": home, "file:///w/use.ts": other})


def test_a_type_behind_the_name_of_its_module() -> None:
    other = (
        "import * as c from './cart';\nlet a: c.‹Cart>Basket›[] = [];\nclass D extends c.‹Cart>Basket› { b: e.Cart; }\n"
    )
    assert_follows({"file:///w/cart.ts": "export class «Cart>Basket» {}\n", "file:///w/use.ts": other})


def test_exports_of_the_file_that_declares_the_name_are_renamed_with_it() -> None:
    home = "function «total>amount»() {}\nexport { ‹total>amount› };\n"
    assert_follows({"file:///w/cart.ts": home, "file:///w/use.ts": "import { ‹total>amount› } from './cart';\n"})


def test_an_import_that_is_renamed_first_is_exported_as_before() -> None:
    text = "import { «total>amount» } from './cart';\nexport { ‹total>amount as total› };\n"
    assert_follows({"file:///w/use.ts": text, "file:///w/more.ts": "import { total } from './use';\n"})


def test_the_list_of_exported_names_of_the_file_itself() -> None:
    exported = "def «load>read»(): pass\n__all__: list[str] = ['‹load>read›', \"other\"]\nprint('load')\n"
    assert_follows({HOME: exported})
    assert_follows({HOME: "from home2 import «load>read»\n__all__ = ('‹load>read›',)\n"})
    assert_follows({HOME: "def f():\n    «load>read» = 1\n    return ‹load>read›\n__all__ = ['load']\n"})


def test_a_name_of_the_language_that_another_file_uses_is_not_hidden_there() -> None:
    assert_follows({HOME: "def «load>sum»(): pass\n", OTHER: "from home import load\nload(sum([1]))\n"})


def test_what_was_renamed_by_hand_in_another_file_is_not_in_the_way() -> None:
    other = "import home\nfrom home import «load>read»\nhome.‹load>read›(‹load>read›)\n"
    assert_follows({HOME: "def «load>read»(): pass\n", OTHER: other})


def test_a_property_that_became_a_method_elsewhere_is_renamed_here_by_hand() -> None:
    declared = "class A:\n    def «end>get_end»(self): ...\n"
    uses = "def f(a, b, c):\n    assert «a.end>a.get_end()» == 1\n    assert «b.end>b.get_end()» == 2\n    c.end\n"
    assert assert_follows({HOME: uses, OTHER: declared}).resolved == []
    resolved = assert_follows({HOME: "x = «1>2»\nc.end\n", OTHER: declared}).resolved
    assert [(renaming.old, renaming.new) for renaming in resolved] == [("end", "get_end")]


def test_a_parameter_that_is_a_field_too_is_resolved_at_both() -> None:
    marked = "class A {\n  constructor(private «db>rows»: D) {}\n  all() { return this.«db>rows»; }\n}\nconst db = 1;\n"
    resolved = outcome(played(marked, "file:///w/a.ts")).resolved
    assert [(renaming.old, renaming.new) for renaming in resolved] == [("db", "rows")]


def test_from_another_file_the_rename_goes_on() -> None:
    assert_follows({OTHER: "from home import ‹load>read›\n‹load>read›()\n", HOME: "def «load>read»(): pass\n"})


def test_a_local_name_is_renamed_in_no_other_file() -> None:
    assert_follows({HOME: "def f(«a>b»):\n    return ‹a>b›\n", OTHER: "from home import a\na()\n"})


def test_java_classes_of_the_same_package_need_no_import() -> None:
    assert_follows(
        {
            JAVA: "package w;\nclass «A>B» {\n}\n",
            "file:///w/C.java": "package w;\nclass C { ‹A>B› a = new ‹A>B›(); }\n",
            "file:///w/x/D.java": "class D { A a; }\n",
            "file:///w/y/E.java": "import w.‹A>B›;\nclass E { ‹A>B› a; }\n",
        }
    )


def test_a_half_typed_name_has_no_consequences_until_the_cursor_leaves_it_or_rests() -> None:
    marked = "def f(«a>bett»):\n    return ‹a>bett›\n"
    at = marked.index("«")
    typing = played(marked, idle=False, key_by_key=True)
    for byte in range(at, at + 5):
        assert outcome(typing, byte).candidates == []
    assert len(outcome(typing, at + 6).candidates) == 1
    assert len(outcome(replace(typing, idle=True), at + 4).candidates) == 1


def test_of_two_places_neither_is_half_typed() -> None:
    assert len(outcome(played("def f(«a>b»):\n    c = «a>b»\n    return ‹a>b›\n", idle=False), 6).candidates) == 1


def test_a_new_word_typed_with_a_pause_is_no_rename() -> None:
    document = played("a = 1\nprint(a)\nb = «>a»\n")
    history, buffer = document.history, document.syntax.buffer
    assert outcome(document).candidates == []
    assert len(history.settled) == 1
    more = played("a = 1\nprint(a)\nb = «>a»«>dd»\n")
    assert more.syntax.buffer.data.endswith(b"b = add\n")
    assert outcome(more).candidates == []
    assert buffer.data.endswith(b"b = a\n")


def test_places_come_in_reading_order_from_the_cursor_on() -> None:
    document = played("def f(«a>b»):\n    x = ‹a>b›\n    y = ‹a>b›\n    return ‹a>b›\n")
    lines = [
        [document.syntax.buffer.line_at(one.edit.start) for one in outcome(document, byte).candidates]
        for byte in (0, document.syntax.buffer.data.index(b"y"))
    ]
    assert lines == [[1, 2, 3], [2, 3, 1]]


def test_a_rejected_place_rests_and_the_next_one_is_offered() -> None:
    document = played("def f(«a>b»):\n    x = ‹a>b›\n    return ‹a>b›\n")
    decision = NextEditDecision()
    first = decision.next_edit(document, 0, Cancel(), None)
    assert isinstance(first, Shown)
    rejected = replace(document, rejections=(Rejection(first.value.key, document.now),))
    second = decision.next_edit(rejected, 0, Cancel(), None)
    assert isinstance(second, Shown)
    assert second.value.edit.start > first.value.edit.start


def test_an_answer_that_is_kept_fits_another_snapshot_of_the_same_text() -> None:
    document = played("def f(«a>b»):\n    return ‹a>b›\n")
    source = ConsequenceSource()
    assert len(source.candidates(document, 0, Cancel())) == 1
    assert len(source.candidates(replace(document), 0, Cancel())) == 1


@pytest.mark.parametrize("value", ["lock", "g(lock, p, lock)"])
def test_places_that_were_renamed_in_one_step_count_one_by_one(value: str) -> None:
    step = f"lock = {value}>guard = {value.replace('lock', 'guard')}"
    assert_follows({HOME: f"def f(p):\n    «lock>guard» = 1\n    «{step}»\n    return ‹lock>guard›\n"})


def test_the_uses_of_one_line_are_one_edit() -> None:
    document = played("def f(«a>bb»):\n    return ‹a>bb› + c.a + ‹a>bb›\n")
    found = NextEditDecision().next_edit(document, 0, Cancel(), None)
    assert isinstance(found, Shown)
    assert found.value.edit.apply(document.syntax.buffer.data) == b"def f(bb):\n    return bb + c.a + bb\n"
    assert found.value.source == "rename"


def test_what_a_rename_reads_does_not_grow_with_a_name_that_stands_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """In 22,700 lines with very common names the first question took 1.4 s: each function was read."""
    read = 0
    real = file_facts.FactsWalk

    def counted(*arguments: Any) -> Any:
        nonlocal read
        read += 1
        return real(*arguments)

    monkeypatch.setattr(file_facts, "FactsWalk", counted)
    block = "\n\ndef f{0}(x):\n    x.load()\n    return x.name\n"
    costs = []
    for count in (1000, 2000, 4000):
        read = 0
        text = "def g(x):\n    return x.«load>name»()\n" + "".join(block.replace("{0}", str(n)) for n in range(count))
        decision = NextEditDecision().next_edit(played(text, f"file:///w/{count}.py"), 0, Cancel(), None)
        assert isinstance(decision, Suppressed)
        assert "`name` stands in more than 600 places" in " ".join(gate.value for gate in decision.gates)
        costs.append(read)
    assert max(costs) <= min(costs) + 10
