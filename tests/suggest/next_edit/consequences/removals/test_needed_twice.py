"""What is written a second time on purpose stays where it stood, and what nothing between needs goes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.removals.moved import moved
from editahead.suggest.next_edit.consequences.types import Consequence, Moment

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import played, wanted

_HELPER = "def helper(alpha, beta):\n    return compute(alpha, beta)\n"
NEEDED = {
    "a first value": (
        "def f(rows, others):\n    current = start\n    for row in rows:\n        current = row.after(current)\n"
        "«>    current = start\n»    for row in others:\n        current = row.after(current)\n"
    ),
    "a call for what it does": "def f(tokens):\n    token = tokens.pop(0)\n«>    token = tokens.pop(0)\n»    check()\n",
    "a call between others": (
        "def f(tokens):\n    token = tokens.pop(0)\n    check(token)\n«>    token = tokens.pop(0)\n»    check(token)\n"
    ),
    "steps": (
        'def f(page):\n    page.click("toggle")\n    page.wait_for("menu")\n    assert page.open\n'
        '«>    page.click("toggle")\n    page.wait_for("menu")\n»    assert not page.open\n'
    ),
    "steps at once": (
        'def f(page):\n    page.click("next")\n    page.wait_for("menu")\n'
        '«>    page.click("next")\n    page.wait_for("menu")\n»    assert not page.open\n'
    ),
    "steps that are tried once more": (
        'def f(page):\n«>    page.click("next")\n    page.wait_for("menu")\n»    if not page.open:\n        log()\n'
        '        page.click("next")\n        page.wait_for("menu")\n'
    ),
    "lines of a loop": (
        "def f(rows):\n«>    row = next(rows)\n    more = row.more\n»    while more:\n        use()\n"
        "        row = next(rows)\n        more = row.more\n"
    ),
    "lines of a function inside": (
        "def f(rows):\n«>    row = other\n    more = None\n»    def g():\n        use()\n"
        "        row = other\n        more = None\n"
    ),
    "lines of another function, further inside": (
        "def f(x):\n«>    one = call(x)\n    two = other(one)\n»\n\n"
        "def g(x):\n    if x:\n        y = 1\n        one = call(x)\n        two = other(one)\n    return two\n"
    ),
    "a check": "def f(x):\n    if x.wrong:\n        return 1\n    x = g()\n"
    "«>    if x.wrong:\n        return 1\n»    h()\n",
    "a return": "def f(x):\n    return (\n        x\n    )\n«>    return (\n        x\n    )\n»    h()\n",
    "a constant that is used above": "LIMIT = 100\nROWS = range(LIMIT)\n«>LIMIT = 100\n»COLUMNS = range(LIMIT)\n",
    "a list that grows": "«>ROWS = []\n»ROWS.append(1)\nfirst = ROWS\nROWS = []\nROWS.append(2)\n",
    "a value that changes between": "«>LIMIT = 100\n»use(LIMIT)\nLIMIT += 1\nuse(LIMIT)\nLIMIT = 100\nuse(LIMIT)\n",
    "a value of what changes between": "start = 1\n«>LIMIT = start\n»start = 2\nLIMIT = start\nuse(LIMIT)\n",
    "another name of the same statement": "first = LIMIT = 100\nuse(first)\n«>first = LIMIT = 100\n»use(LIMIT)\n",
    "a member": "app.debug = True\nrun()\n«>app.debug = True\n»run()\n",
    "a member among names": "app.debug, first = True, 1\nrun()\n«>app.debug, first = True, 1\n»run()\n",
    "an import that is used above": "import sys\n\nprint(sys.argv)\n«>import sys\n»\ndef f():\n    return sys.path\n",
    "an import of all names": "from shapes import *\n\nprint(area)\n«>from shapes import *\n»print(width)\n",
    "an import of a name that is bound between": (
        "«>import json\n»import fast as json\nuse(json)\nimport json\nuse(json)\n"
    ),
    "an import of one branch": (
        "import os\n«>import json\n»try:\n    import json\n    import orjson\nexcept ImportError:\n    orjson = None\n"
    ),
    "an import of one of two branches": (
        "«>import tomllib\n»if new:\n    import tomllib\n    use()\nelse:\n    import tomli as tomllib\n"
    ),
    "an import of a function that binds the name again": (
        "«>import json\n»\ndef f():\n    import json\n    use(json)\n    json = None\n"
    ),
    "an import of a function above": "def f():\n    import sys\n    return sys.x\n\n\nf()\n«>import sys\n»use(sys)\n",
    "an import of a class": "«>import sys\n»\nclass A:\n    import sys\n    size = 1\n",
    "an import of another function": (
        "def f():\n«>    import sys\n»    return sys.x\n\n\n"
        "def g():\n    if x:\n        import sys\n        return sys.y\n"
    ),
    "a function that is called above": f"{_HELPER}\n\nvalue = helper(1, 2)\n\n\n«>{_HELPER}»value = 2\n",
    "a function that is wrapped": f"«>{_HELPER}»helper = cached(helper)\nuse(helper)\n\n\n{_HELPER}use(helper)\n",
}
NEEDED_IN_OTHERS = {
    "a check": (
        "home.go",
        "package a\n\nfunc f() error {\n\terr := g()\n\tif err != nil {\n\t\treturn err\n\t}\n\terr = h()\n"
        "«>\tif err != nil {\n\t\treturn err\n\t}\n»\treturn k()\n}\n",
    ),
    "a value in a function": (
        "home.go",
        "package a\n\nfunc f() {\n\tx := g(1)\n\th(x)\n\tx = 100000\n\th(x)\n«>\tx = 100000\n»\th(x)\n}\n",
    ),
    "a state": (
        "home.ts",
        "function f(light) {\n  light.color = red;\n  light.show();\n«>  light.color = red;\n»  light.show();\n}\n",
    ),
    "a field": (
        "home.ts",
        "class A {\n  private limit = 100;\n  x = this.limit;\n«>  private limit = 100;\n»  y = 2;\n}\n",
    ),
    "a static field": (
        "Home.java",
        "class A {\n  static int LIMIT = 100;\n  static int X = LIMIT * 2;\n"
        "«>  static int LIMIT = 100;\n»  int y;\n}\n",
    ),
    "a sum": (
        "Home.cs",
        "class A { void F() {\n  total = 0;\n  Run(total);\n«>  total = 0;\n»  Run2();\n} }\n",
    ),
}
DEFERRED = {
    "a function that only a function calls": (
        f"‹{_HELPER}\n\n>›def first():\n    return helper(1, 2)\n\n\n«>{_HELPER}\n\n»value = 2\n"
    ),
    "an import for type checkers": "«>import sys\n»if TYPE_CHECKING:\n‹    import sys\n>›    import re\n",
    "a value that is read between": "«>LIMIT = 100\n»use(LIMIT)\n\n\n‹LIMIT = 100\n>›use(LIMIT)\n",
    "a value of a function": "def f():\n«>    current = start\n»    use()\n‹    current = start\n>›    return 1\n",
}
DECLARED_ONCE = {
    "a call": ("home.ts", "function f() {\n«>  const x = g();\n»  h();\n‹  const x = g();\n>›  return x;\n}\n"),
    "what is used above": ("home.ts", "«>const rows = [1];\n»use(rows);\n‹const rows = [1];\n>›use(rows);\n"),
    "a variable": (
        "Home.java",
        "class A { int f() {\n«>    int x = g();\n»    use(x);\n‹    int x = g();\n>›    return x;\n} }\n",
    ),
}


def _found(marked: str, path: str = "home.py") -> list[Consequence]:
    document = played(marked, f"file:///w/{path}")
    return moved(Moment(document, len(document.syntax.buffer.data), ResolverCache().of, lambda: None)).candidates


@pytest.mark.parametrize("marked", NEEDED.values(), ids=NEEDED.keys())
def test_what_is_needed_twice_stays(marked: str) -> None:
    assert not played(marked).syntax.error_count()
    assert not _found(marked)


@pytest.mark.parametrize(("path", "marked"), NEEDED_IN_OTHERS.values(), ids=NEEDED_IN_OTHERS.keys())
def test_what_is_needed_twice_stays_in_other_languages(path: str, marked: str) -> None:
    assert not played(marked, f"file:///w/{path}").syntax.error_count()
    assert not _found(marked, path)


@pytest.mark.parametrize("marked", DEFERRED.values(), ids=DEFERRED.keys())
def test_what_nothing_between_needs_goes(marked: str) -> None:
    assert [(one.edit.start, one.edit.new) for one in _found(marked)] == wanted(marked)


@pytest.mark.parametrize(("path", "marked"), DECLARED_ONCE.values(), ids=DECLARED_ONCE.keys())
def test_what_no_block_may_have_twice_goes(path: str, marked: str) -> None:
    assert [(one.edit.start, one.edit.new) for one in _found(marked, path)] == wanted(marked)


def test_the_work_is_linear() -> None:
    def work(size: int) -> Callable[[], object]:
        text = "".join(f"use_{number}(START)  # LIMIT\n" for number in range(size))
        document = played(f"START = 1\n«>LIMIT = START\n»{text}LIMIT = START\n")
        assert document.syntax.error_count() == 0  # reads it
        return lambda: moved(Moment(document, len(document.syntax.buffer.data), ResolverCache().of, lambda: None))

    assert_linear(work, 2_000)
