"""What follows from a new parameter of a constructor, and from a field that is given a name nobody declares."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "kept behind the one before": (
        "class C:\n    def __init__(self, a«>, b»):\n        self.a = a‹>\n        self.b = b›\n        self.run()\n"
    ),
    "with letters that are not ASCII": (
        "class C:\n    def __init__(self, länge«>, größe»):\n        self.länge = länge‹>\n"
        "        self.größe = größe›\n        self.run()\n"
    ),
    "with a default value": (
        "class C:\n    def __init__(self, a, «>b: int = 1, »c=2):\n        self._a = a‹>\n"
        "        self._b = b›\n        self._c = c\n"
    ),
    "before the one behind": (
        "class C:\n    def __init__(self, «>b, »a):\n        self.ready = False\n‹>        self.b = b\n"
        "›        self.a = a\n"
    ),
    "used already": "class C:\n    def __init__(self, a«>, b»):\n        self.a = a\n        self.b = b\n",
    "no parameter is kept": "class C:\n    def __init__(self, a«>, b»):\n        self.a = a + 1\n",
    "no constructor": "class C:\n    def set(self, a«>, b»):\n        self.a = a\n",
    "taken from a parameter": (
        "class C:\n    def __init__(self, a, ‹>b, ›*rest):\n        self.a = a\n«>        self.b = b\n"
        "»        self.run()\n"
    ),
    "of what type nobody knows": (
        "class C:\n    def __init__(self, a: int):\n        self.a = a\n«>        self.b = b\n»        self.run()\n"
    ),
    "a name of the module": (
        "b = 1\nclass C:\n    def __init__(self, a):\n        self.a = a\n«>        self.b = b\n»        self.run()\n"
    ),
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_the_field_follows(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked})


DECLARED = {
    "A.java": {
        "with its declaration": (
            "class A {\n  private final int x;‹>\n  private final long y;›\n\n  A(int x«>, long y») {\n"
            "    this.x = x;‹>\n    this.y = y;›\n  }\n}\n"
        ),
        "of a field that is declared": (
            "class A {\n  int x;\n  int y;\n\n  A(int x«>, int y») {\n    this.x = x;‹>\n    this.y = y;›\n  }\n}\n"
        ),
        "without a declaration to follow": "class A extends B {\n  A(int x«>, int y») {\n    this.x = x;\n  }\n}\n",
    },
    "a.ts": {
        "with its declaration": (
            "class A {\n  readonly x: number;‹>\n  readonly y: string;›\n\n  constructor(x: number«>, y: string») {\n"
            "    this.x = x;‹>\n    this.y = y;›\n  }\n}\n"
        ),
    },
}


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, rows in DECLARED.items() for name in rows])
def test_a_field_is_declared_where_the_language_asks_for_it(file: str, name: str) -> None:
    assert_follows({f"file:///w/{file}": DECLARED[file][name]})
