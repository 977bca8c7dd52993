"""What a change leaves behind: each rule at its place with its reason, and silence where the change is whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.check.changes import file, found, other, told
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("price_of", "cost_of"),
        ("price_of", "price_off"),
        ("price_of", "price"),
        ("größe", "grösse"),
        ("größe", "größen"),
    ],
)
def test_a_rename_that_keeps_a_part_of_the_name(old: str, new: str) -> None:
    home = f"def {old}(a):\n    return a\n\n\nprint({old}(1))\n"
    user = other(f"from pkg.a import {old}\n\n\ndef ship(b):\n    return {old}(b)\n", "pkg/b.py")
    rows = told(found(file(home, home.replace(f"def {old}", f"def {new}")), others=[user]))
    assert [row[:3] for row in rows] == [("pkg/a.py", 5, "removed-name"), ("pkg/b.py", 1, "removed-import")]
    assert f"renamed to `{new}`" in rows[0][3]
    assert f"imports `{old}`, which this change removed from pkg/a.py" in rows[1][3]


def test_a_rename_of_what_nothing_declares_is_whole() -> None:
    before = "total = price(item)\nother = price(item)\n"
    assert found(file(before, before.replace("price(item", "net_price(item, day"))) == []
    half = before.replace("price(item", "net_price(item, day", 1)
    assert found(file(before, half)) == []
    built_in = "total = len(items)\n"
    assert [one.kind for one in found(file(built_in, built_in.replace("len(", "lenght(")))] == ["undefined-name"]


def test_a_use_of_what_the_change_removed_or_renamed() -> None:
    before = "import os\n\ndef old(a):\n    return a\n\nprint(old(1), os.sep)\n"
    renamed = found(file(before, before.replace("def old", "def new")))
    assert told(renamed) == [("pkg/a.py", 6, "removed-name", "uses `old`, which this change renamed to `new`")]
    assert renamed[0].cause == ("pkg/a.py", 2)
    removed = found(file(before, before.replace("import os\n", "")))
    assert told(removed) == [("pkg/a.py", 5, "removed-name", "uses `os`, which this change removed")]
    assert found(file(before, before.replace("old", "new"))) == []


def test_a_name_that_nothing_declares_is_told_where_the_change_wrote_it() -> None:
    before = "def f(a):\n    return a\n"
    rows = found(file(before, "def f(a):\n    return join(a)\n"))
    assert told(rows) == [("pkg/a.py", 2, "undefined-name", "uses `join`, which nothing here declares or imports")]
    assert found(file(before, "from os.path import join\n\ndef f(a):\n    return join(a)\n")) == []
    assert found(file("from x import *\n" + before, "from x import *\ndef f(a):\n    return join(a)\n")) == []
    unknown = "def f(a):\n    return _(a)\n"  # installed by `gettext`: what the file used so before
    assert found(file(unknown, unknown + "\ndef g(a):\n    return _(a)\n")) == []
    assert found(file(before, "def f(a):\n    return unicode(a)\n")) == []


def test_a_member_that_its_class_no_longer_has() -> None:
    before = "class A:\n    def old(self):\n        pass\n    def use(self):\n        return self.old()\n"
    after = before.replace("def old", "def new")
    rows = found(file(before, after))
    assert [(one.line, one.kind, one.name) for one in rows] == [(4, "removed-member", "old")]
    based = [text.replace("class A", "class A(Base)") for text in (before, after)]
    assert found(file(*based)) == []  # the base may have it
    wrote = found(file(before, before.replace("self.old()", "self.gone()")))
    assert [(one.line, one.kind) for one in wrote] == [(4, "undefined-member")]


CALLED = "def f(a, b=1):\n    return a\n\nx = f(1)\ny = f(1, b=2)\nz = f(*x)\n"

LACKS, TOO_MANY = "calls `f` without its new argument `c`", "calls `f` with more arguments than it takes now"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("def f(a, c, b=1):", [(4, LACKS), (5, LACKS)]),
        ("def f(a):", [(5, "calls `f` with `b`, which it no longer takes")]),
        ("def f(b=1):", []),
        ("def f():", [(4, TOO_MANY), (5, TOO_MANY)]),
        ("def f(a, *, c, b=1):", [(4, LACKS), (5, LACKS)]),
        ("def f(a, c=0, b=1):", []),
        ("def f(a, **rest):", []),
    ],
)  # fmt: skip
def test_calls_that_no_longer_fit(head: str, expected: list[tuple[int, str]]) -> None:
    after = CALLED.replace("def f(a, b=1):", head)
    rows = [one for one in found(file(CALLED, after)) if one.kind == "call"]
    assert [(one.line + 1, one.reason) for one in rows] == expected


def test_a_constructor_is_called_by_its_class_and_not_by_one_derived_from_it() -> None:
    before = (
        "class A:\n    def __init__(self, a):\n        self.a = a\n\n"
        "class B(A):\n    def __init__(self):\n        pass\n\nA(1)\nB()\n"
    )
    assert [one.line for one in found(file(before, before.replace("(self, a)", "(self, a, b)")))] == [8]
    assert [one.line for one in found(file(before, before.replace("__init__(self):", "__init__(self, c):")))] == [9]


def test_callers_and_imports_in_other_files() -> None:
    home = file("def f(a):\n    return a\n\ndef g():\n    pass\n", "def f(a, b):\n    return a\n\ndef h():\n    pass\n")
    user = other("from pkg.a import f, g\n\nf(1)\nf(1, 2)\ng()\n", "use.py")
    through = other("from pkg import a\n\na.g()\na.f(3)\n", "through.py")
    strange = other("from elsewhere import f, g\n\nf(1)\ng()\n", "strange.py")
    assert told(found(home, others=[user, through, strange])) == [
        ("through.py", 3, "removed-import", "uses `g`, which this change removed from pkg/a.py"),
        ("through.py", 4, "call-elsewhere", "calls `f` without its new argument `b`"),
        ("use.py", 1, "removed-import", "imports `g`, which this change removed from pkg/a.py"),
        ("use.py", 3, "call-elsewhere", "calls `f` without its new argument `b`"),
    ]
    kept = file("def g():\n    pass\n", "from pkg.b import g\n")
    assert found(kept, others=[user]) == []


def test_imports_that_nothing_uses() -> None:
    before = "import os\nimport sys\n\nprint(os.sep, sys.path)\n"
    gone = found(file(before, before.replace(", sys.path", "")))
    assert told(gone) == [("pkg/a.py", 2, "unused-import", "imports `sys`, which nothing here uses any more")]
    come = found(file(before, "import re\n" + before))
    assert told(come) == [("pkg/a.py", 1, "unused-new-import", "imports `re`, which nothing here uses")]
    assert found(file(before, "import re  # noqa\n" + before)) == []
    assert found(file(before, "import re\n" + before, "pkg/__init__.py")) == []


def test_other_languages_have_the_rules_of_names() -> None:
    before = "class A {\n  int old() { return 1; }\n  int use() { return old(); }\n}\n"
    rows = found(file(before, before.replace("int old", "int fresh"), "A.java"))
    assert [(one.line, one.kind, one.name) for one in rows] == [(2, "removed-name", "old")]


def test_what_moved_to_a_file_that_needs_no_import_is_no_leftover() -> None:
    before = "package a\n\nfunc old() int { return 1 }\n\nfunc use() int { return old() }\n"
    after = before.replace("func old() int { return 1 }\n", "")
    assert [one.name for one in found(file(before, after, "a/a.go"))] == ["old"]
    assert (
        found(file(before, after, "a/a.go"), added=[other("package a\n\nfunc old() int { return 1 }\n", "a/b.go")])
        == []
    )


def test_what_has_broken_syntax_is_passed_over() -> None:
    assert found(file("def old():\n    pass\n\nold()\n", "def (:\n    pass\n\nold()\n")) == []


def test_the_cost_grows_with_the_change_and_the_files_beside_it() -> None:
    def work(size: int) -> Callable[[], object]:
        lines = "".join(
            f"def f_{n}(a):\n    return a\n\n\ndef g_{n}():\n    return f_{n}(1)\n\n\n" for n in range(size)
        )
        beside = [other(f"from pkg.a import f_{n}\n\nf_{n}(1)\n", f"use_{n}.py") for n in range(size)]
        return lambda: found(file(lines, lines.replace("(a):", "(a, b):")), others=beside)

    assert_linear(work, 40)
