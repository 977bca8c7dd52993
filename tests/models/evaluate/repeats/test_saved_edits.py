"""Edits that are saved, with a formatter: the same text, and the same changes in the history."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("torch")

from editahead.syntax.language import by_id
from editahead.text.edits import ByteEdit
from editahead_models.data.mining.commits import Commit
from editahead_models.data.mining.git_changes import FileChange
from editahead_models.evaluate.repeats.cases import Replay
from editahead_models.evaluate.repeats.saved_edits import loosened
from hypothesis import given
from hypothesis import strategies as st

BEFORE = "".join(f"def f{n}(x):\n    log.warn('{n}', x)\n    return x\n\n\n" for n in range(4))
AFTER = BEFORE.replace("log.warn(", "log.warning(logger, ").replace("return x\n", "y = 2 * x\n    return y\n")
LINES = st.lists(st.sampled_from(["a = 1", "", "  b(c, d)", "x", "é = 'ü'"]), max_size=6).map("\n".join)


@given(LINES, LINES, LINES, st.integers(0, 99))
def test_typed_and_formatted_is_the_edit(head: str, new: str, tail: str, seed: int) -> None:
    start, data = len(head.encode()), (head + tail).encode()
    edit = ByteEdit(start, start, new.encode())
    typed, formatted = loosened(edit, data, random.Random(seed))
    now = data
    for part in typed:
        now = part.apply(now)
    assert (now != edit.apply(data)) == bool(formatted)
    for part in formatted:
        now = part.apply(now)
    assert now == edit.apply(data)


@pytest.mark.parametrize("seed", range(5))
def test_a_replay_with_saves_ends_in_the_same_history(seed: int) -> None:
    language = by_id("python")
    assert language is not None
    commit = Commit("c0ffee", (FileChange("a.py", BEFORE, AFTER),), ())
    plain, saved = (Replay(commit, language, random.Random(seed)) for _ in range(2))
    saved.saves = random.Random(seed)
    for number in range(len(plain.events)):
        plain.step(number)
        saved.step(number)
        before, after = plain.files[0].document, saved.files[0].document
        assert [one.edit for one in after.history.settled] == [one.edit for one in before.history.settled]
        assert after.syntax.buffer.data == before.syntax.buffer.data
