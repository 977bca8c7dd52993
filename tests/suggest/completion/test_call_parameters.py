"""A call with the parameters that the file declares, in the place of a function's name."""

from __future__ import annotations

import pytest
from editahead.lsp.surfaces.convert import call_snippet
from editahead.suggest.completion.call_parameters import with_parameters
from editahead.suggest.types import Completion, Completions

from tests.growth import assert_linear
from tests.suggest.documents import document

PYTHON = """class Shop:
    def order(self, name, count, gift=False, *notes, express, **more):
        pass

def price(item, /, amount, *, currency):
    pass

def now():
    pass

{}
"""
TYPESCRIPT = (
    "class Shop {{\n  order(name: string, count = 1, $gift?: boolean) {{}}\n}}\nfunction price<T>(item: T) {{}}\n{}\n"
)
JAVA = "class Shop {{\n  int order(String name, int... counts) {{ return 1; }}\n  void f() {{ {} }}\n}}\n"
GO = "package shop\n\nfunc (s *Shop) Order(name, unit string, count int) {{}}\n\nfunc main() {{ {} }}\n"


def arguments(text: str, label: str, language_id: str = "python", kind: str = "function") -> tuple[str, ...] | None:
    made, byte = document(text, language_id)
    completions = Completions((Completion(label, 0.9, kind, "cache"),), byte, byte, True)
    return with_parameters(completions, made).items[0].arguments


CALLS = {
    "a method": (PYTHON.format("shop.‸"), "order", "python", ("name", "count", "express=express")),
    "a function": (PYTHON.format("x = ‸"), "price", "python", ("item", "amount", "currency=currency")),
    "without parameters": (PYTHON.format("x = ‸"), "now", "python", ()),
    "a method without its object": (PYTHON.format("x = ‸"), "order", "python", None),
    "TypeScript": (TYPESCRIPT.format("shop.‸"), "order", "typescript", ("name",)),
    "types": (TYPESCRIPT.format("‸"), "price", "typescript", ("item",)),
    "Java": (JAVA.format("this.‸"), "order", "java", ("name",)),
    "Go": (GO.format("s.‸"), "Order", "go", ("name", "unit", "count")),
    "an import": (PYTHON.format("from shop import ‸"), "price", "python", None),
    "a decorator": (PYTHON.format("@‸"), "price", "python", None),
    "a declaration": (PYTHON.format("def ‸"), "price", "python", None),
    "called already": (PYTHON.format("‸(1)"), "price", "python", None),
    "not in the file": (PYTHON.format("‸"), "other", "python", None),
    "two of a name": (PYTHON.format("def now(zone):\n    pass\n\n‸"), "now", "python", None),
}


@pytest.mark.parametrize(("text", "label", "language_id", "expected"), CALLS.values(), ids=CALLS)
def test_the_required_parameters(text: str, label: str, language_id: str, expected: tuple[str, ...] | None) -> None:
    assert arguments(text, label, language_id) == expected


def test_what_is_no_function_gets_none() -> None:
    assert arguments(PYTHON.format("x = ‸"), "price", kind="variable") is None


def test_snippets() -> None:
    assert call_snippet("price", ("item", "currency=currency")) == "price(${1:item}, currency=${2:currency})$0"
    assert call_snippet("now", ()) == "now()$0"
    assert call_snippet("$get", ("$el",)) == "\\$get(${1:\\$el})$0"


def test_it_takes_time_in_proportion_to_the_text() -> None:
    def look(size: int) -> object:
        made, byte = document(PYTHON.format("price(1)\n" * (size // 9) + "x = ‸"))
        completions = Completions((Completion("price", 0.9, "function", "cache"),), byte, byte, True)
        made.syntax.region_at(0)  # parsed before
        return lambda: with_parameters(completions, made)

    assert_linear(look, 10_000)  # type: ignore[arg-type]
