"""The rules of names of Go: every occurrence of one binding is marked, and nothing else is."""

from __future__ import annotations

import pytest

from .marked import assert_marked

CASES = {
    "local": "func f() int { «x» := 1; «x»++; return «x» }\nfunc g() { x() }\n",
    "parameter": "func f(«x», y int) int { return «x» + o.x + y }\n",
    "result": "func f() («err» error) { «err» = g(); return }\n",
    "declared again it is the same": "func f() {\n\t«x», a := 1, 2\n\t«x», b := 3, 4\n\tuse(«x», a, b)\n}\n",
    "a parameter declared again in the body": (
        "func f(«n» int) int {\n\tx, «n» := g(«n»)\n\tif x {\n\t\ty, n := h(«n»)\n\t\tuse(y, n)\n\t}\n\treturn «n»\n}\n"
    ),
    "a result declared again in the body": (
        "func f() (n int, «err» error) {\n\tn, «err» = a()\n\tm, «err» := b()\n\tif l, err := c(m); err != nil {\n"
        "\t\treturn l, err\n\t}\n\treturn n, «err»\n}\n"
    ),
    "a parameter of a literal and a method declared again": (
        "var err error\nfunc (s *S) f(«err» error) {\n\ta, «err» := g()\n\tfunc(err error) {\n\t\tb, err := g()\n"
        "\t\tuse(b, err)\n\t}(«err»)\n\tfunc() {\n\t\tc, err := h(«err»)\n\t\tuse(c, err)\n\t}()\n\tuse(a)\n}\n"
    ),
    "a parameter of a literal declared again": (
        "func f(err error) { func(«err» error) { b, «err» := g(); use(b, «err») }(err) }\n"
    ),
    "a receiver declared again": "func («s» *S) f() {\n\tx, «s» := g()\n\tuse(x, «s»)\n}\n",
    "in a block it is another": "func f() {\n\t«x» := 1\n\tif a {\n\t\tx := 2\n\t\tuse(x)\n\t}\n\tuse(«x»)\n}\n",
    "a copy of the outer one": "func f() {\n\tfor _, «v» := range all {\n\t\tuse(«v»)\n\t}\n\tv()\n}\n",
    "the value comes before the name": "func f(«v» int) {\n\t{\n\t\tv := «v»\n\t\tuse(v)\n\t}\n}\n",
    "if": "func f() { if «v» := g(); «v» > 1 { use(«v») } else if w := «v»; w > 0 { use(«v») }; v() }\n",
    "for": "func f() { for «i» := 0; «i» < 9; «i»++ { use(«i») }; for i := 0; ; { i++ } }\n",
    "range over itself": "func f(«x» T) { for _, x := range «x».all { use(x) }; use(«x») }\n",
    "the name that a range hides": "func f(x T) { for _, «x» := range x.all { use(«x») }; use(x) }\n",
    "switch on the type of itself": "func f(«v» any) { switch v := «v».(type) { case int: use(v) }; use(«v») }\n",
    "switch on a type behind a statement": (
        "func f(v any) { switch «e» := g(); w := «e».(type) { case int: use(w, «e») } }\n"
    ),
    "receive from itself": "func f(«c» T) { select { case c := <-«c».done: use(c) }; use(«c») }\n",
    "types of packages are no local names": (
        "func f(«url» string) *url.URL { var u url.URL; g(func(x url.A) {}); return h(«url», u) }\n"
    ),
    "package under another name": (
        'import «u» "net/url"\nfunc f(x *«u».URL) «u».URL { return «u».Parse(x) }\nfunc g(u *«u».URL) {}\n'
    ),
    "keys of arrays": (
        "const «A» = 0\nvar a = [...]string{«A»: x}\nvar b = []string{«A»: x}\nvar c = [2][2]int{«A»: {«A»: 1}}\n"
        "type T struct { A int }\nvar d = []T{{A: 1}}\nvar e = [2]T{«A»: {A: 1}}\n"
    ),
    "elements behind pointers": (
        'type A struct { «x» int }\nvar a = map[string]*A{"x": {«x»: 1}}\nvar b = []*A{{«x»: 1}}\nvar c = B{x: 1}\n'
    ),
    "switch on a type": "func f() { switch «t» := x.(type) { case int: use(«t»); default: use(«t») } }\n",
    "select": "func f() { select { case «v», ok := <-ch: use(«v», ok); case v := <-c: use(v) } }\n",
    "function literal": "func f(x int) { func(«x» int) { «x»++ }(x) }\n",
    "function": "func «f»() { «f»() }\nfunc g() { «f»(); o.f() }\n",
    "package variable": "var «x», y = 1, 2\nfunc f() int { return «x» + y }\nfunc g(x int) int { return x }\n",
    "constant": "const (\n\t«One» = iota\n\tTwo\n)\nvar a = «One» + Two\n",
    "type": "type «A» struct{}\nfunc (a *«A») m() «A» { return «A»{} }\nvar b = &«A»{}\nvar c pkg.A\n",
    "alias": "type «B» = A\nvar b «B»\n",
    "type parameter": "func f[«T» any](x «T») «T» { return x }\nfunc g[T any](x T) {}\n",
    "type parameter of a type": "type G[«T» any] struct { v «T» }\nvar T int\n",
    "field": "type A struct { «x» int }\nfunc (a *A) m() int { return a.«x» + b.x }\n",
    "field in a literal": "type A struct { «x» int }\nvar a = A{«x»: 1}\nvar b = &A{«x»: 2}\nvar c = B{x: 3}\n",
    "field in literals of a slice": "type A struct { «x» int }\nvar a = []A{{«x»: 1}, {«x»: 2}}\n",
    "key of a map": "const «x» = 1\nvar m = map[int]int{«x»: 1}\nvar s = S{x: 1}\n",
    "field of a new object": "type A struct { «x» int }\nfunc f() { a := A{}; a.«x» = 1; b := &A{}; b.«x»++; c.x++ }\n",
    "method": "type A struct{}\nfunc (a *A) «m»() { a.«m»() }\nfunc f(a A) { a.«m»(); b.m(); m() }\n",
    "method of another type": "func (a *A) m() {}\ntype A struct{}\ntype B struct{}\nfunc (b B) «m»() { b.«m»() }\n",
    "import": 'import «r» "math/rand"\nvar a = «r».Int()\nfunc f(r int) { use(r) }\n',
    "fields of a struct without a name": "var a struct { x int }\nvar «x» = 1\nfunc f() { use(«x», a.x) }\n",
    "labels are no names": "func f() { «x» := 1; x: for { use(«x»); break x } }\n",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES)
def test_references(marked: str) -> None:
    assert_marked(f"package a\n\n{marked}", "go")
