"""What is read in place of the cursor's line keeps the text around it whole."""

from __future__ import annotations

import pytest
from editahead.analysis.resolver.resolver import resolver_of
from editahead.suggest.completion.ranking.stand_in import StandIn, head_word, stand_in
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

GO = """package p

func first(names []string) int {
	if len(names) > 3 {
		return 1
	} else {
		use(names)
	}
	switch {
	case ready(
		names,
	):
		return 2
	}
	walk(names, func(name string) {
		use(name)
	})
	return 0
}
"""
TYPESCRIPT = """describe('a', () => {
  it('b', () => {
    const row = {
      size: 3,
      name: 'x',
    };
    expect(row
      .size).toBe(3);
  });
});
"""
RUST = """fn first(names: &[u8]) -> u8 {
    if names.is_empty()
        && ready()
    {
        return 1;
    }
    names.iter().map(|name| {
        name + 1
    }).sum()
}
"""


def stood(before: bytes, after: bytes, head: str, language_id: str) -> StandIn:
    """What stands for a line between two texts."""
    return stand_in(before, after, head, language_id, (before + b"\n" + after).count)


def errors(text: str, language_id: str) -> bool:
    """Whether some unit of a text does not parse."""
    language = by_id(language_id)
    assert language is not None
    resolver = resolver_of(SyntaxSnapshot.open(Buffer(text.encode()), language))
    assert resolver is not None
    return any(unit.facts.errors for unit in resolver.scopes.facts.units)


def read_without(before: str, line: str, after: str, language_id: str) -> str:
    """The text that is read while the cursor is on a line."""
    made = stood(before.encode(), after.encode(), head_word(line.encode()), language_id)
    return f"{before}{made.line.decode()}{after}{made.end.decode()}"


@pytest.mark.parametrize(
    ("text", "language_id", "line"),
    [
        (GO, "go", "if len("),
        (GO, "go", "names,"),
        (GO, "go", "use(names)"),
        (GO, "go", "func first("),
        (GO, "go", "walk(names"),
        (GO, "go", "switch {"),
        (TYPESCRIPT, "typescript", "describe("),
        (TYPESCRIPT, "typescript", "it("),
        (TYPESCRIPT, "typescript", "size: 3,"),
        (TYPESCRIPT, "typescript", "const row"),
        (RUST, "rust", "&& ready"),
        (RUST, "rust", "fn first"),
        (RUST, "rust", "names.iter"),
    ],
)
@pytest.mark.parametrize("rest", ["the line goes on", "the line ends", "the file ends"])
def test_the_text_around_the_line_parses(text: str, language_id: str, line: str, rest: str) -> None:
    assert not errors(text, language_id)
    at = text.index(line)
    before, whole = text[: text.rindex("\n", 0, at) + 1 if "\n" in text[:at] else 0], text[at:].split("\n", 1)[0]
    if rest == "the file ends" and line in ("names,", "&& ready"):
        pytest.skip("the text above is half a statement")
    after = text[at + len(whole) :] if rest != "the file ends" else "\n"
    typed = whole if rest == "the line goes on" else line
    assert not errors(read_without(before, typed, after, language_id), language_id)


def test_a_line_that_opens_nothing_is_read_as_empty() -> None:
    made = stood(b"func f() {\n", b"\n}\n", "", "go")
    assert made == (b"", b"")


def test_a_call_that_is_not_closed_closes_braces_alone_where_statements_end_in_a_semicolon() -> None:
    before = b"class A {\n  void f() {\n    g(1,\n"
    assert stood(before, b"\n", "", "java").end == b"}}"
    assert stood(before, b"\n", "", "typescript").end == b")}}"


def test_of_thousands_of_brackets_fifty_are_opened_or_closed() -> None:
    assert len(stood(b"({" * 5_000, b"", "", "go").end) == 50
    opened = stood(b"", b"})" * 5_000, "", "go").line
    assert opened.count(b"{") == opened.count(b"__(") == 25
