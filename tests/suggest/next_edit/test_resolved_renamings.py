"""What counts as the repetition of a renaming that scopes follow, and where the user goes on with it by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.suggest.next_edit.edit_candidate import ResolvedRenaming, makes_renaming
from editahead.text.edits import ByteEdit

from tests.suggest.next_edit.consequences.marked_renames import outcome, played

TEXT = b"if MathUtil.equals(a, b): c.equals(a)\n"
CASES = {
    "the name alone": (b"MathUtil.equals", b"MathUtil.within", True),
    "with what stands before it": (b"MathUtil.equals", b"within", False),
    "with an argument": (b"c.equals(a)", b"c.within(a, 1)", False),
    "another name": (b"MathUtil.equals", b"Maths.equals", False),
}


@pytest.mark.parametrize("case", CASES)
def test_only_the_name_itself_is_a_repetition(case: str) -> None:
    old, new, expected = CASES[case]
    start = TEXT.index(old)
    edit = ByteEdit(start, start + len(old), new)
    assert makes_renaming(edit, TEXT, [ResolvedRenaming("equals", "within", True)]) is expected


def test_a_file_in_which_the_user_repeats_a_renaming_by_hand_may_go_on() -> None:
    declaring = played("class Pool:\n    def «close>shut»(self): ...\n")
    by_hand = played("def f(a, b):\n    a.«close>shut»()\n    b.close()\n", "file:///w/other.py")
    untouched = played("def f(a, b):\n    a.close()\n    b.close()\n", "file:///w/other.py")
    assert outcome(replace(untouched, others=(declaring,))).resolved
    assert not outcome(replace(by_hand, others=(declaring,))).resolved


@pytest.mark.parametrize(("typed", "count"), [("'«A>B»'", 0), ("'«A>B»'\n# «A>B»", 0), ("A\n# «A>B»\n# «A>B»", 1)])
def test_types_in_quotes_say_nothing_of_other_strings(typed: str, count: int) -> None:
    document = played(f"class «A>B»: ...\nx: '«A>B»' = 1\ny: {typed} = 2\nk = 'A'\nd = 'A b'\n# A\n")
    resolved = outcome(document).resolved
    assert [len(renaming.unknown) for renaming in resolved] == [count]


METHODS = {  # of classes that other files declare
    "go": "package m\n\nfunc (a *A) «Close>Shut»() {}\n\nfunc (b *B) Close() {}\n",
    "rs": "impl A {\n    fn «close>shut»(&self) {}\n}\nimpl B {\n    fn close(&self) {}\n}\n",
    "cpp": "void A::«close>shut»() {}\nvoid B::close() {}\n",
}


@pytest.mark.parametrize("ending", METHODS)
def test_a_method_is_not_renamed_with_that_of_another_class_out_of_sight(ending: str) -> None:
    text, uri = METHODS[ending], f"file:///w/a.{ending}"
    assert [renaming.everywhere for renaming in outcome(played(text, uri)).resolved] == [False]
    alone = text.replace("Close()", "Open()").replace("close(", "open(")
    assert not outcome(played(alone, uri)).resolved
    by_hand = text.replace(" Close()", " «Close>Shut»()").replace("close(", "«close>shut»(")
    assert not outcome(played(by_hand, uri)).resolved
