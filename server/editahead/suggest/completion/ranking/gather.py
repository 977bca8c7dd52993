"""Gather what the ranker is told at a place: the slot, the scopes, where names stand, what was just typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from editahead.encode.language_model.vocabulary import subword_buckets
from editahead.suggest.completion.extra_names import ExtraNames
from editahead.suggest.completion.ranking.document_scopes import document_scopes
from editahead.suggest.completion.ranking.external import external_members, inferred_members, inherited_members
from editahead.suggest.completion.ranking.features import NameLines, PlaceEvidence
from editahead.suggest.completion.ranking.parameter_list import head_parameters
from editahead.suggest.completion.ranking.permitted_words import forbidden_words, permitted_words
from editahead.suggest.completion.ranking.scope_evidence import (
    LineScopes,
    ScopeEvidence,
    slot_scopes,
    with_class_members,
)
from editahead.suggest.completion.ranking.slot_words import slot_words
from editahead.suggest.completion.ranking.slots import DOTS, Slot, SlotKind, slot_at
from editahead.suggest.completion.receiver_types.receiver_text import receiver_text
from editahead.suggest.context import CursorContext
from editahead.suggest.types import Document
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.tokens import Line, TokenKind, names_of
from editahead.text.memo import on_forget
from editahead.text.words import is_name, is_word_continuation

_LINES_BESIDE = 4
_LOOKED_BACK = 4_000  # bytes above the cursor
_RECENT_EDITS = 8
_BEFORE_KEYS = frozenset({SlotKind.EXPRESSION, SlotKind.STATEMENT, SlotKind.ARGUMENT, SlotKind.BINDING})


def place_evidence(document: Document, place: CursorContext, outside: ExtraNames) -> PlaceEvidence:
    """What is known of a place besides the mixture."""
    language_id = document.syntax.language.id
    slot, receiver_pairs, beside = _line_evidence(place, language_id)
    scopes = _scopes(document, place, slot)
    keys = _literal_keys(document, place, slot, scopes)
    if keys is not None:  # which are members of the class of the literal
        slot, scopes = Slot(SlotKind.MEMBER, key=True), keys
    return PlaceEvidence(
        slot,
        scopes,
        name_lines(place),
        recent_names(document).difference(names_of(place.lines[-1])),
        receiver_pairs,
        beside,
        {name: origin.source for name, origin in outside.origins.items()},
        frozenset(outside.spelled),
        permitted_words(place, slot, language_id, at_top=scopes is not None and scopes.at_top),
        forbidden_words(place, slot, document.syntax.language),
        head_parameters(place) if language_id == "python" else None,
    )


def _scopes(document: Document, context: CursorContext, slot: Slot) -> ScopeEvidence | None:
    """What scopes say at a slot, those of other files too."""
    line = document_scopes(document, context)
    if line is None:
        return None
    scopes = slot_scopes(line, slot, frozenset(names_of(context.lines[-1])) - slot.targets)
    scopes = scopes._replace(members_on_line=frozenset(_members_on_line(context.lines[-1])))
    outer = external_members(document, slot)
    scopes = scopes._replace(home=outer.home) if outer.home else scopes
    if scopes.members is None and outer.members is not None:
        scopes = scopes._replace(members=outer.members, complete=outer.complete, levels=outer.levels)
    if scopes.members is None and slot.kind is SlotKind.MEMBER:
        text = receiver_text(context.lines, _dots(document))
        scopes = _with_inferred_members(document, text, line, scopes)
        scopes = scopes if scopes.members is not None else _with_members_of(text, document, context, line, scopes)
    if scopes.members is not None and scopes.outer_bases:
        inherited = inherited_members(document, scopes.outer_bases)
        if inherited is not None:
            levels = {**inherited, **scopes.levels}
            scopes = scopes._replace(members=scopes.members | levels.keys(), outer_bases=(), levels=levels)
    if scopes.members is not None and (scopes.class_names or scopes.outer_bases):
        scopes = _with_members_of_project(scopes, document, line)
    if scopes.members is not None and _is_narrowed(document, context.start, slot.receiver, line.resolver.table):
        scopes = scopes._replace(object_members=None, complete=False)
    return scopes._replace(parameters=scopes.parameters | outer.parameters) if outer.parameters else scopes


def _members_on_line(line: Line) -> Iterable[str]:
    """The names of members on a line."""
    return (name.text for dot, name in pairwise(line) if dot.text in DOTS and is_name(name.text))


def _with_members_of_project(scopes: ScopeEvidence, document: Document, line: LineScopes) -> ScopeEvidence:
    """The members of a class of the file with those that other files give it, or its bases."""
    from editahead.suggest.completion.ranking.project_classes import (  # not before they are needed
        with_added_members,
        with_project_bases,
    )

    scopes = with_added_members(scopes, document)
    return with_project_bases(scopes, document, line) if scopes.outer_bases else scopes


def _literal_keys(
    document: Document, place: CursorContext, slot: Slot, scopes: ScopeEvidence | None
) -> ScopeEvidence | None:
    """What scopes say where the key of a literal of a known class begins; None elsewhere."""
    table = document.syntax.language.scopes
    if table is None or not table.literals.keys or scopes is None or slot.kind not in _BEFORE_KEYS:
        return None
    from editahead.suggest.completion.ranking.literal_keys import with_literal_keys  # not before it is needed

    line = document_scopes(document, place)
    return with_literal_keys(scopes, document, place, line) if line is not None else None


def _dots(document: Document) -> Sequence[str]:
    return tuple(slot_words(document.language_id).member_signs)


def _with_members_of(
    text: str, document: Document, place: CursorContext, line: LineScopes, scopes: ScopeEvidence
) -> ScopeEvidence:
    """The members of the receiver `text`, whose class this file declares, or another one."""
    from editahead.suggest.completion.ranking.project_classes import with_project_members  # not before the first dot
    from editahead.suggest.completion.ranking.receiver_expression import receiver_expression
    from editahead.suggest.completion.ranking.visited_elements import with_elements

    resolver, unit = line.resolver, line.resolver.scopes.unit_at(line.byte)
    start = line.byte - resolver.scopes.facts.units[unit].start if unit >= 0 else -1
    receiver = receiver_expression(text, start, resolver.table) if unit >= 0 else None
    if receiver is None:
        return scopes
    receiver = with_elements(receiver, place.lines, _dots(document), resolver.table)
    owner = resolver.members.class_of(receiver, unit, line.scope)
    if owner is not None:
        return with_class_members(scopes, resolver, owner)
    return with_project_members(scopes, document, line, receiver)


def _is_narrowed(document: Document, byte: int, receiver: Sequence[str], table: ScopeTable) -> bool:
    """Whether the text above says of the receiver that it is of another class, too."""
    if not table.types.narrowing or not receiver:
        return False
    name = r"\s*\??\.\s*".join(re.escape(word) for word in receiver)
    above = document.syntax.buffer.data[max(0, byte - _LOOKED_BACK) : byte]
    patterns = (pattern.replace("NAME", name).encode() for pattern in table.types.narrowing)
    return any(re.search(pattern, above) is not None for pattern in patterns)


def _with_inferred_members(document: Document, text: str, line: LineScopes, scopes: ScopeEvidence) -> ScopeEvidence:
    """The members of the receiver `text` where its type has to be inferred."""
    found = inferred_members(document, text, line)
    if found is None:
        return scopes
    if found.scope is None:
        return scopes._replace(
            members=frozenset(found.levels), complete=found.complete, levels=found.levels, home=found.home
        )
    return with_class_members(scopes, line.resolver, found.scope)


class _LineEvidence(NamedTuple):
    """What the tokens around a place tell: its slot, the members written behind its receiver, sub-words of names."""

    slot: Slot
    receiver_pairs: frozenset[str]
    beside: frozenset[int]


_latest: list[tuple[str, list[Line], list[Line], _LineEvidence]] = []  # of the place that was asked about last
on_forget(_latest.clear)


def _line_evidence(place: CursorContext, language_id: str) -> _LineEvidence:
    """The evidence of the tokens; remembered while letters of one name are typed, which are none of them."""
    for language, lines, below, evidence in _latest:
        if language == language_id and lines == place.lines and below == place.below:
            return evidence
    slot = slot_at(place.lines, language_id)
    near = place.lines[-_LINES_BESIDE:]
    beside = frozenset(part for line in near for name in names_of(line) for part in subword_buckets(name))
    evidence = _LineEvidence(slot, _receiver_pairs(slot, place.other_lines), beside)
    _latest[:] = [(language_id, place.lines, place.below, evidence)]
    return evidence


class _Kept(NamedTuple):
    above: list[Line]
    below: list[Line]
    line: int
    names: NameLines


_kept: list[_Kept] = []  # of the place that was asked about last
on_forget(_kept.clear)


def name_lines(place: CursorContext) -> NameLines:
    """Where names stand in the lines that are read for a place; remembered while the cursor stays on its line."""
    above, on_line = place.lines[:-1], frozenset(names_of(place.lines[-1]))
    for kept in _kept:
        if kept.line == place.line and kept.above == above and kept.below == place.below:
            return kept.names._replace(on_line=on_line)
    names = _name_lines(place)
    _kept[:] = [_Kept(above, place.below, place.line, names)]
    return names


def _name_lines(place: CursorContext) -> NameLines:
    above: dict[str, int] = {}
    below: dict[str, int] = {}
    holding: dict[str, int] = {}
    for number, line in zip(reversed(place.numbers[:-1]), reversed(place.lines[:-1]), strict=True):
        for name in names_of(line):
            above.setdefault(name, place.line - number)
            holding[name] = holding.get(name, 0) + 1
    for away, line in enumerate(place.below, 1):
        for name in names_of(line):
            below.setdefault(name, away)
            holding[name] = holding.get(name, 0) + 1
    return NameLines(above, below, holding, frozenset(names_of(place.lines[-1])))


def recent_names(document: Document) -> frozenset[str]:
    """Names that the last edits put in, without the one that is still being typed."""
    found: set[str] = set()
    for edit in document.history.settled[-_RECENT_EDITS:]:
        text = edit.inserted[:400].decode("utf-8", "replace")
        found.update(word for word in _words(text) if len(word) > 1)
    return frozenset(found)


def _words(text: str) -> Iterable[str]:
    return "".join(letter if is_word_continuation(letter) else " " for letter in text).split()


def _receiver_pairs(slot: Slot, lines: Iterable[Line]) -> frozenset[str]:
    """Names that stand behind a dot and the same receiver in the lines."""
    if not slot.receiver:
        return frozenset()
    last, found = slot.receiver[-1], set[str]()
    for line in lines:
        if last not in names_of(line):
            continue
        tokens = [token for token in line if token.kind is not TokenKind.NEWLINE]
        for first, dot, second in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if first.text == last and dot.text in DOTS and is_name(second.text):
                found.add(second.text)
    return frozenset(found)
