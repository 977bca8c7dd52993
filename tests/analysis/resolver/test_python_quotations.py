"""Texts of Python that are read as code: types in quotes, and the lists of the members of a class."""

from __future__ import annotations

import pytest

from .marked import assert_marked

TYPES = {
    "an annotation": 'class «A»:\n    def m(self, a: "«A»") -> "«A»":\n        b: "«A»" = "A"\n        return b\n',
    "inside of other types": 'class «A»: pass\ndef f(a: "list[«A»]", b: "dict[str, «A»]", c: "«A» | None"): pass\n',
    "an argument of a type": (
        'class «A»: pass\ndef f(a: list["«A»"], b: t.Optional["«A»"], c: Callable[["«A»"], "«A»"]): pass\n'
    ),
    "an alias": 'X = Optional["«A»"]\nY: TypeAlias = "«A» | None"\nclass «A»: pass\nd["A"]\nz: str = "A"\n',
    "a base": 'class B(list["«A»"], Other["A"]): pass\nclass «A»: pass\n',
    "functions that take types": (
        'class «A»: pass\ncast("«A»", "A")\nT = TypeVar("T", bound="«A»")\nU = TypeVar("A", "«A»", int)\n'
        'N = NewType("A", "«A»")\nf("A", bound="A")\n'
    ),
    "no values": (
        'class «A»: pass\nx: Literal["A"]\ny: Annotated["«A»", "A"]\nz: "Literal"\nw: "the A"\nv: f("A")\n'
        'def f(a: int = "A", b="A"): return "A"\n'
    ),
    "a module": 'import «m»\ndef f(a: "«m».A", b: "n.m"): pass\n',
    "a class in a class": 'class A:\n    class «B»: pass\ndef f(b: "A.«B»", c: "B"): pass\n',
    "the scope around a function": 'class «A»:\n    def m(self, A) -> "list[«A»]":\n        x: "A" = 1\n',
}
MEMBERS = {
    "slots": (
        'class A:\n    __slots__ = ("«n»", "k")\n    def __init__(self, n):\n        self.«n» = "n"\n'
        'class B:\n    __slots__ = ("n",)\n'
    ),
    "slots without brackets": (
        'class A:\n    __slots__ = "«n»", "k"\n    __match_args__ = ["«n»"]\n    names = ("n",)\n'
        "    def __init__(self, n):\n        self.«n» = n\nclass B(A):\n    def m(self): return self.«n»\n"
    ),
    "slots of the module": 'class A:\n    def m(self): self.«n» = 1\n__slots__ = ("n",)\n',
}


@pytest.mark.parametrize("marked", TYPES.values(), ids=TYPES)
def test_a_type_in_quotes_is_a_use(marked: str) -> None:
    assert_marked(marked)


@pytest.mark.parametrize("marked", MEMBERS.values(), ids=MEMBERS)
def test_an_item_of_such_a_list_is_a_member(marked: str) -> None:
    assert_marked(marked)
