"""Which stretches are typed, what stands around them, and that nothing of them can be read on disk."""

from __future__ import annotations

import random

from editahead.syntax.language import by_id
from editahead_models.replay.places import CUT, LINE
from editahead_models.replay.stretches import Stretch, digest, draw_stretches, shares_of, without

GO = by_id("go")
assert GO is not None
LICENCE = b"/*\n" + b"   Licensed under the terms of some licence or other\n" * 30 + b"*/\n"
CODE = b"package shop\n" + b"".join(
    b"func total_%d(order int, price int) int {\n\treturn order * price\n}\n" % number for number in range(8)
)


def stretch(situation: str) -> Stretch:
    start = CODE.index(b"return")
    return Stretch("a.go", GO, CODE, start, start + len(b"return order"), situation)


def test_the_rest_of_the_file_stands_below_or_nothing_does() -> None:
    line, cut = stretch(LINE), stretch(CUT)
    assert line.text == cut.text == b"return order"
    assert line.before == cut.before == b"package shop\nfunc total_0(order int, price int) int {\n\t"
    assert line.below.startswith(b" * price\n}\n")
    assert cut.below == b""


def test_what_is_missing_ends_with_the_stretch_where_text_stands_below() -> None:
    assert stretch(LINE).missing(7) == "order"
    assert stretch(CUT).missing(7).startswith("order * price\n}\nfunc total_1(")


def test_stretches_begin_in_code_of_files_that_are_no_tests_each_in_its_own() -> None:
    files = [(f"{name}.go", LICENCE + CODE, GO) for name in ("a", "b", "c", "shop_test")]
    files += [("windows.go", CODE.replace(b"\n", b"\r\n"), GO), ("old.go", b"// caf\xe9\n" + CODE, GO)]
    for seed in range(20):
        found = draw_stretches(files, 9, random.Random(seed))
        assert sorted(one.path for one in found) == ["a.go", "b.go", "c.go"]
        assert all(one.start >= len(LICENCE) for one in found)
        assert {one.situation for one in found} <= {CUT, LINE}
    assert len(draw_stretches(files, 2, random.Random(0))) == 2


def test_a_file_of_comments_gives_no_stretch() -> None:
    assert draw_stretches([("a.go", LICENCE, GO)], 1, random.Random(0)) == []


def test_nothing_of_a_stretch_lies_on_disk() -> None:
    other = ("b.go", CODE, GO)
    (path, content, language), kept = without([("a.go", CODE, GO), other], [stretch(LINE)])
    assert (path, language, kept) == ("a.go", GO, other)
    assert content == CODE.replace(b"return order", b"", 1)
    assert without([("a.go", CODE, GO)], [stretch(CUT)])[0][1] == stretch(CUT).before


def test_small_projects_give_all_they_have_and_the_others_the_rest_in_equal_shares() -> None:
    assert shares_of([2, 100, 30], 62) == [2, 30, 30]
    assert shares_of([2, 100, 20], 62) == [2, 40, 20]
    assert shares_of([3, 3], 10) == [3, 3]
    assert shares_of([], 10) == []


def test_the_digest_tells_stretches_apart() -> None:
    assert digest([stretch(LINE)]) == digest([stretch(LINE)])
    assert len({digest([stretch(LINE)]), digest([stretch(CUT)]), digest([stretch(LINE), stretch(LINE)])}) == 3
