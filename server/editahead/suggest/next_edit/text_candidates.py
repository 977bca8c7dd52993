"""Checks of candidates from text comparison for semantic errors that the syntax does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.suggest.next_edit.resolved_changes import ResolvedParameter
from editahead.suggest.next_edit.text_checks.async_keywords import breaks_async
from editahead.suggest.next_edit.text_checks.expression_checks import (
    makes_call_a_target,
    makes_identity_of_value,
    puts_field_in_plain_text,
)

_REFUSED = (makes_call_a_target, makes_identity_of_value, puts_field_in_plain_text)


def permitted_candidates(
    candidates: Iterable[EditCandidate], parameters: Sequence[ResolvedParameter], check: Callable[[], None]
) -> list[EditCandidate]:
    """The candidates that break no rule of the language that its grammar does not express.

    Excluded are assignments to a call, identity comparisons of values, format fields in plain strings, `await` outside
    async functions, and arguments for the changed `parameters` in calls of other functions. Raises what `check` raises.
    """
    kept: list[EditCandidate] = []
    for candidate in candidates:
        check()
        syntax, uri = candidate.document.syntax, candidate.document.uri
        if any(refused(syntax, candidate.edit) for refused in _REFUSED) or breaks_async(
            candidate.document, candidate.edit
        ):
            continue
        if not any(parameter.uri == uri and parameter.refuses(syntax, candidate.edit) for parameter in parameters):
            kept.append(candidate)
    return kept
