"""Docstrings and comments that name a renamed declaration as code; plain words of English are left alone."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "a field of a docstring": (
        'def f(«size>width»):\n    """The size of it.\n\n    :param ‹size>width›: the size\n'
        '    :type ‹size>width›: int\n    """\n'
    ),
    "a list of arguments": (
        'def f(«size>width», b):\n    """Say the size.\n\n    Args:\n'
        '        ‹size>width› (int): the size: large\n        b: size: x\n    """\n'
    ),
    "the way of numpy": (
        'def f(«size>width»):\n    """Say.\n\n    Parameters\n    ----------\n    ‹size>width› : int\n'
        '        The size.\n    """\n'
    ),
    "between backticks": (
        "def f(«size>width»):\n    # `‹size>width›` is the size; ``‹size>width›`` too, not `box.size`\n"
        "    return ‹size>width›\n"
        "# `size` of another\n"
    ),
    "a function": (
        'def «load>read»():\n    """Load `‹load>read›` and :func:`~home.‹load>read›`, load it."""\n'
        "# ``‹load>read›()`` loads\n"
        "x = '`load`'\n"
    ),
    "another one of that name": (
        "def «load>read»(): ...\n# :func:`json.load` and `home.‹load>read›` and `self.load`\n"
    ),
    "a method": (
        'class C:\n    """Has `‹size>width›` and `C.‹size>width›`, not `box.size`."""\n'
        "    def «size>width»(self): ...\n"
        "# `size`\n"
    ),
    "a heading": "def f(«size>width»):\n    # size: the largest\n    return ‹size>width›\n",
    "a name with letters that are not ASCII": (
        'def f(«größe>breite»):\n    """Say.\n\n    :param ‹größe>breite›: the `‹größe>breite›`\n'
        '    :param übergröße: another\n    """\n'
    ),
    "the end of a longer name": 'def f(«e>breite»):\n    """Say `größe`.\n\n    :param größe: another\n    """\n',
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_the_text_about_it_follows(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked})


def test_in_comments_above_a_method_too() -> None:
    text = (
        "class A {\n  /**\n   * The size of it.\n   * @param ‹size>width› the size\n   */\n"
        "  int m(int «size>width») { return ‹size>width›; }\n  // @param size\n  int n(int size) { return size; }\n}\n"
    )
    assert_follows({"file:///w/A.java": text})
