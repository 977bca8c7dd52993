"""What agrees with a changed signature: «a>b» is typed, ‹a>b› must follow, and nothing else may."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

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
}


@pytest.mark.parametrize("pair", FOLLOWS)
def test_a_declaration_that_agrees_follows(pair: str) -> None:
    assert_follows(FOLLOWS[pair], "parameter")
