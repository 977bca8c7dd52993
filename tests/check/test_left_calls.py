"""Calls that no longer fit: what a call by the class gives, and functions that a decorator may change."""

from __future__ import annotations

import pytest

from tests.check.changes import file, kinds, other

METHOD = "class K:\n    def m(self, a):\n        return a\n\n\nx = K.m(K(), 1)\ny = K().m(1)\n"


def test_a_call_by_the_class_gives_the_object_too() -> None:
    after = METHOD.replace("(self, a)", "(self, a, b)")
    assert kinds(file(METHOD, after)) == [("call", "m"), ("call", "m")]
    assert kinds(file(METHOD, after.replace("K.m(K(), 1)", "K.m(K(), 1, 2)"))) == [("call", "m")]
    assert kinds(file(METHOD, after.replace("m(1)", "m(1, 2)").replace("K.m(K(), 1)", "K.m(K(), 1, 2)"))) == []


@pytest.mark.parametrize(("decorator", "first"), [("@classmethod", "cls, "), ("@staticmethod", "")])
def test_a_call_by_the_class_gives_no_object_to_a_class_method_or_a_static_one(decorator: str, first: str) -> None:
    before = f"class K:\n    {decorator}\n    def m({first}a):\n        return a\n\n\nx = K.m(1)\n"
    after = before.replace(f"({first}a)", f"({first}a, b)")
    assert kinds(file(before, after)) == [("call", "m")]
    assert kinds(file(before, after.replace("K.m(1)", "K.m(1, 2)"))) == []


def test_the_constructor_of_a_base_is_called_by_its_class() -> None:
    before = (
        "class Base:\n    def __init__(self, a):\n        self.a = a\n\n"
        "class K(Base):\n    def __init__(self, a):\n        Base.__init__(self, a)\n"
    )
    after = before.replace("(self, a):\n        self.a", "(self, a, b):\n        self.a")
    assert kinds(file(before, after)) == [("call", "__init__")]
    assert kinds(file(before, after.replace("Base.__init__(self, a)", "Base.__init__(self, a, 1)"))) == []
    by_super = after.replace("Base.__init__(self, a)", "super().__init__(a, 1)")
    assert kinds(file(before.replace("Base.__init__(self, a)", "super().__init__(a)"), by_super)) == []


def test_a_function_of_a_class_body_and_new_get_all_that_they_declare() -> None:
    before = "class K:\n    def made(a):\n        return a\n\n    x = made(1)\n"
    after = before.replace("made(a)", "made(a, b)")
    assert kinds(file(before, after)) == [("call", "made")]
    assert kinds(file(before, after.replace("made(1)", "made(1, 2)"))) == []
    new = (
        "class A:\n    def __new__(cls, a):\n        return a\n\n"
        "class B(A):\n    def __new__(cls, a):\n        return A.__new__(cls, a)\n"
    )
    after = new.replace("(cls, a):\n        return a\n", "(cls, a, b):\n        return a\n")
    assert kinds(file(new, after.replace("A.__new__(cls, a)", "A.__new__(cls, a, 1)"))) == []


@pytest.mark.parametrize(
    ("decorator", "told"),
    [("@retry", False), ("@click.option('--a')", False), ("@functools.lru_cache(None)", True), ("@cache", True)],
)
def test_calls_of_what_a_decorator_may_change(decorator: str, told: bool) -> None:
    before = f"{decorator}\ndef f(a):\n    return a\n\n\nf(1)\n"
    after = before.replace("f(a)", "f(a, b)")
    user = other("from pkg.a import f\n\nf(1)\n", "use.py")
    expected = [("call", "f"), ("call-elsewhere", "f")] if told else []
    assert [row for row in kinds(file(before, after), others=[user]) if row[0] != "undefined-name"] == expected


def test_a_class_whose_decorator_may_change_its_constructor() -> None:
    before = "@registered\nclass K:\n    def __init__(self, a):\n        pass\n\n\nK(1)\n"
    assert kinds(file(before, before.replace("self, a", "self, a, b"))) == []
    plain = before.replace("@registered", "@total_ordering")
    assert kinds(file(plain, plain.replace("self, a", "self, a, b"))) == [("call", "K")]
