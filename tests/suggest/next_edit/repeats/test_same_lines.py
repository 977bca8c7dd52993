"""Lines that a hunk changed, where they stand once more: as they were, indented otherwise, or with other names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.suggest.next_edit.repeats.same_lines import (
    MAX_CANDIDATES,
    MAX_COMPARED,
    SameLines,
    analogy,
    replace_names,
)
from editahead.suggest.types import Document, Rejection

from tests.suggest.next_edit.repeats.test_pattern_queue import document

OLD = '    raise Broken(name + ": " + text)\n'
NEW = '    raise Broken(f"{name}: {text}") from None\n'


def after(asked: Document) -> list[bytes]:
    """The texts that the candidates would make."""
    found = SameLines().candidates(asked, lambda: None)
    return [one.edit.apply(one.document.syntax.buffer.data) for one in found]


def test_the_same_line_in_another_function_is_changed_alike() -> None:
    text = f"def f(name, text):\n{OLD}\n\ndef g(name, text):\n    if name:\n    {OLD}"
    (made,) = after(document(text, (OLD, NEW)))
    assert made.decode() == f"def f(name, text):\n{NEW}\n\ndef g(name, text):\n    if name:\n    {NEW}"


def test_lines_with_other_names_are_changed_with_these_names() -> None:
    other = OLD.replace("name", "title")
    text = f"def f(name, text):\n{OLD}\n\ndef g(title, text):\n{other}"
    (made,) = after(document(text, (OLD, NEW)))
    assert made.decode().endswith(NEW.replace("name", "title"))


def test_a_name_that_the_change_was_about_stands_for_no_other() -> None:
    text = "def f(size):\n    total = call(size, limit)\n\n\ndef g(size):\n    total = call(size, bound)\n"
    assert after(document(text, ("total = call(size, limit)", "total = call(size, 7)"))) == []


def test_lines_that_came_are_found_by_the_lines_around_them() -> None:
    around = "    first_step(data)\n    second_step(data)\n"
    come = "    first_step(data)\n    check(data)\n    second_step(data)\n"
    (made,) = after(document(f"def f(data):\n{around}\n\ndef g(data):\n{around}", (around, come)))
    assert made.decode() == f"def f(data):\n{come}\n\ndef g(data):\n{come}"


def test_lines_that_came_are_found_where_a_name_around_them_differs() -> None:
    def both(come: str) -> str:
        return "".join(f'def {name}():\n    """Equivalent of {name} here.{come}\n    """\n' for name in ("f", "g"))

    come = "\n\n    Parameters: none."
    before, after_one = both("").split("def g")[0], both(come).split("def g")[0]
    (made,) = after(document(both(""), (before, after_one)))
    assert made.decode() == both(come)


def test_lines_that_went_go_elsewhere_too() -> None:
    line = '    print("state", state)\n'
    (made,) = after(document(f"def f(state):\n{line}    a()\n\n\ndef g(state):\n{line}    b()\n", (line, "")))
    assert made.decode() == "def f(state):\n    a()\n\n\ndef g(state):\n    b()\n"


@pytest.mark.parametrize("line", ["    else:\n", "    return\n", "    )\n", "\n"])
def test_a_line_that_says_little_is_not_looked_for(line: str) -> None:
    text = f"def f():\n{line}    a()\n\n\ndef g():\n{line}    b()\n"
    assert after(document(text, (f"{line}    a()", "    pass\n    a()"))) == []


def test_other_open_files_are_looked_at_and_what_was_turned_down_rests() -> None:
    here, beside = (
        document(OLD.strip() + "\n", (OLD.strip(), NEW.strip())),
        document(OLD.strip() + "\n", uri="file:///b"),
    )
    asked = replace(here, others=(beside,))
    (found,) = SameLines().candidates(asked, lambda: None)
    assert found.document.uri == "file:///b"
    rejected = replace(asked, rejections=(Rejection(found.pattern, asked.now),))
    assert SameLines().candidates(rejected, lambda: None) == []


@pytest.mark.parametrize("count", [500, 1000, 2000])
def test_the_places_of_a_long_file_are_bounded_by_work(count: int) -> None:
    looked = 0

    def check() -> None:
        nonlocal looked
        looked += 1

    asked = document(OLD.strip() + "\n" + (OLD.strip() + "\n") * count, (OLD.strip(), NEW.strip()))
    assert len(SameLines().candidates(asked, check)) == MAX_CANDIDATES
    assert looked <= 2 * MAX_COMPARED + 10


def test_an_analogy_keeps_one_name_for_one_name() -> None:
    assert analogy(["a_b = call(a_b, c_d)"], ["x_y = call(x_y, c_d)"]) == {"a_b": "x_y"}
    assert analogy(["a_b = call(a_b, c_d)"], ["x_y = call(z_z, c_d)"]) is None
    assert analogy(["a = b(c)"], ["a = b[c]"]) is None
    assert replace_names('f(a, "a b", a_b)', {"a": "z"}) == 'f(z, "z b", a_b)'
