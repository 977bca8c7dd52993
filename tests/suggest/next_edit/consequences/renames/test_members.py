"""Renames of members that parameters declare, that only their class can name, that traits and embedding hand on."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

SHOP = "  load() { return this.‹http>client›.get(o.http); }\n}\n"
PARAMETER_FIELDS = {
    "the parameter is renamed": (
        "class Shop {\n  constructor(private readonly «http>client»: Http, rate = 1) {\n    ‹http>client›.open(rate);\n"
        f"  }}\n{SHOP}new Shop(h, 2).‹http>client›;\n"
    ),
    "the field where it is used": (
        "class Shop {\n  constructor(readonly ‹http>client›?: Http) {\n    ‹http>client›.open();\n  }\n"
        "  load() { return this.«http>client».get(http); }\n}\n"
    ),
    "the parameter where it is used": (
        "class Shop {\n  constructor(override ‹http>client› = f()) {\n    «http>client».open();\n  }\n" + SHOP
    ),
    "no field": (
        "class Shop {\n  constructor(«http>client»: Http) {\n    this.http = ‹http>client›;\n  }\n"
        "  load() { return this.http.get(); }\n}\n"
    ),
    "the class has the new name": (
        "class Shop {\n  client = 1;\n  constructor(private «http>client»: Http) {\n    f(http);\n  }\n}\n"
    ),
    "the constructor has the new name": (
        "class Shop {\n  constructor(private «http>client»: Http) {\n    const client = http;\n  }\n"
        "  load() { return this.http; }\n}\n"
    ),
    "outside of a class": "function f(private «a>b»: C) {\n  return ‹a>b› + this.a;\n}\n",
}
PRIVATE = {
    "a field": (
        "class Cart {\n  #«count>size» = 0;\n  count = 1;\n  add(o) {\n    this.#‹count>size› += o.#‹count>size›;\n"
        "    return #‹count>size› in o ? this.count : count;\n  }\n}\ncart.count;\n"
    ),
    "a field where it is used": (
        "class Cart {\n  #‹count>size› = 0;\n  get size() { return this.#«count>size»; }\n"
        "  get count() { return 1; }\n}\n"
    ),
    "the public one beside it": (
        "class Cart {\n  #count = 0;\n  get «count>size»() { return this.#count; }\n"
        "  two() { return this.‹count>size›; }\n}\n"
    ),
    "a method": "class Cart {\n  #«sum>total»() { return 1; }\n  get() { return this.#‹sum>total›() + sum(); }\n}\n",
    "of a subclass": (
        "class A {\n  #x = 1;\n  a() { return this.#x; }\n}\n"
        "class B extends A {\n  #«x>y» = 2;\n  b(o) { return this.#‹x>y› + o.#‹x>y›; }\n}\n"
    ),
    "of the class around": (
        "class A {\n  #«x>y» = 1;\n  #z = 2;\n  m() {\n"
        "    return class { #z = 3; n(a) { return a.#‹x>y› + { get() { return this.#‹x>y›; } } + this.#z; } };\n"
        "  }\n}\n"
    ),
    "of a class inside": (
        "class A {\n  #«x>y» = 1;\n  m() {\n    class B { #x = 2; n(a) { return a.#x; } }\n"
        "    return this.#‹x>y›;\n  }\n}\n"
    ),
    "a class inside has the new name": (
        "class A {\n  #«x>y» = 1;\n  m() {\n    return class { #y = 2; n(a) { return a.#x; } };\n  }\n}\n"
    ),
    "the one of a base is free": (
        "class A { #y = 1; }\nclass B extends A {\n  #«x>y» = 2;\n  m() { return this.#‹x>y›; }\n}\n"
    ),
    "one that reads and one that writes": (
        "class A {\n  get #«x>y»() { return 1; }\n  set #‹x>y›(v) {}\n  m() { this.#‹x>y› = this.#‹x>y› + 1; }\n}\n"
    ),
    "one that reads, copied": (
        "class A {\n  get x() { return 1; }\n  get «x>y»() { return 1; }\n  m() { return this.x; }\n}\n"
    ),
    "of another class": "class A {\n  #«x>y» = 1;\n}\nclass B {\n  #x = 2;\n  get() { return this.#x; }\n}\n",
}
RECORDS = {
    "a method that the bodies of constants override": (
        "enum P {\n  A { int ‹m>n›() { return super.‹m>n›(); } }, B { int k() { return ‹m>n›() + this.‹m>n›(); } };\n"
        "  int «m>n»() { return 1; }\n  Object c = new Q() { int m() { return 1; } };\n}\n"
    ),
    "the component is renamed": (
        "record P(int «x>a», int y) {\n  int s() { return ‹x>a› + this.‹x>a› + ‹x>a›() + x(1); }\n"
        "  int x(int k) { return 1; }\n}\nclass Q { int f(P p) { return p.‹x>a›() + p.x(2) + q.x(); } }\n"
    ),
    "the accessor where it is called": (
        "record P(int ‹x>a›) {\n  int s() { return ‹x>a›; }\n}\nclass Q { int f(P p) { return p.«x>a»(); } }\n"
    ),
    "a method of that name is renamed": (
        "record P(int x) {\n  int «x>a»(int k) { return x + x() + ‹x>a›(1); }\n  int f() { return this.x; }\n}\n"
    ),
    "the accessor is written": (
        "record P(int «x>a») {\n  public int ‹x>a›() { return ‹x>a›; }\n  P { if (‹x>a› < 0) throw e; }\n}\n"
        "class Q { int f(P p) { return p.‹x>a›(); } }\n"
    ),
}
OVERLOADS = {
    "of several methods one": "class A {\n  void «m>n»() {}\n  void m(int k) {}\n  void f() { ‹m>n›(); m(1); }\n}\n",
    "where it is called, and where it is overridden": (
        "class A {\n  void ‹m>n›() {}\n  void m(int k) {}\n  void f() { «m>n»(); m(1); g(this::m); }\n}\n"
        "class B extends A { void ‹m>n›() {} void m(int k) {} }\n"
    ),
    "a subclass has another one": (
        "class A { void «m>n»() {} }\n"
        "class B extends A { void m(int k) {} void f() { ‹m>n›(); m(1); super.‹m>n›(); } }\n"
    ),
    "an object without a class has another one": (
        "interface I { int «m>n»(int a); }\n"
        "class C { I i = new I() { public int ‹m>n›(int a) { return a; } public int m() { return 1; } }; }\n"
    ),
    "of a generic class": (
        "class A<T> { void «m>n»() {} }\nclass B { void f(A<B> a, List<A> b) { a.‹m>n›(); b.m(); } }\n"
    ),
    "one takes any number": "class A {\n  void m(int a) {}\n  void «m>n»(int... k) {}\n  void f() { m(1); }\n}\n",
}
TRAITS = {
    "the trait's method is renamed": (
        "trait Area { fn «area>size»(&self) -> f64; }\nstruct B;\n"
        "impl Area for B { fn ‹area>size›(&self) -> f64 { 1.0 } }\n"
        "impl B { fn area_of(&self) {} }\nfn g(b: B) -> f64 { b.‹area>size›() }\n"
        "fn h<T: Area>(t: T, u: &dyn Area, v: impl Area) -> f64 {\n"
        "    t.‹area>size›() + u.‹area>size›() + v.‹area>size›() + w.area()\n}\n"
    ),
    "where it is implemented": (
        "trait Area<T> { fn ‹area>size›(&self) -> f64; }\nstruct B<T> { t: T }\n"
        "impl<T> Area<T> for B<T> { fn «area>size»(&self) -> f64 { 1.0 } }\nstruct C;\n"
        "impl Area<u8> for C { fn ‹area>size›(&self) -> f64 { 1.0 } }\nstruct D;\nimpl D { fn area(&self) {} }\n"
    ),
    "of two traits": (
        "trait A { fn run(&self); }\ntrait B { fn «run>go»(&self); }\nstruct S;\nimpl S { fn run(&self) {} }\n"
        "impl A for S { fn run(&self) {} }\nimpl B for S { fn ‹run>go›(&self) {} }\n"
        "fn f(s: S, a: &dyn A, b: &dyn B) { s.run(); a.run(); b.‹run>go›(); B::‹run>go›(&s); }\n"
    ),
    "of the type itself": (
        "trait A { fn run(&self); }\nstruct S;\nimpl S { fn «run>go»(&self) {} }\n"
        "impl A for S { fn run(&self) {} }\nfn f(s: S) { s.‹run>go›(); S::‹run>go›(&s); }\n"
    ),
    "for types of other files": (
        "trait A { fn ‹run>go›(&self); }\nimpl A for i32 { fn «run>go»(&self) { self.‹run>go›() } }\n"
        "impl<T> A for Vec<T> { fn ‹run>go›(&self) {} }\nimpl<T> A for T { fn ‹run>go›(&self) {} }\n"
    ),
    "of a trait above": (
        "trait A { fn «run>go»(&self); }\ntrait B: A + Send { fn f(&self) { self.‹run>go›() } }\n"
        "fn g<T: B + Clone>(t: T, u: impl A + Send) { t.‹run>go›(); u.‹run>go›(); T::‹run>go›(&t); }\n"
    ),
    "of a generic type": (
        "trait A { fn «run>go»(&self); }\nstruct S<T> { t: T }\nimpl<T> A for S<T> { fn ‹run>go›(&self) {} }\n"
        "fn f(s: S<u8>, v: Vec<S<u8>>) { s.‹run>go›(); v.run(); }\n"
    ),
    "a function of the module above": (
        "fn run() {}\nmod m {\n    trait A { fn «run>go»(&self); }\n    struct S;\n"
        "    impl A for S { fn ‹run>go›(&self) { super::run() } }\n}\n"
    ),
    "a type of the trait": (
        "trait A { type «Item>Part»; fn f(&self) -> Self::‹Item>Part›; }\nstruct S;\nstruct Item;\n"
        "impl A for S { type ‹Item>Part› = u8; fn f(&self) -> Self::‹Item>Part› { 1 } }\nfn g(i: Item) -> m::Item {}\n"
    ),
    "of another file": (
        "struct C;\nimpl std::fmt::Display for C { fn «area>size»(&self) -> f64 { 1.0 } }\nstruct D;\n"
        "impl D { fn area(&self) {} }\nfn f(c: C, d: D) { c.‹area>size›(); d.area() }\n"
    ),
}
PAGE = "type Page struct {\n\t*Base\n\tn int\n}\n\n"
EMBEDDED = {
    "a field": (
        "package a\n\ntype Base struct {\n\t«Name>Title» string\n}\n\n"
        + PAGE
        + "func (b Base) Show() string { return b.‹Name>Title› }\n\n"
        "func f(p Page) string { return p.‹Name>Title› + p.Base.‹Name>Title› }\n"
    ),
    "a field that another one hides": (
        "package a\n\ntype Base struct {\n\t«Name>Title» string\n}\n\ntype Page struct {\n\tBase\n\tName int\n}\n\n"
        "func f(p Page) string { return p.Name + p.Base.‹Name>Title› }\n"
    ),
    "the field that hides it": (
        "package a\n\ntype Base struct {\n\tName string\n}\n\ntype Page struct {\n\tBase\n\t«Name>Title» int\n}\n\n"
        "func f(p Page) string { return p.‹Name>Title› + p.Base.Name }\n"
    ),
    "a method": (
        "package a\n\ntype Base struct{}\n\nfunc (b Base) «Show>Print»() {}\n\n"
        + PAGE
        + "func (p Page) Hide() { p.‹Show>Print›() }\n"
    ),
    "the type": (
        "package a\n\ntype «Base>Root» struct {\n\tn int\n}\n\ntype Page struct {\n\t‹Base>Root›\n\tBaseX int\n}\n\n"
        "func f(p Page) int {\n\tq := Page{‹Base>Root›: ‹Base>Root›{1}}\n\treturn p.‹Base>Root›.n + q.n\n}\n"
    ),
    "the type where it names the field": (
        "package a\n\ntype ‹Base>Root› struct {\n\tn int\n}\n\ntype Page struct{ *‹Base>Root› }\n\n"
        "type Leaf struct{ ‹Base>Root› }\n\n"
        "func f(p Page, l Leaf) int { return p.«Base>Root».n + l.‹Base>Root›.n }\n"
    ),
    "a generic type": (
        "package a\n\ntype «Base>Root»[T any] struct {\n\tn T\n}\n\ntype Page struct{ *‹Base>Root›[int] }\n\n"
        "type Leaf struct{ List[‹Base>Root›[int]] }\n\n"
        "func f(p Page, l Leaf) int { return p.‹Base>Root›.n + l.Base.n }\n"
    ),
    "a field of an argument of a type": (
        "package a\n\ntype Base struct {\n\t«n>m» int\n}\n\ntype Page struct {\n\tBox[Base]\n\tall List[Base]\n}\n\n"
        "func f(p Page, b Base) int { return p.n + b.‹n>m› }\n"
    ),
    "the type, where a struct has the new name": (
        "package a\n\ntype «Base>Root» struct {\n\tn int\n}\n\ntype Page struct {\n\tBase\n\tRoot int\n}\n"
    ),
    "a method of an interface": (
        "package a\n\ntype Reader interface {\n\t«Read>Get»() int\n}\n\n"
        "type Both interface {\n\tReader\n\tWrite()\n}\n\n"
        "func f(b Both) int { return b.‹Read>Get›() }\n"
    ),
}


@pytest.mark.parametrize("marked", PARAMETER_FIELDS.values(), ids=PARAMETER_FIELDS)
def test_parameters_that_are_fields(marked: str) -> None:
    assert_follows({"file:///w/shop.ts": marked})


@pytest.mark.parametrize("uri", ["file:///w/a.ts", "file:///w/a.js"])
@pytest.mark.parametrize("marked", PRIVATE.values(), ids=PRIVATE)
def test_private_names(marked: str, uri: str) -> None:
    assert_follows({uri: marked})


@pytest.mark.parametrize("marked", [*RECORDS.values(), *OVERLOADS.values()], ids=[*RECORDS, *OVERLOADS])
def test_records_and_overloads(marked: str) -> None:
    assert_follows({"file:///w/P.java": marked})


@pytest.mark.parametrize("marked", TRAITS.values(), ids=TRAITS)
def test_traits(marked: str) -> None:
    assert_follows({"file:///w/a.rs": marked})


@pytest.mark.parametrize("marked", EMBEDDED.values(), ids=EMBEDDED)
def test_embedded(marked: str) -> None:
    assert_follows({"file:///w/a.go": marked})
