"""Free names of ghost text: what is free, what is in reach, and that nothing else is shown."""

from __future__ import annotations

import pytest
from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel, select_providers
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.ghost_text import ghost_text
from editahead.suggest.ghost_text.free_names import first_unbound, free_names, is_in_reach
from editahead.suggest.types import GateReading, GhostToken, InlineSuggestion, Reason, Shown, Suppressed

from tests.suggest.documents import document

KEYWORDS = frozenset("and as async await class def for from if import in is lambda not or raise return with".split())
SMTP = """import os
from email import (
    message,
    policy as rules,
)

LIMIT = 3


class Mail:
    def send(self, host, port=0):
        line = 1
        ‸

    def other(self, order):
        number = order
        return number
"""
SHIPPED = [path for path in find_bundles() if path.name.startswith("spn-python-")]


@pytest.mark.parametrize(
    ("before", "text", "free"),
    [
        ([], "return order . number", ["order"]),
        ([], "self . order ( key = order )", ["self", "order"]),
        ([], "total = price", ["price"]),
        ([], "first , second = both", ["both"]),
        ([], "table [ key ] = price", ["table", "key", "price"]),
        ([], "order", []),  # a statement may begin with a new name
        (["x", "="], "order", ["order"]),
        ([], "for item in items : \n    item . go ( )", ["items"]),
        ([], "with path as file : \n    file . read ( )", ["path"]),
        (["x", "="], "[ a . b for a in items ]", ["items"]),
        ([], "sort ( key = lambda row : row . name )", ["sort"]),
        ([], "if ( size := count ) > size", ["count"]),
        ([], "print ( len ( x ) )", ["x"]),
        ([], "def load ( path : Path ) :", []),
        ([], "from json import dumps", []),
        (["x", "=", 'f"'], 'hello world "', []),
        ([], "amount : int = 0", []),
    ],
)
def test_free_names(before: list[str], text: str, free: list[str]) -> None:
    texts = [part.replace("~", " ") for part in text.replace("\n    ", "\n~~~~").split(" ")]
    found = [name for _, name in free_names(before, texts, "python", KEYWORDS)]
    assert [name for name in found if name != "int"] == free


def test_free_names_in_java() -> None:
    keywords = frozenset({"return", "new", "for", "int", "this"})
    for text, free in {
        "return order . number ;": ["order"],
        "List < String > names = given ;": ["given"],
        "Order order = make ( ) ;": [],
        "int size = count ;": ["count"],
        "items . forEach ( item -> item . go ( ) ) ;": ["items"],
        "return Helper . of ( this ) ;": [],
    }.items():
        assert [name for _, name in free_names([], text.split(" "), "java", keywords)] == free


@pytest.mark.parametrize("name", ["os", "message", "rules", "LIMIT", "Mail", "host", "port", "line", "self"])
def test_what_the_file_binds_around_the_cursor_is_in_reach(name: str) -> None:
    made, byte = document(SMTP)
    assert is_in_reach(made, byte, name)


@pytest.mark.parametrize("name", ["order", "number", "policies", "Host"])
def test_what_another_function_binds_is_not(name: str) -> None:
    made, byte = document(SMTP)
    assert not is_in_reach(made, byte, name)


def test_the_end_of_a_function_belongs_to_it_by_indentation() -> None:
    text = "def f(a):\n    x = a\n{}‸\n\n\ndef g(b):\n    return b\n"
    for indentation, inside in (("    ", True), ("", False)):
        made, byte = document(text.format(indentation))
        assert is_in_reach(made, byte, "a") is inside


def test_broken_code_around_the_cursor_is_no_reason_for_silence() -> None:
    made, byte = document("def f(a, b:\n    x = (a\n    return ‸\n")
    assert first_unbound(made, byte, ["return"], ["a"], KEYWORDS) is None


def unverified(shown: InlineSuggestion) -> GateReading:
    """Let every text pass."""
    return GateReading(Reason.BREAKS_CODE, True, "not verified")


def scripted(monkeypatch: pytest.MonkeyPatch, texts: list[str]) -> None:
    """Let the model say these tokens, each surely."""

    def continue_at(
        model: object, caches: object, document: object, place: object, growth: object, cancel: object
    ) -> object:
        state = ghost_text.Continuation(place, ghost_text.rest_of(document, place), list(place.lines), 0, {})  # type: ignore[attr-defined, arg-type]
        for text in texts:
            state.tokens.append(GhostToken(text, 0.99, "project", None, None, 0.0))
            state.stops.append(True)
            growth.probabilities.append(0.99)  # type: ignore[attr-defined]
        return state

    monkeypatch.setattr(ghost_text, "continue_at", continue_at)


@pytest.mark.skipif(not SHIPPED, reason="no language model is shipped")
def test_ghost_text_ends_before_a_name_that_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    model = LanguageModel(load_bundle(SHIPPED[0]), select_providers("cpu"))
    made, byte = document(SMTP.replace("‸", "return ‸"))

    def answer(*texts: str) -> object:
        scripted(monkeypatch, list(texts))
        return ghost_text.suggest(model, DocumentCaches(words_of), made, byte, Cancel(), unverified)

    whole = answer("host", " +", " line")
    assert isinstance(whole, Shown)
    assert whole.value.insert == "host + line"
    cut = answer("host", " +", " order", ".", "number")
    assert isinstance(cut, Shown)
    assert cut.value.insert == "host +"
    silent = answer("order", ".", "number")
    assert isinstance(silent, Suppressed)
    assert (silent.reason, silent.detail) == (Reason.NO_FIT, "'order' is bound nowhere in reach")


@pytest.mark.skipif(not SHIPPED, reason="no language model is shipped")
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("class Box:\n    limit = ‸\n", "Box"),  # its body is still being run
        ("def run(size, depth=‸):\n    return size\n", "size"),
        ("def run(size, ‸):\n    return size\n", "size"),
        ("def run(size):\n    return size\n\n\nrun(2)\ncount = [run(2)] ‸\n", "run"),
    ],
)
def test_ghost_text_begins_with_a_word_that_can_stand_there(
    monkeypatch: pytest.MonkeyPatch, text: str, word: str
) -> None:
    model = LanguageModel(load_bundle(SHIPPED[0]), select_providers("cpu"))
    made, byte = document(text)
    scripted(monkeypatch, [word])
    silent = ghost_text.suggest(model, DocumentCaches(words_of), made, byte, Cancel(), unverified)
    assert isinstance(silent, Suppressed)
    assert (silent.reason, silent.detail) == (Reason.NO_FIT, f"{word!r} cannot stand here")


@pytest.mark.skipif(not SHIPPED, reason="no language model is shipped")
def test_ghost_text_goes_on_from_any_word_that_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    model = LanguageModel(load_bundle(SHIPPED[0]), select_providers("cpu"))
    typed, byte = document("class Box:\n    limit = Box‸\n")
    scripted(monkeypatch, ["Box", ".", "copy"])
    assert isinstance(ghost_text.suggest(model, DocumentCaches(words_of), typed, byte, Cancel(), unverified), Shown)
