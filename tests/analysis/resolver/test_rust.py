"""The rules of names of Rust: every occurrence of one binding is marked, and nothing else is."""

from __future__ import annotations

import pytest
from editahead.analysis.resolver.resolver import resolver_of
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer

from .marked import assert_marked, resolver

CASES = {
    "local": "fn f() -> i32 { let «x» = 1; «x» + o.x }\nfn g() { x(); }\n",
    "shadowed": "fn f() { let «x» = 1; let x = «x» + 1; use_it(x); }\n",
    "the one that shadows": "fn f() { let x = 1; let «x» = x + 1; use_it(«x»); }\n",
    "parameter": "fn f(«x»: i32, y: i32) -> i32 { «x» + y }\n",
    "tuple": "fn f((«b», c): (i32, i32)) -> i32 { «b» + c }\n",
    "if let": "fn f() { if let Some(«w») = w { «w».run(); } w.stop(); }\n",
    "if let is seen in its block alone": (
        "fn f(x: i32) { if let Some(«x») = o { «x».run(); } else { x.stop(); } x.stop(); }\n"
    ),
    "a name that if let hides in its block": (
        "fn f(«x»: i32) { if let Some(x) = «x».get() { x.run(); } else { «x».stop(); } «x» }\n"
    ),
    "if let behind else": (
        "fn f(x: i32) { if let Some(x) = o && x > 1 { x; } else if let Ok(«x») = x && «x» > 2 { «x»; } else { x; } }\n"
    ),
    "a name that if let hides nowhere behind else": (
        "fn f(«x»: i32) { if let Some(x) = o { x; } else if let Ok(x) = «x» { x; } else if «x» > 1 { «x»; } "
        "else { let x = «x»; x } }\n"
    ),
    "while let": "fn f() { while let Ok(«q») = h() { «q».run(); } }\n",
    "let else": "fn f() { let Some(«o») = p else { return }; «o».run(); }\n",
    "for": "fn f() { for «i» in 0..9 { «i».run(); } i.stop(); }\n",
    "for over itself": "fn f(«all»: V) { for all in «all» { all.run(); } }\n",
    "match": "fn f(x: E) { match x { Some(«z») if «z» > 1 => «z», z => z } }\n",
    "match of two": "fn f(x: E) { match x { E::A(«k») | E::B { z: «k» } => «k», _ => k } }\n",
    "captured": "fn f(x: E) { match x { «n» @ 2..=5 => «n», n => n } }\n",
    "a constant is no new name": "const «MAX»: i32 = 1;\nfn f(x: i32) { match x { «MAX» => 1, _ => 2 } }\n",
    "closure": "fn f(u: i32) { let e = |«u», v: i32| «u» + v; e(u, 1); }\n",
    "function": "fn «f»() { «f»(); o.f(); }\nmod m { fn f() {} }\n",
    "function before its declaration": "fn f() { «g»(); fn «g»() { } «g»(); }\n",
    "struct": "struct «A»;\nimpl «A» { fn new() -> «A» { «A» {} } }\nfn f(a: &mut «A», b: x::A) {}\n",
    "type parameter": "fn f<«T»: Clone>(x: «T») -> Option<«T»> { g::<«T»>() }\nfn h<T>(x: T) {}\n",
    "type parameter of an impl": "impl<«T»> A<«T»> { fn m(x: «T») -> T2 { x } }\nstruct T;\n",
    "field": "struct A { «x»: i32 }\nimpl A { fn m(&self) -> i32 { self.«x» + b.x } }\n",
    "field of a typed name": "struct A { «x»: i32 }\nfn f(a: &A, b: B) -> i32 { a.«x» + b.x }\n",
    "field of a new object": (
        "struct A { «x»: i32 }\nfn f() { let a = A::new(); a.«x»; let b = A { «x»: 1 }; b.«x»; }\n"
    ),
    "field in a pattern": "struct A { «x»: i32 }\nfn f(A { «x»: y, .. }: A) -> i32 { y }\n",
    "method": "struct A;\nimpl A { fn «m»(&self) { self.«m»(); o.m(); } }\nfn f(a: A) { a.«m»(); A::«m»(&a); }\n",
    "method across blocks": "struct A;\nimpl A { fn «m»(&self) {} }\nimpl T for A { fn n(&self) { self.«m»(); } }\n",
    "constant of a type": "struct A;\nimpl A { const «K»: i32 = 1; fn m() -> i32 { Self::«K» + A::«K» + K } }\n",
    "variant": "enum E { «One», Two(i32) }\nfn f(e: E) { match e { E::«One» => 1, E::Two(n) => n } }\n",
    "variant with fields": (
        "enum E { «A» { x: i32 }, B { x: i32 } }\nstruct A;\n"
        "fn f(e: E) -> E { match e { E::«A» { x } => E::«A» { x }, E::B { x } => a::A { x } } }\n"
    ),
    "field of a variant": (
        "enum E { A { «x»: i32 }, B { x: i32 } }\nimpl E { fn m() -> E { Self::A { «x»: 1 } } }\n"
        "fn f(e: E) -> E { match e { E::A { «x»: y } => E::A { «x»: y }, E::B { x: y } => E::B { x: y } } }\n"
    ),
    "trait": "trait «Tr» { fn k(&self); }\nimpl «Tr» for A { fn k(&self) {} }\nfn f<T: «Tr»>(t: T) {}\n",
    "import": "use a::b::«C»;\nfn f(c: «C») { «C»::new(); d::C::new(); }\n",
    "one of several imports": "use a::{b, «C», io::{self, D}};\nfn f(c: «C») {}\n",
    "import under another name": "use a::B as «C»;\nfn f(c: «C») { B; }\n",
    "in a macro": 'fn f(«x»: i32) { println!("{} {x2}", «x», a.x); vec![«x», a::x]; }\n',
    "in a text of a macro": 'fn f(«x»: i32) { println!("{«x»} {«x»:>4} {{x}} x"); }\n',
    "letters beyond ASCII in a text of a macro": 'fn f(«größe»: i32) { println!("{«größe»} {:>1$} {:«größe»$}"); }\n',
    "field in a macro": (
        "struct A { «x»: i32, b: A }\n"
        'impl A { fn f(&self, x: i32, c: B) { log!("{}", self.«x», x, c.x, self.b.«x», g(self.«x»)[0].x, a::x); } }\n'
    ),
    "method in a macro": (
        'struct A { m: i32 }\nimpl A { fn «m»(&self) { log!("{}", self.«m»(), self.m, self.m[0], c.m()); } }\n'
    ),
    "parameter as the receiver in a macro": "struct A { x: i32 }\nfn f(«a»: &A) { log!(«a».x, b.a, «a».x.a); }\n",
    "key of a literal in a macro": (
        "struct A { «x»: i32 }\n"
        "fn f(x: i32, y: i32) { vec![A { «x»: x }, B { x: x }, a::A { x: 1 }]; log!(x: 1, { x }); }\n"
    ),
    "beside a key in a macro": (
        "struct A { x: i32 }\nfn f(«x»: i32) { vec![A { x: «x» }, B { x: «x» }, {«x»}]; log!(x: 1, { «x»; }); }\n"
    ),
    "named argument of a macro": (
        'fn f(«x»: i32, y: i32) { println!("{x} {y}", x = «x» + y); info!(x = %«x», "{y}"); }\n'
        'fn g(x: i32) { info!(target: "a", "{x}"); }\n'
    ),
    "named argument of a macro in any brackets": (
        "fn f(«x»: i32) { args! { x = «x» }; args![x = 1, b = «x»]; args! { «x» == 1 }; args![y, x = g(«x»)]; }\n"
        "fn g(x: i32) { args! { a = { x = 1; } }; }\n"
    ),
    "assigned in a block that a macro takes": (
        "fn f(«x»: i32) { args!(a, { «x» = 1; «x» }); args! { if y { «x» = 2; } } }\n"
    ),
    "bound in a branch of a macro": "fn f(«x»: i32) { select! { «x» = g() => «x», _ = h(«x») => 1 } }\n",
    "a trait and the macro that derives one": (
        "trait «A» {}\n#[derive(Debug, A)]\nstruct B;\n#[cfg_attr(test, derive(A, m::A))]\nstruct C;\n"
        "impl «A» for B {}\nfn f(x: impl «A») { log!(derive(«A»), «A»::m); flags! { #[derive(A)] struct D; } }\n"
    ),
    "a struct and the macro that derives one": "struct «A»;\n#[derive(A)]\nstruct B;\nfn f(a: «A») {}\n",
    "a trait of a module and the macro that derives one": (
        "mod m { pub trait «A» {} }\nuse m::«A»;\n#[derive(A)]\nstruct B;\nimpl «A» for B {}\n"
    ),
    "an import brings the macro that derives": (
        "use a::{b, «A»};\n#[derive(Debug, «A»)]\nstruct B;\nimpl «A» for C {}\n#[derive(b::A)]\nstruct D;\n"
    ),
    "in code that a macro makes": (
        "fn f(«x»: i32) { quote! { let x = self.x; fn x(&self) { #«x» + x } S { x: #«x», #«x»: x, #(#«x»),* } "
        'log!(x, "{x}", #«x»::new()); html! { {x} } }; «x» }\n'
    ),
    "in code that a macro makes at a place": (
        "fn f(«x»: S) { quote_spanned! {«x».join(g(«x»))=> x.y(x); #«x» };"
        " quote_spanned!(y=> match x { x => #«x» }); }\n"
    ),
    "in code that a macro reads": "fn f(«x»: T) -> Expr { parse_quote! { x.y(#«x», vec![x]) } }\n",
    "in tags that a macro takes": (
        "fn f(«x»: &str) { html! { <x x={«x»} y=x>{ «x».len() }{ g(|y| html! { <x>{ y + «x» }</x> }) }x</x> }; "
        'rsx! { div { x: «x», "{x}" } }; view! { <p>{format!("{«x»}")} "{x}", "{x}"</p> } }\n'
    ),
    "in the width of a text of a macro": 'fn f(«w»: usize) { println!("{:>«w»$} {x:.«w»$} {:>1$.«w»$?} w$"); }\n',
    "in a text that no macro formats": (
        'fn f(«x»: i32) { assert_eq!(«x», "{x}"); vec!["{x}"]; print!("{«x»}", g("{x}"), "{x}"); }\n'
        'fn g(x: i32) { write!(x, "{x}"); }\n'
    ),
    "field beside a method of its name": (
        "struct A { «x»: i32 }\nimpl A { fn x(&self) -> i32 { self.«x» } }\n"
        "impl A { fn m(&self) -> i32 { self.x() + A::x(self) } }\n"
        "fn f(a: &A) -> i32 { a.x() + (a.«x»)(1) + A { «x»: 1 }.«x» }\n"
    ),
    "method beside a field of its name": (
        "struct A { x: B }\nimpl A { fn «x»(&self) -> i32 { self.x } }\n"
        "impl A { fn m(&self) -> i32 { self.«x»() + A::«x»(self) } }\n"
        "fn f(a: &A) -> i32 { a.«x»::<T>() + g(a.x) + A { x: 1 }.x }\n"
    ),
    "field of a field beside a method": (
        "struct B { «y»: i32 }\nstruct A { x: B }\nimpl A { fn x(&self) -> i32 { self.x.«y» } }\n"
    ),
    "paths begin with no local name": "fn f(«c»: c::A) -> c::B { c::run(&«c»); log!(c::D, «c»); c::A { x: «c» } }\n",
    "type parameter of an impl of a generic type": (
        "struct A<T> { x: T }\nimpl<«T»: Clone> A<«T»> { fn m(&self, x: «T») -> «T» { x } }\nimpl<T> A<T> {}\n"
    ),
    "field of what a loop counts": (
        "struct A { «x»: i32 }\nfn f(rows: &[A], all: HashMap<u8, A>, kept: HashMap<u8, Vec<A>>) {\n"
        "    for (n, a) in rows.iter().enumerate() { a.«x» + n.x; }\n    for (k, b) in &all { b.«x» + k.x; }\n"
        "    for (k, c) in all.iter_mut() { c.«x»; }\n    for (n, d) in rows { d.x; }\n"
        "    for (k, es) in kept { es.x; for (n, e) in es.iter().enumerate() { e.«x»; } }\n}\n"
    ),
    "a path to the module around": (
        "fn «f»() -> i32 { 1 }\n"
        "mod m {\n    use super::«f»;\n    fn g() { assert_eq!(«f»(), 1); super::«f»();"
        " assert!(super::«f»() == self::g()); }\n}\n"
        "fn h() { self::«f»(); o::f(); }\n"
    ),
    "one of several names of the module around": (
        "fn «f»() {}\nfn a() {}\nmod m {\n    use super::{a, «f»};\n    fn g() { «f»(); f::x(); }\n}\n"
        "mod n {\n    use super::{b::{f}, «f» as h};\n    fn g() { f(); h(); }\n}\n"
    ),
    "a name that a module imports": (
        "fn f() {}\nmod m {\n    use a::«f»;\n    fn g() { «f»(); super::f(); }\n}\nfn h() { f(); crate::f(); }\n"
    ),
    "a module does not see the names around it": (
        "fn «f»() {}\nmod m {\n    fn g() { f(); }\n    mod n {\n        use super::super::*;\n"
        "        fn g() { «f»(); }\n    }\n}\n"
    ),
    "a type of the module around": (
        "struct «A» { x: i32 }\nimpl «A» { fn new() -> Self { Self { x: 1 } } }\nmod m {\n    use super::«A»;\n"
        "    fn g(a: &«A») -> super::«A» { super::«A»::new(); super::«A» { x: 1 } }\n}\n"
    ),
    "a field of a type of the module around": (
        "struct A { «x»: i32 }\nimpl A { fn new() -> Self { Self { «x»: 1 } } }\nmod m {\n    struct A { x: i32 }\n"
        "    fn g(a: &super::A, b: A) { a.«x» + b.x; let c = super::A { «x»: 1 }; c.«x»; super::A::new().«x»; }\n}\n"
        "mod n {\n    use super::A;\n    fn g(a: &A) { a.«x»; }\n}\n"
    ),
    "a variant of a type of the module around": (
        "enum E { «One», Two }\nmod m {\n    use super::E;\n    fn g(e: E) { match e { E::«One» => 1, _ => 2 } }\n"
        "    fn h() -> super::E { super::E::«One» }\n}\n"
    ),
    "what a module in the file declares": (
        "mod m {\n    pub fn «f»() {}\n    fn g() { «f»(); self::«f»(); }\n}\nuse m::«f»;\n"
        "fn h(m: M) { «f»(); m.f(); }\n"
        "fn k() { m::«f»(); self::m::«f»(); vec![m::«f»()]; n::f(); }\n"
    ),
    "a module in the file": (
        "mod «m» {\n    pub mod n { pub fn f() {} }\n    fn g() { super::«m»::n::f(); }\n}\n"
        "use self::«m»::n::f;\nuse self::«m»::{n};\nfn h() { «m»::n::f(); }\n"
    ),
    "a module in a module": (
        "mod m {\n    pub mod «n» { pub fn f() {} }\n    fn g() { «n»::f(); }\n}\nmod n {}\n"
        "use self::m::«n»::{f};\nfn h() { m::«n»::f(); n::f(); }\n"
    ),
    "an import of what another one brings": (
        "mod m {\n    pub use super::«f»;\n}\nmod n {\n    use super::m::«f»;\n    fn g() { «f»(); }\n}\n"
        "fn «f»() { m::«f»(); }\n"
    ),
    "a module in another file": "mod m;\nuse self::m::«f»;\nuse m::g;\nfn h() { «f»(); self::«f»(); m::f(); }\n",
    "a module that imports lead through": (
        "use «m»::f;\nuse «m»::{g, n::h};\npub(crate) use «m»::*;\nmod «m»;\n"
        "mod o { use m::f; }\nfn h() { «m»::f(); }\n"
    ),
    "imports in a circle": "mod m {\n    pub use super::«f»;\n}\nuse m::f;\n",
    "a package of the name of what it gives": "use log::«log»;\nfn f() { x::log(); «log»(); }\n",
    "labels and lifetimes are no names": "fn f<'x>(«x»: &'x i32) { 'x: loop { «x»; break 'x; } }\n",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES)
def test_references(marked: str) -> None:
    assert_marked(marked, "rust")


@pytest.mark.parametrize("literal", ["A { x }", "vec![A { x, y }]"])
def test_a_shorthand_is_a_field_and_a_local(literal: str) -> None:
    source = f"struct A {{ x: i32 }}\nfn f(x: i32) {{\n    {literal};\n}}\n"
    names = resolver(source, "rust")
    used = source.index("A { x", source.index("fn f")) + len("A { ")
    for of, told in ((source.index("x: i32 }"), "key"), (source.index("x: i32)"), "name")):
        at = names.name_at(of, "x")
        binding = names.binding(at) if at is not None else None
        assert binding is not None
        rows = names.references(binding)
        assert [(one.start, one.occurrence.shorthand) for one in rows] == [(of, ""), (used, told)]


@pytest.mark.parametrize(
    ("path", "used", "is_followed"),
    [
        ("a/src/main.rs", "crate::f", True),
        ("file:///a/src/lib.rs", "crate::f", True),
        ("a/src/b.rs", "crate::f", False),
        ("a/src/b.rs", "crate::b::f", True),
        ("a/src/b/mod.rs", "crate::b::f", True),
        ("a/src/b/c.rs", "crate::b::c::f", True),
        ("a/src/b/c.rs", "crate::b::f", False),
        ("a/c.rs", "crate::f", False),
        ("", "crate::f", False),
    ],
)
def test_a_path_from_the_root_of_a_package(path: str, used: str, *, is_followed: bool) -> None:
    source = f"fn f() {{}}\nmod tests {{\n    use {used};\n    fn g() {{ f(); {used}(); }}\n}}\n"
    language = by_id("rust")
    assert language is not None
    names = resolver_of(open_snapshot(Buffer(source.encode()), language), path=path)
    assert names is not None
    binding = names.binding(names.names("f")[0])
    assert binding is not None
    assert len(names.references(binding)) == (4 if is_followed else 1)
