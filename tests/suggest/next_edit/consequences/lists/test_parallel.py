"""What follows from a line that came or went in one of two lists that name the same things."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

PYTHON = {
    "a key and an argument": (
        'a = {\n    "name": x.name,\n    "mail": x.mail,\n«    "phone": x.phone,\n>»}\n'
        'b = f(\n    name=d["name"],\n    mail=d["mail"],‹>\n    phone=d["phone"],›\n)\n'
    ),
    "the last item, which has no comma": (
        'a = {\n    "name": 1,\n    "mail": 2,\n«    "phone": 3,\n>»}\n'
        'b = [\n    "name",\n    "mail"‹>,\n    "phone"›\n]\n'
    ),
    "assignments": "f.name = 1\nf.mail = 2\n«f.phone = 3\n>»\ng.name = 1\ng.mail = 1‹>\ng.phone = 1›\n",
    "calls alone stay": "f.name = 1\nf.mail = 2\n«f.phone = 3\n>»\ng(f.name)\ng(f.mail)\nif x: name()\nif x: mail()\n",
    "no operands": (
        "f.name = 1\nf.mail = 2\n«f.phone = 3\n>»\ny = (\n    name\n    and\n    mail\n)\n"
        "z = (\n    name and\n    mail and\n    z)\nw = f.name + \\\n    name + \\\n    mail\n"
    ),
    "no comments and no texts": (
        "f.name = 1\nf.mail = 2\n«f.phone = 3\n>»\n# name\n# mail\nS = '''\ng.name = 1\ng.mail = 1\n'''\n"
        "a = [\n    name,\n    # name\n    # mail\n]\n"
    ),
    "no comma behind a comment": (
        "f.name = 1\nf.mail = 2\n«f.phone = 3\n>»\na = [\n    name,\n    mail  # last\n]\n"
        "b = [\n    name,\n    mail‹>,\n"
        "    phone›\n]\n"
    ),
    "no definition that goes": (
        "f.name = 1\nf.mail = 2\n«f.phone = 3\n>»\n\ndef name():\n    pass\n"
        "def mail():\n    pass\ndef phone():\n    pass\n"
    ),
    "no parameter that goes": (
        "f.name = 1\nf.mail = 2\n«f.phone = 3\n>»\n\ndef g(\n    name,\n    mail,\n    phone,\n):\n    return phone\n"
    ),
    "no call that goes": "f.name = 1\nf.mail = 2\n«f.phone = 3\n>»\ng(f.name)\ng(f.mail)\ng(f.phone)\n",
    "nothing for lines of comments": "# name\n# mail\n«# phone\n>»\na = [\n    name,\n    mail,\n]\n",
    "nothing where it stands already": ("f.name = 1\nf.mail = 2\n«f.phone = 3\n>»\ng(f.name)\ng(f.mail)\ng(f.phone)\n"),
    "nothing beside other neighbours": "f.name = 1\nf.mail = 2\n«f.phone = 3\n>»\ng(f.city)\ng(f.mail)\n",
    "a line that goes": (
        'a = {\n    "name": 1,\n    "mail": 2,\n«    "phone": 3,\n>»}\n'
        'b = [\n    "name",\n    "mail",\n‹    "phone",\n>›]\n'
    ),
    "a member of an enum and its case": (
        "class Color(Enum):\n    RED = 1\n    GREEN = 2\n«    BLUE = 3\n>»\n\n"
        "match c:\n    case Color.RED:\n        f('red')\n"
        "    case Color.GREEN:\n        f('green')‹>\n    case Color.BLUE:\n        f('blue')›\n"
    ),
}
_GOES = {"a line that goes", "no definition that goes", "no parameter that goes", "no call that goes"}


def _came(marked: str) -> str:
    """The same with a line that comes: marks hold what goes first."""
    return marked.replace("«", "«>", 1).replace("\n>»", "\n»", 1)


@pytest.mark.parametrize("name", PYTHON)
def test_the_other_list_follows(name: str) -> None:
    assert_follows({"file:///w/home.py": PYTHON[name] if name in _GOES else _came(PYTHON[name])}, "parallel")


def test_an_item_between_commas() -> None:
    marked = (
        "enum Color { RED, GREEN«>, BLUE» }\nclass A {\n  int f(Color c) {\n    switch (c) {\n      case RED:\n"
        '        return g("red");\n      case GREEN:\n        return g("green");‹>\n      case BLUE:\n'
        '        return g("blue");›\n    }\n  }\n}\n'
    )
    assert_follows({"file:///w/Home.java": marked}, "parallel")


def test_values_of_an_enum_that_nobody_knows_are_led_to() -> None:
    marked = (
        "class Color(Enum):\n    RED = 1\n    GREEN = 2\n«>    BLUE = 3\n»\n\nHEX = {\n    Color.RED: 'f00',\n"
        "    Color.GREEN: '0f0',\n}\n"
    )
    made = outcome(played(marked))
    assert not [one for one in made.candidates if one.source == "parallel"]
    places = [one for one in made.places if one.source == "parallel"]
    assert [(one.document.syntax.buffer.line_at(one.start), one.kind) for one in places] == [(8, "added/enum/other")]
