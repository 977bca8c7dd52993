"""Uses of a renamed type or member in Java files that are not open: those alone that are certain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.source import rename_unopened
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import UNOPENED, Document

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import played, wanted

HOME, OTHER = "file:///p/src/main/a/b/Cart.java", "file:///p/src/test/c/Other.java"


class Project:
    """One file that is not open; `clear` types are declared by the renamed file alone, others by some packages."""

    def __init__(self, text: str, clear: bool, declaring: frozenset[str] = frozenset()) -> None:
        self.declaring = declaring
        self.file, self.clear = replace(played(text, OTHER), version=UNOPENED), clear
        self.cut = set[str]()

    def importing(self, uri: str, name: str, check: Callable[[], None]) -> Iterator[Document]:
        check()
        yield self.file

    def unchanged(self) -> bool:
        return True

    def declares(self, name: str, package: str, but: str) -> bool:
        return package in self.declaring

    def leads_to(self, module: str, here: str, home: str) -> bool:
        return self.clear or "." in module


def assert_found(home: str, other: str, *, clear: bool = True, declaring: frozenset[str] = frozenset()) -> None:
    """The marked places of the other file follow, and no others."""
    document = replace(played(f"package a.b;\n{home}", HOME), unopened=Project(other, clear, declaring))
    found = rename_unopened(Moment(document, 0, ResolverCache().of, lambda: None))
    assert all(one.kind.endswith("/declaration/once/unopened-file") for one in found)
    assert sorted((one.edit.start, one.edit.new) for one in found) == wanted(other)


CLASS = "public class «Cart>Basket» {\n}\n"
METHOD = "public class Cart {\n  public int «total>sum»(int a) { return a; }\n}\n"
STATIC = "public class Cart {\n  public static int «total>sum»(int a) { return a; }\n}\n"
FIELD = "public class Cart {\n  public int «size>count»;\n}\n"
NESTED = "public class Cart {\n  public static class «Item>Entry» { }\n}\n"
ANNOTATION = "public @interface Cart {\n  int «total>sum»();\n}\n"
RECORD = "public record Cart(@A({1}) int «total>sum») {\n}\n"
ENUM = "public enum Cart {\n  «RED>PINK», BLUE;\n}\n"
C, M, I = "‹Cart>Basket›", "‹total>sum›", "‹Item>Entry›"  # noqa: E741
IMPORT = "package c;\nimport a.b.Cart;\n"

TYPES = {
    "an import": f"package c;\nimport a.b.{C};\nclass D extends {C} {{\n  {C} a = new {C}();\n}}\n",
    "the same package in another folder": f"package a.b;\nclass D {{ @{C} {C}[] a; }}\n",
    "all types of the package": f"package c;\nimport a.b.*;\nclass D {{ List<{C}> a; }}\n",
    "static uses": f"package a.b;\nclass D {{ int a = {C}.b() + {C}.C; Object c = {C}::d; }}\n",
    "imports through it": f"package c;\nimport a.b.{C}.Item;\nimport static a.b.{C}.total;\nclass D {{ }}\n",
    "its whole name": f"package c;\nclass D {{ a.b.{C} c = a.b.{C}.d(); x.a.b.Cart e; }}\n",
    "another package": "package c;\nclass D { Cart a; }\n",
    "an import of another type": "package a.b;\nimport c.Cart;\nclass D { Cart a; }\n",
    "a type of the file": "package a.b;\nclass D { Cart a; class Cart { } }\n",
    "a type parameter": "package a.b;\nclass D<Cart> { Cart a; }\n",
    "a variable": f"package a.b;\nclass D {{ {C} a; void e(Object Cart) {{ Cart.f(); g(Cart); }} }}\n",
    "a member": "package a.b;\nclass D { int a = b.Cart + Cart; }\n",
    "the new name is there": "package c;\nimport a.b.Cart;\nclass D { Cart a; Basket b; }\n",
    "text": f'package c;\nimport a.b.{C};\nclass D {{ {C} a; String b = "Cart"; /* Cart */ }}\n',
}
MEMBERS = {
    "a declared type": IMPORT
    + f"class D {{ Cart a; int e(Cart c) {{ return c.{M}(1) + a.{M}(2) + this.a.{M}(3); }} }}\n",
    "a local": IMPORT + f"class D {{ int e() {{ Cart c = f(); return c.{M}(1); }} }}\n",
    "an object": IMPORT + f"class D {{ int a = new Cart().{M}(1); var b = new Cart(); int c = b.{M}(2); }}\n",
    "no type is declared": IMPORT + "class D { int e(List<Cart> a) { return a.get(0).total(1) + f().total(2); } }\n",
    "another type": IMPORT
    + "class D { int e(Order a) { return a.total(1); } int total(int b) { return total(b); } }\n",
    "a subclass": IMPORT + f"class D extends Cart {{ int e() {{ return {M}(1) + this.{M}(2) + super.{M}(3); }} }}\n",
    "a subclass that overrides": IMPORT
    + f"class D extends Cart {{\n  @Override public int {M}(int b) {{ return super.{M}(b); }}\n"
    + f"  int e(D d) {{ return d.{M}(1) + {M}(2); }}\n}}\n",
    "an overload in a subclass": IMPORT
    + "class D extends Cart { int total() { return 1; } int e(D d) { return d.total(); } }\n",
    "an inner class of a subclass": IMPORT + f"class D extends Cart {{ class E {{ int f = {M}(1); }} }}\n",
    "an inner class with another base": IMPORT + "class D extends Cart { class E extends F { int f = total(1); } }\n",
    "a class without a name": IMPORT + "class D extends Cart { Object f = new E() { int g = total(1); }; }\n",
    "the whole name": f"package c;\nclass D {{ int a = a.b.Cart.{M}(1); }}\n",
    "the new name is there": IMPORT + "class D extends Cart { int e() { return total(1); } int sum() { return 1; } }\n",
    "other numbers of arguments": IMPORT
    + f"class D {{ int e(Cart c) {{ return c.{M}(1 /* a */) + c.total(1, 2) + c.total(); }} }}\n",
    "an overload beside the inherited one": IMPORT
    + f"class D extends Cart {{ int total() {{ return {M}(1) + this.{M}(2) + total(); }} }}\n",
    "a subclass that overrides without saying so": IMPORT
    + f"class D extends Cart {{ public int {M}(final int b) {{ return super.{M}(b) + {M}(2); }} }}\n",
    "a body of a type without a name": IMPORT
    + f"class D {{ Cart a = new Cart() {{ public int {M}(int b) {{ return super.{M}(b); }} }}; }}\n",
    "a body of another type without a name": IMPORT
    + f"class D {{ E a = new E() {{ int total(int b) {{ return b; }} }}; int f(Cart c) {{ return c.{M}(1); }} }}\n",
    "an interface that extends it": IMPORT + f"interface D extends Cart {{ int {M}(int a); }}\n",
    "a constant that overrides": IMPORT
    + f"enum D implements Cart {{ E {{ public int {M}(int a) {{ return 1; }} }} }}\n",
    "an element and a parameter of a function": IMPORT
    + f"class D {{ void e(java.util.List<Cart> a) {{ a.get(0).{M}(1); a.forEach(c -> c.{M}(2)); }} }}\n",
    "a value of another type": IMPORT
    + f"class D {{ int e(Object a) {{ return ((Cart) a).{M}(1) + ((Order) a).total(2); }} }}\n",
    "a name that ends alike": "package c;\nclass D { int a = x.a.b.Cart.total(1) + f().a.b.Cart.total(2); }\n",
    "a commented import": "package c;\n/*\nimport a.b.Cart;\n*/\nclass D { int e(Cart c) { return c.total(1); } }\n",
    "one with another parameter": IMPORT
    + "class D extends Cart { int total(String b) { return 1; } int e(Cart c) { return c.total(1); } }\n",
}
STATICS = {
    "the class": IMPORT + f"class D {{ int a = Cart.{M}(1); Object b = Cart::{M}; }}\n",
    "a static import": f"package c;\nimport static a.b.Cart.{M};\nclass D {{ int a = {M}(1); }}\n",
    "all static names": f"package c;\nimport static a.b.Cart.*;\nclass D {{ int a = {M}(1); }}\n",
    "all static names of two types": (
        "package c;\nimport static a.b.Cart.*;\nimport static a.E.*;\nclass D { int a = total(1); }\n"
    ),
    "all names, twice": (f"package c;\nimport static a.b.Cart.*;\nimport a.b.Cart.*;\nclass D {{ int a = {M}(1); }}\n"),
    "all static names, not the class": (
        f"package c;\nimport static a.b.Cart.*;\nclass D {{ int a = {M}(1) + Cart.total(2); Cart b; }}\n"
    ),
    "all static names, and a base": "package c;\nimport static a.b.Cart.*;\nclass D extends E { int a = total(1); }\n",
    "another class": "package c;\nimport d.Cart;\nclass D { int a = Cart.total(1); }\n",
    "a variable of that name": IMPORT + "class D { int e(Order Cart) { return Cart.total(1); } }\n",
}


@pytest.mark.parametrize("other", TYPES.values(), ids=TYPES)
def test_a_type(other: str) -> None:
    assert_found(CLASS, other)


@pytest.mark.parametrize("other", MEMBERS.values(), ids=MEMBERS)
def test_a_method(other: str) -> None:
    assert_found(METHOD, other)


@pytest.mark.parametrize("other", STATICS.values(), ids=STATICS)
def test_a_static_method(other: str) -> None:
    assert_found(STATIC, other)


@pytest.mark.parametrize(
    ("home", "other"),
    [
        (FIELD, IMPORT + "class D { int e(Cart c) { return c.‹size>count› + c.size() + size; } }\n"),
        (FIELD, IMPORT + "class D extends Cart { int size; int e() { return size + this.size; } }\n"),
        (ENUM, IMPORT + "class D { Cart a = Cart.‹RED>PINK›; int RED; }\n"),
        (
            ENUM,
            IMPORT + "class D { int e(Cart a, F f) {\n  switch (f) { case RED: return 0; }\n"
            "  return switch (a) { case ‹RED>PINK› -> 1; default -> 2; };\n} }\n",
        ),
        (ENUM, "package c;\nimport static a.b.Cart.‹RED>PINK›;\nclass D { Object a = ‹RED>PINK›; }\n"),
        (NESTED, f"package a.b;\nclass D {{ Cart.{I} a = new Cart.{I}(); Item b; a.b.Cart.{I} c; }}\n"),
        (NESTED, f"package c;\nimport a.b.Cart.{I};\nclass D {{ {I} a; }}\n"),
        (NESTED, f"package c;\nimport a.b.Cart.*;\nclass D {{ {I} a; }}\n"),
        (NESTED, f"package c;\nimport static a.b.Cart.{I};\nclass D {{ {I} a; Object b = {I}.c(); }}\n"),
        (NESTED, "package c;\nimport static d.Cart.Item;\nclass D { Item a; Object b = Item.c(); }\n"),
        (ANNOTATION, IMPORT + "@Cart(total = 1) class D { int e(Cart c) { return c.total(); } }\n"),
        (RECORD, IMPORT + "class D { int e(Cart c) { return c.‹total>sum›() + c.total(1) + c.total; } }\n"),
        (RECORD, IMPORT + "class D { Object e(F<Cart> f) { return f.map(Cart::‹total>sum›); } }\n"),
        (RECORD.replace("record", "private record"), IMPORT + "class D { int e(Cart c) { return c.total(); } }\n"),
    ],
)
def test_fields_constants_and_inner_types(home: str, other: str) -> None:
    assert_found(home, other)


def test_members_of_an_inner_type() -> None:
    home = METHOD.replace("Cart {\n", "Cart {\n  public static class Item {\n") + "}\n"
    uses = f"i.{M}(1) + new Cart.Item().{M}(2) + new a.b.Cart.Item().{M}(3) + a.b.Cart.Item.{M}(4)"
    assert_found(home, f"{IMPORT}class D {{ int e(Cart.Item i, Item j) {{ return {uses} + j.total(5); }} }}\n")
    constants = "public class Cart {\n  public enum Item { «RED>PINK», BLUE }\n}\n"
    assert_found(
        constants, f"{IMPORT}class D {{ int e(Cart.Item i) {{ switch (i) {{ case ‹RED>PINK›: return 1; }} }} }}\n"
    )


def test_what_the_class_itself_gives() -> None:
    factory = "\n  public static Cart of() { return new Cart(); }\n  public Cart self() { return this; }\n}"
    home = METHOD.replace("\n}", factory)
    uses = f"Cart.of().{M}(1) + Cart.of().self().{M}(2) + b.{M}(3) + other().total(4)"
    assert_found(home, f"{IMPORT}class D {{ int e() {{ var b = Cart.of(); return {uses}; }} }}\n")


def test_a_parameter_with_an_annotation_has_the_type_behind_it() -> None:
    home = METHOD.replace("int a)", "java.util.Map<String, int[]> a)")
    override = f'public int {M}(final @A("(") java.util.Map<String,int[]> b) {{ return super.{M}(b); }}'
    assert_found(home, f"{IMPORT}class D extends Cart {{ {override} }}\n")
    assert_found(home, f"{IMPORT}class D extends Cart {{ {override.replace(M, 'total').replace('int[]', 'int')} }}\n")


def test_an_overload_follows_by_its_number_of_arguments() -> None:
    home = METHOD.replace("\n}", "\n  public int total() { return 1; }\n}")
    assert_found(home, f"{IMPORT}class D {{ int e(Cart a) {{ return a.{M}(1) + a.total(); }} }}\n")


@pytest.mark.parametrize(
    "home",
    [
        METHOD.replace("public int", "private int"),
        METHOD.replace("public int", "@Override public int"),
        METHOD.replace("class Cart", "class Cart extends Base"),
        METHOD.replace("class Cart", "interface Cart extends Base"),
        METHOD.replace("\n}", "\n  public int total(int... a) { return 1; }\n}"),
        METHOD.replace("int «total>sum»(int a) {", "int e() { return «total>sum»(1); } int total(int a) {"),
        "class Cart { void e() { class F { void «total>sum»(int a) { } } } }\n",
        "class Cart { private static class F { void «total>sum»(int a) { } } }\n",
        "record Cart(int «total>sum») { }\n",
    ],
)
def test_what_others_may_not_see_or_declare_too_leads_nowhere(home: str) -> None:
    assert_found(home, IMPORT + "class D { int e(Cart c) { return c.total(1) + c.total; } }\n")


def test_a_method_of_a_class_with_a_base_where_overriding_ones_are_marked() -> None:
    based = "class Cart extends Base {\n  @Override void f() { }\n"
    home = METHOD.replace("class Cart {", based)
    other = IMPORT + "class D { int e(Cart c) { return c.%s; } }\n"
    assert_found(home, other % "total(1)")  # the base may have one with a parameter of another type
    assert_found(home.replace("int a", ""), other % f"{M}()")
    assert_found(home.replace("int a", ""), other % "f(Cart::total) + c.total()")
    implementing = home.replace("extends", "implements")
    assert_found(implementing, other % f"{M}(1)")  # it declares all of that name
    assert_found(implementing.replace("public class", "public abstract class"), other % "total(1)")


def test_a_method_with_any_number_of_arguments() -> None:
    for last in ("int... b", "int ...b", "final int /* ( */ ... b"):
        home = METHOD.replace("int a)", f"String a, {last})")
        uses = f"c.{M}(a) + c.{M}(a, 1, 2) + c.total()"
        assert_found(home, IMPORT + f"class D {{ int e(Cart c) {{ return {uses}; }} }}\n")


def test_a_method_that_another_package_does_not_see_is_not_overridden_there() -> None:
    other = IMPORT + "class D extends Cart { int total(int a) { return 1; } int e(Cart c) { return c.total(1); } }\n"
    assert_found(METHOD.replace("public int", "int"), other)


def test_a_parameter_of_a_type_is_no_base() -> None:
    home = METHOD.replace("class Cart", "class Cart<T extends Comparable<T>>")
    assert_found(home, IMPORT + f"class D {{ int e(Cart<A> c) {{ return 1; }} Cart f; int g = f.{M}(1); }}\n")


@pytest.mark.parametrize(
    ("package", "other"),
    [
        ("a.b", "package c;\nimport a.b.Cart;\nclass D { Cart a; }\n"),  # the renamed file's own package
        ("c", "package c;\nimport a.b.*;\nclass D { Cart a; }\n"),
        ("c", f"package c;\nimport a.b.{C};\nclass D {{ {C} a; }}\n"),  # what is imported by name goes first
        ("e", "package c;\nimport a.b.*;\nimport e.*;\nclass D { Cart a; }\n"),
        ("e", f"package c;\nimport a.b.*;\nclass D {{ {C} a; }}\n"),
    ],
)
def test_a_type_of_the_new_name_in_another_file(package: str, other: str) -> None:
    assert_found(CLASS, other, declaring=frozenset({package}))


def test_a_type_of_the_language_that_all_files_see() -> None:
    assert_found(CLASS.replace("Basket", "Record"), "package c;\nimport a.b.*;\nclass D { Cart a; }\n")


def test_where_other_files_declare_the_type_only_its_import_tells() -> None:
    assert_found(CLASS, f"package c;\nimport a.b.{C};\nclass D {{ {C} a; }}\n", clear=False)
    assert_found(CLASS, "package a.b;\nclass D { Cart a; }\n", clear=False)
    assert_found(METHOD, "package c;\nimport a.b.*;\nclass D { int e(Cart c) { return c.total(1); } }\n", clear=False)


def test_without_packages_only_files_of_one_folder_see_a_type() -> None:
    document = replace(played(CLASS, HOME), unopened=Project("class D { Cart a; }\n", True))
    assert rename_unopened(Moment(document, 0, ResolverCache().of, lambda: None)) == []


@pytest.mark.slow
def test_it_is_linear() -> None:
    def work(size: int) -> Callable[[], object]:
        rows = "".join(f"  int e{n}(Cart c) {{ return c.total({n}); }}\n" for n in range(size))
        document = replace(
            played(f"package a.b;\n{METHOD}", HOME), unopened=Project(f"{IMPORT}class D {{\n{rows}}}\n", True)
        )
        return lambda: rename_unopened(Moment(document, 0, ResolverCache().of, lambda: None))

    assert_linear(work, 500)
