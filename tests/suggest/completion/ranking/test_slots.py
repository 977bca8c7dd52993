"""What kind of text is expected at the cursor, in Python and Java, half-written code included."""

from __future__ import annotations

import pytest
from editahead.suggest.completion.ranking.slots import Slot, SlotKind, slot_at
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer


def slot(text: str, language_id: str = "python") -> Slot:
    language = by_id(language_id)
    assert language is not None
    syntax = SyntaxSnapshot.open(Buffer(text.encode()), language)
    return slot_at(syntax.lines(0, syntax.line_count), language_id)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("    ", SlotKind.STATEMENT),
        ("import ", SlotKind.MODULE),
        ("import os.", SlotKind.MODULE),
        ("from a.", SlotKind.MODULE),
        ("import a as ", SlotKind.BINDING),
        ("from a import ", SlotKind.IMPORTED),
        ("from a import b, ", SlotKind.IMPORTED),
        ("from a import (\n    b,\n    ", SlotKind.IMPORTED),
        ("x = a.", SlotKind.MEMBER),
        ("def ", SlotKind.BINDING),
        ("class ", SlotKind.BINDING),
        ("for ", SlotKind.BINDING),
        ("for a, ", SlotKind.BINDING),
        ("with open(x) as ", SlotKind.BINDING),
        ("def f(", SlotKind.PARAMETER),
        ("def f(a, *", SlotKind.PARAMETER),
        ("def f(a: ", SlotKind.TYPE),
        ("class A(", SlotKind.TYPE),
        ("except ", SlotKind.TYPE),
        ("f(", SlotKind.ARGUMENT),
        ("f(a, ", SlotKind.ARGUMENT),
        ("f(\n    a,\n    ", SlotKind.ARGUMENT),
        ("f(*", SlotKind.EXPRESSION),
        ("x = ", SlotKind.VALUE),
        ("return ", SlotKind.EXPRESSION),
        ("for i in ", SlotKind.EXPRESSION),
        ("x = [", SlotKind.EXPRESSION),
        ("x[", SlotKind.EXPRESSION),
        ("x = {", SlotKind.EXPRESSION),
        ("x = {\n    ", SlotKind.EXPRESSION),
    ],
)
def test_kinds_in_python(text: str, kind: SlotKind) -> None:
    assert slot(text).kind is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("import java.util.", SlotKind.MODULE),
        ("class A { void f() { ", SlotKind.STATEMENT),
        ("class A { void f() { g(); ", SlotKind.STATEMENT),
        ("class A { void f() {\n    ", SlotKind.STATEMENT),
        ("class A {\n    ", SlotKind.STATEMENT),
        ("class A { int[] n = { ", SlotKind.EXPRESSION),
        ("class A { void f() { if (", SlotKind.EXPRESSION),
        ("class A { void f() { int n = data.", SlotKind.MEMBER),
        ("class A { void f() { Foo x = new ", SlotKind.TYPE),
        ("class A { void f() { return ", SlotKind.EXPRESSION),
        ("class A { void f() { g(a, ", SlotKind.ARGUMENT),
        ("class A { void f() { int n = ", SlotKind.VALUE),
        ("class A extends ", SlotKind.TYPE),
        ("class A { void f() { List<Book> ", SlotKind.BINDING),
        ("class A { void f() { int[] ", SlotKind.BINDING),
        ("class A { void f() { Book ", SlotKind.BINDING),
        ("class A { void f() { int ", SlotKind.BINDING),
        ("class A { void f(Book ", SlotKind.BINDING),
        ("class A { void f() { if (a > ", SlotKind.EXPRESSION),
        ("class A { void f() { x = a[0] + ", SlotKind.EXPRESSION),
    ],
)
def test_kinds_in_java(text: str, kind: SlotKind) -> None:
    assert slot(text, "java").kind is kind


def test_receivers_callees_targets_and_dots() -> None:
    assert slot("a.b.").receiver == ("a", "b")
    assert slot("self.").receiver == ("self",)
    assert slot("f(x).").receiver == ()
    assert slot("a.f(").callee == ("a", "f")
    assert slot("f(g(), ").callee == ("f",)
    assert slot("x = y = ").targets == {"x"}
    assert slot("x, y = ").targets == {"x", "y"}
    assert slot("x: int = ").targets == {"x"}
    assert slot("a.b = ").targets == frozenset()
    assert slot("for i, j in ").targets == {"i", "j"}
    assert slot("class A { void f() { int n = ", "java").targets == {"n"}
    assert slot("from ..a.b import ")[:2] == (SlotKind.IMPORTED, ("a", "b"))
    assert slot("from ..a.b import ").dots == 2
    assert slot("from . import ").dots == 1


def test_an_arrow_leads_to_a_member_in_c_alone() -> None:
    assert slot("a->b.c->", "c").receiver == ("a", "b", "c")
    assert slot("def f() ->").kind is SlotKind.TYPE


def test_a_bracket_is_looked_for_in_few_lines() -> None:
    assert slot("f(\n" + "    a,\n" * 200 + "    ").kind is SlotKind.STATEMENT


@pytest.mark.parametrize(
    ("language_id", "text", "kind"),
    [
        ("typescript", "interface Column {\n  title: string;\n  ", SlotKind.BINDING),
        ("typescript", "class Column {\n  private readonly ", SlotKind.BINDING),
        ("typescript", "class Column {\n  private title: ", SlotKind.TYPE),
        ("typescript", "function of(title: ", SlotKind.TYPE),
        ("typescript", "const title: ", SlotKind.TYPE),
        ("typescript", "const title = ", SlotKind.VALUE),
        ("typescript", "const ", SlotKind.BINDING),
        ("typescript", "export type ", SlotKind.BINDING),
        ("typescript", "const column = { title: ", SlotKind.EXPRESSION),
        ("typescript", "import { ", SlotKind.IMPORTED),
        ("typescript", "function of(", SlotKind.PARAMETER),
        ("typescript", "function of() {\n  ", SlotKind.STATEMENT),
        ("javascript", "for (const ", SlotKind.BINDING),
        ("go", "type Parcel struct {\n\t", SlotKind.BINDING),
        ("go", "type Parcel struct {\n\tWeight ", SlotKind.TYPE),
        ("go", "type Parcel struct {\n\tparts []*", SlotKind.TYPE),
        ("go", "func weigh(parcel *", SlotKind.TYPE),
        ("go", "func weigh(", SlotKind.PARAMETER),
        ("go", "func weigh(parcel Parcel, ", SlotKind.PARAMETER),
        ("go", "func ", SlotKind.BINDING),
        ("go", "var total ", SlotKind.TYPE),
        ("go", "func weigh() {\n\ttotal := ", SlotKind.VALUE),
        ("go", "func weigh() {\n\t", SlotKind.STATEMENT),
        ("go", "func weigh() {\n\treturn ", SlotKind.EXPRESSION),
        ("rust", "struct Item {\n    pub ", SlotKind.BINDING),
        ("rust", "struct Item {\n    pub name: ", SlotKind.TYPE),
        ("rust", "fn take(item: ", SlotKind.TYPE),
        ("rust", "fn take() {\n    let mut ", SlotKind.BINDING),
        ("rust", "fn take() {\n    let left: ", SlotKind.TYPE),
        ("rust", "fn take() -> ", SlotKind.TYPE),
        ("rust", "fn take() {\n    ", SlotKind.STATEMENT),
        ("rust", "impl<'a, T> Producer for ", SlotKind.TYPE),
        ("rust", "fn take() {\n    for ", SlotKind.BINDING),
        ("c_sharp", "class Item {\n    int ", SlotKind.BINDING),
        ("cpp", "int total = ", SlotKind.VALUE),
        ("cpp", "std::", SlotKind.MEMBER),
        ("cpp", "struct ", SlotKind.BINDING),
        ("c", "void move(struct point *from) {\n    from->", SlotKind.MEMBER),
        ("c", "void f() { unsigned ", SlotKind.BINDING),
        ("c", "static void f(edata_t *", SlotKind.BINDING),
        ("c", "static void f(tsdn_t *tsdn, pac_t *", SlotKind.BINDING),
        ("c", "static void f(int err, char *", SlotKind.BINDING),
        ("c", "void f() { edata_t *", SlotKind.BINDING),
        ("c", "static void\nclose(edata_t *", SlotKind.BINDING),
        ("c", "void f() {\n    close(a *", SlotKind.EXPRESSION),
        ("c", "void f() { a = b *", SlotKind.EXPRESSION),
        ("c", "void f() { return b *", SlotKind.EXPRESSION),
        ("c", "void f() { g(a, b *", SlotKind.EXPRESSION),
        ("c", "void f() { *", SlotKind.EXPRESSION),
        ("cpp", "void f() { auto& ", SlotKind.BINDING),
        ("cpp", "void f(const std::string& ", SlotKind.BINDING),
        ("cpp", "void f() { if (a && ", SlotKind.EXPRESSION),
        ("c_sharp", "class A { void F(object ", SlotKind.BINDING),
        ("c_sharp", "class A { void F(this IContext ", SlotKind.BINDING),
        ("typescript", "each(keys(x), function(", SlotKind.PARAMETER),
        ("go", "func f() {\n\tfor _, ", SlotKind.BINDING),
    ],
)
def test_other_languages(language_id: str, text: str, kind: SlotKind) -> None:
    assert slot(text, language_id).kind is kind


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("const column = {\n  ", True),
        ("const column = { ", True),
        ("draw({ title: 1, ", True),
        ("const column = { title: ", False),
        ("const row = [\n  ", False),
        ("draw(a, ", False),
        ("function of() {\n  ", False),
    ],
)
def test_an_entry_of_a_literal_of_a_script_may_begin_with_a_key(text: str, key: bool) -> None:
    assert slot(text, "typescript").key is key
    assert not slot("x = {\n    ").key


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("local ", SlotKind.BINDING),
        ("for ", SlotKind.BINDING),
        ("local x = ", SlotKind.VALUE),
        ("local function f(", SlotKind.PARAMETER),
        ("f(", SlotKind.ARGUMENT),
        ("box.", SlotKind.MEMBER),
        ("box:", SlotKind.MEMBER),
        ("return ", SlotKind.EXPRESSION),
        ("return x ", SlotKind.EXPRESSION),
        ("if x then\n  ", SlotKind.STATEMENT),
    ],
)
def test_kinds_in_lua(text: str, kind: SlotKind) -> None:
    assert slot(text, "lua").kind is kind


@pytest.mark.parametrize(
    ("language_id", "text", "binds"),
    [
        ("go", "func f() {\n\tif ", True),
        ("go", "func f() {\n\tswitch ", True),
        ("go", "func f() {\n\tif err == ", False),
        ("typescript", "const f = (", True),
        ("typescript", "x.replace(/a/g, (", True),
        ("typescript", "f(", False),
        ("typescript", "if (", False),
        ("python", "if ", False),
    ],
)
def test_where_a_new_name_may_begin_as_well(language_id: str, text: str, binds: bool) -> None:
    assert slot(text, language_id).binds is binds


def test_a_path_is_told_from_an_object() -> None:
    assert slot("std::", "cpp").path
    assert not slot("std.", "cpp").path
