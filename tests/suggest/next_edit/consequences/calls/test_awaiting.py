"""What follows from `async` before a function that had none, and from its going."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

CASES = {
    "calls in async functions": (
        "«def>async def» load(): pass\nasync def f():\n    x = ‹>await ›load()\n"
        "    return ‹load()>(await load())›.size\n"
    ),
    "a function around the call": "«def>async def» load(): pass\n‹>async ›def f():\n    return load()\n",
    "a method": (
        "class C:\n    «>async »def load(self): pass\n    async def f(self):\n        return ‹>await ›self.load()\n"
        "    async def g(self, other):\n        return other.load()\n"
    ),
    "no call, or handed on": (
        "«>async »def load(): pass\nasync def f():\n    a = load\n    await asyncio.gather(load(), load())\n"
        "    asyncio.create_task(load())\n    return await load()\n"
    ),
    "kept and handed on later": (
        "«>async »def load(): pass\nasync def f():\n    a = load()\n    rows = [load() for _ in range(3)]\n"
        "    b = ‹>await ›load()\n    await asyncio.gather(a, *rows)\n    return b\n"
    ),
    "of the module nothing": "«>async »def load(): pass\nload()\n",
    "a special method stays": "«>async »def load(): pass\nclass C:\n    def __init__(self):\n        self.x = load()\n",
    "properties stay": (
        "«>async »def load(): pass\nclass C:\n    @property\n    def a(self):\n        return load()\n"
        "    @functools.cached_property\n    def b(self):\n        return load()\n"
        "    @a.setter\n    def a(self, x):\n        load()\n    def __len__(self):\n        return load()\n"
        "    @staticmethod\n    ‹>async ›def c() -> int:\n        return load()\n"
    ),
    "async goes": "«async >»def load(): pass\nasync def f():\n    return ‹await >›load()\n",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES.keys())
def test_callers_follow(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked})


def test_callers_in_another_file_follow() -> None:
    other = "from home import load\nasync def f():\n    return ‹>await ›load()\n"
    assert_follows({"file:///w/home.py": "«>async »def load(): pass\n", "file:///w/other.py": other})


@pytest.mark.parametrize("name", ["home.js", "home.ts"])
def test_in_scripts_too(name: str) -> None:
    text = (
        "«>async »function load() { return 1 }\nasync function f() {\n  const x = ‹>await ›load()\n"
        "  await Promise.all([load()])\n"
        "  load().then((r) => use(r)).catch(report)\n  void load()\n  const p = load(), q = ‹>await ›load()\n"
        "  return [await Promise.all([p]), q]\n}\n"
        "class A {\n  static ‹>async ›m() { return load() }\n}\n"
    )
    assert_follows({f"file:///w/{name}": text})


TYPESCRIPT = {
    "accessors and generators stay": (
        "«>async »function load() {}\nclass A {\n  get a() { return load(); }\n"
        "  static set b(x) { load(); }\n  *c() { load(); }\n"
        "  static ‹>async ›d() { return load(); }\n}\n"
        "function f(): number { return load(); }\n‹>async ›function h(): Promise<number> { return load(); }\n"
        "function* e() { yield load(); }\nfunction *g() { yield load(); }\n"
    ),
}


@pytest.mark.parametrize("marked", TYPESCRIPT.values(), ids=TYPESCRIPT.keys())
def test_callers_of_typescript_follow(marked: str) -> None:
    assert_follows({"file:///w/home.ts": marked})
