"""What follows from a new helper or constant: the places that it says."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "a helper": (
        "«>def nice(a):\n    return a.b.strip().title()\n\n\n»f(‹x.b.strip().title()>nice(x)›)\n"
        "g(‹y[0].b.strip().title()>nice(y[0])›)\nh(z.c.strip().title())\n"
    ),
    "a helper of two": "«>def far(a, b):\n    return abs(a.x - b.x)\n\n\n"
    "»d = ‹abs(p.x - q.y.x)>far(p, q.y)›\nabs(p.x - 1)\n",
    "a method": (
        "class A:\n«>    def key(self, a):\n        return self.prefix + str(a)\n\n»    def f(self, b):\n"
        "        return g(‹self.prefix + str(b.c)>self.key(b.c)›)\n"
    ),
    "nothing for a body of two statements": "«>def nice(a):\n    f()\n    return a.b.strip()\n\n\n»g(x.b.strip())\n",
    "nothing for a renamed function": "def «neat>nice»(a):\n    return a.b.strip()\n\n\ng(x.b.strip())\n",
    "nothing for parameters that it does not use": "«>def nice(a, c):\n    return a.b.strip()\n\n\n»g(x.b.strip())\n",
    "nothing inside of another one": (
        "«>def nice(a):\n    return rows[a.x + 1]\n\n\n»f(rows[rows[p.x + 1].x + 1])\ng(‹rows[q.x + 1]>nice(q)›)\n"
    ),
    "no target": "«>def nice(a):\n    return rows[a.x + 1]\n\n\n»y = 1\n"
    "rows[p.x + 1] = 2\ng(‹rows[q.x + 1]>nice(q)›)\n",
    "a number": "«>WAIT = 0.25\n»sleep(‹0.25>WAIT›)\nf(10.25, '0.25')\nOTHER = 0.25\n",
    "no round number": "«>WAIT = 100\n»sleep(100)\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_places_follow(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "extracted")


def test_a_constant_in_java() -> None:
    marked = "class A {\n«>  static final int WAIT = 250;\n»  void f() {\n    sleep(‹250>WAIT›);\n  }\n}\n"
    assert_follows({"file:///w/Home.java": marked}, "extracted")
