"""Type parameters of Python 3.12: seen in the header of their declaration and in all that stands in it."""

from __future__ import annotations

import pytest

from .marked import assert_marked

CASES = {
    "a function": "T = 1\ndef f[«T»](rows: list[«T»]) -> «T»:\n    x: «T» = rows[0]\n    return x\nprint(T)\n",
    "a bound": "def f[«A»: int](a: «A») -> «A»: pass\n",
    "what a bound names": "class «B»: pass\ndef f[A: «B»](a: A): pass\n",
    "many types": "def f[*«V», **P](*b: *«V»): pass\n",
    "parameters of parameters": "def f[**«P»](g: Callable[«P», int]): pass\n",
    "a class": "class Box[«T»](Base[«T»]):\n    a: «T»\n    def m(self, x: «T») -> «T»:\n        «T»\nprint(T)\n",
    "a class in a function": "def f():\n    class Box[«T»]:\n        def m(self): return «T»\n    return T\n",
    "an alias": "type «Pair»[K] = dict[K, K]\nprint(«Pair»)\n",
    "of an alias": "type Pair[«K»] = dict[«K», «K»]\n",
    "members are not seen in methods": "«a» = 1\nclass Box[T]:\n    a = 2\n    def m(self): return «a»\n",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES)
def test_references(marked: str) -> None:
    assert_marked(marked)
