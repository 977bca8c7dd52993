"""Expressions before a dot: what is read of them, and what the file says of their class."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.analysis.resolver.resolver import resolver_of
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.ranking.receiver_expression import receiver_expression
from editahead.suggest.completion.without_model import words_evidence
from editahead.suggest.context import place_at
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer

from tests.growth import assert_linear
from tests.suggest.completion.test_ranked_words import opened

SCRIPT = (
    "class A {\n  open(): void {}\n  me(): A { return this; }\n  all: A[];\n}\n"
    "function make(a: number): A { return new A(); }\n"
)
JAVA = "class A {\n  void open() {}\n  A me() { return this; }\n  void run() {\n    %s\n  }\n}\n"
RUST = "struct A { x: u8 }\nimpl A {\n    fn new() -> Self { A { x: 1 } }\n    fn me(&self) -> &A { self }\n}\n"
GO = (
    "package p\n\ntype A struct{ x int }\n\nfunc (a *A) Me() *A { return a }\n"
    "func make() (*A, error) { return nil, nil }\n"
)
CASES = {
    "what a function gives": ("a.ts", SCRIPT + "make(f(1, (2))).‸\n", {"open", "me", "all"}),
    "a chain": ("a.ts", SCRIPT + "make(1).me().me()?.‸\n", {"open", "me", "all"}),
    "what is created": ("a.ts", SCRIPT + "new A().me().‸\n", {"open", "me", "all"}),
    "an element": ("a.ts", SCRIPT + "make(1).all[0].‸\n", {"open", "me", "all"}),
    "mapped elements": ("a.ts", SCRIPT + "all(1).map((b) => make(b)).find(f).‸\n", {"open", "me", "all"}),
    "joined elements": ("a.ts", SCRIPT + "make(1).all.flatMap(b => b.all)[0].‸\n", {"open", "me", "all"}),
    "visited mapped elements": (
        "a.ts",
        SCRIPT + "make(1).all.map((b) => b.me()).forEach((b) => b.‸);\n",
        {"open", "me", "all"},
    ),
    "its second parameter": ("a.ts", SCRIPT + "make(1).all.map((b, i) => i.me())[0].‸\n", None),
    "its first parameter": ("a.ts", SCRIPT + "make(1).all.map((b, i) => b.me())[0].‸\n", {"open", "me", "all"}),
    "a list": ("a.ts", SCRIPT + "make(1).all.‸\n", None),
    "what is not known": ("a.ts", SCRIPT + "other(1).me().‸\n", None),
    "a method of Java": ("A.java", JAVA % "me().me().‸", {"open", "me", "run"}),
    "a created object of Java": ("A.java", JAVA % "new A().me().‸", {"open", "me", "run"}),
    "this of Java": ("A.java", JAVA % "this.me().‸", {"open", "me", "run"}),
    "a chain of Rust": ("a.rs", RUST + "fn f() {\n    A::new().me().‸\n}\n", {"x", "new", "me"}),
    "a chain of Go": ("a.go", GO + "func f(a A) {\n\ta.Me().Me().‸\n}\n", {"x", "Me"}),
    "several values of Go": ("a.go", GO + "func f() {\n\ta, err := make()\n\ta.‸\n}\n", {"x", "Me"}),
    "a second value of Go": ("a.go", GO + "func f() {\n\ta, err := make()\n\terr.‸\n}\n", None),
}


@pytest.mark.parametrize(("path", "text", "members"), CASES.values(), ids=CASES)
def test_members_of_what_calls_give_are_known(path: str, text: str, members: set[str] | None) -> None:
    made, byte = opened(text, path)
    _, found = words_evidence(DocumentCaches(words_of), made, place_at(made, byte))
    assert found.scopes is not None
    assert found.scopes.members == members


@pytest.mark.parametrize(
    "text", ["", ".", "a .", "a [ 0", "a ( ", "( a", "( )", "1", "new", "a . ( )", "a b", "a ) . b"]
)
def test_other_expressions_say_nothing(text: str) -> None:
    language = by_id("typescript")
    assert language is not None
    assert language.scopes is not None
    assert receiver_expression(text, 0, language.scopes) is None


def test_long_expressions_cost_no_more_than_their_length() -> None:
    language = by_id("typescript")
    assert language is not None
    table = language.scopes
    assert table is not None
    assert_linear(lambda size: lambda: receiver_expression("a ( ) . " * size + "b", 0, table), 4_000)


CIRCLES = {
    "of one name": "class A:\n    def me(self) -> 'A': ...\n\nx = A()\n" + "x = x.me()\n" * 300 + "x.‸\n",
    "of itself alone": "x = x.me()\nx.‸\n",
    "of two names": "x = y.me()\ny = x.me()\n" * 300 + "x.‸\n",
    "of members": (
        "class A:\n    def f(self):\n"
        + "        self.a = self.b.c()\n        self.b = self.a.c()\n" * 200
        + "        self.a.‸\n"
    ),
    "a long chain": "".join(f"x{at} = x{at - 1}.me()\n" for at in range(1, 3_000)) + "x2999.‸\n",
    "a function that returns itself": "def f() -> f: ...\nf().‸\n",
}


@pytest.mark.parametrize("text", CIRCLES.values(), ids=CIRCLES)
@pytest.mark.parametrize("path", ["a.py", "a.ts"])
def test_what_depends_on_itself_ends(text: str, path: str) -> None:
    made, byte = opened(text, path)
    words_evidence(DocumentCaches(words_of), made, place_at(made, byte))


@pytest.mark.slow
@pytest.mark.parametrize("line", ["x = x.me()\n", "x = y.me()\ny = x.me()\n"])
def test_names_that_depend_on_one_another_cost_no_more_than_their_number(line: str) -> None:
    def work(size: int) -> Callable[[], object]:
        language = by_id("python")
        assert language is not None
        names = resolver_of(open_snapshot(Buffer((line * size).encode()), language))
        assert names is not None
        return lambda: names.meanings("me")

    assert_linear(work, 400)
