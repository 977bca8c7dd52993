"""Completions are requested of the real server while a name is typed, and ranked with and without what is typed."""

from __future__ import annotations

from editahead.syntax.language import by_id
from editahead_models.publishing import completions
from editahead_models.publishing.places import LINE, DrawnPlace
from editahead_models.publishing.simulated_user import user_of

CODE = b"total = 1\nt = 2\nto = t\nprint(total, t, to)\nvalue = total\nlast = 1\n"


def test_what_is_typed_stands_first_where_it_is_a_name_and_is_left_out_of_the_second_rank() -> None:
    language = by_id("python")
    assert language is not None
    start = CODE.rindex(b"total")
    place = DrawnPlace("a.py", language, CODE, start, start + 5, True, LINE)
    with user_of([("a.py", CODE, language)]) as user:
        (row,) = completions.measure(user, [place])
    assert (row["situation"], row["role"], row["foreign"]) == (LINE, "use in scope", False)
    assert (row["rank"][1], row["rank"][2]) != (0, 0)  # `t` and `to` are names
    assert [a - b for a, b in zip(row["rank"][1:], row["longer"][1:], strict=True)] == [1, 1]
    assert row["words"][0] is not None
