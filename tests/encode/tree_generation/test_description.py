"""A function without a body, as the words that a model of programs reads."""

from __future__ import annotations

import pytest
from editahead.analysis.function_heads import FunctionHead, head_at
from editahead.encode.tree_generation.description import MAX_WORDS, description_of
from editahead.encode.tree_generation.steps import Description
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

CLASS = '''import os.path as where
from .names import (first,
                    second as other)

LIMIT = 3


class Shape(Base, metaclass=Meta):
    sides: int = 4

    def __init__(self, width: float, name="box", *rest, **more) -> None:
        self._width = width
        self.name = name

    @property
    def width(self) -> float:
        """How wide it is, `_width`."""
        ‸
    @property
    def height(self):
        return self._width * 2


def outside(shape, /, *, deep: bool = False):
    return first(shape.depth, deep)
'''


def opened(text: str) -> SyntaxSnapshot:
    language = by_id("python")
    assert language is not None
    return SyntaxSnapshot.open(Buffer(text.encode()), language)


def described(text: str, name: str) -> Description:
    text = text.replace("‸", "")
    found = description_of(opened(text), text.encode().index(f"def {name}".encode()))
    assert found is not None
    return found


def head_of(text: str, start: str = "def ") -> FunctionHead | None:
    return head_at(opened(text), text.encode().index(start.encode()))


def test_what_is_in_scope_comes_with_its_sign_and_what_it_copies() -> None:
    found = described(CLASS, "width")
    copies = dict(zip(found.words, found.copies, strict=True))
    assert found.words[:4] == ("=width", "=known", "-width", "=private")
    assert copies["=known"]["name"] == "_width"
    assert copies["=private"] == {"name": "_width", "str": "_width"}
    assert copies[",width"]["name"] == "_width"
    assert copies[".name"]["name"] == "name"
    assert {"^Shape", "&Base", "@property", ">float", "(self", ")height", "%first", "%other", "%where", "%LIMIT"} <= {
        *found.words
    }
    assert "%second" not in found.words
    assert [word for word in found.words if word[0] == "<"][:4] == ["<return", "<self", "<.", "<_width"]
    assert found.positions("name", "_width")


def test_parameters_with_marks_annotations_and_defaults() -> None:
    found = described(
        CLASS.replace("        self._width = width\n        self.name = name\n", "        pass\n"), "__init__"
    )
    at = found.words.index("(width")
    assert found.words[at : at + 9] == (
        "(width", "(known", ":float", "(name", "?\"box\"", "*rest", "**more", "^Shape", "&Base"
    )  # fmt: skip
    assert found.copies[at + 1]["name"] == "_width"
    assert found.copies[at + 4] == {"str": "box"}


@pytest.mark.parametrize("body", ["", "        pass\n", "        ...\n", "\n\n", "        # soon\n"])
def test_what_stands_in_an_empty_body_does_not_count(body: str) -> None:
    text = CLASS.replace("        ‸\n", body)
    assert described(text, "width") == described(CLASS, "width")


@pytest.mark.parametrize("body", ["", "    pass\n", "    ...\n"])
def test_the_same_without_a_docstring(body: str) -> None:
    text = "LIMIT = 3\n\ndef f(x, y=LIMIT):\n" + body + "\ndef g(x):\n    return x + LIMIT\n"
    assert described(text, "f") == described(text.replace(body, "    pass\n") if body else text, "f")
    assert "<return" in described(text, "f").words


def test_broken_code_around_changes_little() -> None:
    whole = described(CLASS, "width")
    broken = described(CLASS.replace("return first(shape.depth, deep)", "return first(shape.depth, ["), "width")
    assert set(whole.words) - set(broken.words) <= {"~depth", "~deep"}


def test_no_head_where_none_begins_or_none_ends() -> None:
    assert head_of("x = 1\n", "x") is None
    assert head_of("def f(x)\n\ndef g(y):\n    pass\n") is None
    assert head_of("def f(x\n") is None
    assert head_of("def ") is None


def test_heads_in_odd_places() -> None:
    head = head_of(
        "async def f[T](a, b=(1, {2: 3}), *, c: 'T' = [], **k) -> dict[str, T]: 'Text.'; return a\n", "async"
    )
    assert head is not None
    assert [(parameter.mark, parameter.name) for parameter in head.parameters] == [
        ("", "a"),
        ("", "b"),
        ("", "c"),
        ("**", "k"),
    ]
    assert [token.text for token in head.parameters[1].default] == ["(", "1", ",", "{", "2", ":", "3", "}", ")"]
    assert head.docstring is not None
    nested = head_of("class A:\n    def f(self):\n        def g(x):\n            pass\n", "def g")
    assert nested is not None
    assert nested.class_line is None
    method = head_of("class A:\n    if True:\n        def f(self):\n            pass\n")
    assert method is not None
    assert method.class_line == 0


def test_a_string_that_is_no_docstring_is_none() -> None:
    for text in (
        'def f():\n    "a".join([])\n',
        'def f():\n    f"a{1}"\n',
        'def f():\n"outside"\n',
        "def f():\n    b''\n",
    ):
        head = head_of(text)
        assert head is not None
        assert head.docstring is None, text


def test_the_bytes_of_a_long_docstring_are_all_of_it() -> None:
    text = 'def f(x):\n    """' + "Wörter " * 100 + '"""\n'
    head = head_of(text)
    assert head is not None
    assert head.docstring is not None
    assert text.encode()[head.docstring[0] : head.docstring[1]].endswith('Wörter """'.encode())
    assert "wörter" in described(text, "f").words


def test_never_too_many_words() -> None:
    many = ", ".join(f"name_{n}: Type{n} = {n}" for n in range(60))
    body = "".join(f"        self.attribute_{n} = name_{n}\n" for n in range(60))
    text = (
        f"class A:\n    def __init__(self, {many}):\n{body}\n    def f(self, {many}):\n        '''{'word ' * 300}'''\n"
    )
    assert len(described(text, "f").words) <= MAX_WORDS


def test_a_snapshot_that_was_edited_describes_as_a_fresh_one() -> None:
    text = CLASS.replace("‸", "return self._width").encode()
    start = text.index(b"return self._width")
    language = by_id("python")
    assert language is not None
    whole = SyntaxSnapshot.open(Buffer(text), language)
    whole.lines(0, whole.line_count)
    edit = ByteEdit(start, start + len(b"return self._width"), b"")
    cut = whole.advance(whole.buffer.apply(edit), [edit])
    assert description_of(cut, text.index(b"def width")) == described(CLASS, "width")


@pytest.mark.parametrize("body", ["x = {{}: 1}", "f'{{{1}}}'", "'\\x'", "f'{x!r:{1}}' '{'", '"""', "('a' {1: 2})"])
def test_odd_strings_near_by_do_no_harm(body: str) -> None:
    text = f"def g(x):\n    {body}\ndef f(x):\n    pass\n"
    found = description_of(opened(text), text.encode().index(b"def f"))
    assert found is None or len(found.words) == len(found.copies)


def test_names_that_are_spelled_alike_are_pointed_out() -> None:
    text = "class A:\n    def f(self):\n        self._offset = self.base_url + self.UserName\n\n"
    for name, word, copied in (
        ("utcoffset", "=like", "_offset"), ("get_offset", "=rest known", "_offset"), ("offset", "=known", "_offset"),
        ("user_name", "=known", "UserName"), ("__url__", "", ""), ("url", "", ""), ("size", "", ""),
    ):  # fmt: skip
        found = described(f"{text}    def {name}(self, baseurl):\n        pass\n", name)
        pointed = {
            w: c["name"]
            for w, c in zip(found.words, found.copies, strict=True)
            if w in ("=known", "=like", "=rest known")
        }
        assert pointed == ({word: copied} if word else {}), name
        assert found.copies[found.words.index("(known")]["name"] == "base_url"
