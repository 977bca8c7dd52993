"""What is found in changed texts: properties of the search, its bounds, and which changes are one edit."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from editahead.check import run, search
from editahead.check.leftover import Leftover
from editahead.check.search import CHECK_FEATURES, SearchResult, check_features, find_missed_edits, groups_in
from editahead.check.texts import MAX_EDITS, ChangedFile, changed_file, unchanged_file
from editahead.runtime.bundle import find_bundles
from editahead.runtime.logistic import LogisticModel
from editahead.settings import Settings
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES
from editahead.suggest.types import Document
from editahead.syntax.language import by_id
from hypothesis import given
from hypothesis import strategies as st

from tests.check.repos import ALWAYS, model

PYTHON = by_id("python")
assert PYTHON is not None
SETTINGS = Settings()


def file(before: str, after: str, where: str = "a.py") -> ChangedFile:
    assert PYTHON is not None
    made = changed_file(where, PYTHON, before.encode(), after.encode(), SETTINGS)
    assert made is not None
    return made


def beside(text: str, where: str) -> Document:
    assert PYTHON is not None
    return unchanged_file(where, PYTHON, text.encode(), SETTINGS)


def ask(*files: ChangedFile, others: Sequence[Document] = (), precision: float = 0.8, **weights: float) -> SearchResult:
    return find_missed_edits(files, (), lambda words: (others, False), model(**weights or ALWAYS), precision)


def told(answer: SearchResult) -> list[tuple[str, int]]:
    return [(one.where, one.site.line) for one in answer.missed]


# (line as it is, line as it becomes) of one edit, for any argument
EDITS = (
    ("total = price({0})", "total = price({0}, tax)"),
    ("log.debug({0})", "log.info({0})"),
    ("if check({0}) == None:", "if check({0}) is None:"),
    ("x = fetch({0})", "x = await fetch({0})"),
    ("assertEquals({0}, 1)", "assert {0} == 1"),
    ("old_name({0})", "new_name({0})"),
    ("item = Item({0}, False)", "item = Item({0})"),
)
NAMES = tuple("alpha beta gamma delta size width count total_of entry rows".split())


@pytest.mark.slow
@given(
    edit=st.sampled_from(EDITS),
    names=st.lists(st.sampled_from(NAMES), min_size=4, max_size=8, unique=True),
    files=st.integers(1, 3),
    seed=st.integers(0, 999),
)
def test_the_one_place_without_a_change_is_found_and_none_when_all_have_it(
    edit: tuple[str, str], names: list[str], files: int, seed: int
) -> None:
    rng = random.Random(seed)
    forgotten = rng.randrange(len(names))
    homes = [rng.randrange(files) for _ in names]
    whole: list[ChangedFile] = []
    without: list[ChangedFile] = []
    for number in range(files):
        texts = [
            "".join(line(name, at) + "\n" for at, name in enumerate(names) if homes[at] == number)
            for line in (
                lambda name, at: _block(edit[0], name),
                lambda name, at: _block(edit[1], name),
                lambda name, at: _block(edit[at != forgotten], name),
            )
        ]
        before, after, less = ("# a file\n" + text + "end = 0\n" for text in texts)
        whole.append(file(before, after, f"{number}.py"))
        without.append(file(before, less, f"{number}.py"))
    assert told(ask(*whole)) == []
    answer = ask(*without)
    (one,) = answer.missed
    assert one.where == f"{homes[forgotten]}.py"
    now = next(changed_file.document for changed_file in whole if changed_file.document.uri == one.where)
    assert one.site.edit.apply(one.site.document.syntax.buffer.data) == now.syntax.buffer.data
    assert (len(one.examples), one.open) == (len(names) - 1, 1)


def _block(line: str, name: str) -> str:
    text = line.format(name)
    return f"{text}\n    use({name})" if text.endswith(":") else text


@given(st.lists(st.tuples(st.sampled_from(EDITS), st.sampled_from(NAMES), st.booleans()), max_size=14), st.randoms())
def test_the_answer_is_the_same_in_any_order_of_files(
    made: list[tuple[tuple[str, str], str, bool]], rng: random.Random
) -> None:
    files = []
    for number in range(3):
        mine = made[number::3]
        before = "".join(_block(edit[0], name) + "\n" for edit, name, _ in mine)
        after = "".join(_block(edit[done], name) + "\n" for edit, name, done in mine)
        files.append(file(before, after, f"{number}.py"))
    first = ask(*files)
    rng.shuffle(files)
    second = ask(*files)
    for name in ("where", "probability", "examples", "open"):
        assert [getattr(one, name) for one in first.missed] == [getattr(one, name) for one in second.missed]
    assert [one.site.edit for one in first.missed] == [one.site.edit for one in second.missed]


FOUR = "a = f(1)\nb = f(2)\nc = f(3)\nd = f(4)\n"
HALF = FOUR.replace("f(1)", "g(1)").replace("f(2)", "g(2)")


def test_only_what_reaches_the_precision_is_told() -> None:
    assert told(ask(file(FOUR, HALF), bias=1.0)) == []
    assert told(ask(file(FOUR, HALF), bias=1.0, precision=0.7)) == [("a.py", 2), ("a.py", 3)]


def test_how_many_places_an_edit_has_depends_on_no_dial() -> None:
    weights = {"bias": 1.0}  # 0.73 at each place
    assert {one.open for one in ask(file(FOUR, HALF), precision=0.7, **weights).missed} == {2}
    unlikely = ask(file(FOUR, HALF), precision=0.3, bias=-0.5)
    assert [one.open for one in unlikely.missed] == [2, 2]  # as likely as each other, if not likely
    mixed = file(FOUR + "e = (f(5))\n", HALF + "e = (f(5))\n")
    low, high = (ask(mixed, precision=p, bias=1.0) for p in (0.0, 0.7))
    assert {one.open for one in low.missed} == {one.open for one in high.missed} == {3}


def test_a_place_in_text_or_of_another_kind_is_passed_over() -> None:
    other = beside('"""f(5)"""\n# f(6)\nx = "f(7)"\nff(8)\ny = f(9)\n', "b.py")
    assert told(ask(file(FOUR, FOUR.replace("f(", "g(")), others=[other])) == [("b.py", 4)]


def test_a_local_name_stays_in_its_function() -> None:
    before = "def f(size):\n    use(size)\n    return size\n\n\ndef g(size):\n    return size\n"
    after = before.replace("size", "width", 2)
    assert told(ask(file(before, after))) == [("a.py", 2)]


def test_what_would_break_the_syntax_is_passed_over() -> None:
    before = "x(a)\ny(b)\nif x(c):\n    pass\n"
    after = before.replace("x(a)", "x(a) = 1").replace("y(b)", "y(b) = 1")
    assert told(ask(file(before, after))) == []


def test_two_edits_are_told_apart_and_each_place_is_told_once() -> None:
    before = FOUR + "p = h(1, 1)\nq = h(2, 2)\nr = h(3, 3)\n"
    after = HALF + "p = h(1)\nq = h(2)\nr = h(3, 3)\n"
    answer = ask(file(before, after))
    assert told(answer) == [("a.py", 2), ("a.py", 3), ("a.py", 6)]
    assert answer.edits == 2
    assert [one.open for one in answer.missed] == [2, 2, 1]


def test_an_edit_that_fits_almost_everywhere_is_narrowed_then_left_out_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = beside("".join(f"f({n})\n" for n in range(10, 12)), "b.py")
    assert len(told(ask(file(FOUR, HALF), others=[many]))) == 4
    monkeypatch.setattr(search, "MAX_OPEN", 3)
    answer = ask(file(FOUR, HALF), others=[many])
    assert told(answer) == [("a.py", 2), ("a.py", 3)]
    assert answer.notes == (
        "1 repeated edit would fit at more than 3 places: followed only in the files with examples",
    )
    monkeypatch.setattr(search, "MAX_OPEN", 1)
    answer = ask(file(FOUR, HALF), others=[many])
    assert told(answer) == []
    assert answer.notes == ("1 repeated edit left out: more than 1 places look the same",)


def test_a_very_large_diff_is_compared_in_part_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = "a = k(1)\n\n", "a = m(1)\n\n"
    files = [file(FOUR, HALF), file(before, after, "b.py"), file(before, after, "c.py")]
    assert ask(*files).notes == ()
    monkeypatch.setattr(search, "MAX_CHANGES", 2)
    answer = ask(*files)
    assert told(answer) == [("a.py", 2), ("a.py", 3)]
    assert answer.notes == ("the diff is very large: only a part of its changes was compared",)
    assert find_missed_edits(files, (), lambda words: ((), True), model(), 0.8).notes[1:] == (
        "very many files hold the changed words: only those near the changes were searched",
    )


def test_a_file_that_was_changed_everywhere_is_none_to_learn_from() -> None:
    before = "".join(f"a = {n}\nkeep_{n}()\n" for n in range(MAX_EDITS + 1))
    assert PYTHON is not None
    assert changed_file("a.py", PYTHON, before.encode(), before.replace("a = ", "b = ").encode(), SETTINGS) is None


def test_moved_arguments_and_steps_in_one_line_are_one_edit() -> None:
    before = "".join(f"assertEquals({name}(), {n})\n" for n, name in enumerate(NAMES[:4]))
    after = (
        "".join(f"assert {name}() == {n}\n" for n, name in enumerate(NAMES[:3])) + f"assertEquals({NAMES[3]}(), 3)\n"
    )
    (group,) = groups_in([file(before, after)]).groups
    assert len(group.samples) == 3
    (one,) = ask(file(before, after)).missed
    assert one.site.edit.apply(after.encode()).decode().endswith(f"assert {NAMES[3]}() == 3\n")


def test_a_place_knows_how_many_are_at_least_as_like_the_examples() -> None:
    files = [file(FOUR, HALF)]
    other = beside("print(f(8))\nc = f(9)\n", "b.py")
    (group,) = groups_in(files).groups
    sites = search.find_open_sites(group, files, [files[0].document, other]).sites
    rows = dict(
        zip([(site.document.uri, site.line) for site in sites], check_features(sites, group, files), strict=True)
    )
    peers = {place: round(math.exp(row[CHECK_FEATURES.index("peers")])) for place, row in rows.items()}
    assert peers == {("a.py", 2): 3, ("a.py", 3): 3, ("b.py", 0): 4, ("b.py", 1): 3}
    shares = [row[CHECK_FEATURES.index("peer_share")] for row in rows.values()]
    assert shares == [2 / (2 + number) for number in peers.values()]
    column = {name: [row[CHECK_FEATURES.index(name)] for row in rows.values()] for name in ("alone", "only", "ratio")}
    assert column["alone"] == column["only"] == [0.0] * 4
    assert column["ratio"] == [math.log(2 / number) for number in peers.values()]
    assert check_features([], group, files) == []
    (last,) = check_features(sites[:1], group, files)
    assert (last[CHECK_FEATURES.index("alone")], last[CHECK_FEATURES.index("only")]) == (1.0, 1.0)


def test_a_place_knows_what_became_of_its_file_and_of_its_neighbours() -> None:
    before = "a = f(1)\nb = f(2)\nc = f(3)\nd = f(4)\n"
    files = [file(before, before.replace("f(1)", "g(1)").replace("f(3)", "g(3)"))]
    other = beside("e = f(5)\n", "b.py")
    (group,) = groups_in(files).groups
    sites = search.find_open_sites(group, files, [files[0].document, other]).sites
    left = [Leftover(other, 4, 5, "removed-name", "f", "uses `f`, which this change removed")]
    rows = [dict(zip(CHECK_FEATURES, row, strict=True)) for row in check_features(sites, group, files, left)]
    names = ("broken", "file_done", "between", "changed")
    assert [tuple(row[name] for name in names) for row in rows] == [(0, 0.5, 1, 1), (0, 0.5, 0, 1), (1, 0, 0, 0)]
    assert [round(row["near"], 2) for row in rows] == [0.12, 0.12, 1.5]


def test_the_other_half_of_a_changed_or_missed_line_is_rated_as_a_change_under_way() -> None:
    before = "a = f(1)\nb = f(2)\nc = f(3) or f(4)\nd = f(5) + 0\ne = f(6) or f(7)\n"
    after = before.replace("f(1)", "g(1)").replace("f(2)", "g(2)").replace("f(3)", "g(3)")
    never = model(bias=-9.0)
    meant = LogisticModel(FEATURES, {"bias": 9.0})
    sure = replace(never, models=(meant, meant))
    answer = find_missed_edits([file(before, after)], (), lambda words: ((), False), never, 0.8, sure)
    assert told(answer) == [("a.py", 2)]
    assert told(find_missed_edits([file(before, after)], (), lambda words: ((), False), never, 0.8)) == []


@pytest.mark.skipif(not find_bundles(), reason="no bundle is shipped")
def test_the_second_call_of_a_line_is_found_by_the_shipped_models() -> None:
    before = "a = check(1)\nb = check(2)\nc = check(3)\nfound = check(4) or check(5)\n"
    after = before.replace("check", "verify", 4)
    models = run.model_of(()), run.under_way_of(())
    answer = find_missed_edits([file(before, after)], (), lambda words: ((), False), models[0], 0.8, models[1])
    assert [(one.site.line, one.site.edit.new) for one in answer.missed] == [(3, b"verify")]
