"""Facts that are copied from an earlier text are those that a walk reads."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from editahead.analysis.facts.copied_statements import StatementCopies
from editahead.analysis.facts.facts import Facts, StatementFacts
from editahead.analysis.facts.file_facts import FactsCache
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

from tests.conformance.languages import languages, sample

WITH_TABLE = [language for language in languages() if language.scopes is not None and language.id != "lua"]
EDITS = 40
BODY = """\
def pay(cart, rate):
    global last
    total = cart.total()
    if isinstance(cart, Gift):
        cart = None
    for item in cart.items:
        def price(rate):
            nonlocal total
            return item.price * rate
        total += price(rate)
    rows = [row for row in cart.rows if (size := row.size)]
    try:
        last = size
    except Error as error:
        del rows
    return total
"""


def snapshot(text: bytes, language: Language) -> SyntaxSnapshot:
    return SyntaxSnapshot.open(Buffer(text), language)


def facts_of(resolver: Resolver) -> list[Facts]:
    """The facts of the units; those of the head of a class do not depend on its body, and are left out."""
    return [unit.facts for unit in resolver.scopes.facts.units if unit.inner <= 0]


def edited(text: bytes, rng: random.Random) -> Iterator[bytes]:
    """A text after edits of single lines: deleted, copied from elsewhere, changed, inserted."""
    lines = text.split(b"\n")
    for _ in range(EDITS):
        number = rng.randrange(1, len(lines) - 1)
        line = lines[number]
        indent = line[: len(line) - len(line.lstrip())]
        changes = [[], [line, rng.choice(lines)], [line.replace(b"a", b"b", 1)], [indent + b"pass", line], [b"", line]]
        lines[number : number + 1] = rng.choice(changes)
        yield b"\n".join(lines)


def assert_equal_to_walks(text: bytes, language: Language) -> None:
    cache, rng = FactsCache(), random.Random(f"{language.id}{len(text)}")
    old = snapshot(text, language)
    base = resolver_of(old, cache)
    assert base is not None
    facts_of(base)
    for edit in edited(text, rng):
        new = snapshot(edit, language)
        patched = base.patched(old, new, cache)
        walked = resolver_of(new, FactsCache())
        assert walked is not None
        if patched is None:
            old, base, patched = new, walked, resolver_of(new, cache)
        assert patched is not None
        assert facts_of(patched) == facts_of(walked)


@pytest.mark.parametrize("language", WITH_TABLE, ids=lambda language: str(language.id))
def test_copied_facts_are_those_of_a_walk(language: Language) -> None:
    assert_equal_to_walks(sample(language).encode(), language)


def test_what_a_statement_says_of_the_scope_around_it_is_read_again() -> None:
    (python,) = (language for language in WITH_TABLE if language.id == "python")
    for _ in range(4):
        assert_equal_to_walks((BODY * 3).encode(), python)


def test_only_the_statements_around_an_edit_are_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    (python,) = (language for language in WITH_TABLE if language.id == "python")
    copied = 0
    copy = StatementCopies.copy

    def counted(self: StatementCopies, start: int, end: int, *given: Any) -> StatementFacts | None:
        nonlocal copied
        statement = copy(self, start, end, *given)
        copied += end - start if statement is not None else 0
        return statement

    monkeypatch.setattr(StatementCopies, "copy", counted)
    text = "def f(a):\n" + "".join(f"    b{n} = a.c{n}(b{n - 1})\n" for n in range(1, 200))
    cache = FactsCache()
    for line in (20, 120, 180):
        resolver = resolver_of(snapshot(text.encode(), python), cache)
        assert resolver is not None
        facts_of(resolver)
        lines = text.split("\n")
        text = "\n".join([*lines[:line], "    d = a", *lines[line:]])
    assert copied > 1.4 * len(text)  # two walks, and indentation counts as no statement
