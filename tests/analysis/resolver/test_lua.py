"""The rules of names of Lua: every occurrence of one binding is marked, and nothing else is."""

from __future__ import annotations

import pytest
from editahead.syntax.grammars import available_grammars

from .marked import assert_marked

CASES = {
    "local": "local «x» = 1\nprint(«x», o.x)\n",
    "the value comes before the name": "do\n  local «x» = 1\n  local x = «x»\n  print(x)\nend\n",
    "without a value": "local «x», y\n«x» = y\n",
    "parameter": "function f(«x», y) return «x» + y end\nprint(x)\n",
    "function": "local function «f»() return «f»() end\n«f»()\no.f()\n",
    "for": "for «i» = 1, 9 do print(«i») end\nprint(i)\n",
    "for in": "for k, «v» in pairs(v) do print(k, «v») end\nprint(v)\n",
    "block": "local «x» = 1\ndo\n  local x = 2\n  print(x)\nend\nprint(«x»)\n",
    "field": "local «x» = 1\nlocal t = { x = «x» }\nt.x = «x»\nt:x()\n",
}


@pytest.mark.skipif("lua" not in available_grammars(), reason="tree-sitter-lua is not installed")
@pytest.mark.parametrize("marked", CASES.values(), ids=CASES)
def test_references(marked: str) -> None:
    assert_marked(marked, "lua")
