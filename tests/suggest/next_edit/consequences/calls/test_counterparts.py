"""What agrees with a changed signature: «a>b» is typed, ‹a>b› must follow, and nothing else may."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.text.edits import ByteEdit
from editahead.text.history import History

from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

FOLLOWS = {
    "an implementation in Java": {
        "file:///w/A.java": "interface A {\n  int size(String key«>, int start»);\n}\n",
        "file:///w/B.java": (
            "class B implements A {\n  public int size(String key‹>, int start›) {\n    return key.length();\n  }\n}\n"
        ),
        "file:///w/C.java": "class C {\n  int size(String key) {\n    return 1;\n  }\n}\n",
    },
    "an interface in Java": {
        "file:///w/B.java": "class B extends A {\n  int size(«>int a, »String key) {\n    return 1;\n  }\n}\n",
        "file:///w/A.java": "abstract class A {\n  abstract int size(‹>int a, ›String key);\n  int size() {}\n}\n",
    },
    "a class in TypeScript": {
        "file:///w/a.ts": (
            "export interface A {\n  size(key: string«, start: number>»): number;\n}\n"
            "class B implements A {\n  size(key: string‹, start: number>›) {\n    return 1;\n  }\n}\n"
            "class C {\n  size(key: string, start: number) {\n    return 1;\n  }\n}\n"
        ),
    },
    "an interface in C#": {
        "file:///w/A.cs": "interface A {\n  int Size(string key«>, int start»);\n}\n",
        "file:///w/B.cs": "class B : A {\n  public int Size(string key‹>, int start›) => 1;\n}\n",
        "file:///w/C.cs": "class C : A {\n  int A.Size(string key‹>, int start›) => 1;\n}\n",
    },
    "a trait in Rust": {
        "file:///w/a.rs": (
            "trait A {\n    fn size(&self, key: &str«>, n: u8») -> u8;\n}\n"
            "impl A for B {\n    fn size(&self, key: &str‹>, n: u8›) -> u8 {\n        1\n    }\n}\n"
            "impl B {\n    fn size(&self, key: &str) -> u8 {\n        1\n    }\n}\n"
        ),
    },
    "an interface in Go": {
        "file:///w/a.go": "package m\n\ntype A interface {\n\tSize(key string«>, n int») int\n}\n",
        "file:///w/b.go": "package m\n\nfunc (b *B) Size(key string‹>, n int›) int {\n\treturn 1\n}\n",
        "file:///w/x/c.go": "package x\n\nfunc (b *B) Size(key string) int {\n\treturn 1\n}\n",
    },
    "a definition in C": {
        "file:///w/a.h": "int size(const char *key«>, int n»);\n",
        "file:///w/a.c": '#include "a.h"\n\nint size(const char *key‹>, int n›) {\n  return 1;\n}\n',
        "file:///w/b.c": "int size(const char *key) {\n  return 1;\n}\n",
    },
    "a declaration in C++, without the default value": {
        "file:///w/a.hpp": (
            "class A {\n public:\n  int size(const char *key«>, int n = 0») const;\n};\n"
            "class B {\n  int size(const char *key) const;\n};\n"
        ),
        "file:///w/a.cpp": (
            '#include "lib/a.hpp"\n\nint A::size(const char *key‹>, int n›) const {\n  return 1;\n}\n'
            "int B::size(const char *key) const {\n  return 1;\n}\n"
        ),
    },
    "another type": {
        "file:///w/a.h": "int size(«int>long» key, char b);\n",
        "file:///w/a.c": '#include "a.h"\n\nint size(‹int key>long key›, char b) {\n  return key;\n}\n',
    },
    "an overriding method in Python": {
        "file:///w/a.py": "class A:\n    def size(self, key«>, start»):\n        return 1\n",
        "file:///w/b.py": (
            "from a import A\n\n\nclass B(A):\n    def size(self, key‹>, start›):\n        return 1\n\n\n"
            "class C:\n    def size(self, key):\n        return 1\n"
        ),
    },
    "its own default value stays": {
        "file:///w/a.py": (
            "class A:\n    def size(self, key: «int>float» = 1):\n        return 1\n\n\n"
            "class B(A):\n    def size(self, ‹key: int = 5>key: float = 5›):\n        return 1\n"
        ),
    },
    "a default value stays in the header": {
        "file:///w/a.cpp": '#include "a.hpp"\n\nint A::size(«int>long» n) {\n  return n;\n}\n',
        "file:///w/a.hpp": "class A {\n  int size(‹int n = 0>long n = 0›);\n};\n",
    },
    "decorators do not": {
        "file:///w/a.ts": (
            "interface A {\n  size(key: string‹>, n: number›): number;\n}\n"
            "class B implements A {\n  size(key: string«>, @Query() n: number»): number {\n    return 1;\n  }\n}\n"
        ),
    },
    "parameters that share a type": {
        "file:///w/a.go": (
            "package m\n\ntype A interface {\n\tSize(a, b string«>, n int») int\n}\n\n"
            "func (x *B) Size(a, b string‹>, n int›) int {\n\treturn 1\n}\n\n"
            "func (x *C) Size(a, b int) int {\n\treturn 1\n}\n\n"
            "func (x *D) Size(a, b string) error {\n\treturn nil\n}\n"
        ),
    },
    "one of two that differ in const": {
        "file:///w/a.cpp": (
            "class A {\n  int at(int i);\n  int at(int i«>, int j») const;\n};\n"
            "int A::at(int i) { return i; }\nint A::at(int i‹>, int j›) const { return i; }\n"
        ),
    },
    "a list with a parameter in each line": {
        "file:///w/a.ts": (
            "interface A {\n  size(\n    key: string,\n«>    n: number,\n»  ): number;\n}\n"
            "class B implements A {\n  size(\n    key: string,\n  ‹>  n: number,\n  ›) {\n    return 1;\n  }\n}\n"
        ),
    },
    "the other part of a class": {
        "file:///w/A.cs": "partial class A {\n  partial void Size(string key«>, int n»);\n}\n",
        "file:///w/B.cs": "partial class A {\n  partial void Size(string key‹>, int n›) { }\n}\n",
    },
    "a class with the same type parameter": {
        "file:///w/A.java": "interface A<T> {\n  T load(int key«>, T other»);\n}\n",
        "file:///w/B.java": "class B<T> implements A<T> {\n  public T load(int key‹>, T other›) { }\n}\n",
        "file:///w/C.java": "class C implements A<U> {\n  public U load(int key) {\n    return null;\n  }\n}\n",
    },
    "one of two classes of a name": {
        "file:///w/a.cpp": (
            "namespace x {\nstruct A { int f(int a«>, int b»); };\nint A::f(int a‹>, int b›) { return a; }\n}\n"
            "namespace y {\nstruct A { int f(int a); };\nint A::f(int a) { return a; }\n}\n"
        ),
    },
    "an overriding method in C++": {
        "file:///w/a.cpp": (
            "struct A {\n  virtual int f(int a«>, int b») const = 0;\n};\n"
            "struct B : public A {\n  int f(int a‹>, int b›) const override { return a; }\n};\n"
            "struct C : Base<A> {\n  int f(int a) const { return a; }\n};\n"
        ),
    },
    "the class that inherits from one that inherits": {
        "file:///w/a.py": (
            "class A:\n    def size(self, key«>, start»):\n        return 1\n\n\nclass B(A):\n    pass\n\n\n"
            "class C(B):\n    def size(self, key‹>, start›):\n        return 1\n"
        ),
    },
}


@pytest.mark.parametrize("pair", FOLLOWS)
def test_a_declaration_that_agrees_follows(pair: str) -> None:
    assert_follows(FOLLOWS[pair], "parameter")


JAVA_METHOD = "  int size(String key) {\n    return 1;\n  }\n"
CHANGED_A = "class A {\n  int size(String key«>, int n») {\n    return 1;\n  }\n}\n"
STAYS = {
    "a class with the other as the argument of a type": {
        "file:///w/A.java": CHANGED_A,
        "file:///w/B.java": f"class B extends Base<A> {{\n{JAVA_METHOD}}}\n",
        "file:///w/C.java": f"class C<T extends A> {{\n{JAVA_METHOD}}}\n",
        "file:///w/D.java": f"@Uses(A.class)\nclass D {{\n{JAVA_METHOD}}}\n",
    },
    "a private method": {
        "file:///w/A.java": (
            "class A {\n  private int size(String key«>, int n») {\n    return 1;\n  }\n}\n"
            f"class B extends A {{\n{JAVA_METHOD}}}\n"
        ),
    },
    "a static method of Java": {
        "file:///w/A.java": CHANGED_A.replace("int size", "static int size"),
        "file:///w/B.java": f"class B extends A {{\n{JAVA_METHOD.replace('int size', 'static int size')}}}\n",
    },
    "a class that has the new parameters already": {
        "file:///w/A.java": "interface A {\n  int size(String key«>, int n»);\n}\n",
        "file:///w/B.java": (
            f"class B implements A {{\n{JAVA_METHOD}{JAVA_METHOD.replace('key', 'key, int n', 1)}}}\n"
        ),
    },
    "what an overload declares": {
        "file:///w/A.java": "interface A {\n  int size(String key);\n  int size(String key«>, int n»);\n}\n",
        "file:///w/B.java": f"class B implements A {{\n{JAVA_METHOD}}}\n",
    },
    "final, which concerns one declaration": {
        "file:///w/B.java": JAVA_METHOD.join(("class B implements A {\n", "}\n")).replace("(S", "(«>final »S"),
        "file:///w/A.java": "interface A {\n  int size(String key);\n}\n",
    },
    "a file without the import": {
        "file:///w/A.java": "import java.util.List;\n\ninterface A {\n  int size(String key«>, List<A> n»);\n}\n",
        "file:///w/B.java": f"class B implements A {{\n{JAVA_METHOD}}}\n",
    },
    "a file of Go without the import": {
        "file:///w/a.go": 'package m\n\nimport "io"\n\ntype A interface {\n\tSize(key string«>, w io.Writer») int\n}\n',
        "file:///w/b.go": "package m\n\nfunc (b *B) Size(key string) int {\n\treturn 1\n}\n",
    },
    "a body that declares the name": {
        "file:///w/a.go": (
            "package m\n\ntype A interface {\n\tSize(key string«>, n int») int\n}\n\n"
            "func (b *B) Size(key string) int {\n\tn := 1\n\treturn n\n}\n"
        ),
    },
    "another class of the name": {
        "file:///w/a.py": "class A:\n    def size(self, key«>, start»):\n        return 1\n",
        "file:///w/b.py": (
            "class A:\n    def size(self, key):\n        return 1\n\n\n"
            "class B(A):\n    def size(self, key):\n        return 1\n"
        ),
        "file:///w/c.py": "from b import A\n\n\nclass B(A):\n    def size(self, key):\n        return 1\n",
    },
    "a private method of Python": {
        "file:///w/a.py": (
            "class A:\n    def __size(self, key«>, start»):\n        return 1\n\n\n"
            "class B(A):\n    def __size(self, key):\n        return 1\n"
        ),
    },
    "a function in a method": {
        "file:///w/a.py": (
            "class A:\n    def run(self):\n        def size(key«>, start»):\n            return 1\n\n\n"
            "class B(A):\n    def run(self):\n        def size(key):\n            return 1\n"
        ),
    },
    "a default value": {
        "file:///w/a.py": (
            "class A:\n    def size(self, key=«1>2»):\n        return 1\n\n\n"
            "class B(A):\n    def size(self, key=5):\n        return 1\n"
        ),
    },
    "a method without a body, which takes no default value": {
        "file:///w/a.ts": (
            "interface A {\n  size(key: string): number;\n}\n"
            "class B implements A {\n  size(key: string«>, n = 0»): number {\n    return 1;\n  }\n}\n"
        ),
    },
    "a method that hides another one": {
        "file:///w/A.cs": (
            "class A {\n  public int Size(string key«>, int n») => 1;\n}\n"
            "class B : A {\n  public new int Size(string key) => 1;\n}\n"
        ),
        "file:///w/B.cs": "class C<T> : IBase<A> where T : A {\n  public int Size(string key) => 1;\n}\n",
    },
    "a trait that bounds a type": {
        "file:///w/a.rs": (
            "trait A {\n    fn size(&self, key: u8«>, n: u8»);\n}\n"
            "impl<T: A> C for T {\n    fn size(&self, key: u8) {}\n}\ntrait D: A {\n    fn size(&self, key: u8);\n}\n"
        ),
    },
}


@pytest.mark.parametrize("case", STAYS)
def test_nothing_else_follows(case: str) -> None:
    assert_follows(STAYS[case], "parameter")


def test_a_change_that_was_taken_back_is_not_made_again() -> None:
    """The change was made in the overriding method as well, and then the user took the first one back."""
    method = "    def size(self, key):\n        return 1\n"
    plain = played(f"class A:\n{method}\n\nclass B(A):\n{method}", "file:///w/a.py")
    buffer, clock = plain.syntax.buffer, 0.0
    history = History(buffer, lambda: clock)
    here, there = (buffer.data.index(b"):", start) for start in (0, 70))
    size = len(b", start")
    syntax = plain.syntax
    for edit in (
        ByteEdit(here, here, b", start"),
        ByteEdit(there + size, there + size, b", start"),
        ByteEdit(here, here + size, b""),
    ):
        history.push(edit, buffer)
        buffer = buffer.apply(edit)
        syntax = syntax.advance(buffer, [edit])
        clock += 10.0
        history.settle(clock)
    assert not outcome(replace(plain, syntax=syntax, history=history.view())).candidates
