"""Renamed members, «old>new», and strings that name them, ‹old>new›: `Pick<A, "b">`, `a["b"]`, `getattr(a, "b")`."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

TYPESCRIPT = {
    "parts of a type": {
        "a.ts": (
            "interface Props {\n  «label>title»: string;\n  size: number;\n}\n"
            "interface Other { label: string }\ntype A = Pick<Props, '‹label>title›' | 'size'>;\n"
            "type B = Pick<Other, 'label'>;\n"
        )
    },
    "parts that are left out": {
        "a.ts": (
            "interface Props {\n  «label>title»: string;\n  size: number;\n}\n"
            'interface Other { label: string }\ntype A = Omit<Props, "‹label>title›">;\n'
            'type B = Exclude<Kinds, "label">;\n'
        )
    },
    "the type of a member": {
        "a.ts": (
            "interface Props {\n  «label>title»: string;\n  size: number;\n}\n"
            "interface Other { label: string }\ntype A = Props['‹label>title›'];\n"
            "type B = Other['label'];\n"
        )
    },
    "an index": {
        "a.ts": (
            "interface Props {\n  «label>title»: string;\n  size: number;\n}\n"
            "interface Other { label: string }\nfunction f(p: Props, o: Other) {\n"
            "  p['‹label>title›'] = 1;\n  o['label'] = 2;\n  u['label'];\n}\n"
        )
    },
    "another file": {
        "p.ts": "export interface Props {\n  «label>title»: string;\n}\n",
        "u.ts": (
            "import { Props } from './p';\ntype A = Pick<Props, '‹label>title›'>;\n"
            "function f(p: Props) { p['‹label>title›'] = 1; q['label']; }\n"
        ),
    },
    "an exported object": {
        "api.ts": "export const api = {\n  «load>fetchAll»(a) { return a; },\n  size: 1,\n};\n",
        "use.ts": 'import { api } from "./api";\napi["‹load>fetchAll›"](1);\nother["load"]();\n',
    },
    "a variable that hides the object": {
        "a.ts": (
            "interface Props {\n  «label>title»: string;\n  size: number;\n}\n"
            "interface Other { label: string }\nfunction f(p: Props) {\n  p['‹label>title›'] = 1;\n"
            "  { const p = other(); p['label']; }\n  const q = 'label'[0];\n  log('label', p);\n}\n"
        )
    },
    "types inside of types": {
        "a.ts": (
            "interface Props {\n  «label>title»: string;\n  size: number;\n}\n"
            "interface Other { label: string }\ntype A = Partial<Pick<Props, '‹label>title›'>>;\n"
            "interface B extends Omit<Props, '‹label>title›' | 'size'> {}\n"
            "type C = Exclude<keyof Props, 'label'>;\ntype D = Record<'label', Props>;\n"
            "type E = Props['‹label>title›'][];\n"
        )
    },
    "parts that a function takes": {
        "a.ts": (
            "interface Props {\n  «label>title»: string;\n  size: number;\n}\n"
            "interface Other { label: string }\nfunction f(p: Pick<Props, '‹label>title›'>) {\n"
            "  return p.‹label>title›;\n}\n"
            "function g({ ‹label>title: label› }: Omit<Props, 'size'>) {}\n"
        )
    },
    "texts that are no keys": {
        "a.ts": (
            "interface Props {\n  «label>title»: string;\n  size: number;\n}\n"
            "interface Other { label: string }\n// Props['label']\n"
            "function f(p: Props) { p[`label`]; p['label' + x]; p['a.label']; p['‹label>title›']; }\n"
        )
    },
}
PYTHON = {
    "attributes by name": {
        "a.py": (
            "class Cart:\n    def __init__(self):\n        self.«total>amount» = 1\n\n\n"
            "class Other:\n    total = 2\n\n\ndef f(c: Cart, o: Other, u):\n"
            "    getattr(c, \"‹total>amount›\")\n    setattr(c, '‹total>amount›', 1)\n"
            '    hasattr(c, "‹total>amount›")\n    getattr(o, "total")\n    getattr(u, "total")\n'
            '    getattr(c, "‹total>amount›", None)\n    getattr(c, name, "total")\n'
        )
    },
    "attributes that tests replace": {
        "a.py": (
            "class Cart:\n    def __init__(self):\n        self.«total>amount» = 1\n\n\n"
            "class Other:\n    total = 2\n\n\ndef f():\n"
            '    mock.patch.object(Cart, "‹total>amount›")\n'
            '    monkeypatch.setattr(Cart, "‹total>amount›", 1)\n    patch.object(other, "total")\n'
        )
    },
    "Python in another file": {
        "cart.py": (
            "class Cart:\n    def __init__(self):\n        self.«total>amount» = 1\n\n\n"
            "class Other:\n    total = 2\n\n\n"
        ),
        "u.py": (
            'from cart import Cart\n\n\ndef f(c: Cart, o):\n    getattr(c, "‹total>amount›")\n    getattr(o, "total")\n'
        ),
    },
    "further functions": {
        "a.py": (
            "class Cart:\n    def «total>amount»(self):\n        return 1\n\n\nclass Other:\n"
            "    total = 2\n\n\ndef f(c: Cart, o: Other, c2):\n    c = c2\n"
            '    getattr(Cart, "‹total>amount›")\n    getattr(o, "total")\n    getattr(c2, "total")\n'
            '    getattr(o, \'x\', "total")\n    other(c, "total")\n    print("total")\n\n\n'
            'def g(getattr, c: Cart):\n    setattr(c, "‹total>amount›", 1)\n'
        )
    },
    "the object itself": {
        "a.py": (
            "class Cart:\n    def «total>amount»(self):\n"
            '        return getattr(self, "‹total>amount›")()\n\n    def f(self, other):\n'
            '        return getattr(other, "total")\n'
        )
    },
}


@pytest.mark.parametrize("files", TYPESCRIPT.values(), ids=TYPESCRIPT)
def test_keys_of_typescript(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})


@pytest.mark.parametrize("files", PYTHON.values(), ids=PYTHON)
def test_names_of_attributes_of_python(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})
