"""Renames in other open files beyond imports: keyword arguments, overrides, implementations, headers and sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

FILES = {
    "a keyword argument": {
        "home.py": "def load(«key>name»):\n    return ‹key>name›\n",
        "use.py": "import home\nfrom home import load\nload(‹key>name›=1)\nhome.load(2, ‹key>name›=3)\n"
        "other.load(key=1)\n",
    },
    "no keyword argument of another function": {
        "home.py": "def load(«key>name»):\n    return ‹key>name›\n",
        "use.py": "from house import load\nload(key=1)\n",
    },
    "no keyword argument of a method": {
        "home.py": "class A:\n    def load(self, «key>name»):\n        return ‹key>name›\n",
        "use.py": "from home import A\nload(key=1)\n",
    },
    "a method that overrides it, with its uses": {
        "home.py": "class Store:\n    def «load>read»(self, key):\n        pass\n",
        "disk.py": (
            "from home import Store\n\nclass Disk(Store):\n    def ‹load>read›(self, key):\n        return key\n\n"
            "    def twice(self):\n        return self.‹load>read›(2)\n"
        ),
    },
    "no method of a class that inherits from another": {
        "home.py": "class Store:\n    def «load>read»(self, key):\n        pass\n",
        "disk.py": "from house import Store\n\nclass Disk(Store):\n    def load(self, key):\n        return key\n",
    },
    "no class that has the new name": {
        "home.py": "class Store:\n    def «load>read»(self, key):\n        pass\n",
        "disk.py": (
            "from home import Store\n\nclass Disk(Store):\n    def load(self, key):\n        return key\n\n"
            "    def read(self):\n        pass\n"
        ),
    },
    "what implements an interface of TypeScript": {
        "store.ts": "export interface Store {\n  «load>read»(key: string): string;\n}\n",
        "disk.ts": (
            "import { Store } from './store';\nclass Disk implements Store {\n"
            "  ‹load>read›(key: string): string { return key; }\n}\n"
        ),
    },
    "what implements an interface of C#": {
        "IStore.cs": "interface IStore {\n    string «Load>Read»(string key);\n}\n",
        "Disk.cs": "class Disk : IStore {\n    public string ‹Load>Read›(string key) { return key; }\n}\n",
    },
    "what implements an interface of Go": {
        "a.go": "package m\n\ntype Store interface {\n\t«Load>Read»(key string) string\n}\n",
        "b.go": "package m\n\nfunc (d Disk) ‹Load>Read›(key string) string { return key }\n",
    },
    "a method of a header, in its source": {
        "a.hpp": "class A {\n public:\n  int «size>count»(int n);\n};\n",
        "a.cpp": '#include "a.hpp"\n\nint A::‹size>count›(int n) { return n; }\n',
    },
    "no method of a header that is overloaded": {
        "a.cpp": '#include "a.hpp"\n\nint A::«size>count»(int n) { return n; }\n',
        "a.hpp": "class A {\n public:\n  int size(int n);\n  int size(int n, int m);\n};\n",
    },
    "a function of a source, in its header": {
        "a.c": '#include "a.h"\n\nint «size>count»(int n) { return n; }\n',
        "a.h": "int ‹size>count›(int n);\n",
    },
    "no function of a header that is not included": {
        "a.c": "int «size>count»(int n) { return n; }\n",
        "a.h": "int size(int n);\n",
    },
    "a method behind objects of an imported class": {
        "home.py": "class Store:\n    def «load>read»(self, key):\n        pass\n",
        "use.py": (
            "from home import Store\n\n\ndef run(store: Store, other):\n    store.‹load>read›(1)\n    other.load(2)\n"
            "    made = Store()\n    made.‹load>read›(3)\n    Store().‹load>read›(4)\n"
            "    Store.‹load>read›(made, 5)\n\n\n"
            "class Shop:\n    def __init__(self):\n        self.store = Store()\n\n    def open(self):\n"
            "        self.store.‹load>read›(6)\n        self.load(7)\n"
        ),
    },
    "a method that a class inherits from an imported one": {
        "home.py": "class Store:\n    def «load>read»(self, key):\n        pass\n",
        "use.py": "from home import Store\n\n\nclass Disk(Store):\n    def run(self):\n        self.‹load>read›(1)\n",
    },
    "no method behind an object of another class of that name": {
        "home.py": "class Store:\n    def «load>read»(self, key):\n        pass\n",
        "use.py": "from house import Store\n\n\ndef run(store: Store):\n    store.load(1)\n",
    },
    "no method behind a name that is bound twice": {
        "home.py": "class Store:\n    def «load>read»(self, key):\n        pass\n",
        "use.py": "from home import Store\nstore = Store()\nstore = other()\nstore.load(1)\n",
    },
    "a field behind objects of an imported class": {
        "home.py": "class Store:\n    def __init__(self):\n        self.«size>count» = 0\n",
        "use.py": "from home import Store\n\n\ndef run(store: Store | None):\n    return store.‹size>count›\n",
    },
    "a method behind objects of TypeScript": {
        "store.ts": "export class Store {\n  «load>read»(key: string) {}\n}\n",
        "use.ts": (
            "import { Store } from './store';\nfunction run(store: Store, other: any) {\n  store.‹load>read›('a');\n"
            "  other.load('b');\n  const made = new Store();\n  made.‹load>read›('c');\n"
            "  new Store().‹load>read›('d');\n}\n"
            "class Shop {\n  constructor(private store: Store) {}\n  open() {\n"
            "    this.store.‹load>read›('e');\n  }\n}\n"
        ),
    },
    "a property of an interface of TypeScript": {
        "types.ts": "export interface Point {\n  «x>left»: number;\n}\n",
        "use.ts": (
            "import type { Point } from './types';\nexport function shift(point: Point, other: any): number {\n"
            "  return point.‹x>left› + other.x;\n}\n"
        ),
    },
    "a method behind objects of C#": {
        "Store.cs": "class Store {\n    public void «Load>Read»(string key) {}\n}\n",
        "Shop.cs": (
            "class Shop {\n    private readonly Store store = new Store();\n    void Open(Store other, Bag bag) {\n"
            '        store.‹Load>Read›("a");\n        other.‹Load>Read›("b");\n        bag.Load("c");\n    }\n}\n'
        ),
    },
    "a method behind objects of Go": {
        "a.go": "package m\n\ntype Store struct{}\n\nfunc (s *Store) «Load>Read»(key string) {}\n",
        "b.go": (
            "package m\n\ntype Shop struct {\n\tstore *Store\n}\n\nfunc (s *Shop) Open(other *Store, bag Bag) {\n"
            '\ts.store.‹Load>Read›("a")\n\tother.‹Load>Read›("b")\n\tbag.Load("c")\n}\n'
        ),
    },
    "a function of Rust, by its paths": {
        "src/store.rs": "pub fn «load>read»(key: u8) {}\n",
        "src/main.rs": (
            "mod store;\nuse crate::store::{‹load>read›, other};\n\nfn run() {\n    ‹load>read›(1);\n"
            "    store::‹load>read›(2);\n    crate::store::‹load>read›(3);\n    shop::load(4);\n}\n"
        ),
        "src/store/disk.rs": (
            "use super::‹load>read›;\n\nfn run() {\n    ‹load>read›(1);\n    super::super::store::‹load>read›(2);\n}\n"
        ),
        "src/shop.rs": "use crate::store;\n\nfn run() {\n    store::‹load>read›(1);\n    crate::shop::load(2);\n}\n",
    },
    "a function of a folder module of Rust": {
        "src/store/mod.rs": "pub fn «load>read»(key: u8) {}\n",
        "src/lib.rs": "mod store;\n\nfn run() {\n    store::‹load>read›(1);\n}\n",
    },
    "a function of Rust without a source folder": {
        "a.rs": "pub fn «load>read»(key: u8) {}\n",
        "b.rs": "use crate::a::‹load>read›;\n\nfn run() {\n    ‹load>read›(1);\n}\n",
    },
    "a function of TypeScript in JSX and JavaScript": {
        "home.ts": "export function «load>read»(key: string) {}\n",
        "Card.tsx": (
            "import { ‹load>read› } from './home';\nexport const Card = () => <p>{‹load>read›('a')}<b>load</b></p>;\n"
        ),
        "use.js": "import { ‹load>read› } from './home';\n‹load>read›('b');\n",
    },
    "what a header declares, where it is included": {
        "bag.h": "int «size>count»(int n);\n",
        "use.cpp": '#include "inc/bag.h"\n\nint f() {\n  return ‹size>count›(1) + other.size;\n}\n',
        "use.c": "#include <bag.h>\n\nint g(int size) {\n  return size;\n}\n",
        "far.c": '#include "big.h"\n\nint h() {\n  return size(1);\n}\n',
    },
    "a macro of a header": {
        "bag.h": "#define «LIMIT>MOST» 3\n",
        "use.c": '#include "bag.h"\n\nint f(int n) {\n  return n < ‹LIMIT>MOST›;\n}\n',
    },
    "a field of a header, behind its objects": {
        "bag.h": "struct bag {\n  int «size>count»;\n};\n",
        "use.c": (
            '#include "bag.h"\n\nint f(struct bag *b, struct box *c) {\n  struct bag d;\n  d.‹size>count› = 1;\n'
            "  return b->‹size>count› + c->size;\n}\n"
        ),
    },
    "a method of a header, in its source and behind its objects": {
        "bag.hpp": "class Bag {\n public:\n  int «size>count»() const;\n};\n",
        "bag.cpp": '#include "bag.hpp"\n\nint Bag::‹size>count›() const { return 1; }\n',
        "use.cpp": '#include "bag.hpp"\n\nint f(const Bag& b, Box c) {\n  return b.‹size>count›() + c.size();\n}\n',
    },
    "a field of a dataclass, in its calls": {
        "home.py": "from dataclasses import dataclass\n\n@dataclass\nclass Point:\n    «x>left»: int\n",
        "use.py": "from home import Point\n\np = Point(‹x>left›=1)\nprint(p.‹x>left›, other(x=2))\n",
    },
    "no argument of a constructor for a field": {
        "home.py": "class Point:\n    «x>left» = 1\n\n    def __init__(self, x):\n        self.y = x\n",
        "use.py": "from home import Point\n\np = Point(x=1)\n",
    },
    "a parameter of a constructor, in its calls": {
        "home.py": "class Point:\n    def __init__(self, «x>left»):\n        self.y = ‹x>left›\n",
        "use.py": "from home import Point\n\np = Point(‹x>left›=1)\n",
    },
    "a function of a package of Go": {
        "r/shop/a.go": "package shop\n\nfunc «Load>Read»() {}\n",
        "r/main.go": (
            'package main\n\nimport (\n\t"m/shop"\n\tmall "m/other"\n)\n\nfunc main() {\n\tshop.‹Load>Read›()\n'
            "\tmall.Load()\n}\n\nfunc f(shop Shop) {\n\tshop.Load()\n}\n"
        ),
        "r/far.go": 'package main\n\nimport "example.org/a/b/c/shop"\n\nfunc g() {\n\tshop.Load()\n}\n',
    },
    "no name of Go that other packages would not see any more": {
        "r/shop/a.go": (
            "package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) «Load>load»() {}\n\nfunc «Make>build»() {}\n"
        ),
        "r/shop/b.go": "package shop\n\nfunc f(c *Cart) {\n\tc.‹Load>load›()\n\t‹Make>build›()\n}\n",
        "r/main.go": 'package main\n\nimport "m/shop"\n\nfunc f(c *shop.Cart) {\n\tc.Load()\n\tshop.Make()\n}\n',
    },
    "a method of a package of Go": {
        "r/shop/a.go": "package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) «Load>Read»() {}\n",
        "r/main.go": (
            'package main\n\nimport s "m/shop"\n\nfunc f(c *s.Cart, d *t.Cart) {\n\tc.‹Load>Read›()\n\td.Load()\n}\n'
        ),
    },
    "a class of C# and its method, where its namespace is used": {
        "Shop/Cart.cs": "namespace Shop;\n\npublic class Cart {\n    public void «Load>Read»() {}\n}\n",
        "App/P.cs": "using Big.Shop;\n\nclass P {\n    void F(Cart c) { c.‹Load>Read›(); }\n}\n",
        "App/Q.cs": "using Mall;\n\nclass Q {\n    void F(Cart c) { c.Load(); }\n}\n",
    },
    "a variable of a header, in its source": {
        "bag.h": "extern int «total>sum»;\n",
        "bag.c": '#include "bag.h"\n\nint ‹total>sum› = 1;\n\nint f(void) { return ‹total>sum›; }\n',
        "use.c": '#include "bag.h"\n\nint g(void) { return ‹total>sum›; }\n',
        "own.c": '#include "bag.h"\n\nstatic int total = 1;\n\nint h(void) { return total; }\n',
    },
    "a variable of a source, in its header": {
        "bag.c": '#include "bag.h"\n\nint «total>sum» = 1;\n',
        "bag.h": "extern int ‹total>sum›;\n",
        "use.c": '#include "bag.h"\n\nint g(void) { return ‹total>sum›; }\n',
    },
    "a method of C++ in a namespace": {
        "bag.hpp": "namespace n {\nclass Bag {\n public:\n  int «size>count»();\n};\n}\n",
        "bag.cpp": (
            '#include "bag.hpp"\nnamespace n {\n'
            "int Bag::‹size>count›() { return ‹size>count›() + this->‹size>count›(); }\n"
            "int Box::size() { return size(); }\n}\n"
        ),
        "use.cpp": '#include "bag.hpp"\nint f(n::Bag& b, n::Box& c) { return b.‹size>count›() + c.size(); }\n',
    },
    "a function of a namespace of C++": {
        "bag.hpp": "namespace n {\nint «size>count»();\n}\n",
        "use.cpp": (
            '#include "bag.hpp"\nint f() { return n::‹size>count›() + m::size(); }\n'
            "namespace n {\nint g() { return ‹size>count›(); }\nint h(int size) { return size; }\n}\n"
        ),
    },
    "a method of C++ from its definition": {
        "bag.cpp": '#include "bag.hpp"\nint Bag::«size>count»() { return ‹size>count›(); }\n',
        "bag.hpp": "class Bag {\n public:\n  int ‹size>count›();\n  int twice() { return 2 * ‹size>count›(); }\n};\n",
        "use.cpp": '#include "bag.hpp"\nint f(Bag& b, Box& c) { return b.‹size>count›() + c.size(); }\n',
    },
    "no method of C++ from one of several definitions": {
        "bag.cpp": '#include "bag.hpp"\nint Bag::«size>count»() { return 1; }\n',
        "bag.hpp": "class Bag {\n public:\n  int size();\n  int size(int n);\n};\n",
    },
    "no function of another package of Rust": {
        "one/src/store.rs": "pub fn «load>read»(key: u8) {}\n",
        "two/src/main.rs": "use crate::store::load;\n\nfn run() {\n    load(1);\n}\n",
    },
    "a method behind objects of Rust": {
        "src/store.rs": "pub struct Store;\n\nimpl Store {\n    pub fn «load>read»(&self, key: u8) {}\n}\n",
        "src/main.rs": (
            "use crate::store::Store;\n\nfn run(store: &Store, bag: &Bag) {\n    store.‹load>read›(1);\n"
            "    bag.load(2);\n"
            "    let made = Store;\n    Store::‹load>read›(&made, 3);\n}\n"
        ),
    },
    "a type of a package of Go": {
        "shop/cart.go": "package shop\n\ntype «Cart>Bag» struct{ N int }\n",
        "main.go": (
            'package main\n\nimport (\n\tother "m/other"\n\ts "m/shop"\n)\n\n'
            "type T struct {\n\ts.‹Cart>Bag›\n\tall map[string][]*s.‹Cart>Bag›\n}\n\n"
            "func f(a other.Cart, b s.‹Cart>Bag›) any {\n\tc, _ := any(b).(s.‹Cart>Bag›)\n"
            "\treturn &s.‹Cart>Bag›{N: c.N}\n}\n"
        ),
    },
    "a type of C# behind its namespace": {
        "Shop/Models/Cart.cs": "namespace Shop.Models;\n\npublic class «Cart>Bag» { public static int Make() => 1; }\n",
        "App/P.cs": (
            "namespace App;\n\nclass P {\n    Shop.Models.‹Cart>Bag› a = new Shop.Models.‹Cart>Bag›();\n"
            "    global::Shop.Models.‹Cart>Bag› b;\n    int n = Shop.Models.‹Cart>Bag›.Make() + Other.Cart.Make();\n"
            "    Other.Cart c;\n}\n"
        ),
    },
    "two imports in a line that were renamed": {
        "home.py": "def «load>read»(key):\n    pass\n",
        "use.py": "from home import «load>read» as l, «load>read»\nl(2)\n‹load>read›(3)\n",
    },
}


@pytest.mark.parametrize("files", FILES.values(), ids=FILES)
def test_other_open_files_that_agree(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})


GROWING = {
    "go": (
        ("w/shop/a.go", "package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) «Load>Read»() {}\n\nfunc Make() {}\n"),
        (
            "w/main.go",
            'package main\n\nimport "m/shop"\n',
            "\nfunc f{n}(c *shop.Cart, d *Cart) {{\n\tc.Load()\n\td.Load()\n}}\n",
        ),
    ),
    "cpp": (
        ("w/bag.hpp", "class Bag {\n public:\n  int «size>count»();\n};\n"),
        (
            "w/bag.cpp",
            '#include "bag.hpp"\n',
            "int Bag::f{n}(Bag& b, Box& c) {{\n  return size() + b.size() + c.size();\n}}\n",
        ),
    ),
    "python": (
        ("w/home.py", "class Store:\n    def «load>read»(self):\n        pass\n"),
        ("w/use.py", "from home import Store\n\n", "def f{n}(s: Store, other):\n    s.load()\n    other.load()\n\n"),
    ),
    "rust": (
        ("w/src/store.rs", "pub fn «load>read»() {}\n"),
        ("w/src/main.rs", "use crate::store;\n\n", "fn f{n}() {{\n    store::load();\n    other::load();\n}}\n"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("home", "use"), GROWING.values(), ids=GROWING)
def test_uses_in_another_file_are_found_in_linear_time(home: tuple[str, str], use: tuple[str, str, str]) -> None:
    uri, head, body = use

    def work(size: int) -> Callable[[], object]:
        other = played(head + "".join(body.format(n=n) for n in range(size)), f"file:///{uri}")
        document = replace(played(home[1], f"file:///{home[0]}"), others=(other,))
        assert len(outcome(document).candidates) >= size
        return lambda: outcome(document)

    assert_linear(work, 100)
