"""What repeated edits must not do: each case is an edit that was made by hand and its lines that stay."""

from __future__ import annotations

import pytest
from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.runtime.ort import Cancel, select_providers
from editahead.suggest.next_edit.candidate_pool import CandidatePool
from editahead.suggest.next_edit.edit_candidate import REPEAT
from editahead.suggest.next_edit.editor import NextEditor

from tests.suggest.next_edit.consequences.marked_renames import played, wanted

SHIPPED = [path for path in find_bundles() if path.name.startswith("implicit-attention-")]
pytestmark = pytest.mark.skipif(not SHIPPED, reason="no edit bundle is shipped")

IDENTITY = {
    "no mask or query": (
        "if a «==>is» None:\n    a = 1\nif b «==>is» None:\n    b = 1\nif c ‹==>is› None:\n    c = 1\n"
        "x = f(c == None)\ny = b[c == None]\n"
    ),
}
ASYNC = {
    "no async before accessors and special methods": (
        "home.py",
        "«>async »def a():\n    return 1\n\n\n«>async »def b():\n    return 2\n\n\n‹>async ›def c():\n    return 3\n"
        "\n\nclass C:\n    @property\n    def d(self):\n        return 4\n\n    def __len__(self):\n        return 5\n"
        "\n    ‹>async ›def e(self):\n        return 6\n",
    ),
    "no async before a result that is no promise": (
        "home.ts",
        "«>async »function a() {\n  return 1;\n}\n«>async »function b() {\n  return 2;\n}\n"
        "function c(): number {\n  return 3;\n}\n‹>async ›function d() {\n  return 4;\n}\n",
    ),
    "no await outside of async functions": (
        "home.py",
        "async def a():\n    x = «>await »load(1)\n    y = «>await »load(2)\n    z = ‹>await ›load(3)\n\n\n"
        "def b():\n    x = load(4)\n\n\nasync def c():\n    x = ‹>await ›load(5)\n    return lambda: load(6)\n",
    ),
}
RENAMES = {
    "Python": (
        "home.py",
        "class A:\n    def «area>surface»(self):\n        return 1\n\n\nclass B:\n    def area(self): ...\n"
        "\n\ndef f(a: A, b: B, c, d):\n    e = a.«area>surface»()\n    g = c.«area>surface»()\n    h = b.area()\n"
        "    i = d.‹area>surface›()\n    return e + g + h + i\n",
    ),
    "TypeScript": (
        "home.ts",
        "class A { «area>surface»() { return 1; } }\nclass B { area() { return 1; } }\n"
        "function f(a: A, b: B, c: any, d: any) {\n  const e = a.«area>surface»();\n"
        "  const g = c.«area>surface»();\n  const h = b.area();\n  const i = d.‹area>surface›();\n}\n",
    ),
    "Java": (
        "Home.java",
        "class A { int «area>surface»() { return 1; } }\nclass B { int area() { return 1; } }\n"
        "class D {\n  void f(A a, B b, C c, C d) {\n    int e = a.«area>surface»();\n"
        "    int g = c.«area>surface»();\n    int h = b.area();\n    int i = d.‹area>surface›();\n  }\n}\n",
    ),
    "C#": (
        "home.cs",
        "class A { public int «Area>Surface»() => 1; }\nclass B { public int Area() => 1; }\n"
        "class D {\n  void F(A a, B b, dynamic c, dynamic d) {\n    var e = a.«Area>Surface»();\n"
        "    var g = c.«Area>Surface»();\n    var h = b.Area();\n    var i = d.‹Area>Surface›();\n  }\n}\n",
    ),
}
PARAMETERS = {
    "a field, and words of a comment": (
        "Home.java",
        "class A {\n  /**\n   * @param «name>title» the name\n   */\n  String f(String «name>title») {\n"
        "    this.name = «name>title»;\n    return «name>title».trim() + «name>title»;\n  }\n"
        "  String name;\n  String g() { return name; }\n  String h(String name) { return name; }\n}\n",
    ),
    "names of the module": (
        "home.py",
        'def f(«size>width»):\n    """Give.\n\n    :param «size>width»: a\n    """\n'
        "    return «size>width»\n\n\nsize = 1\n\n\ndef g():\n    return size\n",
    ),
}
ARGUMENTS = {
    "names out of scope": (
        "home.ts",
        "export function send(a: string«>, count: number») { return a; }\n"
        'function f(count: number) { return send("x"«>, count»); }\n'
        'function g(count: number) { return send("x"«>, count»); }\n'
        'class K {\n  count = 3;\n  m() { return send("x"); }\n}\n'
        'function h(count: number) { return send("x"‹>, count›); }\n',
    ),
    "methods of other types": (
        "home.rs",
        "trait S {\n    fn send(&self, m: &str«>, ttl: u32»);\n}\nstruct A;\nimpl S for A {\n"
        "    fn send(&self, m: &str«>, ttl: u32») {}\n}\nstruct U;\nimpl U {\n    fn send(&self, m: &str) {}\n}\n"
        'fn k(a: A, u: U, ttl: u32) {\n    a.send("x"«>, ttl»);\n    u.send("y");\n}\n',
    ),
    "a keyword and a member are no name in scope": (
        "home.py",
        "def send(a«>, b»):\n    return a\n\n\nsend(1«>, b=3»)\nsend(2«>, b=3»)\nsend(4‹>, b=3›)\n",
    ),
    "two functions of one name": (
        "home.py",
        "class A:\n    def send(self, a«>, b»):\n        return a\n\n\nclass B:\n    def send(self, a«>, b»):\n"
        "        return a\n\n\nclass C:\n    def send(self, a‹>, b›):\n        return a\n",
    ),
    "calls of other functions": (
        "home.py",
        "class A:\n    def send(self, a«>, b»):\n        return a\n\n\nclass C:\n    def send(self, a):\n"
        "        return a\n\n\ndef f(a: A, c: C, b):\n    a.send(1«>, b»)\n    a.send(2«>, b»)\n    c.send(3)\n",
    ),
}


@pytest.fixture(scope="module")
def editor() -> NextEditor:
    return NextEditor(load_bundle(SHIPPED[0], verify=False), select_providers("cpu"))


def assert_repeats(editor: NextEditor, marked: str, name: str = "home.py") -> None:
    """The edits «old>new» are repeated at the places ‹old>new› and nowhere else."""
    document = played(marked, f"file:///w/{name}")
    data = document.syntax.buffer.data
    items = CandidatePool().rated(document, 0, Cancel(), editor).items
    found = [one.candidate.edit.trim(data) for one in items if one.candidate.source == REPEAT]
    assert sorted((edit.start, edit.new) for edit in found) == wanted(marked)


@pytest.mark.parametrize("marked", IDENTITY.values(), ids=IDENTITY.keys())
def test_identity(editor: NextEditor, marked: str) -> None:
    assert_repeats(editor, marked)


@pytest.mark.parametrize(("name", "marked"), ASYNC.values(), ids=ASYNC.keys())
def test_async(editor: NextEditor, name: str, marked: str) -> None:
    assert_repeats(editor, marked, name)


@pytest.mark.parametrize(("name", "marked"), RENAMES.values(), ids=RENAMES.keys())
def test_members_of_known_classes_keep_their_names(editor: NextEditor, name: str, marked: str) -> None:
    assert_repeats(editor, marked, name)


@pytest.mark.parametrize(("name", "marked"), PARAMETERS.values(), ids=PARAMETERS.keys())
def test_a_renamed_parameter_takes_no_other_name_along(editor: NextEditor, name: str, marked: str) -> None:
    assert_repeats(editor, marked, name)


@pytest.mark.parametrize(("name", "marked"), ARGUMENTS.values(), ids=ARGUMENTS.keys())
def test_a_new_argument_goes_to_no_other_function(editor: NextEditor, name: str, marked: str) -> None:
    assert_repeats(editor, marked, name)
