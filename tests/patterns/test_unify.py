"""Patterns of repeated edits: they give their examples back, and do to a third place what the examples did."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.patterns.matching import is_consistent
from editahead.patterns.pattern import Pattern, is_balanced, owner_of
from editahead.patterns.unify import anti_unify, single_pattern
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from repeats import Hand

CALL = Callable[[str, list[str]], str]


def two(hand: Hand) -> Pattern:
    newest, before, *_ = hand.examples
    pattern = anti_unify(newest, before)
    assert pattern is not None
    return pattern


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        pytest.param(
            "x = check(a)\ny = check(b)\nreturn check(c)\nrecheck(d)\n",
            [("check(a)", "verify(a)"), ("check(b)", "verify(b)")],
            ["return verify(c)"],
            id="a name, whole words only",
        ),
        pytest.param(
            "x = foo(a)\ny = foo(b)\nreturn foo(c.d(1, 2))\nfoo(p, q)\n",
            [("foo(a)", "bar(a, 1)"), ("foo(b)", "bar(b, 1)")],
            ["return bar(c.d(1, 2), 1)"],
            id="an argument that varies, whatever it is",
        ),
        pytest.param(
            'f = load(folder, "a.txt")\ns = load(get(1), "b.txt")\nt = load(x, "c.txt")\n',
            [('"a.txt"', '"a.txt", strict=True'), ('"b.txt"', '"b.txt", strict=True')],
            ['t = load(x, "c.txt", strict=True)'],
            id="an argument more",
        ),
        pytest.param(
            "return self.send(a)\ny = self.send(b)\nself.send(c)\nawait self.send(d)\n",
            [("return self", "return await self"), ("y = self", "y = await self")],
            ["await self.send(c)"],
            id="a keyword before, not twice",
        ),
        pytest.param(
            'raise Bad("a")\nwith x:\n    raise Bad("b")\nwith y:\n    raise Bad("c")\nBad("d")\nwith z:\n    go()\n',
            [('Bad("a")', 'Bad("a") from e'), ('Bad("b")', 'Bad("b") from e')],
            ['    raise Bad("c") from e', 'Bad("d") from e'],
            id="the end of a line goes with its own words, not with those of the next",
        ),
        pytest.param(
            "if x == None:\n    a\nif y == None:\n    b\nwhile z == None:\n    c\nwhile z == 3:\n    c\n",
            [("x == None", "x is None"), ("y == None", "y is None")],
            ["while z is None:"],
            id="an operator, told by the word beside it",
        ),
        pytest.param(
            "show(a)\nshow(b)\nshow(c)\nshow(d, e)\n",
            [("show(a)", 'show("a", a)'), ("show(b)", 'show("b", b)')],
            ['show("c", c)'],
            id="what is written copies what varies",
        ),
        pytest.param(
            "f(a, x=1)\nf(b,  x=1)\ng = f(c, x=1)\n",
            [("(a, x=1", "(a"), ("(b,  x=1", "(b")],
            ["g = f(c)"],
            id="an argument less",
        ),
        pytest.param(
            "def a():\n    x()\n    return 1\n\ndef b():\n    x()\n    return 2\n\ndef c():\n\n\tx()\n\treturn 3\n",
            [(f"x()\n    return {n}", f"x()\n    log()\n    return {n}") for n in (1, 2)],
            ["\tx()\n\tlog()"],
            id="a line more, indented as the lines there",
        ),
        pytest.param(
            "a = old(a)\nb = old(b)\nc = old(d)\nd = old(d)\n",
            [("a = old(a)", "a = new(a, a)"), ("b = old(b)", "b = new(b, b)")],
            ["c = new(d, d)", "d = new(d, d)"],
            id="one hole is what is written twice",
        ),
        pytest.param(
            "self.same(add(1), 1)\nself.same(add(1, 1), 2)\nself.same(add(1, 2), 3)\nself.same(4)\n",
            [("self.same(add(1), 1)", "assert add(1) == 1"), ("self.same(add(1, 1), 2)", "assert add(1, 1) == 2")],
            ["assert add(1, 2) == 3"],
            id="arguments of different lengths",
        ),
        pytest.param(
            "check(6, total([1, 2, 3]))\ncheck(0, total([]))\ncheck(5, total([5]))\n",
            [("6, total([1, 2, 3])", "total([1, 2, 3]), 6"), ("0, total([])", "total([]), 0")],
            ["check(total([5]), 5)"],
            id="arguments that change places",
        ),
    ],
)
def test_two_examples_make_the_third(text: str, changes: list[tuple[str, str]], expected: list[str]) -> None:
    hand = Hand(text)
    for old, new in changes:
        hand.replace(old, new)
    assert hand.lines_after(two(hand)) == expected


def test_a_hole_is_bound_to_one_thing() -> None:
    hand = Hand("a.set(a.get())\nb.set(b.get())\nc.set(c.get())\nd.set(e.get())\n")
    hand.replace("a.set(a.get())", "a.touch()")
    hand.replace("b.set(b.get())", "b.touch()")
    assert hand.lines_after(two(hand)) == ["c.touch()"]


def test_one_example_is_repeated_between_the_same_neighbours_only() -> None:
    hand = Hand("x = check(a)\ny = check(b)\nreturn check(c)\nz = check\n")
    hand.replace("check(a)", "verify(a)")
    pattern = single_pattern(hand.examples[0])
    assert pattern is not None
    assert hand.lines_after(pattern) == ["y = verify(b)"]


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        pytest.param("f(a)\nf(b)\n", [("f(a)", "g(a)"), ("f(b)", "h(b)")], id="written differently"),
        pytest.param("a = 1\nb = 2\n", [("a", "x"), ("b", "y")], id="nothing shared but the kind"),
        pytest.param("f(a)\n+ 1\n", [("f(a)", "f(a, 1)"), ("+ 1", "- 1")], id="two different edits"),
        pytest.param("(a)\n(b)\n", [("(a)", "((a))"), ("(b)", "((b))")], id="no word to know the place by"),
        pytest.param("f(a)\nf(b)\n", [("f(a)", "f(a + k1)"), ("f(b)", "f(b + k2)")], id="something new each time"),
    ],
)
def test_what_is_not_the_same_edit_makes_no_pattern(text: str, changes: list[tuple[str, str]]) -> None:
    hand = Hand(text)
    for old, new in changes:
        hand.replace(old, new)
    newest, before = hand.examples
    assert anti_unify(newest, before) is None


NAMES = st.sampled_from(["load", "store", "emit", "run_all", "größe"])
FIRST = st.sampled_from(["{n}", "self.{n}", "{n}[0]", "get({n}, 1)", "'{n}.txt'", "{n}.x(y=[{n}])", "-{n}"])
SECOND = st.sampled_from(["{n}", "this.{n}", "{n}[1:]", "take({n})", '"{n}.csv"', "{n}.z(w={n})", "not {n}"])
TAILS = st.sampled_from(["", " + 1", "  # note", ".close()", ";"])


@st.composite
def calls(draw: st.DrawFn) -> tuple[Callable[[str, str], str], Callable[[str, str], str], list[tuple[str, str]]]:
    """A call with two arguments before and after an edit, as functions of its arguments, and three pairs of them."""
    name, new_name = draw(st.lists(NAMES, min_size=2, max_size=2, unique=True))
    literal = draw(st.sampled_from(["None", "flag=True", "1"]))
    shapes = [
        lambda a, b: f"{new_name}({a}, {b})",
        lambda a, b: f"{name}({a}, {b}, {literal})",
        lambda a, b: f"{name}({a})",
        lambda a, b: f"{name}({b})",
        lambda a, b: f"{new_name}({a}, {literal}, {b})",
        lambda a, b: f"{name}(wrap({a}), {b})",
        lambda a, b: f"await {name}({a}, {b})",
        lambda a, b: f"{name}({b}, {a})",
        lambda a, b: f"{name}.{new_name}({a}, {b})",
    ]
    values = [(draw(FIRST).format(n=f"a{number}"), draw(SECOND).format(n=f"b{number}")) for number in range(3)]
    return (lambda a, b: f"{name}({a}, {b})"), draw(st.sampled_from(shapes)), values


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(calls(), TAILS, st.sampled_from(["", "x = ", "return ", "    "]))
def test_a_pattern_gives_its_examples_back_and_the_third_place_as_well(
    case: tuple[Callable[[str, str], str], Callable[[str, str], str], list[tuple[str, str]]], tail: str, lead: str
) -> None:
    before, after, values = case
    lines = [f"{lead}{before(*value)}{tail}" for value in values]
    wanted = [f"{lead}{after(*value)}{tail}" for value in values]
    hand = Hand("\n".join(lines) + "\n")
    for old, new in zip(lines[:2], wanted[:2], strict=True):
        hand.replace(old, new)
    newest, first = hand.examples
    pattern = anti_unify(newest, first)
    if pattern is None:  # arguments of different shapes need not line up, those of one shape must
        assert {_shape(value) for value in values[:2]} != {_shape(values[0])}
        return
    assert is_consistent(pattern, newest)
    assert is_consistent(pattern, first)
    assert set(hand.lines_after(pattern)) <= {wanted[2]}
    if {_shape(value) for value in values} == {_shape(values[0])}:
        swapped = wanted[2] == f"{lead}{before(*reversed(values[2]))}{tail}"
        bare = all(part.isidentifier() for part in values[2])
        assert hand.lines_after(pattern) == ([] if swapped and bare else [wanted[2]])


def test_two_bare_words_that_change_places_are_left_alone() -> None:
    """Nobody can tell a pair that was swapped from one that still waits for it; arguments of two shapes tell."""
    for ends, after in (("", []), ("[0]", ["load(b2[0], a2)"])):
        lines = [f"load(a{n}, b{n}{ends})" for n in range(3)]
        hand = Hand("\n".join(lines) + "\n")
        for n, line in enumerate(lines[:2]):
            hand.replace(line, f"load(b{n}{ends}, a{n})")
        pattern = anti_unify(*hand.examples)
        assert pattern is not None
        assert hand.lines_after(pattern) == after


def _shape(value: tuple[str, str]) -> str:
    return "|".join("".join("0" if letter.isdigit() else letter for letter in part) for part in value)


def test_brackets_and_owners() -> None:
    assert is_balanced(["f", "(", "a", ")", "[", "1", "]"])
    assert not is_balanced(["f", "(", "a"])
    assert not is_balanced(["a", ")"])
    assert not is_balanced(['"', "a"])
    assert not is_balanced([])
    assert not is_balanced(["a", "\n+0"])
    texts = ["x", "=", "load", "(", "f", "(", "a", ")", ",", "b", ")"]
    assert owner_of(texts, 9) == "load"
    assert owner_of(texts, 6) == "f"
    assert owner_of(texts, 2) is None
    assert owner_of(["[", "a"], 1) == "["


def test_a_line_is_not_put_before_the_first_one() -> None:
    hand = Hand("run()\na()\nrun()\nb()\nrun()\n")
    for name in ("a", "b"):
        at = hand.buffer.data.index(f"{name}()\nrun".encode()) + 3
        hand.edit(at, at, b"\nlog()")
    pattern = two(hand)
    assert pattern.word == "run"
    assert hand.lines_after(pattern) == []
