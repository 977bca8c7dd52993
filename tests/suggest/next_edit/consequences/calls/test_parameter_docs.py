"""What a docstring or the comment above a function says of a parameter goes with it."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import after, assert_follows, followed, played

HEAD = 'def area(size«, unit>»):\n    """The area.\n\n'
PYTHON = {
    "a field": HEAD + '    :param size: Of a side.\n‹    :param unit: Of the size.\n>›    """\n',
    "a field of several lines, and its type": (
        HEAD + "    :param size: Of a side.\n‹    :param unit: Of the\n        size.\n    :type unit: str\n>›"
        "    :return: It.\n"
        '    """\n'
    ),
    "an item of a list": (
        HEAD + "    Args:\n        size: Of a side.\n‹        unit (str): Of the\n            size.\n>›\n    Returns:\n"
        '        The area.\n    """\n'
    ),
    "the only item with its heading": (
        'def area(«unit>»):\n    """The area.\n‹\n    Args:\n        unit: Of the size.\n>›\n    Returns:\n'
        '        The area.\n    """\n'
    ),
    "an item of a list with types": (
        HEAD + "    Parameters\n    ----------\n    size : int\n        Of a side.\n‹    unit : str\n        Of it.\n>›"
        '    """\n'
    ),
    "the only item below an underlined heading": (
        'def area(«unit>»):\n    """The area.\n‹\n    Parameters\n    ----------\n    unit : str\n        Of it.\n>›'
        '    """\n'
    ),
    "no line that holds the quotes": 'def area(size«, unit>»):\n    """The area.\n\n    :param unit: Of the size."""\n',
    "no other text": HEAD + '    The unit is of the size: unit.\n    """\n',
    "of a method": (
        'class A:\n    def m(self, a«, b>»):\n        """Do it.\n\n        :param a: One.\n‹        :param b: Two.\n>›'
        '        """\n'
    ),
    "not of another function": (
        'def area(size«, unit>»):\n    return size\n\n\ndef other(unit):\n    """It.\n\n    :param unit: Of the size.\n'
        '    """\n'
    ),
}
ABOVE = "  /**\n   * The area.\n   * @param size of a side\n"
OTHERS = {
    "Java": (
        "A.java",
        f"class A {{\n{ABOVE}‹   * @param unit of the\n   *     size\n>›   * @return it\n   */\n  @Deprecated\n"
        "  int area(int size«, int unit>») { return size; }\n}\n",
    ),
    "Java, the last of them": (
        "A.java",
        f"class A {{\n{ABOVE}‹   * @param unit of the size\n>›   */\n"
        "  int area(int size«, int unit>») { return size; }\n}\n",
    ),
    "TypeScript": (
        "a.ts",
        "/**\n * The area.\n‹ * @param {string} unit of the size\n>› */\n"
        "function area(size: number«, unit: string>») { }\n",
    ),
    "no comment of a function above": (
        "A.java",
        f"class A {{\n{ABOVE}   * @param unit of it\n   */\n  int other(int unit) {{ return unit; }}\n\n"
        "  int area(int size«, int unit>») { return size; }\n}\n",
    ),
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON)
def test_python(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked})
    assert followed(played(marked)) == after(marked)


@pytest.mark.parametrize(("name", "marked"), OTHERS.values(), ids=OTHERS)
def test_other_languages(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked})
