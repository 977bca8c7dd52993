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
    "the name stood there": "def f(a):\n    one = «a>a.first(1)»\n    g(a.first(1))\n",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES.keys())
def test_equal_expressions_take_the_name(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked})
