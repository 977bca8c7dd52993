"""Names that nothing declares, and those that the language, the file or something unknown gives."""

from __future__ import annotations

import pytest

from tests.check.changes import file, kinds, other


@pytest.mark.parametrize(
    "written",
    [
        "def first[T](rows: list[T]) -> T:\n    return rows[0]\n",
        "type Pair[K] = dict[K, K]\nx: Pair\n",
        "def g[K: int, *V](a: K, *b: *V) -> K:\n    return a\n",
        "class Base[T]:\n    pass\n\nclass Box[T](Base[T]):\n    def m(self) -> T:\n        return cast(T, 1)\n",
    ],
)
def test_type_parameters_are_declared(written: str) -> None:
    assert (
        kinds(file("from typing import cast\nprint(cast)\n", "from typing import cast\nprint(cast)\n" + written)) == []
    )


@pytest.mark.parametrize("name", ["WindowsError", "PythonFinalizationError", "ExceptionGroup", "__annotations__"])
def test_what_some_interpreter_has_built_in(name: str) -> None:
    assert kinds(file("x = 1\n", f"x = 1\ntry:\n    x()\nexcept {name}:\n    pass\n")) == []


@pytest.mark.parametrize(
    "line",
    ["globals().update(found)", "vars()['a'] = 1", "setattr(sys.modules[__name__], 'a', 1)", "exec(code)"],
)
def test_a_module_that_binds_names_by_their_text(line: str) -> None:
    before = f"import sys\nfrom b import code, found\n{line}\nprint(sys, code, found)\n"
    assert kinds(file(before, before + "print(late)\n")) == []
    user = "from pkg.home import late\nlate()\n"
    old = before + "def late():\n    pass\n"
    assert kinds(file(old, before, "pkg/home.py"), others=[other(user, "use.py")]) == []


CLASS = "class Shape:\n    def use(self):\n        return 1\n"


def written(head: str, extra: str = "", before: str = "") -> list[tuple[str, str]]:
    """What is told of a class with this head when a method comes to read `self.late`."""
    old = CLASS.replace("class Shape:", head) + before
    return kinds(file(old, old.replace("return 1", "return self.late") + extra))


def test_a_member_that_no_class_declares() -> None:
    for head in (
        "class Shape:",
        "class Shape(metaclass=ABCMeta):",
        "@dataclasses.dataclass(frozen=True)\nclass Shape:",
        "@total_ordering\nclass Shape:",
    ):
        assert ("undefined-member", "late") in written(head)
    assert written("class Shape:", "    def late(self):\n        pass\n") == []


@pytest.mark.parametrize(
    "head",
    [
        "class ShapeMixin:",
        "class Shape:\n    __slots__ = ('late', 'other')",
        "class Shape(metaclass=Meta):",
        "@define\nclass Shape:",
        "class Shape:\n    def __init__(self, **names):\n        for name in names: setattr(self, name, 1)",
        "class Shape:\n    def __init__(self, **names):\n        self.__dict__.update(names)",
        "class Shape:\n    def __getattr__(self, name): return 1",
        "class Shape:\n    def __getattribute__(self, name): return 1",
    ],
)
def test_a_member_that_something_else_may_give(head: str) -> None:
    assert [row for row in written(head) if row[0] == "undefined-member"] == []
    base = "class Base:\n    __slots__ = ('late',)\n\n" + CLASS.replace("Shape", "Shape(Base)")
    assert kinds(file(base, base.replace("return 1", "return self.late"))) == []


def test_getattr_that_the_change_wrote_or_took() -> None:
    getattr_ = "    def __getattr__(self, name):\n        return 1\n"
    assert written("class Shape:", getattr_) == []
    old = CLASS + getattr_
    assert kinds(file(old, CLASS.replace("return 1", "return self.late"))) == []


def test_a_class_that_others_subclass() -> None:
    change = file(CLASS, CLASS.replace("return 1", "return self.late"))
    for base in ("Shape", "a.Shape", "Other, Shape"):
        user = other(f"from pkg.a import Shape\n\nclass Square({base}):\n    late = 1\n", "pkg/b.py")
        assert kinds(change, others=[user]) == []
        assert kinds(change, added=[user]) == []
    assert kinds(change, others=[other("from pkg.a import Shape\nShape()\n", "pkg/b.py")]) != []
    assert written("class Shape:", before="\nclass Square(Shape):\n    def late(self):\n        return 2\n") == []
    assert written("class Shape:", before="\nclass Square(Shape, Unknown):\n    pass\n") == []
    assert written("class Shape:", before="\nclass Square(Shape):\n    pass\n") == [("undefined-member", "late")]


def test_a_removed_member_that_subclasses_still_have() -> None:
    before = "class Shape:\n    def area(self):\n        raise E\n    def use(self):\n        return self.area()\n"
    after = before.replace("    def area(self):\n        raise E\n", "")
    assert kinds(file(before, after)) == [("removed-member", "area")]
    inner = "class Square(Shape):\n    pass\n"
    assert kinds(file(before + inner, after + inner)) == [("removed-member", "area")]
    square = other("from pkg.a import Shape\nclass Square(Shape):\n    def area(self):\n        return 1\n", "b.py")
    assert kinds(file(before, after), others=[square]) == []
