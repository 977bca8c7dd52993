"""What candidates that follow texts and not names must not do, and no syntax error tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from editahead.suggest.next_edit.consequences.calls.async_functions import breaks_async
from editahead.suggest.next_edit.consequences.rewritings.identity import makes_identity_of_value
from editahead.suggest.next_edit.consequences.targets import makes_call_a_target
from editahead.suggest.next_edit.edit_candidate import EditCandidate

_REFUSED = (breaks_async, makes_call_a_target, makes_identity_of_value)


def permitted(candidates: Iterable[EditCandidate], check: Callable[[], None]) -> list[EditCandidate]:
    """Candidates without those that break a rule of the language that its grammar does not tell.

    They assign to a call, compare what is handed on, or await outside of async functions. Raises what the check raises.
    """
    kept: list[EditCandidate] = []
    for one in candidates:
        check()
        if not any(refused(one.document.syntax, one.edit) for refused in _REFUSED):
            kept.append(one)
    return kept
