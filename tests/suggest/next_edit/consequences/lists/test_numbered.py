"""What follows from a number: those behind it in a row, and the same version or year elsewhere."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "a line that came": "A = 1\nB = 2\n«>X = 3\n»C = ‹3>4›\nD = ‹4>5›\n",
    "a line that went": "A = 0\n«B = 1\n>»C = ‹2>1›\nD = ‹3>2›\n",
    "a number that changed": "f(x, row=0)\nf(y, row=«1>2»)\nf(z, row=‹2>3›)\ng()\nf(w, row=‹3>4›)\n",
    "comments": "# 1. a\nf()\n«># 2. x\ng()\n»# ‹2>3›. b\nh()\n# ‹3>4›. c\n",
    "up to a gap": "A = 1\n«>X = 2\n»B = ‹2>3›\nC = ‹3>4›\nD = 7\n",
    "nothing where none is doubled": "A = 1\nB = 2\n«>X = 7\n»C = 3\n",
    "nothing for lines of another kind": "A = 1\n«>X = 2\n»f(2)\nf(3)\n",
    "nothing for one line": "«>X = 2\n»B = 2\n",
    "a version": '"""Client 1.4.2."""\nV = "1.«4.2>5.0»"\nU = "c/‹1.4.2>1.5.0›"\nW = "11.4.2"\nX = "1.4.21"\n'.replace(
        '"""Client 1.4.2."""', '"""Client ‹1.4.2>1.5.0›."""'
    ),
    "zeros before a number": "# 01. a\nf()\n«># 02. x\ng()\n»# ‹02>03›. b\nh()\n# ‹03>04›. c\n",
    "a number that grows": "f(a, 8)\n«>f(x, 9)\n»f(b, ‹9>10›)\nf(c, ‹10>11›)\n",
    "nothing for digits of other scripts": "# １. a\nf()\n«># ２. x\ng()\n»# ２. b\nh()\n# ３. c\n",
    "no address": "HOST = '10.0.0.«1>2»'\nOTHER = '10.0.0.1'\n",
    "a version of four parts": "VERSION = '1.0.0.«1>2»'\nOTHER = '‹1.0.0.1>1.0.0.2›'\n",
    "no version of a dependency": (
        "__version__ = '1.2.«3>4»'\nA = ['a==1.2.3', 'a >= 1.2.3', 'b~=1.2.3', 'b^1.2.3', '>=1.2.3', 'b@1.2.3']\n"
        "B = {'a': '1.2.3', 'b': '^1.2.3', 'version': '‹1.2.3>1.2.4›'}\nC = 'group:name:1.2.3'\nD = 'name-1.2.3'\n"
        "# needs library 1.2.3\n# since 1.2.3\n# .. versionadded:: 1.2.3\n# library: 1.2.3\n"
        "# version ‹1.2.3>1.2.4›\nE = 'own/‹1.2.3>1.2.4›'\nF = '/v‹1.2.3>1.2.4›/'\nassert v == '‹1.2.3>1.2.4›'\n"
    ),
    "the version of a dependency": (
        "A = ['one==1.2.«3>4»']\nB = ['one==‹1.2.3>1.2.4›', 'two==1.2.3']\n__version__ = '1.2.3'\n"
    ),
    "nothing for a requirement without a name": "A = '>=1.2.«3>4»'\nB = '>=1.2.3'\nC = '1.2.3'\n",
    "no version of two parts": 'V = "«1.4>1.5»"\nU = "1.4"\n',
    "a year": "# (c) «2023>2024» A\nX = '‹2023>2024›, A'\nY = 2023\nZ = 'a2023'\n",
    "no number": "# see «2023>1923» A\nX = 2023\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_numbers_follow(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "numbered")


def test_a_version_in_another_open_file() -> None:
    assert_follows({"file:///w/a.py": 'V = "«1.4.2>1.5.0»"\n', "file:///w/b.java": 'f("‹1.4.2>1.5.0›");\n'}, "numbered")
