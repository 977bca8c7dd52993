"""What the user's own changes say of a candidate, the same for every source."""

from __future__ import annotations

import math

import pytest
from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.suggest.next_edit.scoring.candidate_features import request_facts
from editahead.suggest.next_edit.scoring.change_evidence import EVIDENCE_FEATURES, MAX_DATA, substitution
from editahead.suggest.types import Document
from editahead.text.edits import ByteEdit

from tests.suggest.next_edit.repeats.test_pattern_queue import document

TEXT = "def f(a):\n    run(a, 1)\n    stop(a)\n\n\ndef g(a):\n    run(a, 2)\n    wait(a)\n    run(b)\n    walk(b)\n"


def evidence(asked: Document, old: str, new: str) -> dict[str, float]:
    """The evidence of a candidate that replaces the first place of a text."""
    at = asked.syntax.buffer.data.index(old.encode())
    edit = ByteEdit(at, at + len(old.encode()), new.encode())
    candidate = EditCandidate("network", asked, edit, edit, "", "", 1, 0, "", "", "", 0.5)
    return request_facts(asked, 0).evidence.of(candidate)


def test_a_substitution_that_was_made_is_known_however_few_letters_changed() -> None:
    asked = document(TEXT, ("run(a, 1)", "ran(a, 1)"))
    found = evidence(asked, "run(a, 2)", "ran(a, 2)")
    assert set(found) == set(EVIDENCE_FEATURES)
    assert found["same_done"] == pytest.approx(math.log(2.0))
    assert found["same_words"] == pytest.approx(1 / 3)  # `a` of `a`, 1 and 2
    assert found["same_scope_as"] == 0.0
    assert evidence(asked, "wait(a)", "want(a)")["same_done"] == 0.0


def test_a_place_that_the_user_went_past_is_told_from_one_that_is_still_ahead() -> None:
    asked = document(TEXT, ("stop(a)", "end(a)"), ("run(b)", "ran(b)"))
    assert evidence(asked, "run(a, 2)", "ran(a, 2)")["passed"] == 1.0
    assert evidence(asked, "walk(b)", "walked(b)")["passed"] == 0.0
    assert evidence(asked, "run(a, 1)", "ran(a, 1)")["passed"] == 0.0


def test_a_line_that_stands_already_says_that_the_file_writes_it_so() -> None:
    asked = document(TEXT, ("stop(a)", "end(a)"))
    assert evidence(asked, "walk(b)", "run(b)")["result_stands"] == 1.0
    assert evidence(asked, "walk(b)", "crawl(b)")["result_stands"] == 0.0


def test_the_lines_of_a_very_large_file_are_not_compared() -> None:
    asked = document(TEXT + "#" * MAX_DATA, ("run(a, 1)", "ran(a, 1)"))
    found = evidence(asked, "walk(b)", "run(b)")
    assert found["result_stands"] == 0.0
    assert evidence(asked, "run(a, 2)", "ran(a, 2)")["same_done"] == pytest.approx(math.log(2.0))


@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        (b"completions()", (7, 11, b"e"), (b"completions", b"complete")),
        (b"f(a, b)", (5, 6, b"c"), (b"b", b"c")),
        (b"f(a)", (3, 3, b", b"), (b"", b", b")),
        (b"x = f", (4, 4, b"self."), (b"", b"self.")),
        (b"git.run()", (3, 3, b"_cmd"), (b"git", b"git_cmd")),
    ],
)
def test_a_change_is_told_in_whole_words(
    text: bytes, edit: tuple[int, int, bytes], expected: tuple[bytes, bytes]
) -> None:
    assert substitution(text, *edit) == expected
