"""Pairs of edits by their relation: «old>new» is done first, ‹old>new› is the later edit.

Of several that are done first, the pair is that of the first one.
"""

from __future__ import annotations

from editahead.analysis.edit_relations import EditRelation

Files = dict[str, str]
_A, _B = "a.py", "b.py"
GAP = "\n\nspace = 1\n\n\n"

EXAMPLES: dict[EditRelation, Files] = {
    EditRelation.MOVED: {
        _A: "«>def helper(alpha, beta):\n    return compute(alpha, beta)\n\n\n»space = 1"
        + GAP
        + "‹def helper(alpha, beta):\n    return compute(alpha, beta)\n\n\n>›x = 1\n",
    },
    EditRelation.RENAME: {_A: "def f(«width>size»):\n    a = 1\n    return g(‹width>size›)\n"},
    EditRelation.RENAME_ELSEWHERE: {
        _A: "def «area>surface»(x):\n    return x\n",
        _B: "from a import other\nimport a\n\nprint(a.‹area>surface›(1))\n",
    },
    EditRelation.RENAME_NAMESAKE: {
        _A: "def f(«width>size»):\n    return 1" + GAP + "def g(‹width>size›):\n    return 2\n",
    },
    EditRelation.RENAME_MENTION: {
        _A: "def «load_rows>read_rows»(path):\n    return path" + GAP + "# See `‹load_rows>read_rows›` above.\n",
    },
    EditRelation.MENTION_RENAME: {
        _A: "def ‹load_rows>read_rows›(path):\n    return path" + GAP + "# See `«load_rows>read_rows»` above.\n",
    },
    EditRelation.RENAME_PART: {
        _A: "class «OldStore>NewStore»:\n    x = 1"
        + GAP
        + "def «load_old>load_new»():\n    return 1"
        + GAP
        + "def ‹make_old_store>make_new_store›():\n    return 1\n",
    },
    EditRelation.PARAMETER_FIELD: {
        _A: "class C:\n    def __init__(self, a«>, b»):\n        x = 1\n        self.a = a\n‹>        self.b = b\n›",
    },
    EditRelation.FIELD_PARAMETER: {
        _A: "class C:\n    def __init__(self, a‹>, b›):\n        x = 1\n        self.a = a\n«>        self.b = b\n»",
    },
    EditRelation.PARAMETER_OVERRIDE: {
        _A: "class A:\n    def load(self, a«>, b»):\n        return a\n"
        + GAP
        + "class B(A):\n    def load(self, a‹>, b›):\n        return a\n",
    },
    EditRelation.PARAMETER_CALL: {_A: "def f(a«, b>»):\n    return a" + GAP + "f(1‹, 2>›)\n"},
    EditRelation.CALL_PARAMETER: {_A: "def f(a‹, b>›):\n    return a" + GAP + "f(1«, 2>»)\n"},
    EditRelation.PARAMETER_USE: {_A: "def f(a«, b>»):\n    x = a\n    return g(a‹, b>›)\n"},
    EditRelation.USE_PARAMETER: {_A: "def f(a‹, b>›):\n    x = a\n    return g(a«, b>»)\n"},
    EditRelation.PARAMETER_DOC: {
        _A: 'def f(first«, second>»):\n    """Add.\n\n    :param first: A number.\n‹    :param second: Another one.\n>›'
        '    """\n    return first\n',
    },
    EditRelation.DOC_PARAMETER: {
        _A: 'def f(first‹>, second›):\n    """Add.\n\n    :param first: A number.\n«>    :param second: Another one.\n»'
        '    """\n    return first\n',
    },
    EditRelation.PARAMETER_ELSEWHERE: {
        _A: "def f(a«>, deep=False»):\n    return a" + GAP + "def g(x‹>, deep=False›):\n    return x\n",
    },
    EditRelation.RETURN_TYPE: {
        _A: "def f(a) -> «int>str»:\n    x = a\n    return ‹x>format(x)›\n",
    },
    EditRelation.ASYNC: {
        _A: "«>async »def load(a):\n    return a" + GAP + "async def run():\n    x = 1\n    return ‹>await ›load(x)\n",
    },
    EditRelation.IMPORT_USE: {
        _A: "import numpy«> as np»" + GAP + "def f(a):\n    return ‹numpy>np›.array(a)\n",
    },
    EditRelation.USE_IMPORT: {_A: "import os\n‹>import re\n›" + GAP + "def f(a):\n    return «a>re.escape(a)»\n"},
    EditRelation.IMPORT_GONE_USE: {
        _A: "«import re\n>»import os" + GAP + "def f(a):\n    b = 1\n‹    c = re.escape(a)\n>›    return b\n",
    },
    EditRelation.USE_GONE_IMPORT: {
        _A: "‹import re\n>›import os" + GAP + "def f(a):\n    b = os.sep\n«    c = re.escape(a)\n>»    return b\n",
    },
    EditRelation.DECLARED_ALIKE: {
        _A: "class A:\n    x = 1\n«>\n    def reset(self):\n        self.x = 1\n»"
        + GAP
        + "class B:\n    y = 2\n‹>\n    def reset(self):\n        raise ValueError\n›",
    },
    EditRelation.DECLARATION_USE: {
        _A: "def f(rows):\n    x = 1\n«>    first = rows[0].name\n»    y = 2\n    z = 3\n"
        "    return g(‹rows[0].name>first›)\n",
    },
    EditRelation.USE_DECLARATION: {
        _A: "def f(rows):\n    x = 1\n‹>    first = rows[0].name\n›    return g(\n        1,\n        2,\n"
        "        «rows[0].name>first»,\n    )\n",
    },
    EditRelation.DECLARATION_GONE_USE: {
        _A: "def f(rows):\n    x = 1\n«    first = rows[0]\n>»    y = 2\n    z = 3\n    return g(y‹, first>›)\n",
    },
    EditRelation.USE_GONE_DECLARATION: {
        _A: "def f(rows):\n    x = 1\n‹    first = rows[0]\n>›    y = 2\n    z = 3\n    return g(y«, first>»)\n",
    },
    EditRelation.SAME_SUBSTITUTION: {
        _A: "a = load(«'old.txt'>'new.txt'»)\nb = 1\nc = store(‹'old.txt'>'new.txt'›)\n",
    },
    EditRelation.SAME_INSERTION: {_A: "a = load(x«>, strict=True»)\nb = 1\nc = load(x‹>, strict=True›)\n"},
    EditRelation.SAME_DELETION: {_A: "a = load(x«, strict=True>»)\nb = 1\nc = load(x‹, strict=True>›)\n"},
    EditRelation.NUMBERED: {_A: "first = «1>2»\nother = name\nlast = ‹8>9›\n"},
    EditRelation.SAME_CALL: {_A: "a = «one>quote(1, one)»\nother = name\nb = ‹two + 3>quote({2: two}) or None›\n"},
    EditRelation.SAME_ARGUMENT: {_A: "call(one«, 1>»)\nother = name\ncall(two‹, 2>›)\n"},
    EditRelation.DELETED_ALIKE: {
        _A: "a = 1\n«log.debug('a is', a)\n>»b = 2\nc = 3\n‹log.debug('b is', b)\n>›d = 4\n",
    },
    EditRelation.INSERTED_ALIKE: {
        _A: "def f():\n    x = load(path, mode)\n«>    check(x, path)\n»    return x\n\n\n"
        "def g():\n    y = load(path, mode)\n‹>    check(y, path)\n›    return y\n",
    },
    EditRelation.REPLACED_ALIKE: {
        _A: "def f():\n    x = «old(x, mode)>new(mode)[x]»\n    return x\n\n\n"
        "def g():\n    y = ‹old(y, mode)>new(mode)[y]›\n    return y\n",
    },
    EditRelation.NEW_NAME_SHARED: {
        _A: "def f(x):\n    «return x + 1>raise BrokenRow»\n"
        + GAP
        + "def g(rows):\n    a = rows\n    ‹return 0>y = BrokenRow›\n",
        _B: "«>class BrokenRow(Exception):\n    pass\n»",
    },
    EditRelation.MENTION: {
        _A: "a = «one>to_rows + 2»\nother = name\n# ‹Nothing>This needs to_rows› here.\n",
    },
    EditRelation.PAIRED: {
        _A: "def get_state(self):\n    return «1>[2]»\n" + GAP + "def set_state(self):\n    self.x = ‹y>None›\n",
    },
    EditRelation.CODE_TEST: {
        _A: "def parse_rows(x):\n    return «x>[x]»\n",
        "test_a.py": "def test_parse_rows():\n    assert ‹1>True›\n",
    },
    EditRelation.OTHER: {_A: "a = «1>one»\nother = name\nb = ‹two>[3]›\n"},
}
