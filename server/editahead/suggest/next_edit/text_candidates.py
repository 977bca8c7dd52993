"""What candidates that follow texts and not names must not do, and no syntax error tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.suggest.next_edit.resolved_parameters import ResolvedParameter
from editahead.suggest.next_edit.text_checks.async_keywords import breaks_async
from editahead.suggest.next_edit.text_checks.call_targets import makes_call_a_target
from editahead.suggest.next_edit.text_checks.identity_comparisons import makes_identity_of_value
from editahead.suggest.next_edit.text_checks.plain_strings import puts_field_in_plain_text

_REFUSED = (makes_call_a_target, makes_identity_of_value, puts_field_in_plain_text)


def permitted(
    candidates: Iterable[EditCandidate], parameters: Sequence[ResolvedParameter], check: Callable[[], None]
) -> list[EditCandidate]:
    """Candidates without those that break a rule of the language that its grammar does not tell.

    They assign to a call, compare what is handed on, write a field into a text that nothing formats, await outside of
    async functions, or give one of the changed `parameters` to another function. Raises what the check raises.
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
