"""A source that proposes every kind of harm shows nothing, and what is no harm passes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.suggest.verified_edits import proposal_of
from editahead.verification.proposal import SafetyRule
from editahead.verification.verifier import Verifier

from tests.growth import assert_linear
from tests.verification.proposed import proposed, verdict

HARM = {
    # deletions without an example
    "a use of a name that went": (
        SafetyRule.DELETION,
        "def f(«kind>sort: int», n):\n    ‹print(kind)\n>›    return n\n",
    ),
    "the body of a loop": (
        SafetyRule.DELETION,
        "def f(rows):\n    for «row in rows>i, line in enumerate(rows)»:\n        use(i)\n‹        use(row)\n>›",
    ),
    "an argument": (SafetyRule.DELETION, "def f(a, b):\n    «level = 1\n>»    run(a‹, b>›)\n    return b\n"),
    "a statement that calls": (SafetyRule.DELETION, "def f(a):\n    «x = a\n>»    ‹y = g()\n>›    return a\n"),
    "most of a statement": (
        SafetyRule.DELETION,
        "def f(a):\n    «x = a\n>»    ‹return [\n        a.b(),\n        a.c(),\n        a.d(),\n    ]>pass›\n",
    ),
    "a use of an import that went": (
        SafetyRule.DELETION,
        "«import log\n>»def f(a):\n    ‹with log.open(a):\n        a.run()\n>›    return a\n",
    ),
    "a short use of an import that went": (
        SafetyRule.DELETION,
        "«import log\n>»def f(a):\n    ‹log.add(a)\n>›    return a\n",
    ),
    "a call of a function that went": (
        SafetyRule.DELETION,
        "«def tell(a):\n    print(a)\n\n\n>»def f(a):\n    ‹tell(a)\n>›    return a\n",
    ),
    "a use of one of two variables that went": (
        SafetyRule.DELETION,
        "def f(a):\n    «x, y = a\n>»    ‹x.add(y)\n>›    return a\n",
    ),
    "an update of a variable that went": (
        SafetyRule.DELETION,
        "def f(a):\n    «count = 0\n>»    ‹count += g(a)\n>›    return a\n",
    ),
    "an attribute that is set": (
        SafetyRule.DELETION,
        "class A:\n    def f(self, a):\n        «b = 1\n>»        ‹self.a = a\n>›        return 1\n",
    ),
    "code that becomes a comment": (
        SafetyRule.DELETION,
        "def f(a):\n    «b = 1>b = 2»\n    ‹g(a)># g(a)›\n    return a\n",
    ),
    "code in broken syntax": (
        SafetyRule.DELETION,
        "def f(a):\n    «log(1)\n    >»x = (\n    ‹log(2)\n    >›return a\n",
    ),
    # references
    "a declaration that is used": (
        SafetyRule.BINDING,
        "def f():\n    «log = get(1)\n    >»return 1\n\n\ndef g():\n    ‹log = get(2)\n    >›return log\n",
    ),
    "half a rename": (SafetyRule.BINDING, "def ‹area>size›(a):\n    return a\n\n\narea(1)\n‹area>size›(2)\n"),
    "a name that is hidden": (
        SafetyRule.BINDING,
        "def f():\n    return limit\n\n\nlimit = 1\n\n\ndef g():\n    ‹>limit = 2\n    ›return limit\n",
    ),
    "a builtin that is hidden": (SafetyRule.BINDING, "‹>len = 3\n›\n\ndef f(a):\n    return len(a)\n"),
    "a name out of scope": (
        SafetyRule.BINDING,
        "def f(count):\n    return count\n\n\ndef g(a):\n    return a‹> + count›\n",
    ),
    "a name that is declared further down": (
        SafetyRule.BINDING,
        "def f(a):\n    g(a)\n    ‹>h(total)\n    ›total = g(a)\n    return total\n",
    ),
    "an import further down": (
        SafetyRule.BINDING,
        "class A:\n    x = 1\n‹>    y: Row\n›\n\nfrom rows import Row\n\n\nclass B:\n    z = 1\n«>    y: Row\n»",
    ),
    "a class further down": (
        SafetyRule.BINDING,
        "‹>x = Row()\n›\n\nclass Row:\n    size = 1\n\n\n«>x = Row()\n»y = 1\n",
    ),
    "a variable further down, in a comprehension": (
        SafetyRule.BINDING,
        "def f(rows):\n    a = [g(‹i>low, high›) for i in rows]\n    for «i>low, high» in rows:\n        g(low)\n"
        "    return a\n",
    ),
    "an import that a later one repeats": (
        SafetyRule.BINDING,
        "from __future__ import annotations\nfrom a import (\n    x,\n    ‹y,\n    >›z,\n)\n\nx(y, z)\n\n"
        "from b import (\n    x,\n    y,\n    «y,\n    >»z,\n)\n\ny(x, z)\n",
    ),
    "the header of a block": (
        SafetyRule.SYNTAX,
        "class A:\n    def f(self):\n        # first\n«        with log():\n>»        g(1)\n        h(1)\n\n"
        "    def k(self):\n        # first\n‹        with log():\n>›            g(2)\n        h(2)\n",
    ),
    "a sum that never began": (
        SafetyRule.BINDING,
        "def f(a):\n    n = 1\n«>    n += a\n»    return n\n\n\ndef g(a):\n    b = a\n‹>    n += a\n›    return b\n",
    ),
    "a value of itself": (
        SafetyRule.BINDING,
        "def f(a):\n    rows = ‹list()>rows›\n    return rows, «a>b», b\n",
    ),
    "a name of nobody": (SafetyRule.BINDING, "def g(a):\n    return a‹> + countt›\n"),
    "one name for two things": (
        SafetyRule.BINDING,
        "def «old>new»(a):\n    return a\n\n\ndef f():\n    return ‹old>new›(1)\n\n\n"
        "def g(new):\n    return ‹old>new›(2)\n",
    ),
    # other files
    "an exported declaration": (
        SafetyRule.EXPORT,
        "scale = unit = base = 1\n«AREA = scale(unit, base)\n>»‹SIZE = scale(unit, base)\n>›X = 1\n",
    ),
    "an exported declaration that becomes two": (
        SafetyRule.EXPORT,
        "scale = 1\n«AREA = scale\n>»‹SIZE>WIDTH, HEIGHT› = scale, 1\nX = 1\n",
    ),
    "a name that `__all__` lists": (
        SafetyRule.EXPORT,
        "__all__ = ['SIZE']\nscale = 1\n«AREA = scale\n>»‹SIZE>WIDTH› = scale, 1\nX = 1\n",
    ),
    # the text
    "words that stood apart": (SafetyRule.TEXT, "def f(a«, b>»): ...\n\n\ndef g(a, b: int‹, c: s>›tr): ...\n"),
    "the last newline": (SafetyRule.TEXT, "def f(a):\n    return a‹\n>›"),
    "line ends": (SafetyRule.TEXT, "def f(a):\r\n    ‹>b = 1\n    ›return a\r\n"),
    "what Python alone calls broken": (SafetyRule.SYNTAX, "def f(a‹>: int›: str):\n    return a\n"),
    "a call that becomes a type": (
        SafetyRule.SYNTAX,
        "def f(«msg>row: int»):\n    ‹msg>row: int›.send(1)\n    return 1\n",
    ),
    "a subscript that becomes a type": (
        SafetyRule.SYNTAX,
        "def f(«msg>row: int»):\n    ‹msg>row: int›['a-b'] = 1\n    return 1\n",
    ),
    "a member of a class before it is declared": (
        SafetyRule.BINDING,
        "size = 1\n\n\nclass A:\n    «size>rest, kind» = ‹size>rest, kind›\n",
    ),
    "a method that is not aligned": (
        SafetyRule.SYNTAX,
        "class A:\n    def «f>g»(self):\n        return 1\n\n‹>  ›    def h(self):\n        return 2\n",
    ),
    "a value that the next assignment reads": (
        SafetyRule.BINDING,
        "def f(a):\n    ‹text>line› = g(1)\n    text = text % a\n    return text\n\n\ndef k(«a>b»): ...\n",
    ),
    "a function without a body": (
        SafetyRule.SYNTAX,
        "«log.a(1)\n>»def f():\n    ‹log.a(2)\n    log.a(3)\n>›\n\ndef g():\n    return 1\n",
    ),
    "a value of another place": (
        SafetyRule.BINDING,
        "def f():\n    ‹rows>items› = g(1)\n    h(rows)\n    rows = g(2)\n    h(rows)\n\n\ndef k(«a>b»): ...\n",
    ),
    "the only statement below a comment": (
        SafetyRule.SYNTAX,
        "def f(a):\n    «log.add(a)\n    >»return a\n\n\ndef g(b):\n    # first\n\n    # then\n    ‹log.add(b)\n>›\n\n"
        "x = 1\n",
    ),
    "broken syntax": (SafetyRule.SYNTAX, "def f(a):\n    return a‹>)›\n"),
}
HARM_IN = {
    "file:///w/a.ts": {
        "a use of a parameter": (
            SafetyRule.DELETION,
            "function f(«kind: number>sort: string», n: number) {\n  ‹console.log(kind);\n>›  return n;\n}\n",
        ),
        "text that becomes a name": (
            SafetyRule.BINDING,
            "const a = «1>2»;\nconst b = {\n  narrow: /^(x)/i,\n  ‹>short: /^s ›wide: /^(first|second)/i,\n};\n",
        ),
        "names of a comment in the place of a variable": (
            SafetyRule.BINDING,
            "// a «day>[first, last]» and more\nfunction f(day: number) {\n  return g(‹day>[first, last]›, 1);\n}\n",
        ),
        "an error beside another": (
            SafetyRule.SYNTAX,
            "const a = «1>2»;\nf(a, b‹>]›);\nconst c = [(;\n",
        ),
        "a parameter that the body declares again": (
            SafetyRule.BINDING,
            "function f(a«>, n») {\n  return a;\n}\nfunction g(a‹>, n›) {\n  const n = 2;\n  return a + n;\n}\n",
        ),
        "a member that becomes a parameter": (
            SafetyRule.SYNTAX,
            "f(\n  «>a?.in,\n  »b,\n);\nfunction g(\n‹>  a?.in,\n›  c: number,\n) {}\n",
        ),
        "a type behind a condition": (
            SafetyRule.SYNTAX,
            "const a = «1>2»;\nif (a !== ‹b>b: string›) f();\n",
        ),
        "a use of what was unpacked": (
            SafetyRule.DELETION,
            "function f() {\n  «const [a, setA] = useState(0);\n  >»const b = 1;\n‹  setA(a);\n>›  return b;\n}\n",
        ),
        "a call of a method that went": (
            SafetyRule.DELETION,
            "class A {\n«  tell(): void {}\n>»  run() {\n‹    this.tell();\n>›    return 1;\n  }\n}\n",
        ),
        "a use of a field that went": (
            SafetyRule.DELETION,
            "class A {\n«  private rows: R;\n>»  run() {\n‹    this.rows.push(R);\n>›    return 1;\n  }\n}\n",
        ),
        "a use of a constant that went": (
            SafetyRule.DELETION,
            "«export const log = g();\n>»function f(a) {\n‹  log.add(a);\n>›  return a;\n}\n",
        ),
        "a captured name": (
            SafetyRule.BINDING,
            "const size = 1;\nfunction f() {\n  ‹>const size = 2;\n  ›return size;\n}\n",
        ),
    },
    "file:///w/a.go": {
        "results with and without names": (
            SafetyRule.SYNTAX,
            "package m\n\nfunc f(a int«>, b int») int {\n\treturn a\n}\n\nfunc g() ([]byte, ‹>b int, ›error) {\n"
            "\treturn nil\n}\n",
        ),
        "a call with a variable that went": (
            SafetyRule.DELETION,
            "package m\n\nfunc f() {\n«\tn := 0\n>»‹\tuse(n)\n>›\tk()\n}\n",
        ),
        "an import that is used": (
            SafetyRule.BINDING,
            'package m\n\nimport (\n«\t"a.io/x/json"\n>»‹\t"a.io/x/yaml/v2"\n>›)\n\nfunc f() { yaml.Read() }\n',
        ),
        "names of another function": (
            SafetyRule.BINDING,
            "package m\n\nfunc f() {\n\t«a>b, c» := 1, 2\n\tk(b, c)\n}\n\nfunc g() {\n\tk(‹a>b, c›)\n}\n",
        ),
        "a call": (SafetyRule.DELETION, "package m\n\nfunc f() {\n\t«kind>sort, err» := g()\n‹\th(kind)\n>›\ti()\n}\n"),
    },
    "file:///w/A.java": {
        "a type of nobody": (
            SafetyRule.BINDING,
            "class A {\n  // the «Item>kind»\n  class Item {}\n\n  void f() {\n    ‹Item>kind› a = g();\n  }\n}\n",
        ),
        "a call": (
            SafetyRule.DELETION,
            "class A {\n  void f() {\n    «int kind>long sort» = 1;\n‹    g(kind);\n>›    h();\n  }\n}\n",
        ),
        "a call with a variable that went": (
            SafetyRule.DELETION,
            "class A {\n  void f() {\n«    int n = 0;\n>»‹    use(n);\n>›    k();\n  }\n}\n",
        ),
        "a call of an object that went": (
            SafetyRule.DELETION,
            "class A {\n  void f() {\n«    final Log log = get();\n>»‹    log.add(1);\n>›    k();\n  }\n}\n",
        ),
        "a name of a comment in the place of null": (
            SafetyRule.BINDING,
            "class A {\n  // write(«null>value»)\n  void f(B out) {\n    out.write(‹null>value›, 0);\n  }\n}\n",
        ),
        "a variable that is declared twice": (
            SafetyRule.BINDING,
            "class A {\n  int f(int a) {\n    int b = a;\n    int «c>b» = 2;\n    return ‹c>b›;\n  }\n}\n",
        ),
        "a statement outside of functions": (
            SafetyRule.SYNTAX,
            "class A {\n  int «a>b»;\n‹>  return b;\n›  void f() {\n    g();\n  }\n}\n",
        ),
        "a member inside of a function": (
            SafetyRule.SYNTAX,
            "class A {\n  private int «a>b»;\n  void f() {\n    g();\n‹>    private int b;\n›  }\n}\n",
        ),
        "a local that is used": (
            SafetyRule.BINDING,
            "class A {\n  int f() {\n    «Log log = get(1);\n    >»return 1;\n  }\n\n"
            "  Log g() {\n    ‹Log log = get(2);\n    >›return log;\n  }\n}\n",
        ),
    },
    "file:///w/a.rs": {
        "a call": (SafetyRule.DELETION, "fn f() {\n    let «kind>(sort, rest)» = g();\n‹    h(kind);\n>›    i();\n}\n")
    },
    "file:///w/a.c": {
        "a directive": (
            SafetyRule.DELETION,
            '«#include "a.h"\n>»int a;\n\n‹#ifdef B\n>›int b;\n#endif\n',
        ),
    },
    "file:///w/a.cpp": {
        "a call": (SafetyRule.DELETION, "void f() {\n  «int kind>long sort» = 1;\n‹  g(kind);\n>›  h();\n}\n")
    },
    "file:///w/a.cs": {
        "a call": (
            SafetyRule.DELETION,
            "class A {\n  void F() {\n    «int kind>long sort» = 1;\n‹    G(kind);\n>›    H();\n  }\n}\n",
        )
    },
    "file:///w/a.rb": {"anything": (SafetyRule.DELETION, "«a = 1\n>»‹b(2)\n>›c(3)\n")},
}
HARMLESS = {
    "a shorter name": "def area«_of>»(a):\n    return a\n\n\ndef f():\n    return area‹_of>›(1)\n",
    "what a wider change took away, too": "def f(a) -> «str | None>str»: ...\n\n\ndef g(b: int‹ | None>›): ...\n",
    "an argument by the name of a field that went": (
        "def f(a):\n    b = 1\n    «c = 2\n    >»return g(\n        b=b,\n        ‹c=a,\n    >›)\n"
    ),
    "a comprehension": "def f(a):\n    x = «a>b»\n    return ‹a>[y + 1 for y in x]›\n",
    "a name that `__all__` lists as well": (
        "__all__ = [‹'SIZE'>'WIDTH'›]\nscale = 1\n«AREA = scale\n>»‹SIZE>WIDTH› = scale, 1\nX = 1\n"
    ),
    "a private declaration that becomes two": (
        "scale = 1\n«AREA = scale\n>»‹_SIZE>_WIDTH, _HEIGHT› = scale, 1\nX = 1\n"
    ),
    "a quoted type that is declared further down": (
        "class A:\n    x: «int>Row» = 1\n    y: ‹int>'Row'› = 1\n\n\nclass Row:\n    size = 1\n"
    ),
    "a type further down that is read late": (
        "from __future__ import annotations\n\n\nclass A:\n    x: «int>Row» = 1\n    y: ‹int>Row› = 1\n\n\n"
        "class Row:\n    size = 1\n"
    ),
    "a call further down, in a function": (
        "def f():\n    x = «1>Row()»\n\n\ndef g():\n    x = ‹1>Row()›\n\n\nclass Row:\n    size = 1\n"
    ),
    "a sum that goes on": "def f(a):\n    n = «1>2»\n    ‹>n += a\n    ›return n\n",
    "a wider type": "def f(a: «int>list[int]»): ...\n\n\ndef g(b: ‹int>list[int]›): ...\n",
    "a type hint of another declaration": "def f():\n    a«>: int» = 1\n    b‹>: int› = 2\n    return a, b\n",
    "words of a comment": "# «the old and>the» area\na = 1\n# ‹the old and>the› size\n",
    "a rename": "def «old>new»(a):\n    return a\n\n\n‹old>new›(1)\n‹old>new›(2)\n",
    "a whole rename": "def ‹old>new›(a):\n    return a\n\n\n‹old>new›(1)\n",
    "the rest of a rename, whose class becomes a base again": (
        "class «Step>Task»:\n    def run(self): ...\n\n\nclass A(‹Step>Task›):\n    def run(self):\n"
        "        ‹Step>Task›.run(self)\n\n    def again(self):\n        self.run()\n"
    ),
    "the like of what was deleted": "«log.debug(1)\n>»a = 1\n‹log.debug(2)\n>›b = a\n",
    "an argument of a parameter that went": "def f(a«, b>»):\n    return a\n\n\nf(1‹, 2>›)\n",
    "an argument of a class": ("class A:\n    def __init__(self, a«, b>»):\n        self.a = a\n\n\nA(1‹, g(2)>›)\n"),
    "an item of a list that is nothing but an import that went": (
        "from a import B\n«from a import C>»\n\nKINDS = [\n    B‹,\n    C›,\n]\n"
    ),
    "an import without a use": "import re\n‹import os\n>›\n\ndef f():\n    return «os.sep>re.X»\n",
    "a name of an import": "from os import path‹, sep>›\n\nX = path.join(«sep>'/'»)\n",
    "a local without a use": "def f(a):\n    ‹b = a\n>›    return «b>a»\n",
    "what was moved": "def f():\n    «>show_rows(1)\n»    return 1\n\n\ndef g():\n    ‹show_rows(1)\n>›    return 2\n",
    "a new import": "import os\n‹>import re\n›\n\nX = «1>re.X»\n",
    "a name that is unknown here already": "«old>new»(1)\n‹old>new›(2)\n",
    "a call with an argument more": "def f(a«>, b=1»):\n    return a\n\n\ndef g(b):\n    return f(1‹>, b›)\n",
    "a wider replacement": "def f(a):\n    x = «a>g(a)»\n    y = ‹a>g(a)›\n    return x, y\n\n\ndef g(b): ...",
}


@pytest.mark.parametrize("harm", HARM)
def test_harm_is_refused(harm: str) -> None:
    rule, marked = HARM[harm]
    violation = verdict(marked)
    assert violation is not None
    assert violation.rule is rule, violation


@pytest.mark.parametrize(("uri", "harm"), [(uri, harm) for uri, rows in HARM_IN.items() for harm in rows])
def test_harm_is_refused_in_every_language(uri: str, harm: str) -> None:
    rule, marked = HARM_IN[uri][harm]
    violation = verdict(marked, uri)
    assert violation is not None
    assert violation.rule is rule, violation


@pytest.mark.parametrize("edit", HARMLESS)
def test_what_breaks_nothing_passes(edit: str) -> None:
    assert verdict(HARMLESS[edit]) is None


def test_an_import_that_another_open_file_takes_from_here_stays() -> None:
    marked = "import re\n‹from os import sep\n>›\n\ndef f():\n    return «sep>re.X»\n"
    assert verdict(marked) is None
    violation = verdict(marked, others={"file:///w/other.py": "from home import sep\n\nprint(sep)\n"})
    assert violation is not None
    assert violation.rule is SafetyRule.DELETION


def test_the_work_is_linear() -> None:
    def work(size: int) -> Callable[[], object]:
        body = "".join(f"def f{number}(a):\n    b{number} = a\n    return b{number}\n\n\n" for number in range(size))
        document, edits = proposed(f"{body}def «old>new»(a):\n    return a\n\n\n‹old>new›(1)\n")
        proposal = proposal_of(document, [(document, edit) for edit in edits])
        return lambda: Verifier().verify(proposal, lambda: None)

    assert_linear(work, 200)
