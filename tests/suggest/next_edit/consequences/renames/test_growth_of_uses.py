"""Renamed members with many uses of a form, in the file and in another: in linear time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import outcome, played

_API = "export const api = {\n  «load>read»() {},\n};\n"
_ITEM = "struct Item {\n  int «name>title»;\n};\n"
_SHIP = "public static class Orders {\n  public static void «Ship>Send»(this Order o) { }\n}\n"
_PROPS = "export interface Props {\n  «label>title»: string;\n}\n"
FORMS = {
    "patterns": ("api.ts", _API, 'import { api } from "./api";\n', "const { load: l{n} } = api;\n", ""),
    "loops": (
        "item.hpp",
        _ITEM,
        '#include "item.hpp"\nvoid f(std::vector<Item>& items) {\n',
        "  for (auto& x : items) x.name = {n};\n",
        "}\n",
    ),
    "calls of extension methods": (
        "Orders.cs",
        _SHIP,
        "class A {\n  void F(Order order) {\n",
        "    order.Ship({n});\n",
        "  }\n}\n",
    ),
    "names in types": ("p.ts", _PROPS, 'import { Props } from "./p";\n', "type A{n} = Pick<Props, 'label'>;\n", ""),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "home", "head", "entry", "end"), FORMS.values(), ids=FORMS)
def test_uses_are_found_in_linear_time(name: str, home: str, head: str, entry: str, end: str) -> None:
    def work(size: int) -> Callable[[], object]:
        body = "".join(entry.replace("{n}", str(number)) for number in range(size))
        other = played(head + body + end, f"file:///w/use.{name.replace('hpp', 'cpp').rpartition('.')[2]}")
        document = replace(played(home, f"file:///w/{name}"), others=(other,))
        assert len(outcome(document).candidates) >= size
        return lambda: outcome(document)

    assert_linear(work, 100)
