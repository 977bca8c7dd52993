"""A stretch typed in the real server: what is shown before each key, in code, comments and strings."""

from __future__ import annotations

import pytest
from editahead.syntax.language import by_id
from editahead_models.publishing.keystrokes.typing import SETTINGS, measure
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import LINE
from editahead_models.replay.simulated_user import user_of
from editahead_models.replay.stretches import Stretch, without

PYTHON = by_id("python")
assert PYTHON is not None
CODE = b"""import os

total = 1
if total:
    count = total + 1
    # total of all
print(total, "count", os.path)
last = 1
"""
START = CODE.index(b"count =")
STRETCH = Stretch("a.py", PYTHON, CODE, START, CODE.index(b"\nlast"), LINE)
TYPED = """count = total + 1
    # total of all
print(total, "count", os.path)"""


def row_with(settings: dict[str, bool]) -> Row:
    with user_of(without([("a.py", CODE, PYTHON)], [STRETCH]), settings=settings) as user:
        (row,) = measure(user, [STRETCH])
    return row


@pytest.mark.slow
def test_what_is_shown_before_each_key() -> None:
    row = row_with(SETTINGS)
    assert (row["path"], row["situation"], row["text"]) == ("a.py", LINE, TYPED)
    keys = {key["at"]: key for key in row["keys"]}
    ends = [at for at, key in keys.items() if TYPED[at] == "\n"]
    assert len(keys) == len(TYPED) - len("    ")  # indentation comes with the line end
    assert [at + 1 in keys for at in ends] == [False, True]
    at = TYPED.index("total")
    assert (keys[at]["word"], keys[at]["letters"], keys[at]["name"], keys[at]["region"]) == ("total", 0, True, "code")
    assert (keys[at + 2]["word"], keys[at + 2]["letters"], keys[at + 2]["name"]) == ("total", 2, False)
    assert keys[at + 2]["words"] == 0  # the nearest word that begins with `to`
    assert keys[at + 2]["rank"] is not None
    probability, right = keys[at + 2]["first"]
    assert 0 < probability <= 1
    assert right == (keys[at + 2]["rank"] == 0)
    assert keys[at + 5]["word"] == ""
    assert keys[at + 5]["first"] is None
    assert keys[TYPED.index("path")]["dot"]
    assert not keys[at]["dot"]
    assert {keys[TYPED.index("of all")]["region"], keys[TYPED.index('count"')]["region"]} == {"comment", "string"}
    assert {(key["region"], key["ghost"] is None or key["ghost"] >= 0) for key in row["keys"]} >= {("code", True)}


@pytest.mark.slow
def test_the_settings_add_what_is_shown_in_comments_and_strings_and_change_nothing_else() -> None:
    with_both, default = row_with(SETTINGS)["keys"], row_with({})["keys"]
    quiet = [key for key in default if key["region"] != "code"]
    assert {(key["rank"], key["ghost"]) for key in quiet} == {(None, None)}
    assert any(key["rank"] is not None for key in with_both if key["region"] == "comment")
    assert [key for key in with_both if key["region"] == "code"] == [key for key in default if key["region"] == "code"]


GO = by_id("go")
assert GO is not None
IMPORTS = b'package a\n\nimport (\n\t"fmt"\n)\n\nfunc f() { fmt.Println("fmt") }\n'


@pytest.mark.slow
def test_paths_of_imports_are_listed_whole_and_other_strings_have_none() -> None:
    first = IMPORTS.index(b'"fmt"')
    stretch = Stretch("a.go", GO, IMPORTS, first, IMPORTS.index(b" }"), LINE)
    with user_of(without([("a.go", IMPORTS, GO)], [stretch]), settings={}) as user:
        (row,) = measure(user, [stretch])
    paths = {key["at"]: key["path"] for key in row["keys"] if "path" in key}
    assert {2, 3} <= set(paths) <= {1, 2, 3}  # within the quotes; no list where no letter is to come
    rank, left = paths[2]
    assert left == 2
    assert rank is not None
    assert rank < 5
    last = row["text"].rindex('"fmt"')
    assert not any(key["at"] > last and "path" in key for key in row["keys"])
