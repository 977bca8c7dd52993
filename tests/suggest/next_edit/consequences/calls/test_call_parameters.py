"""What follows from a changed call for the function that it calls."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "an argument that no other call gives": "def f(a‹, b>›):\n    return a\n\nf(1«, 2>»)\n",
    "the first argument": "def f(‹a, >›b):\n    return b\n\nf(«1>»)\n",
    "one before others": "def f(‹a, >›b, c=1):\n    return b\n\nf(«1, >»2, 3)\n",
    "one before others, in all calls": "def f(‹a, >›b):\n    return b\n\nf(«1, >»2)\nx = f(«3, >»4)\n",
    "one before others, not in all calls": "def f(a, b):\n    return b\n\nf(«1, >»2)\nx = f(3, 4)\n",
    "a method": "class C:\n    def f(self, a‹, b>›):\n        return a\n\n    def g(self):\n        self.f(1«, 2>»)\n",
    "a constructor": "class C:\n    def __init__(self, a‹, b>›):\n        self.a = a\n\nC(1«, 2>»)\n",
    "a keyword": "def f(‹a, >›b):\n    return b\n\nf(b=1«, a=2>»)\n",
    "not while another call gives it": "def f(a, b=1):\n    return a\n\nf(1«, 2>»)\ng(f(1, 3))\n",
    "not what is used otherwise": "def f(a, b):\n    return a\n\nf(1«, 2>»)\nmap(f, c)\n",
    "a new keyword": "def f(a‹>, deep›):\n    return a\n\nf(1«>, deep=True»)\n",
    "a new keyword beside other calls": "def f(a‹>, deep=None›):\n    return a\n\nx = f(2)\nf(1«>, deep=x or 1»)\n",
    "a name beyond the parameters": "def f(a‹>, size›):\n    return a\n\nf(1«>, size»)\n",
    "no value without a name": "def f(a):\n    return a\n\nf(1«>, 2»)\n",
    "no function that takes any number": "def f(a, *b):\n    return a\n\nf(1«>, size»)\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_the_parameters_follow_the_call(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "call")
