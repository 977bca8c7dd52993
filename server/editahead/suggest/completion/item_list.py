"""The items of a list of completions: which of the ranked words are listed, and where the typed word stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice

from editahead.suggest.completion.auto_imports import with_imports
from editahead.suggest.completion.complete_words import complete_words, incomplete_words, reserved_words, safe_to_accept
from editahead.suggest.completion.prediction_context import PredictionContext
from editahead.suggest.completion.ranking.features import NameLines, PlaceEvidence
from editahead.suggest.completion.ranking.gather import name_lines
from editahead.suggest.completion.ranking.pool import can_stand, names_of_file
from editahead.suggest.completion.ranking.slots import SlotKind
from editahead.suggest.completion.renamed_name import renamed_name, with_renamed_name
from editahead.suggest.context import CursorContext
from editahead.suggest.types import Completion, Completions, Decision, Document, GateReading, Reason, Shown, Suppressed
from editahead.text.words import SCRIPT_IDENTIFIER


def private_names(document: Document, cursor: CursorContext, sign: str) -> frozenset[str]:
    """The names that follow the sign in the file (`#a`), except that at the cursor."""
    names = re.finditer(re.escape(sign.encode()) + b"(" + SCRIPT_IDENTIFIER + b")", document.syntax.buffer.data)
    return frozenset(name[1].decode("utf-8", "replace") for name in names if name.start(1) != cursor.start)


_VARIABLES = frozenset(("variable", "parameter"))
_DECLARATIONS = frozenset(("function", "class"))


def build_list(
    document: Document,
    inputs: PredictionContext,
    ranked: Iterable[Completion],
    whole: Callable[[str], Completion],
    gates: Sequence[GateReading],
    *,
    typed_is_likeliest: bool,
) -> Decision[Completions]:
    """The list of the items `ranked`, best first, which are longer than the typed word.

    `whole` creates the item of a word; `typed_is_likeliest`: the typed word is as likely as the first of them.
    """
    cursor, settings = inputs.cursor, document.settings
    private = _private_names(document, cursor)
    if (renamed := renamed_name(document, cursor)) is not None:
        ranked = with_renamed_name(renamed.name, cursor.prefix, ranked, whole)
    ranking, limit, keys = inputs.ranking, document.max_completions, private
    if ranking is not None and keys is None:
        keys = ranking.literal_keys
    has_room = ranking is not None and keys is None and not cursor.prefix
    of_file = dict.fromkeys(names_of_file(ranking)) if ranking is not None and has_room else {}
    likely: list[Completion] = []
    unlikely: set[str] = set()  # names of the file, and what further letters may move to the top in a client
    for item in ranked if private is None else (item for item in ranked if item.label in private):
        if item.probability >= settings.completion_floor and len(likely) < settings.max_completions:
            likely.append(item)
        elif not likely or not (has_room or document.filtered_by_client):
            break
        elif document.filtered_by_client or item.label in of_file:
            unlikely.add(item.label)
    if likely:
        unlikely.update(islice(of_file, limit))
    words = complete_words(document, cursor, inputs.outside.nearby)
    if private is not None:
        words &= private
    has_others = bool(cursor.prefix) or (document.filtered_by_client and bool(likely))
    others = words - reserved_words(document.syntax.language) if has_others else frozenset[str]()
    if ranking is not None:
        labels = {*(item.label for item in likely), *unlikely}
        words -= incomplete_words(document, cursor, ranking, labels, words)
        others -= _no_members(ranking, others)
        if ranking.permitted is not None:
            others &= ranking.permitted
        if keys is not None:  # few, and exhaustive
            others = frozenset(key for key in keys if key.startswith(cursor.prefix))
    if typed_is_likeliest:
        words |= {cursor.prefix}  # not declared here, and yet the likeliest word
    if cursor.prefix and not likely:
        words |= {cursor.prefix}  # no listed word is likely: Enter must keep the new name
    lines = ranking.lines if ranking is not None else name_lines(cursor)
    likely += _below_floor(likely, others | unlikely, lines, cursor.prefix, whole, settings.completion_floor)
    items = safe_to_accept(likely[:limit], cursor.prefix, words, whole, limit)
    if not items:
        gate = GateReading(Reason.LOW_PROBABILITY, False, f"no candidate reaches {settings.completion_floor:g}")
        return Suppressed(Reason.LOW_PROBABILITY, gate.value, (*gates, gate))
    # The list depends on the prefix's length as well as on its letters, so clients must request it again.
    shown = with_imports(document, ranking, items)
    answer = Completions(shown, cursor.start, cursor.end, complete=False, copied=inputs.prediction.copy_mass)
    return Shown(answer, max(item.probability for item in items), tuple(gates))


def _no_members(evidence: PlaceEvidence, words: Iterable[str]) -> frozenset[str]:
    """Behind a dot, those of some words that are variables in scope, and in Python functions and classes in scope."""
    scopes = evidence.scopes
    if scopes is None or evidence.slot.kind is not SlotKind.MEMBER:
        return frozenset()
    members = scopes.attributes | evidence.receiver_pairs | (scopes.members or frozenset())
    no_members: set[str] = set()
    for word in words:
        kind = scopes.visible[word].kind if word in scopes.visible else ""
        is_function = kind in _DECLARATIONS and not scopes.fields_are_called  # methods are not in scope there
        if (kind in _VARIABLES and not can_stand(word, evidence)) or (is_function and word not in members):
            no_members.add(word)
    return frozenset(no_members)


def _private_names(document: Document, cursor: CursorContext) -> frozenset[str] | None:
    """The names that may follow the sign of private names; None where no such sign stands before the cursor."""
    table = document.syntax.language.scopes
    if table is None or not table.private_sign or not cursor.before.endswith(table.private_sign):
        return None
    from editahead.suggest.completion.item_list import private_names  # rarely needed: the start is shorter

    return private_names(document, cursor, table.private_sign)


def _below_floor(
    likely: Sequence[Completion],
    words: frozenset[str],
    lines: NameLines,
    prefix: str,
    make: Callable[[str], Completion],
    floor: float,
) -> list[Completion]:
    """Other words of the file or of a literal that go on with the typed letters, of equally likely ones the nearest."""
    labels = {item.label for item in likely} | {prefix}
    others = sorted(map(make, words - labels), key=lambda item: (-item.probability, lines.away(item.label), item.label))
    most = min([floor, *(item.probability for item in likely)])
    return [replace(item, probability=min(item.probability, most)) for item in others]
