"""No request leaves a circle of references: full collections wait for a pause, and a circle keeps old trees."""

from __future__ import annotations

import gc

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.text import memo

from tests.scenarios.runner import Play

TEXTS = {
    "python": "class Cart:\n    def total(self):\n        return 1\n\n\ncart = Cart()\ncart‸\nprint(cart.total())\n",
    "java": "class Cart {\n  int total;\n  int add(Cart other) {\n    other‸\n    return total;\n  }\n}\n",
    "typescript": "class Cart {\n  total = 1;\n}\nconst cart = new Cart();\ncart‸\nshow(cart.total);\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("language_id", TEXTS)
def test_requests_leave_nothing_for_the_collector(language_id: str) -> None:
    play = Play(Engine.load(find_bundles(), "cpu", lambda text, share: None), "file:///a", language_id=language_id)
    play.open(TEXTS[language_id])

    def request_all(keys: str) -> None:
        for key in keys:
            play.edit(play.cursor, play.cursor, key)
            for surface in (play.engine.complete, play.engine.inline, play.engine.next_edit):
                surface(play.document(), play.cursor, Cancel())

    request_all(".to")  # opens the models
    gc.collect()
    gc.disable()
    try:
        request_all("tal\n")
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_values_of_objects_that_nobody_uses_are_dropped() -> None:
    calls: list[tuple[int, ...]] = []

    @memo.remembered_by_identity
    def doubled(line: tuple[int, ...]) -> tuple[int, ...]:
        calls.append(line)
        return tuple(2 * number for number in line)

    used, unused = (1, 2), (3, 4)
    assert doubled(used) == (2, 4)
    doubled(unused)
    for _ in range(2):
        for _ in range(memo.PERIOD):
            memo.begin_request()
        doubled(used)
    doubled(unused)
    assert calls == [used, unused, unused]
