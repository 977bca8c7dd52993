"""Deadlines hold on any text: chains and nesting of thousands; what an interrupted reading did is kept."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel, DeadlineExceeded
from editahead.suggest.engine import Engine
from editahead.suggest.types import Decision, Document
from editahead.syntax.grammars import GrammarMissing

from tests.suggest.documents import document

SIZE = 5000
DEADLINES = {"complete": 0.5, "inline": 1.0, "next_edit": 2.0}  # seconds, as documented
TOLERANCE = 1.5
TEXTS: dict[str, tuple[str, Callable[[int], str]]] = {
    "branches": ("javascript", lambda n: "if(a){}" + "else if(a){}" * n + "\nval"),
    "calls in calls": ("javascript", lambda n: "x = " + "f(" * n + ")" * n + "\nval"),
    "functions in functions": ("javascript", lambda n: "function f(a){\n" * n + "}\n" * n + "\nval"),
    "a chain of members": ("javascript", lambda n: "x = a" + ".b()" * n + "\nval"),
    "parameters": ("javascript", lambda n: "function f(" + ", ".join(f"a{k}" for k in range(n)) + ") {\n    val"),
    "conditions": ("typescript", lambda n: "x = " + "a ? b : " * n + "c\nval"),
    "types in types": ("typescript", lambda n: "let x: " + "A<" * n + "B" + ">" * n + "\nval"),
    "dicts in dicts": ("python", lambda n: "x = " + "{1: " * n + "2" + "}" * n + "\nval"),
    "a sum": ("python", lambda n: "x = " + "a + " * 2 * n + "a\nval"),
    "Python branches": ("python", lambda n: "if a:\n    pass\n" + "elif a:\n    pass\n" * n + "val"),
    "Python parameters": ("python", lambda n: "def f(" + ", ".join(f"a{k}" for k in range(n)) + "):\n    val"),
    "a comprehension": ("python", lambda n: "x = [a " + "for a in b " * n + "]\nval"),
    "classes in classes": ("java", lambda n: "class A {\n" * n + "}" * n + "\nval"),
    "Java branches": ("java", lambda n: "class A { void m() { if(a){}" + "else if(a){}" * n + "\nval"),
    "Go functions": ("go", lambda n: "package a\nvar x = " + "func() {" * n + "}" * n + "\nval"),
    "Rust branches": ("rust", lambda n: "fn f() { if a {}" + " else if a {}" * n + "\nval"),
    "C brackets": ("c", lambda n: "int x = " + "(" * n + "1" + ")" * n + ";\nval"),
    "C++ namespaces": ("cpp", lambda n: "namespace a {\n" * n + "}" * n + "\nval"),
    "C# lambdas": ("c_sharp", lambda n: "class A { void M() { x = " + "a => " * n + "a;\nval"),
    "Lua tables": ("lua", lambda n: "x = " + "{" * n + "}" * n + "\nval"),
}


class CpuDeadline(Cancel):
    """Ends a request after so many seconds of processor time of its thread."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._end = time.thread_time() + seconds

    def check(self) -> None:
        """Raise DeadlineExceeded once the time is over."""
        if time.thread_time() > self._end:
            raise DeadlineExceeded


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def asked(engine: Engine, surface: str, at: tuple[Document, int], seconds: float) -> Decision[object] | None:
    """The answer of a surface; None where it ran out of time."""
    try:
        return getattr(engine, surface)(*at, CpuDeadline(seconds))  # type: ignore[no-any-return]
    except DeadlineExceeded:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_typing_on_finishes_the_list_and_no_request_takes_more_than_its_time(engine: Engine, name: str) -> None:
    language_id, text = TEXTS[name]
    try:
        engine.complete(*document("a", language_id), Cancel())  # opens the model
    except GrammarMissing:
        pytest.skip(f"no grammar of {language_id}")
    answers = [
        asked(engine, "complete", document(text(SIZE) + "u" * number, language_id), 0.15) for number in range(20)
    ]
    assert answers[-1] is not None
    at, late = document(text(SIZE), language_id), {}
    for surface, seconds in DEADLINES.items():
        begun = time.thread_time()
        asked(engine, surface, at, seconds)
        if (took := time.thread_time() - begun) > seconds * TOLERANCE:
            late[surface] = took
    assert late == {}
