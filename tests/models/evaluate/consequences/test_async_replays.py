"""A function that a commit makes async is replayed as one typed word, and its callers are judged by the commit."""

from __future__ import annotations

import random

import pytest
from editahead.syntax.language import by_id
from editahead_models.data.mining.commits import Commit
from editahead_models.data.mining.git_changes import FileChange
from editahead_models.evaluate.consequences.async_replays import replays, turning

PYTHON = by_id("python")
assert PYTHON is not None
BEFORE = "def load(path):\n    return path\n\n\nasync def show(path):\n    data = load(path)\n    print(data)\n"
AFTER = BEFORE.replace("def load", "async def load", 1)


def found(before: str, after: str) -> list[tuple[str, str]]:
    assert PYTHON is not None
    commit = Commit("c", (FileChange("a.py", before, after),), ())
    return [(one.label, one.first) for one in replays(commit, "toy/toy", PYTHON, random.Random(1))]


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        (AFTER.replace("= load", "= await load"), "right"),
        (AFTER, "kept"),
        (AFTER.replace("= load", "= store"), "other"),
    ],
)
def test_a_call_is_judged_by_the_commit(after: str, verdict: str) -> None:
    assert found(BEFORE, after) == [("awaited", verdict)]


def test_async_that_goes_is_replayed_too() -> None:
    awaited = AFTER.replace("= load", "= await load")
    assert found(awaited, BEFORE) == [("no longer awaited", "right")]


@pytest.mark.parametrize("after", [BEFORE, BEFORE.replace("path", "where"), AFTER + "def ("])
def test_nothing_is_replayed_where_no_function_turned_or_the_text_does_not_parse(after: str) -> None:
    assert found(BEFORE, after) == []


def test_the_edit_is_the_word_alone() -> None:
    plain, turned = b"@x\ndef f(): ...", b"@x\nasync  def f(): ..."
    one, other = plain.index(b"f("), turned.index(b"f(")
    added, removed = turning(plain, one, turned, other), turning(turned, other, plain, one)
    assert added is not None
    assert removed is not None
    assert added.apply(plain) == b"@x\nasync def f(): ..."
    assert removed.apply(turned) == plain
    assert turning(plain, one, plain, one) is None
