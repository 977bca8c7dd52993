"""The places that take no rewriting: targets, parts of what binds more closely, and conditions."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

_INDEX = 'x = row«["a"]>.get("a")»\n'
_ADD = "x = «add(a, b)>a + b»\n"
_KEY = "x = «d.has_key(k)>k in d»\n"
PYTHON = {
    "targets beside others": f'{_INDEX}row["b"], y = 1\n[row["b"]] = z\n(row["b"]) = z\nfor y, row["b"] in z: pass\n',
    "the target of a with": f'{_INDEX}with open(y) as row["b"]: pass\nwith y as (row["b"], z): pass\n',
    "what is deleted": f'{_INDEX}del (row["b"])\ndel y, row["b"]\n',
    "a part of a target": f'{_INDEX}row["b"][0] = 3\ndel row["b"][0]\n',
    "the place of an item that is a target": f'{_INDEX}y[‹row["b"]>row.get("b")›] = 3\n',
    "what stands beside an error": f'{_INDEX}if (row["b"] := 3): pass\n',
    "what is assigned": f'{_INDEX}y = ‹row["b"]>row.get("b")›\n',
    "a part of a product": f"{_ADD}y = 2 * add(a, b)\n",
    "what a member is read of": f"{_ADD}y = add(a, b).z\ny = add(a, b)[0]\n",
    "a negative": f"{_ADD}y = -add(a, b)\n",
    "what stands by itself": f"{_ADD}y = f(‹add(a, b)>a + b›)\nz = not ‹add(a, b)>a + b›\ny = z[‹add(a, b)>a + b›]\n",
    "a part of a comparison": f"{_KEY}y = d.has_key(k) == True\n",
    "a part of a condition": f"{_KEY}y = ‹d.has_key(k)>k in d› and not ‹d.has_key(k)>k in d›\n",
}
_NONE = "if a «==>is» None: pass\n"
IDENTITY = {
    "queries": (
        f"{_NONE}q.filter(b.c == None)\nq.filter((b.c == None) | (b.d == None), e)\nq.filter(not_(b.c == None))\n"
    ),
    "masks": f'{_NONE}x = b[b["c"] == None]\nb[b == None] = 0\nx = ~(b == None)\nx = (b == None) & c\n',
    "conditions": (
        f"{_NONE}while ‹b == None>b is None›: pass\nassert ‹b == None>b is None›, c\n"
        "x = d if ‹b == None>b is None› else e\n"
    ),
    "values": f"{_NONE}x = ‹b == None>b is None›\ndef f(b):\n    return (‹b == None>b is None›)\n",
    "conditions in arguments": (
        f"{_NONE}f(d if ‹b == None>b is None› else e)\nf(not ‹b == None>b is None›)\n"
        "f(c for c in d if ‹c == None>c is None›)\nf(lambda: ‹b == None>b is None›)\n"
    ),
    "what is read of": f"{_NONE}x = f(c)[0] and ‹f(c)[0] == None>f(c)[0] is None›\n",
}
_GET = 'let x = m«["k"]>.get("k")»;\n'
_OR = "const x = a «||>??» b;\n"
OTHERS = {
    "what is deleted": ("rewritten", "home.ts", f'{_GET}delete m["k"];\ndelete (m["k"]);\n'),
    "what is counted": ("rewritten", "home.ts", f'{_GET}m["k"]++;\n--m["k"];\nm["k"]! += 2;\n'),
    "patterns": ("rewritten", "home.ts", f'{_GET}[m["k"]] = z;\n({{a: m["k"]}} = z);\n[...m["k"]] = z;\n'),
    "what is read": ("rewritten", "home.ts", f'{_GET}f(‹m["k"]>m.get("k")›);\n'),
    "conditions": ("idiom", "home.ts", f"{_OR}if (c || d) {{}}\nwhile (!(c || d)) {{}}\nconst y = c || d ? 1 : 2;\n"),
    "other operators beside it": ("idiom", "home.ts", f"{_OR}const y = c || d || e;\nconst z = c && (d || e);\n"),
    "values": (
        "idiom",
        "home.ts",
        f"{_OR}const y = ‹c || d>c ?? d›;\nf(‹c || 3>c ?? 3›);\nz = ‹c || d>c ?? d›;\n"
        "function g() {\n  return ‹c || d>c ?? d›;\n}\n",
    ),
    "functions that return no error": (
        "rewritten",
        "home.rs",
        "fn f() -> Result<i32, E> {\n    let a = «b.unwrap()>b?»;\n    let c = ‹b.unwrap()>b?›;\n"
        "    let d = || b.unwrap();\n}\n"
        "fn g() -> Option<i32> {\n    b.unwrap()\n}\nfn main() {\n    let e = b.unwrap();\n}\n",
    ),
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_in_python(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "rewritten")


@pytest.mark.parametrize("marked", IDENTITY.values(), ids=IDENTITY.keys())
def test_identity_takes_the_place_of_conditions_and_not_of_what_is_handed_on(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "idiom")


@pytest.mark.parametrize(("source", "name", "marked"), OTHERS.values(), ids=OTHERS.keys())
def test_in_other_languages(source: str, name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked}, source)
