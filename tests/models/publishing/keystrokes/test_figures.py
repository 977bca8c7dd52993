"""Tables of rows whose counts are known, and what is claimed of them."""

from __future__ import annotations

from editahead_models.publishing.claims import judged
from editahead_models.publishing.intervals import beside_aim
from editahead_models.publishing.keystrokes.figures import claims_of, tables
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import CUT, LINE

from tests.models.publishing.keystrokes.test_users import key, name


def row(project: str, path: str, situation: str = LINE, *, listed: bool = True) -> Row:
    """`total` and a comment: two keys with a list, ten without."""
    keys = name(0, "total", "name of the file", {0: 0} if listed else {})
    keys[0] |= {"name": True, "words": 0 if path == "word.py" else None}
    keys += [key(5 + n, "comment", region="comment", ghost=5 if not n else None) for n in range(5)]
    return {"project": project, "path": path, "situation": situation, "text": "total# all", "keys": keys}


def test_shares_are_of_all_keys_and_intervals_over_the_files_of_few_projects() -> None:
    rows = [row("a/a", "one.py"), row("a/a", "two.py", listed=False), row("b/b", "one.py", CUT), row("b/b", "word.py")]
    found = tables(rows)
    both = found["saved"]["both"]
    assert (both["share"], both["n"], both["projects"], both["files"]) == (0.3, 40, 2, 4)
    assert both["interval"] == [0.1, 0.4]  # of the files: of two projects it would be 0.2 and 0.4
    assert found["saved"]["completions"]["share"] == 0.3
    assert found["saved"]["ghost text"]["share"] == 0.0
    assert {name: one["share"] for name, one in found["projects"].items()} == {"a/a": 0.2, "b/b": 0.4}
    assert (found["situations"][CUT]["share"], found["situations"][LINE]["n"]) == (0.4, 30)


def test_intervals_are_over_the_projects_where_there_are_four() -> None:
    rows = [row(project, path, listed=project == "a/a") for project in ("a/a", "b/b", "c/c", "d/d") for path in "xyz"]
    both = tables(rows)["saved"]["both"]
    assert (both["share"], both["projects"], both["files"]) == (0.1, 4, 12)
    assert both["interval"] == [0.0, 0.3]  # of 12 files it would end at 0.2


def test_first_guesses_stand_beside_those_of_the_words() -> None:
    rows = [row("a/a", "one.py"), row("a/a", "two.py"), row("a/a", "word.py"), row("a/a", "three.py", listed=False)]
    guesses = tables(rows)["first guesses"]
    assert (guesses["ours"]["share"], guesses["words"]["share"], guesses["ours"]["n"]) == (0.75, 0.25, 4)
    assert (guesses["ratio"]["share"], guesses["ratio"]["n"], guesses["ratio"]["interval"][1]) == (3.0, 4, None)
    assert tables(rows[:2])["first guesses"]["ratio"]["share"] is None


def test_more_is_claimed_of_python_and_java() -> None:
    assert [claims_of(language)[0].aim for language in ("python", "java", "go")] == [0.5, 0.5, 0.4]
    found = tables([row("a/a", f"{number}.py") for number in range(5)])
    verdicts = {
        language: [
            one.verdict
            for one in judged(
                found, claims_of(language), lambda share, aim, *, at_most: beside_aim(share["interval"], aim)
            )
        ]
        for language in ("python", "go")
    }
    assert verdicts == {"python": ["no", "no", "undecided"], "go": ["yes", "no", "undecided"]}
