"""Renames of members whose object has a declared type: what the type says about the class, and what it does not."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "one of a class and nothing": (
        "class A:\n    def «open>begin»(self): ...\n\ndef f(a: A | None, b: None | A, c: Optional[A], d: list[A]):\n"
        "    a.‹open>begin›()\n    b.‹open>begin›()\n    c.‹open>begin›()\n    d.open()\n"
    ),
    "one of two classes": (
        "class A:\n    def «open>begin»(self): ...\n\ndef f(a: A, b: A | B):\n    a.‹open>begin›()\n    b.open()\n"
    ),
    "in quotes": (
        "class A:\n    def «open>begin»(self): ...\n\ndef f(a: 'A', b: \"Optional['A']\", c: Optional['A']):\n"
        "    a.‹open>begin›()\n    b.open()\n    c.‹open>begin›()\n"
    ),
    "that never changes": (
        "class A:\n    def «open>begin»(self): ...\n\nx: Final[A] = make()\nx.‹open>begin›()\n"
        "class B:\n    a: ClassVar[A]\n    def m(self):\n        self.a.‹open>begin›()\n"
    ),
}
TYPESCRIPT = {
    "one of a class and nothing": (
        "class A {\n  «open>begin»() {}\n}\nfunction f(a: A | null, b?: A, c: A | undefined | null, d: A | B) {\n"
        "  a?.‹open>begin›();\n  b!.‹open>begin›();\n  c.‹open>begin›();\n  d.open();\n}\n"
    ),
    "arrays": (
        "class A {\n  «filter>keep»() {}\n}\nfunction f(one: A, all: A[], some: readonly A[], none: A[] | null) {\n"
        "  one.‹filter>keep›();\n  all.filter(g);\n  some.filter(g);\n  none.filter(g);\n}\n"
    ),
    "with other members": (
        "class A {\n  «open>begin»() {}\n}\nfunction f(a: Readonly<A>, b: Partial<A>, c: Promise<A>) {\n"
        "  a.‹open>begin›();\n  b.‹open>begin›();\n  c.open();\n}\n"
    ),
}
PROPERTY = "interface P {\n  «size>width»: number;\n}\n"
LITERALS = {
    "of a variable": (
        f"{PROPERTY}const p: P = {{ ‹size>width›: 1, b: {{ size: 2 }} }};\n"
        "const q: Readonly<P> = { ‹size>width›: 1 };\n"
        "const size = 1;\nconst r: P = { ‹size>width: size› };\nconst s = { size };\n"
    ),
    "of a type alias": "type P = { «size>width»: number };\nconst p: P = { ‹size>width›: 1 };\np.‹size>width›;\n",
    "where the key is renamed": (
        "interface P {\n  ‹size>width›: number;\n}\nconst p: P = { «size>width»: 1 };\np.‹size>width›;\n"
    ),
    "of a field and a default value": (
        f"{PROPERTY}class A {{\n  p: P = {{ ‹size>width›: 1 }};\n  m() {{ return this.p.‹size>width›; }}\n}}\n"
        "function f(o: Partial<P> = { ‹size>width›: 1 }) { return o.‹size>width›; }\n"
    ),
    "a method": "interface P {\n  «size>width»(): number;\n}\nconst p: P = { ‹size>width›() { return 1; } };\n",
    "that functions return": (
        f"{PROPERTY}function make(size: number): P {{\n  if (a) {{\n    return {{ ‹size>width: size› }};\n  }}\n"
        "  use({ size: 1 });\n  return make({ size: 1 });\n}\nconst arrow = (): P => ({ ‹size>width›: 1 });\n"
        "class C {\n  m(): P { return { ‹size>width›: 1 }; }\n  n() { return { size: 3 }; }\n}\n"
    ),
    "beside their type": (
        f"{PROPERTY}const a = {{ ‹size>width›: 1 }} as P;\nconst b = {{ ‹size>width›: 1 }} satisfies P;\n"
        "const c = {} as P;\nc.‹size>width›;\n"
    ),
    "in calls": (
        f"{PROPERTY}const p: P = make({{ size: 1 }}, {{ size }});\n"
        "function f({ size: s = g({ size }) }: Q = h({ size: 2, size })) {}\n"
        "function k({ ‹size>width›: s = g({ size }) }: P) {}\n"
    ),
    "taken apart by a parameter": (
        f"{PROPERTY}function f({{ ‹size>width: size›, ...rest }}: P) {{ return size; }}\n"
        "function g({ ‹size>width: size› = 1 }: P, { ‹size>width›: s }: P) { return size; }\n"
    ),
    "taken apart by a variable": (
        f"{PROPERTY}function f(p: P, q: Q) {{\n  const {{ ‹size>width›: s }} = p;\n  const {{ size: t }} = q;\n"
        "  const { a: { size: u } } = p;\n}\n"
        "class A {\n  p: P;\n  m() { const { ‹size>width: size› } = this.p; return size; }\n}\n"
    ),
}
ARGUMENTS = {
    "of a function": (
        f"{PROPERTY}function f(a: number, p: P, ...r: P[]) {{}}\nf(1, {{ ‹size>width›: 1 }}, {{ size: 1 }});\n"
        "f({ size: 1 }, { ‹size>width›() { return 1; } }, ...s);\nf(...s, { size: 1 });\ng({ size: 1 });\n"
        "f(1, /* two */ ({ ‹size>width›: 1 }));\n"
    ),
    "that has the object before its parameters": (
        f"{PROPERTY}function f(this: Q, p?: P) {{}}\nf.call({{ size: 1 }});\nf({{ ‹size>width›: 1 }});\n"
    ),
    "of a variable": (
        f"{PROPERTY}const f = async (p: P): Promise<void> => {{}};\nf({{ ‹size>width›: 1 }});\n"
        "const g = function ({ ‹size>width›: s }: P) {};\ng({ ‹size>width›: 1 });\n"
        "const h = wrap((p: P) => {});\nh({ size: 1 });\n"
    ),
    "of methods and constructors": (
        f"{PROPERTY}class A {{\n  constructor(private p: P) {{}}\n  m(p: P) {{ this.m({{ ‹size>width›: 1 }}); }}\n"
        "  n = (p: P) => this.n({ ‹size>width›: 1 });\n}\n"
        "const a = new A({ ‹size>width›: 1 });\na.m({ ‹size>width›: 1 });\nb.m({ size: 1 });\n"
    ),
    "with a bound": (
        f"{PROPERTY}function f<T extends P, U>(t: T, u: U) {{ t.‹size>width›; u.size; }}\n"
        "f({ ‹size>width›: 1 }, { size: 1 });\n"
        "function g<K extends keyof P, V extends P[]>(k: K, v: V) { k.size; v.size; }\n"
    ),
    "where the literal is renamed": (
        "interface P {\n  ‹size>width›: number;\n}\nfunction f(p: P) {}\nf({ «size>width»: 1 });\n"
    ),
    "that is the value of a member": (
        f"{PROPERTY}interface Q {{ p: P; q: Q; all: P[] }}\n"
        "const q: Q = { p: { ‹size>width›: 1 }, q: { p: { ‹size>width›: 2 } }, all: [{ ‹size>width›: 3 }] };\n"
        "function f(q: Q) {}\nf({ p: { ‹size>width›: 1 }, r: { size: 1 } });\nconst r = { p: { size: 1 } };\n"
    ),
}
TAGS = {
    "of functions": (
        f"{PROPERTY}function Box({{ ‹size>width›: s }}: P) {{ return <div size={{s}} />; }}\n"
        "const a = <Box ‹size>width›={1} />;\nconst b = <Box ‹size>width›={1}><Other size={1} /></Box>;\n"
    ),
    "of variables": (
        f"{PROPERTY}const Box = (props: P) => <div size={{props.‹size>width›}} />;\n"
        "const a = <Box ‹size>width› />;\nconst b = <Box {...{ size: 1 }} />;\n"
    ),
    "with literals": (
        f"{PROPERTY}interface Q {{ style: P; other: R }}\nconst Box = (props: Q) => null;\n"
        "const a = <Box style={{ ‹size>width›: 1 }} other={{ size: 2 }} />;\n"
    ),
    "where an attribute is renamed": (
        "type P = { ‹size>width›: number };\nfunction Box(props: P) { return null; }\n"
        "const a = <Box «size>width»={1} />;\n"
    ),
}
RESULTS = {
    "home.py": (
        "class A:\n    def «open>begin»(self) -> None: ...\n    def me(self) -> 'A': ...\n\ndef make() -> A: ...\n"
        "async def later() -> A: ...\ndef other(): ...\n\na = make()\na.‹open>begin›()\nmake().‹open>begin›()\n"
        "b = a.me()\nb.‹open>begin›()\nc = later()\nc.open()\nd = other()\nd.open()\ne, f = make()\ne.open()\n"
    ),
    "home.ts": (
        "class A {\n  «open>begin»() {}\n  me(): A { return this; }\n}\nfunction make(): A { return new A(); }\n"
        "const arrow = (): A => new A();\nasync function later(): Promise<A> {}\nconst a = make();\n"
        "a.‹open>begin›();\narrow().‹open>begin›();\na.me().me().‹open>begin›();\nlater().open();\nmake.open();\n"
    ),
    "Home.java": (
        "class A {\n  void «open>begin»() {}\n  A me() { return this; }\n  B other() { return null; }\n"
        "  B other(int a) {}\n  void run() {\n    var a = me();\n    a.‹open>begin›();\n    me().me().‹open>begin›();\n"
        "    a.other().open();\n    new A().me().‹open>begin›();\n  }\n}\n"
    ),
    "home.cs": (
        "class A {\n  void «Open>Begin»() {}\n  A Me() => this;\n  Task<A> Later() => null;\n"
        "  void Run(A b) {\n    var a = b.Me();\n    a.‹Open>Begin›();\n    b.Me().Me().‹Open>Begin›();\n"
        "    b.Later().Open();\n  }\n}\n"
    ),
    "home.go": (
        "package p\n\ntype A struct{}\n\nfunc (a *A) «Open>Begin»() {}\nfunc (a *A) Me() *A { return a }\n"
        "func make() (*A, error) { return nil, nil }\nfunc one() A { return A{} }\nfunc list() []A { return nil }\n\n"
        "func run() {\n\ta, err := make()\n\ta.‹Open>Begin›()\n\terr.Open()\n\tb := one()\n\tb.‹Open>Begin›()\n"
        "\tb.Me().Me().‹Open>Begin›()\n\tc := list()\n\tc.Open()\n\td, e := one(), two()\n\td.Open()\n\te.Open()\n}\n"
    ),
    "home.rs": (
        "struct A {}\nimpl A {\n    fn «open>begin»(&self) {}\n    fn me(&self) -> &Self { self }\n"
        "    fn new() -> Self { A {} }\n}\nfn make() -> A { A {} }\nasync fn later() -> A { A {} }\n"
        "fn maybe() -> Option<A> { None }\nfn run() {\n    let a = make();\n    a.‹open>begin›();\n"
        "    a.me().me().‹open>begin›();\n    later().open();\n    maybe().open();\n    A::new().‹open>begin›();\n}\n"
    ),
    "home.cpp": (
        "struct A {\n  void «open>begin»() {}\n  A& me() { return *this; }\n};\nA* make() { return nullptr; }\n"
        "void run() {\n  auto a = make();\n  a->‹open>begin›();\n  make()->me().‹open>begin›();\n  other().open();\n}\n"
    ),
}
OWN_OBJECTS = {
    "home.py": (
        "class A:\n    def «open>begin»(self) -> None: ...\n    def me(self) -> Self: ...\n    @property\n"
        "    def part(self) -> 'A': ...\n    @cached_property\n    def other(self) -> B: ...\n"
        "    def same(self, a: Self):\n        a.‹open>begin›()\n        self.part.‹open>begin›()\n\n"
        "class B(A):\n    def close(self): ...\n\ndef f(a: A, b: B):\n    a.me().‹open>begin›()\n"
        "    b.me().me().‹open>begin›()\n    a.part.part.‹open>begin›()\n    a.other.‹open>begin›()\n    a.me.open()\n"
    ),
    "home.ts": (
        "class A {\n  «open>begin»() {}\n  me(): this { return this; }\n  get part(): A { return this; }\n"
        "  set part(a: A) {}\n}\nclass B extends A {}\nfunction f(a: A, b: B) {\n"
        "  a.me().‹open>begin›();\n  b.me().me().‹open>begin›();\n"
        "  a.part.part.‹open>begin›();\n  a.me.open();\n}\n"
    ),
    "home.rs": (
        "struct A {}\nimpl A {\n    fn «open>begin»(&self) {}\n"
        "    fn same(&self, other: &Self) { other.‹open>begin›(); }\n}\n"
    ),
}
DERIVED = {
    "home.py": (
        "class A:\n    def me(self) -> Self: ...\n\nclass B(A):\n    def «open>begin»(self): ...\n\n"
        "def f(a: A, b: B):\n    b.me().me().‹open>begin›()\n    a.me().open()\n"
    ),
    "home.ts": (
        "class A {\n  me(): this { return this; }\n}\nclass B extends A {\n  «open>begin»() {}\n}\n"
        "function f(a: A, b: B) {\n  b.me().me().‹open>begin›();\n  a.me().open();\n}\n"
    ),
}
OWN_CLASSES = {
    "Box": (
        "struct A {}\nimpl A { fn size(&self) {} }\nstruct Box<T> { inner: T }\n"
        "impl<T> Box<T> { fn «size>width»(&self) {} }\nfn f(a: Box<A>, b: &A) { a.‹size>width›(); b.size(); }\n"
    ),
    "Optional": (
        "class A:\n    def get(self): ...\n\nclass Optional:\n    def «get>fetch»(self): ...\n\n"
        "def f(a: Optional[A], b: A):\n    a.‹get>fetch›()\n    b.get()\n"
    ),
}
ALIASES = {
    "of literals": "type A<T> = { «x>y»: T };\nfunction f(a: A<number>) { return a.‹x>y›; }\n",
    "of classes": "class B { «x>y» = 1; }\ntype A = B | null;\nfunction f(a: A) { return a.‹x>y›; }\n",
    "with parameters": "type A<T> = T & { x: number };\nfunction f(a: A<number>, T: B) { return a.x; }\n",
}
RUST = {
    "aliases": "struct B { «x>y»: u8 }\ntype A = B;\nfn f(a: &A) -> u8 { a.‹x>y› }\n",
    "slices and arrays": (
        "struct A {}\nimpl A {\n    fn «len>size»(&self) -> usize { 1 }\n}\n"
        "fn f(x: &A, y: &[A], z: [A; 2], v: Vec<A>) -> usize { x.‹len>size›() + y.len() + z.len() + v.len() }\n"
    ),
    "boxes": (
        "trait T {\n    fn «len>size»(&self) -> usize;\n}\n"
        "fn f(x: Box<dyn T>, y: &mut Box<dyn T>) -> usize { x.‹len>size›() + y.‹len>size›() }\n"
    ),
}
JAVA = {
    "brackets behind the name": (
        "class A {\n  int «length>size»;\n  int f(A x, A y[], A[] z, A... v) {\n    A w[] = y;\n"
        "    return x.‹length>size› + y.length + z.length + v.length + w.length;\n  }\n}\n"
    ),
    "arguments of a class": (
        "class A<T> {\n  int «length>size»;\n"
        "  int f(A<String> x) { return (x).‹length>size› + new A<>().‹length>size›; }\n}\n"
    ),
}
C_SHARP = {
    "arguments of a class": (
        "class A<T> {\n  int «Length>Size»;\n  int F(A<int> x, A<int>? y, A<int>[] z) {\n    var w = new A<int>();\n"
        "    return x.‹Length>Size› + y.‹Length>Size› + z.Length + w.‹Length>Size›;\n  }\n}\n"
    ),
}
GO = {
    "aliases": ("package p\n\ntype B struct {\n\t«x>y» int\n}\n\ntype A = B\n\nfunc f(a *A) int { return a.‹x>y› }\n"),
    "elements of literals": (
        "package p\n\ntype A struct {\n\t«n>m» int\n}\n\ntype B[T any] struct{ *A }\n\nfunc f(x *A, y B[int]) int {\n"
        '\tz := []*A{{‹n>m›: 1}, {‹n>m›: 2}}\n\tw := map[string]A{"n": {‹n>m›: 3}}\n\tv := [2][2]A{{{‹n>m›: 1}}}\n'
        "\treturn x.‹n>m› + y.‹n>m›\n}\n"
    ),
}
CASES = [
    pytest.param(name, text, id=f"{name}: {group}, {what}")
    for name, group, texts in (
        ("home.py", "types", PYTHON), ("home.ts", "types", TYPESCRIPT), ("home.ts", "literals", LITERALS),
        ("home.ts", "arguments", ARGUMENTS), ("home.tsx", "tags", TAGS), ("home.ts", "aliases", ALIASES),
        ("home.rs", "own", {"Box": OWN_CLASSES["Box"]}), ("home.py", "own", {"Optional": OWN_CLASSES["Optional"]}),
        ("home.rs", "types", RUST), ("Home.java", "types", JAVA),
        ("home.cs", "types", C_SHARP), ("home.go", "types", GO),
    )
    for what, text in texts.items()
]  # fmt: skip


FOLLOWED = [
    pytest.param(name, text, id=f"{name}: {group}")
    for group, texts in (("results", RESULTS), ("own objects", OWN_OBJECTS), ("derived objects", DERIVED))
    for name, text in texts.items()
]


@pytest.mark.parametrize(("name", "text"), [*CASES, *FOLLOWED])
def test_members_of_declared_types_follow(name: str, text: str) -> None:
    assert_follows({f"file:///w/{name}": text})
