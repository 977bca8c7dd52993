"""What counts as an example of a deletion: what the user did by hand, and no accepted suggestion."""

from __future__ import annotations

from editahead.suggest.verified_edits import proposal_of
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.verification.proposal import SafetyRule
from editahead.verification.verifier import Verifier

from tests.verification.proposed import proposed


def test_accepted_suggestions_are_no_examples_of_deletions() -> None:
    marked = "«log.debug(1)\n>»a = 1\n‹log.debug(2)\n>›b = a\n"
    document, edits = proposed(marked)
    verifier = Verifier()
    proposal = proposal_of(document, [(document, edit) for edit in edits])
    assert verifier.verify(proposal, lambda: None, "repeat") is None
    before = SyntaxSnapshot.open(Buffer(b"log.debug(1)\na = 1\nlog.debug(2)\nb = a\n"), document.syntax.language)
    verifier.remember(document.uri, before, ByteEdit(0, 13, b""))
    violation = verifier.verify(proposal, lambda: None, "repeat")
    assert violation is not None
    assert violation.rule is SafetyRule.DELETION
    assert verifier.refusals_by_source() == {"repeat": {"deletion": 1}}
    verifier.forget_shown()
    assert verifier.verify(proposal, lambda: None, "repeat") is None


def test_the_same_edit_by_hand_elsewhere_is_still_an_example() -> None:
    marked = "x = [\n    Item(«slow, >»1),\n    Item(«slow, >»2),\n    Item(‹slow, >›3),\n]\n"
    document, edits = proposed(marked)
    verifier = Verifier()
    before = SyntaxSnapshot.open(Buffer(b"x = [\n    Item(1),\n    Item(slow, 2),\n"), document.syntax.language)
    start = before.buffer.data.index(b"slow")
    verifier.remember(document.uri, before, ByteEdit(start, start + 6, b""))
    proposal = proposal_of(document, [(document, edit) for edit in edits])
    assert verifier.verify(proposal, lambda: None) is None
