"""Renames of members whose object has a type that other declarations, values and expressions give it."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

WRITTEN = {
    "home.ts": (
        "class A {\n  «open>begin»() {}\n}\nclass B {\n  a: A;\n  other;\n"
        "  constructor(a: A, b: C) {\n    this.a = b.a;\n    this.other = b;\n  }\n"
        "  m() { this.a.‹open>begin›(); this.other.open(); }\n}\n"
        "function f(b: B) {\n  let a: A = make();\n  a = b.any;\n  a.‹open>begin›();\n  b.a.‹open>begin›();\n"
        "  let c: C = new A();\n  c.open();\n}\n"
    ),
    "home.py": (
        "class A:\n    def «open>begin»(self): ...\n\ndef f(a: A, b: A):\n    a = make(a)\n    a.open()\n"
        "    b.‹open>begin›()\n"
    ),
}
VALUES = {
    "home.js": (
        "class A {\n  «open>begin»() {}\n}\nclass B {\n  constructor(c) {\n"
        "    this.a = new A();\n    this.b = new A();\n"
        "    this.b = c;\n  }\n  m() {\n    this.a.‹open>begin›();\n    this.b.open();\n    const d = this.a;\n"
        "    d.‹open>begin›();\n  }\n}\n"
    ),
    "home.ts": (
        "class A {\n  «open>begin»() {}\n}\nclass B {\n  a: A;\n  b;\n  c = null;\n"
        "  constructor(private d: A, e: C) {\n    this.b = d;\n    this.c = e;\n  }\n"
        "  m() {\n    const f = this.a;\n    f.‹open>begin›();\n    this.b.‹open>begin›();\n    this.c.open();\n"
        "    const g = f, h = this.d!;\n    g.‹open>begin›();\n    h.‹open>begin›();\n    let i = this.a;\n    i = j;\n"
        "    i.‹open>begin›();\n  }\n}\n"
    ),
    "home.py": (
        "class A:\n    def «open>begin»(self): ...\n\nclass B:\n    def __init__(self, a: A, b):\n"
        "        self.a = a\n        self.b = b\n    def m(self):\n        c = self.a\n        c.‹open>begin›()\n"
        "        self.a.‹open>begin›()\n        self.b.open()\n        d = c\n        d.‹open>begin›()\n"
        "        e = c.open\n        for f in c: f.open()\n"
    ).replace("e = c.open", "e = c.‹open>begin›"),
    "home.go": (
        "package p\n\ntype A struct{}\n\nfunc (a *A) «Open>Begin»() {}\n\ntype B struct{ a *A }\n\n"
        "func run(b *B, c C) {\n\td := b.a\n\td.‹Open>Begin›()\n\te := c.a\n\te.Open()\n\tf := &d\n"
        "\tf.‹Open>Begin›()\n}\n"
    ),
    "home.rs": (
        "struct A {}\nimpl A { fn «open>begin»(&self) {} }\nstruct B { a: A }\nfn run(b: &B, c: C) {\n"
        "    let d = &b.a;\n    d.‹open>begin›();\n    let e = c.a;\n    e.open();\n    let f = d.clone();\n"
        "    f.‹open>begin›();\n}\n"
    ),
    "Home.java": (
        "class A {\n  void «open>begin»() {}\n}\nclass B {\n  A a;\n  void run(C c) {\n    var d = a;\n"
        "    d.‹open>begin›();\n"
        "    var e = this.a;\n    e.‹open>begin›();\n    var f = c.a;\n    f.open();\n  }\n}\n"
    ),
    "home.cs": (
        "class A {\n  void «Open>Begin»() {}\n}\nclass B {\n  A a;\n  void Run(C c) {\n    var d = a;\n"
        "    d.‹Open>Begin›();\n"
        "    var e = this.a;\n    e.‹Open>Begin›();\n    var f = c.a;\n    f.Open();\n  }\n}\n"
    ),
}
AWAITED = {
    "home.ts": (
        "class A {\n  «open>begin»() {}\n  async next(): Promise<A> {}\n}\nasync function make(): Promise<A> {}\n"
        "async function run(p: Promise<A>, a: A) {\n  const b = await make();\n  b.‹open>begin›();\n"
        "  (await make()).‹open>begin›();\n  const c = make();\n  c.open();\n  (await c).‹open>begin›();\n"
        "  (await p).‹open>begin›();\n  (await a).‹open>begin›();\n  const d = await b.next();\n  d.‹open>begin›();\n"
        "}\n"
    ),
    "home.py": (
        "class A:\n    def «open>begin»(self): ...\n    async def next(self) -> 'A': ...\n\n"
        "async def make() -> A: ...\n\n"
        "async def run(a: A):\n    b = await make()\n    b.‹open>begin›()\n    c = make()\n    c.open()\n"
        "    d = await a.next()\n    d.‹open>begin›()\n    (await c).‹open>begin›()\n"
    ),
    "home.cs": (
        "class A {\n  void «Open>Begin»() {}\n  async Task<A> Next() => null;\n"
        "  async void Run(A a, ValueTask<A> t) {\n"
        "    var b = await a.Next();\n    b.‹Open>Begin›();\n    (await t).‹Open>Begin›();\n"
        "    a.Next().Open();\n  }\n}\n"
    ),
    "home.rs": (
        "struct A {}\nimpl A {\n    fn «open>begin»(&self) {}\n"
        "    async fn next(&self) -> Result<A, E> { todo!() }\n}\n"
        "async fn make() -> A { A {} }\nasync fn run(a: A) {\n    let b = make().await;\n    b.‹open>begin›();\n"
        "    make().open();\n    let c = a.next().await?;\n    c.‹open>begin›();\n    a.next().await.open();\n"
        "    a.next().await.unwrap().‹open>begin›();\n}\n"
    ),
}
ELEMENTS = {
    "home.ts": (
        "class A {\n  «open>begin»() {}\n}\nclass B {\n  all: A[];\n  find() {}\n}\n"
        "function run(some: readonly A[], named: Map<string, A>, lists: Promise<A[]>, own: B, set: Set<B>) {\n"
        "  for (const a of some) a.‹open>begin›();\n  for (const a in some) a.open();\n  some[0].‹open>begin›();\n"
        "  some.map((a) => a.‹open>begin›());\n"
        "  own.all.filter((a) => a.‹open>begin›()).forEach(a => { a.‹open>begin›(); });\n"
        "  own.all.map((x, a) => a.open());\n  some.other((a) => a.open());\n"
        "  const b = own.all.find(f);\n  b.‹open>begin›();\n  named.get('a').‹open>begin›();\n"
        "  named['a'].‹open>begin›();\n"
        "  for (const c of named) c.open();\n  own.find().open();\n  set.all.open();\n"
        "  for (const d of set) for (const e of d.all) e.‹open>begin›();\n}\n"
        "async function f(lists: Promise<A[]>) {\n  for (const a of await lists) a.‹open>begin›();\n"
        "  (await lists)[0].‹open>begin›();\n}\n"
    ),
    "home.py": (
        "from typing import Optional, Sequence\nclass A:\n    def «open>begin»(self): ...\n\n"
        "def run(all: list[A], named: dict[str, A], b: Optional[Sequence['A']]):\n"
        "    for a in all:\n        a.‹open>begin›()\n    for x, c in all:\n        c.open()\n"
        "    all[0].‹open>begin›()\n"
        "    all[1:].open()\n    named['a'].‹open>begin›()\n    for d in named:\n        d.open()\n"
        "    b[0].‹open>begin›()\n"
        "    [e.‹open>begin›() for e in all if e]\n    named.get('b').‹open>begin›()\n"
    ),
    "home.go": (
        "package p\n\ntype A struct{}\n\nfunc (a *A) «Open>Begin»() {}\n\n"
        "func run(all []*A, named map[string]A) {\n\tfor i, a := range all {\n\t\ta.‹Open>Begin›()\n\t\ti.Open()\n\t}\n"
        "\tfor b := range all {\n\t\tb.Open()\n\t}\n\tall[0].‹Open>Begin›()\n\tall[1:].Open()\n"
        '\tfor _, c := range named {\n\t\tc.‹Open>Begin›()\n\t}\n\td := named["a"]\n\td.‹Open>Begin›()\n}\n'
    ),
    "home.rs": (
        "struct A { next: Option<Box<A>> }\nimpl A { fn «open>begin»(&self) {} }\n"
        "fn run(all: &Vec<A>, named: HashMap<u8, A>, some: &[A]) -> io::Result<A> {\n"
        "    for a in all { a.‹open>begin›(); }\n"
        "    for a in some.iter() { a.‹open>begin›(); }\n    all[0].‹open>begin›();\n    all[1..].open();\n"
        "    all.iter().map(|a| a.‹open>begin›());\n    named[&1].‹open>begin›();\n"
        "    all.first().unwrap().‹open>begin›();\n"
        "    if let Some(b) = all.first() { b.‹open>begin›(); }\n    all[0].next.unwrap().‹open>begin›();\n"
        "    let Some(c) = named.get(&1) else { return };\n    c.‹open>begin›();\n"
        "    run(all, named, some)?.‹open>begin›();\n}\n"
    ),
    "Home.java": (
        "import java.util.*;\nclass A {\n  void «open>begin»() {}\n  List<A> all;\n"
        "  void run(Map<String, A> named, A[] some, Optional<A> one) {\n"
        "    for (var a : all) a.‹open>begin›();\n    all.get(0).‹open>begin›();\n"
        "    all.forEach(a -> a.‹open>begin›());\n"
        "    all.stream().filter((a) -> a.‹open>begin›()).map(a -> a.‹open>begin›());\n    some[0].‹open>begin›();\n"
        '    named.get("a").‹open>begin›();\n    one.orElse(null).‹open>begin›();\n    all.open();\n'
        "    for (A b : some) b.‹open>begin›();\n    named.forEach((k, v) -> k.open());\n  }\n}\n"
    ),
    "home.cs": (
        "class A {\n  void «Open>Begin»() {}\n  List<A> All;\n  void Run(Dictionary<string, A> named, A[] some) {\n"
        "    foreach (var a in All) a.‹Open>Begin›();\n    All[0].‹Open>Begin›();\n"
        "    All.Where(a => a.‹Open>Begin›());\n"
        '    All.Where(f).First().‹Open>Begin›();\n    named["a"].‹Open>Begin›();\n    some[1].‹Open>Begin›();\n'
        "    All.Open();\n  }\n}\n"
    ),
}
OWN = {
    "home.ts": (
        "class A {\n  «open>begin»() {}\n}\nclass Map<K, V> {\n  get(): A {}\n  all: V;\n}\n"
        "function run(a: Map<string, B>) {\n  a.get().‹open>begin›();\n  a['x'].open();\n}\n"
    ),
}
NOT_FOLLOWED = {  # «» is renamed; what a hasty reader takes for it is not
    "home.cs: functions that are not given elements": (
        "class A { public void «Open>Begin»() {} }\nclass T { void F(List<A> xs) {\n"
        "  xs.GroupBy(a => a.K, (k, g) => k.Open());\n"
        "  xs.GroupBy(a => a.K, g => g.K, k => k.Open());\n} }\n"
    ),
    "home.ts: functions that are not given elements": (
        "class A { «open>begin»() {} }\nfunction f(xs: A[]) {\n"
        "  xs.flatMap((a) => g(a.‹open>begin›()), (b) => b.open());\n}\n"
    ),
    "Home.java: arrays of arrays": (
        "class A {\n  int «length>size»;\n  void m(A[][] g) {\n    int n = g[0].length;\n"
        "    for (var r : g) n += r.length;\n"
        "    var q = g[0];\n    n += q.length;\n    n += g[0][1].‹length>size›;\n  }\n}\n"
    ),
    "home.cs: pairs of a map": (
        "class A { public int «Value>Amount»;\n  void M(Dictionary<string, A> d) {\n"
        "    var e = d.Where(kv => true).ToList();\n"
        "    var n = e[0].Value;\n    n += d.Skip(1).ToList()[0].Value;\n  }\n}\n"
    ),
    "home.py: what is awaited otherwise": (
        "class A:\n    def «open>begin»(self): ...\n    def __await__(self): ...\nasync def f(q: A):\n    r = await q\n"
        "    r.open()\n"
    ),
    "home.ts: what is awaited otherwise": (
        "class A implements PromiseLike<B> {\n  then(r) {}\n  «open>begin»() {}\n}\n"
        "async function f(q: A) { const r = await q; r.open(); }\n"
    ),
    "home.rs: parts": (
        "struct Row { cells: Vec<Cell> }\nimpl Row {\n    fn «len>size»(&self) -> usize { 0 }\n"
        "    fn iter(&self) -> Iter<Cell> { todo!() }\n}\n"
        "struct Cell {}\nfn f(mut rows: Vec<Row>) {\n    let n = rows.get(1..3).unwrap().len();\n"
        "    if let Some(part) = rows.get(1..) { part.len(); }\n    for cell in rows.remove(0).iter() { cell.len(); }\n"
        "    let c = rows.remove(0).iter().next().unwrap();\n    c.len();\n    rows.remove(0).len();\n}\n"
    ),
    "home.cpp: operators": (
        "class A { public: void «open>begin»() {} B& operator*(); B& operator[](int); };\n"
        "void f(A it) { auto x = *it; x.open(); auto y = it[0]; y.open(); }\n"
    ),
    "home.js: variables that change": (
        "class A { «open>begin»() {} }\nclass B { close() {} }\nclass C { a = new A(); b = new B();\n"
        "  m(c) { let x = this.a; if (c) x = this.b; x.open(); const y = this.a; y.‹open>begin›(); } }\n"
    ),
    "home.ts: classes of others": (
        "import { Map } from './mine';\nclass A { «open>begin»() {} }\n"
        "function f(m: Map<string, A>) { m.get('').open(); }\n"
    ),
    "Home.java: classes of others": (
        "class A {\n  void «open>begin»() {}\n  void f(List<A> l) { l.get(0).open(); }\n}\n"
    ),
}
NOT_FOLLOWED |= {
    "home.rs: contents of something else": (
        "struct Node { child: Option<Leaf> }\nimpl Node { fn «open>begin»(&self) {} }\nstruct Leaf {}\n"
        "impl Leaf { fn open(&self) {} }\n"
        "fn f(x: Option<Node>) {\n    if let Some(Node { child: Some(leaf) }) = x { leaf.open(); }\n}\n"
        "fn g(s: HashSet<Node>) { s.remove(&a).open(); }\n"
    ),
    "home.py: members that are given two classes": (
        "class A:\n    def «open>begin»(self): ...\nclass B:\n    def open(self): ...\nclass N:\n"
        "    def __init__(self): self.next = A()\n    def f(self): self.next.next = None\n    def g(self):\n"
        "        self.next = B()\n        self.next.open()\n"
    ),
    "home.ts: members that are given two classes": (
        "class A { «open>begin»() {} }\nclass B { open() {} }\nclass N {\n  constructor() { this.next = new A(); }\n"
        "  f() { this.next.next = 3; }\n  g() { this.next = new B(); }\n  h() { this.next.open(); }\n}\n"
    ),
    "home.cs: ranges": (
        "class A {\n  public int «Length>Size»;\n  int F(A[] xs, A[][] ys) {\n    var t = xs[1..];\n"
        "    foreach (var a in ys[1..]) a.Length;\n"
        "    return xs[1..].Length + t.Length + xs[1].‹Length>Size›;\n  }\n}\n"
    ),
    "Home.java: streams": (
        "import java.util.*;\nclass A {\n  int «count>amount»() { return 0; }\n"
        "  long f(List<A> l) { return l.stream().peek(x -> log(x)).count(); }\n}\n"
    ),
    "home.js: variables that are given another class": (
        "class A { «open>begin»() {} }\nclass B { open() {} }\nlet x = new A();\nx = new B();\nx.open();\n"
        "let y = new A();\ny.‹open>begin›();\n"
    ),
    "home.py: lists of others": (
        "from collections_extended import List\nclass A:\n    def «open>begin»(self): ...\n"
        "def f(l: List[A]):\n    l[0].open()\n"
    ),
}
REFERENCES = {
    "home.rs": (
        "struct B { xs: Vec<A> }\nstruct A {}\nimpl A { fn «open>begin»(&self) {} }\nimpl B {\n"
        "    fn f(&mut self, o: Option<A>, p: &Option<A>) {\n        for a in &mut self.xs { a.‹open>begin›(); }\n"
        "        let b = &mut self.xs[0];\n        b.‹open>begin›();\n"
        "        if let Some(c) = &p { c.‹open>begin›(); }\n"
        "        match o {\n            Some(d) => { d.‹open>begin›(); }\n            None => {}\n        }\n    }\n}\n"
    ),
    "home.go": (
        "package p\n\ntype A struct{}\n\nfunc (a *A) «Open>Begin»() {}\n\nfunc run(m map[string]*A, x any) {\n"
        '\tif a, ok := m["a"]; ok {\n\t\ta.‹Open>Begin›()\n\t\tok.Open()\n\t}\n\tb, ok := x.(*A)\n'
        "\tb.‹Open>Begin›()\n"
        "\tx.(*A).‹Open>Begin›()\n}\n"
    ),
    "Home.java": (
        "import java.util.*;\nclass A {\n  void «open>begin»() {}\n  void run(Map<String, A> m, Object o) {\n"
        "    for (var a : m.values()) a.‹open>begin›();\n    var b = (A) o;\n    b.‹open>begin›();\n"
        "    m.values().stream().findFirst().get().‹open>begin›();\n  }\n}\n"
    ),
    "home.ts": (
        "class A { «open>begin»() {}\n  next: A; size = 1; }\nfunction make(): A { return new A(); }\n"
        "const { next, size } = make();\nnext.‹open>begin›();\nsize.open();\nconst [a, b] = make();\na.open();\n"
    ),
}
CASES = [
    pytest.param(name, text, id=f"{name}: {group}")
    for group, texts in (
        ("written", WRITTEN), ("values", VALUES), ("awaited", AWAITED), ("elements", ELEMENTS), ("own", OWN),
        ("references", REFERENCES),
    )
    for name, text in texts.items()
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), NOT_FOLLOWED.items(), ids=NOT_FOLLOWED)
def test_members_of_other_types_do_not_follow(name: str, text: str) -> None:
    assert_follows({f"file:///w/{name.partition(':')[0]}": text})


@pytest.mark.parametrize(("name", "text"), CASES)
def test_members_of_inferred_types_follow(name: str, text: str) -> None:
    assert_follows({f"file:///w/{name}": text})
