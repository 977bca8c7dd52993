"""What follows from a value that is given a name: the other places of the same expression."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

CASES = {
    "a variable": (
        "def f(order):\n«>    total = order.price * order.count\n»    log(‹order.price * order.count>total›)\n"
        "    return ‹order.price * order.count>total› - 1\ndef g(order):\n    return order.price * order.count\n"
    ),
    "a constant": (
        "«>TIMEOUT = 30.5 * 2\n»def f():\n    return wait(‹30.5 * 2>TIMEOUT›)\ndef g():\n"
        "    '''30.5 * 2'''\n    return 30.5 * 2.1\n"
    ),
    "a text": "«>KIND = 'sha-256'\n»def f():\n    return new(‹'sha-256'>KIND›)\n",
    "part of a larger product": "def f(a, b):\n«>    half = a.size + b.size\n»    return a.size + b.size * 2\n",
    "too short to say anything": "def f(a):\n«>    one = a.b\n»    return g(a.b, a.b)\n",
    "only behind it": "def f(a):\n    g(a.first(1))\n«>    one = a.first(1)\n»    return one\n",
    "an operand is written in between": (
        "def f(width, height):\n«>    area = width * height\n»    log(‹width * height>area›)\n    width = 2\n"
        "    return width * height\n"
    ),
    "what is another one each time": "def f(it):\n«>    item = next(it)\n»    log(next(it))\n",
    "a place that has both": (
        "def f(log):\n«>    begun = log.size(1)\n»    work()\n    log(log.size(1) - begun)\n"
        "    log(‹log.size(1)>begun›)\n"
    ),
    "the name stood there": "def f(a):\n    one = «a>a.first(1)»\n    g(a.first(1))\n",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES.keys())
def test_equal_expressions_take_the_name(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked})


SAME_NAMES = {
    "Go": (
        "go",
        "package a\n\nfunc f(o O) {\n«>\tname := load(o, id)\n»\tlog(‹load(o, id)>name›)\n"
        "\teach(func(o O) { log(load(o, id)) })\n\tfor _, o := range all { log(load(o, id)) }\n"
        "\tfor _, p := range all { log(p, ‹load(o, id)>name›) }\n}\n",
    ),
    "a block of Go": (
        "go",
        "package a\n\nfunc f(o O) {\n\tif o.ok {\n«>\t\tname := load(o, id)\n»\t\tlog(‹load(o, id)>name›)\n\t}\n"
        "\tlog(load(o, id))\n}\n",
    ),
    "a name that is hidden": (
        "go",
        "package a\n\nfunc f(o O) {\n«>\tname := load(o, id)\n»\teach(func(name N) { log(load(o, id)) })\n}\n",
    ),
    "C++": (
        "cc",
        "void f(O o) {\n«>  auto name = load(o, id);\n»  log(‹load(o, id)>name›);\n"
        "  for (auto o : all) log(load(o, id));\n}\n",
    ),
    "TypeScript": (
        "ts",
        "function f(o: O) {\n«>  const name = load(o, id);\n»  log(‹load(o, id)>name›);\n"
        "  for (const o of all) { log(load(o, id)); }\n}\n",
    ),
    "this": (
        "ts",
        "class A {\n  f() {\n«>    const name = this.load(1);\n»    each(function () { log(this.load(1)); });\n"
        "    return { g() { return this.load(1); }, h: ‹this.load(1)>name› };\n  }\n}\n",
    ),
    "written in between": (
        "ts",
        "function f(a: A, b: B) {\n«>  const area = a.size(b) * b.size(a);\n»  b = next;\n"
        "  log(a.size(b) * b.size(a));\n}\n",
    ),
    "an object of its own": ("ts", "function f() {\n«>  const map = new Map(rows);\n»  log(new Map(rows));\n}\n"),
    "Python": (
        "py",
        "def f(o):\n«>    name = load(o, 1)\n»    log(‹load(o, 1)>name›)\n    return [load(o, 1) for o in all]\n",
    ),
}


@pytest.mark.parametrize(("suffix", "marked"), SAME_NAMES.values(), ids=SAME_NAMES.keys())
def test_equal_expressions_mean_the_same(suffix: str, marked: str) -> None:
    assert_follows({f"file:///w/home.{suffix}": marked}, "value")
