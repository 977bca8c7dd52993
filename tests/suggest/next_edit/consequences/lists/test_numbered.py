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
    "no version of two parts": 'V = "«1.4>1.5»"\nU = "1.4"\n',
    "a year": "# (c) «2023>2024» A\nX = '‹2023>2024›, A'\nY = 2023\nZ = 'a2023'\n",
    "no number": "# see «2023>1923» A\nX = 2023\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_numbers_follow(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "numbered")


def test_a_version_in_another_open_file() -> None:
    assert_follows({"file:///w/a.py": 'V = "«1.4.2>1.5.0»"\n', "file:///w/b.java": 'f("‹1.4.2>1.5.0›");\n'}, "numbered")
