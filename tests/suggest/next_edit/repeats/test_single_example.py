"""What one example does not lead to: modifiers of other declarations, names of other functions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.runtime.ort import select_providers
from editahead.suggest.next_edit.editor import NextEditor
from editahead.suggest.next_edit.repeats.pattern_queue import repeated_sites
from editahead.suggest.next_edit.repeats.single_example import in_signature, not_on_one_example
from editahead.suggest.types import Reason, Shown
from editahead.text.edits import ByteEdit

from tests.suggest.next_edit.deciding import next_edit, queue
from tests.suggest.next_edit.repeats.test_pattern_places import User

SHIPPED = [path for path in find_bundles() if path.name.startswith("implicit-attention-")]
needs_bundle = pytest.mark.skipif(not SHIPPED, reason="no edit bundle is shipped")

ASYNC = """def fetch(url):
    return url


def load(path):
    return path


class Store:
    def save(self, item):
        return item
"""
JAVA = """class A {
    int f(int size) { return size; }
    int g(int size) { return size * 2; }
    int m = 2;
}
"""
SCRIPT = """function area(size, unit) {
  return size * size;
}
function volume(size, unit) {
  return size * size * size;
}
"""
METHODS = """class A:
    def get(self, key):
        return self.data[key]

    def set(self, key, value):
        self.data[key] = value

    def has(self, key):
        return key in self.data
"""
ONCE = [
    pytest.param(ASYNC, "python", ("def fetch", "async def fetch"), id="async"),
    pytest.param(JAVA, "java", ("int f", "static int f"), id="static"),
    pytest.param(JAVA, "java", ("int m", "final int m"), id="final"),
    pytest.param(SCRIPT, "javascript", ("function area", "export function area"), id="export"),
    pytest.param(METHODS, "python", ("get(self, key", "get(self, name"), id="parameter"),
    pytest.param(JAVA, "java", ("f(int size", "f(int width"), id="parameter in Java"),
    pytest.param(SCRIPT, "javascript", ("area(size", "area(width"), id="parameter without scopes"),
]


def edit_of(user: User, old: str, new: str, after: str = "") -> ByteEdit:
    """`old` -> `new` behind the text `after`."""
    data = user.syntax.buffer.data
    at = data.index(old.encode(), data.index(after.encode()))
    return ByteEdit(at, at + len(old.encode()), new.encode()).trim(data)


@pytest.mark.slow
@needs_bundle
@pytest.mark.parametrize(("text", "language", "change"), ONCE)
def test_one_example_is_repeated_in_no_other_declaration(text: str, language: str, change: tuple[str, str]) -> None:
    user = User(text, language).replace(change)
    editor = NextEditor(load_bundle(SHIPPED[0]), select_providers("cpu"))
    shown = next_edit(editor, user.document())
    listed = queue(editor, user.document())
    lines = [item.line for item in listed.value.items] if isinstance(listed, Shown) else []
    changed = user.syntax.buffer.line_at(user.document().history.settled[0].start)
    function = range(changed, changed + 2)
    lines += [user.syntax.buffer.line_at(shown.value.edit.start)] if isinstance(shown, Shown) else []
    assert [line for line in lines if line not in function] == []


@pytest.mark.parametrize(
    ("text", "language", "change", "again"),
    [
        (ASYNC, "python", ("def fetch", "async def fetch"), ("def load", "async def load")),
        (JAVA, "java", ("int f(int size", "int f(int width"), ("int g(int size", "int g(int width")),
        (SCRIPT, "javascript", ("area(size", "area(width"), ("volume(size", "volume(width")),
    ],
)
def test_the_gate_is_closed_after_one_example_and_open_after_none(
    text: str, language: str, change: tuple[str, str], again: tuple[str, str]
) -> None:
    fresh = User(text, language)
    assert not_on_one_example(fresh.document(), edit_of(fresh, *again)).passed
    user = User(text, language).replace(change)
    reading = not_on_one_example(user.document(), edit_of(user, *again))
    assert (reading.passed, reading.reason) == (False, Reason.NO_FIT)


def test_two_examples_of_a_modifier_open_it() -> None:
    user = User(ASYNC).replace(("def fetch", "async def fetch"), ("def load", "async def load"))
    assert not_on_one_example(user.document(), edit_of(user, "def save", "async def save")).passed
    assert len(repeated_sites([user.document()]).sites) == 1


def test_two_examples_in_one_function_are_one_and_in_two_functions_are_two() -> None:
    user = User(METHODS).replace(("get(self, key", "get(self, name"), ("[key]", "[name]"))
    edit = edit_of(user, "key", "name", "def has")
    assert not not_on_one_example(user.document(), edit).passed
    user.replace(("set(self, key", "set(self, name"))
    assert not_on_one_example(user.document(), edit_of(user, "key", "name", "def has")).passed


def test_the_rest_of_the_same_function_and_the_arguments_of_its_calls_stay_open() -> None:
    user = User("def f(size):\n    return size\n\ndef g(size):\n    return f(size=size)\n").replace(("size", "width"))
    assert not_on_one_example(user.document(), edit_of(user, "size", "width", "return")).passed
    assert not_on_one_example(user.document(), edit_of(user, "size", "width", "f(size=")).passed
    assert not not_on_one_example(user.document(), edit_of(user, "size", "width", "=size")).passed
    assert not not_on_one_example(user.document(), edit_of(user, "size", "width", "g(")).passed


def test_names_of_the_module_and_attributes_stay_open() -> None:
    user = User("import os\n\ndef f():\n    return os.a\n\ndef g():\n    return os.a\n").replace(("os.a", "os.b"))
    assert not_on_one_example(user.document(), edit_of(user, "a", "b", "os.a")).passed
    user = User("def f():\n    return check(1)\n\ndef g():\n    return check(2)\n").replace(("check(1", "verify(1"))
    assert not_on_one_example(user.document(), edit_of(user, "check", "verify", "def g")).passed


FIELD = """class A {
    /** @param name the name */
    String f(String name) {
        this.name = name;
        return name.trim();
    }
    String name;
    String g() { return name; }
}
"""


def test_other_names_stay_though_a_comment_took_the_new_name() -> None:
    changes = ("f(String name", "f(String title"), ("@param name", "@param title"), ("= name", "= title")
    user = User(FIELD, "java").replace(*changes)
    assert not_on_one_example(user.document(), edit_of(user, "name", "title", "return")).passed
    for after in ("this.", "}\n    String", "g()"):
        assert not not_on_one_example(user.document(), edit_of(user, "name", "title", after)).passed


def test_an_example_in_another_open_file_counts() -> None:
    other = User(ASYNC, uri="file:///w/b").replace(("def fetch", "async def fetch"))
    user = User(ASYNC)
    document = replace(user.document(), others=(other.document(),))
    assert not not_on_one_example(document, edit_of(user, "def save", "async def save")).passed


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("function area(‸size) {", True),
        ("  area(‸size) {", True),
        ("const area = (‸size) => size;", True),
        ("func (b Box) Grow(‸size int) {", True),
        ("fn area(‸size: i32) -> i32 {", True),
        ("if (‸size) {", False),
        ("  return area(‸size);", False),
        ("area(‸size);", False),
        ("‸size = 1;", False),
    ],
)
def test_signatures_are_told_by_tokens(text: str, inside: bool) -> None:
    language = "go" if text.startswith("func ") else "rust" if text.startswith("fn ") else "javascript"
    user = User(text.replace("‸", ""), language)
    assert in_signature(user.document(), len(text.partition("‸")[0].encode())) is inside
