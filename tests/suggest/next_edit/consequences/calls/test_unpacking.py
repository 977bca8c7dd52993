"""What follows from one more or one less returned value: the calls whose result is unpacked."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

PYTHON = {
    "a value that goes": "def f():\n    return a, b«, c>»\nx, y‹, z>› = f()\n",
    "the first one": "def f():\n    return «a, >»b, c\n‹x, >›y, z = f()\n",
    "one of two": "def f():\n    return a«, b>»\n‹x, y>x› = f()\n",
    "a value with a name": "def f():\n    return a, b«>, self.count»\nx, y‹>, count› = f()\n",
    "one more than one": "def f():\n    return a«>, b»\ndef g():\n    x‹>, b› = f()\n",
    "awaited": "async def f():\n    return a«>, b»\nasync def g():\n    x‹>, b› = await f()\n",
    "in brackets": "def f():\n    return a, b«>, c»\ndef g():\n    (x, y‹>, c›) = f()\n",
    "a method of the object itself": (
        "class A:\n    def f(self):\n        return a«, b>»\n    def g(self, other):\n        ‹x, y>x› = self.f()\n"
        "        x, y = other.f()\n        x, y = super().f()\n\n\nx, y = A().f()\n\n\n"
        "class B:\n    def g(self):\n        x, y = self.f()\n"
    ),
    "nothing for a method that is overridden": (
        "class A:\n    def f(self):\n        return a«, b>»\n    def g(self, other):\n        x, y = self.f()\n\n\n"
        "class B(A):\n    def f(self):\n        return 1, 2\n"
    ),
    "not a function of a module": (
        "import os\n\n\ndef split(a):\n    return a«, 1>»\n\n\nhead, tail = os.path.split(p)\n‹a, b>a› = split(p)\n"
    ),
    "not a parameter of that name": "def f():\n    return a«, b>»\ndef g(f):\n    x, y = f()\n",
    "not what is declared with a type": "def f():\n    return a«>, b»\ndef g():\n    x: int = f()\n",
    "not what is assigned twice": "def f():\n    return a«>, b»\ndef g():\n    x = y = f()\n",
    "not what is not awaited": "async def f():\n    return a«>, b»\ndef g():\n    x = f()\n",
    "nothing for a generator": "def f():\n    yield c\n    return a«>, b»\ndef g():\n    x = f()\n",
    "not beside comments": "def f():\n    return a, b«, c>»\n(\n    x,  # one\n    y,\n) = f()\n",
    "nothing for what is not unpacked": "def f():\n    return a, b«>, c»\nx = f()\ng(f())\n",
    "nothing for another number of targets": "def f():\n    return a, b«>, c»\nx, y, z = f()\n",
    "nothing while other values are returned": (
        "def f():\n    if x:\n        return a, b\n    return a, b«>, c»\nx, y = f()\n"
    ),
    "nothing for two functions of the name": "def f():\n    return a, b«>, c»\ndef f():\n    pass\nx, y = f()\n",
    "nothing for what came of a call": "def f():\n    return a«>, len(a)»\nx = f()\n",
    "nothing for a name that is taken": "def f():\n    return a«>, b»\nb = 1\nx = f()\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_calls_unpack_as_many(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "unpacking")


def test_a_value_without_a_name_is_led_to() -> None:
    made = outcome(played("def f():\n    return a, b«>, len(a)»\nx, y = f()\n"))
    places = [one for one in made.places if one.source == "unpacking"]
    assert [(one.document.syntax.buffer.line_at(one.start), one.kind) for one in places] == [(2, "added/several")]


def test_other_files_that_import_it() -> None:
    assert_follows(
        {
            "file:///w/home.py": "def split(a):\n    return a«, 1>»\n",
            "file:///w/one.py": "from home import split\n\n‹a, b>a› = split(p)\nname, end = os.path.split(p)\n",
            "file:///w/two.py": "import home\n\n‹a, b>a› = home.split(p)\n",
            "file:///w/three.py": "def split(a):\n    return a, 1\n\n\na, b = split(p)\n",
        },
        "unpacking",
    )
