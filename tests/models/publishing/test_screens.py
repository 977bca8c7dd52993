"""A drawn screen says what the real server shows behind each letter, as a table of judgements quotes it."""

from __future__ import annotations

import random
from typing import Any

from editahead.syntax.language import by_id
from editahead_models.publishing.screens import FILE_END, INSIDE, LINE_END, page_rows, screens, text_of
from editahead_models.replay.places import DrawnPlace
from editahead_models.replay.simulated_user import user_of

CODE = b"total = 1\ncount = total + 1\nprint(total, count)\nlast = 1\n"


class First(random.Random):
    """Draws the situations in turn."""

    turn = -1

    def choice(self, seq: Any) -> Any:
        self.turn += 1
        return seq[self.turn % len(seq)]


def test_a_screen_holds_what_is_shown_behind_each_letter() -> None:
    language = by_id("python")
    assert language is not None
    start = CODE.rindex(b"count")
    place = DrawnPlace("a.py", language, CODE, start, start + 5, True)
    with user_of([("a.py", CODE, language)]) as user:
        cut, line, inside = screens(user, "me/a", [place] * 3, First())
    assert [screen.situation for screen in (cut, line, inside)] == [FILE_END, LINE_END, INSIDE]
    assert [moment.typed for moment in inside.moments] == ["", "c", "co"]
    assert "count" in inside.moments[1].menu
    assert (inside.before, inside.behind, inside.below) == ("print(total, ", ")", ("last = 1", ""))
    assert (line.behind, line.below) == ("", ("last = 1", ""))
    assert (cut.behind, cut.below, cut.line) == ("", (), 3)
    assert "> print(total, |)" in text_of(3, inside)
    (row,) = page_rows([inside], {"1": "silly"})
    assert row.endswith("| silly |")
    assert row.startswith("| 1 | me/a `a.py`:3 | only the token is missing | `print(total, ‸)` | `count` |")
