"""What candidates that follow texts and not names must not do, and no syntax error tells: assign to a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from editahead.suggest.next_edit.consequences.targets import makes_call_a_target
from editahead.suggest.next_edit.edit_candidate import EditCandidate


def assignable(candidates: Iterable[EditCandidate], check: Callable[[], None]) -> list[EditCandidate]:
    """Candidates without those that would assign to a call, or take one away. Raises what the check raises."""
    kept: list[EditCandidate] = []
    for one in candidates:
        check()
        if not makes_call_a_target(one.document.syntax, one.edit):
            kept.append(one)
    return kept
