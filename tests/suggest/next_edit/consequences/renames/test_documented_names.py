"""Documentation that names a renamed declaration: «old>new» is typed, ‹old>new› must follow, nothing else may."""

from __future__ import annotations

from collections import Counter

import pytest
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.consequences.renames import documented_names
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.types import Shown

from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

CASES = {
    "a parameter in the docstring": (
        "home.py",
        'def f(«a>b», c):\n    """`‹a>b›` and a.\n\n    :param ‹a>b›: a\n    :param int ‹a>b›: a\n'
        '    :type ‹a>b›: int\n    ‹a>b› : int\n    ‹a>b› (int): a\n    """\n    return ‹a>b›\n\n'
        'def g(a):\n    """:param a: another, `a`"""\n    return a\n',
    ),
    "a class in roles and types": (
        "home.py",
        'class «A>B»:\n    """A `‹A>B›` or :py:class:`~m.‹A>B›`, A.\n\n    other : ‹A>B›\n    """\n\n'
        "# :class:`‹A>B›` but no A\nprint('A')\n",
    ),
    "no parameters of the methods above": (
        "home.py",
        'class C:\n    """:param a: the class"""\n\n    def f(self, a):\n        """:param a: another"""\n\n'
        "    def g(self, «a>b»):\n        return ‹a>b›\n",
    ),
    "no parameter of the class around": (
        "a.ts",
        "/** @param a of the class */\nclass A {\n  f(«a>b»: number) { return ‹a>b›; }\n}\n",
    ),
    "a parameter behind a decorator": ("home.py", "# `‹a>b›`\n@cached(1)\ndef f(«a>b»):\n    return ‹a>b›\n"),
    "a parameter of a template": (
        "a.cpp",
        "/// @param ‹a>b› what\ntemplate <class T>\nT f(T «a>b») { return ‹a>b›; }\n",
    ),
    "no name that means two things": (
        "home.py",
        'def «f>g»():\n    """`f`"""\n\nclass C:\n    def f(self):\n        """`f`"""\n',
    ),
    "no variable of a function": ("home.py", 'def f():\n    """`a`"""\n    «a>b» = 1\n    return ‹a>b›\n'),
    "a variable that knows its name": (
        "home.py",
        "import typing\n«T>Item» = typing.TypeVar('‹T>Item›', bound=int)\nU = typing.NewType('T', ‹T>Item›)\n",
    ),
    "no module that is loaded by its name": (
        "home.py",
        "«redis>client» = load('redis')\n‹redis>client›.get('redis')\n",
    ),
    "a parameter in Javadoc": (
        "A.java",
        "class A {\n    /**\n     * {@code ‹a>b›} and a.\n     * @param ‹a>b› a\n     */\n    @Deprecated\n"
        "    int f(int «a>b») { return ‹a>b›; }\n\n"
        "    /** @param a another, {@code a} */\n    int g(int a) { return a; }\n}\n",
    ),
    "the end of a namespace": (
        "a.cpp",
        "namespace «a>b» {\nint f();\n}  // namespace ‹a>b›\nnamespace c {\n}  // namespace c::a\n// a\n",
    ),
    "a parameter that a decorator names": (
        "home.py",
        "@pytest.mark.parametrize('‹a>b›, c', [('a', 1)])\n@pytest.mark.parametrize(('d', '‹a>b›'), a)\n"
        "@given(‹a>b›=a)\n@run('a', a=1)\ndef f(«a>b», c, d):\n    return ‹a>b›\n\n"
        "@parametrize('a', [1])\ndef g(a):\n    return a\n",
    ),
    "a parameter of a function inside": (
        "home.py",
        "@parametrize('a', [1])\ndef f(a):\n    def g(«a>b»):\n        return ‹a>b›\n    return a\n",
    ),
    "a component of a record": (
        "A.java",
        "/** @param ‹a>b› a\n * @param c a */\nrecord A(int «a>b», int c) {\n    /** @param a another */\n"
        "    int f(int a) { return a + this.‹a>b›; }\n}\n",
    ),
    "a component of a record of C#": ("A.cs", '/// <param name="‹A>B›">A</param>\nrecord R(int «A>B», int C);\n'),
    "fields in the docstring of their class": (
        "home.py",
        'class C:\n    """The a.\n\n    Attributes:\n        ‹a>b›: a\n    """\n    «a>b»: int = 1\n\n'
        '    def f(self, a):\n        """:param a: another"""\n        self.‹a>b› = a\n',
    ),
    "a member of a class that is told": (
        "A.java",
        "class A {\n    /** {@link A#‹f>g›(int)}, {@link p.A#‹f>g›}, {@link B#f}, {@link #f}. @see A#‹f>g› */\n"
        "    void «f>g»(int a) { this.‹f>g›(1); }\n    class B { void f() {} }\n}\n",
    ),
    "a property with its class": (
        "A.cs",
        '/// <see cref="A.‹P>Q›"/> <see cref="B.P"/> <see cref="‹P>Q›"/>\nclass A { int «P>Q» { get; set; } }\n',
    ),
    "a method in Javadoc": (
        "A.java",
        "/** {@link #‹f>g›}, {@link #‹f>g›()}, {@link B#f} */\nclass A {\n    void «f>g»() { ‹f>g›(); }\n}\n",
    ),
    "a parameter in JSDoc": (
        "a.ts",
        "/**\n * @param {number} ‹a>b› - a\n * @param [c] more than `‹a>b›`\n */\n"
        "export const f = («a>b»: number, c = 1) => ‹a>b› * c;\n",
    ),
    "a class in types of JSDoc": (
        "a.js",
        "class «A>B» {}\n/**\n * @param {Array<‹A>B›>} a\n * @returns {‹A>B›} A\n */\n"
        "function f(a) { return new ‹A>B›(a); }\n",
    ),
    "a parameter in Rust": (
        "a.rs",
        "/// Adds `‹a>b›`.\n#[inline]\nfn f(«a>b»: i32) -> i32 {\n    ‹a>b›\n}\n\n"
        "/// `a`\nfn g(a: i32) -> i32 {\n    a\n}\n",
    ),
    "a parameter in C#": (
        "A.cs",
        'class A\n{\n    /// <summary><paramref name="‹a>b›"/></summary>\n    /// <param name="‹a>b›">a</param>\n'
        "    [Pure]\n    int F(int «a>b») { return ‹a>b›; }\n}\n",
    ),
    "a parameter in Doxygen": (
        "a.cpp",
        "/// \\param[in] ‹a>b› a\n/// @param[in, out] c a\nint f(int «a>b», int &c) { return ‹a>b›; }\n",
    ),
    "the guard of a header": (
        "a.h",
        "#ifndef ‹A_H>SHOP_A_H›\n#define «A_H>SHOP_A_H»\n\nint f(void);\n\n#endif  // ‹A_H>SHOP_A_H›\n",
    ),
    "the guard of a header, from its first line": (
        "a.h",
        "#ifndef «A_H>SHOP_A_H»\n#define ‹A_H>SHOP_A_H›\n\nint f(void);\n\n#endif /* ‹A_H>SHOP_A_H› */\n",
    ),
    "a macro of two branches": (
        "a.h",
        "#ifdef LOG\n#define «SIZE>ROOM» 1000\n#else\n#define ‹SIZE>ROOM› 1\n#endif\nextern char names[‹SIZE>ROOM›];\n",
    ),
    "a structure and its type": (
        "a.h",
        "typedef struct «cart>shop_cart» ‹cart>shop_cart›;\nstruct ‹cart>shop_cart› { int n; };\n"
        "int f(‹cart>shop_cart› *a);\n",
    ),
    "no documentation of an import": (
        "a.rs",
        "use crate::«Reader>File»;\n\n/// Try [`Reader`].\nfn f(a: ‹Reader>File›) {}\n",
    ),
    "the first word of a comment in Go": (
        "a.go",
        "package p\n\n// ‹Noder>noder› gives nodes to a Noder.\ntype «Noder>noder» interface{ Node() int }\n\n"
        "// Noder is what\nfunc f(a ‹Noder>noder›) {}\n",
    ),
    "a parameter in Go": ("a.go", "package p\n\n// f returns `‹a>b›`.\nfunc f(«a>b» int) int {\n\treturn ‹a>b›\n}\n"),
}


@pytest.mark.parametrize(("name", "marked"), CASES.values(), ids=CASES)
def test_what_follows(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked})


def test_documentation_of_the_user_s_parameter_says_nothing_of_that_of_others() -> None:
    """Two accepted edits in comments made a third one due, which names the parameter of another function."""
    assert_follows(
        {
            "file:///w/A.java": "class A {\n    /**\n     * {@code «a>b»}\n     * @param «a>b» a\n     */\n"
            "    int f(int «a>b») { return «a>b»; }\n\n    /** @param a a */\n    int g(int a) { return a; }\n}\n"
        }
    )


@pytest.mark.slow
def test_what_is_read_grows_with_the_text_and_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Counter[str]()
    monkeypatch.setattr(documented_names, "checkpoint", lambda: read.update(["names"]))
    costs = []
    for lines in (20, 40, 80, 4000):
        read.clear()
        comments = "# `total` {@link total} :meth:`total` @see total\n" * lines
        outcome(played(f"def f():\n    class Cart:\n        def «total>amount»(self): pass\n{comments}"))
        costs.append(read["names"])
    assert costs == [80, 160, 320, 0]  # at last the name stands in more than 600 places, and nothing follows


def test_a_short_name_is_given_where_its_letter_is_in_many_words() -> None:
    body = "".join(f'    eee{number} = element("eeeeee", {number})\n' for number in range(150))
    assert_follows({"file:///w/home.py": f"def a(«expected>e»):\n    return ‹expected>e›.e\n\n\ndef b():\n{body}"})


def test_a_name_made_private_is_as_sure_as_another() -> None:
    """In 57 commits that only put `_` before a name, 52 uses took it; 71 % of them were shown as unsure."""
    probabilities = []
    for name in ("errors", "_error"):
        marked = f"class C:\n    def __init__(self):\n        self.«error>{name}» = 1\n\n"
        marked += "    def get(self):\n        return self.error\n"
        decision = NextEditDecision().next_edit(played(marked), 0, Cancel(), None)
        assert isinstance(decision, Shown)
        probabilities.append(decision.probability)
    assert probabilities[1] > 0.9 * probabilities[0]
