"""Gather the inputs of the ranker: the slot, the scopes, where names stand, what was just typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from editahead.encode.language_model.vocabulary import subword_buckets
from editahead.suggest.completion.call_parameters import head_parameters
from editahead.suggest.completion.extra_names import ExtraNames
from editahead.suggest.completion.ranking.document_scopes import document_scopes
from editahead.suggest.completion.ranking.external import external_members, inferred_members, inherited_members
from editahead.suggest.completion.ranking.features import NameLines, PlaceEvidence
from editahead.suggest.completion.ranking.permitted_words import forbidden_words, permitted_words
from editahead.suggest.completion.ranking.receiver_expression import receiver_text
from editahead.suggest.completion.ranking.scope_evidence import (
    LineScopes,
    ScopeEvidence,
    slot_scopes,
    with_class_members,
)
from editahead.suggest.completion.ranking.slot_words import slot_words
from editahead.suggest.completion.ranking.slots import DOTS, Slot, SlotKind, is_in_tag, slot_at
from editahead.suggest.context import CursorContext
from editahead.suggest.taken_names import taken_keys, texts_of
from editahead.suggest.types import Document
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.tokens import Line, TokenKind, names_of
from editahead.text.memo import kept_while_equal
from editahead.text.words import is_name, is_word_continuation

_LINES_BESIDE = 4
_LINES_BACK = 200  # of a list of labels
_MIN_CONSTANTS = 2
_SWITCH = re.compile(r"\bswitch \( (.*) \) \{$")
_LOOKED_BACK = 4_000  # bytes above the cursor
_RECENT_EDITS = 8
_TAG_LANGUAGES = frozenset(("tsx", "javascript"))
_BEFORE_KEYS = frozenset({SlotKind.EXPRESSION, SlotKind.STATEMENT, SlotKind.ARGUMENT, SlotKind.BINDING})


def place_evidence(document: Document, cursor: CursorContext, outside: ExtraNames) -> PlaceEvidence:
    """The evidence at the cursor besides the mixture."""
    language_id = document.syntax.language.id
    slot, receiver_pairs, beside = _line_evidence(cursor.lines, cursor.below, language_id)
    scopes = _scopes(document, cursor, slot)
    if scopes is not None and language_id in _TAG_LANGUAGES and is_in_tag(cursor.lines):
        scopes = scopes._replace(only_members=frozenset(), builtins=frozenset())  # attributes are no names in scope
    keys = _literal_keys(document, cursor, slot, scopes)
    if slot.label and scopes is not None:
        keys = _constants(document, cursor, scopes)
    if keys is not None:  # which are members of the class of the literal
        slot, scopes = Slot(SlotKind.MEMBER, key=True), keys
    return PlaceEvidence(
        slot,
        scopes,
        name_lines(cursor),
        recent_names(document).difference(names_of(cursor.lines[-1])),
        receiver_pairs,
        beside,
        {name: origin.source for name, origin in outside.origins.items()},
        permitted_words(cursor, slot, language_id, at_top=scopes is not None and scopes.at_top),
        forbidden_words(cursor, slot, document.syntax.language, scopes.body if scopes is not None else None),
        head_parameters(cursor) if language_id == "python" else None,
    )


def _scopes(document: Document, cursor: CursorContext, slot: Slot) -> ScopeEvidence | None:
    """The evidence of scopes at a slot, also from other files."""
    line = document_scopes(document, cursor)
    if line is None:
        return None
    scopes = slot_scopes(line, slot, frozenset(names_of(cursor.lines[-1])) - slot.targets)
    scopes = scopes._replace(members_on_line=frozenset(_members_on_line(cursor.lines[-1], _dots(document))))
    outer = external_members(document, slot)
    scopes = scopes._replace(owner_name=outer.owner_name) if outer.owner_name else scopes
    if scopes.members is None and outer.members is not None:
        scopes = scopes._replace(members=outer.members, complete=outer.complete, levels=outer.levels)
    if scopes.members is None and slot.kind is SlotKind.MEMBER:
        text = receiver_text(cursor.lines, _dots(document))
        scopes = _with_inferred_members(document, text, line, scopes)
        scopes = scopes if scopes.members is not None else _with_members_of(text, document, cursor, line, scopes)
    if scopes.members is not None and scopes.outer_bases:
        inherited = inherited_members(document, scopes.outer_bases)
        if inherited is not None:
            levels = {**inherited, **scopes.levels}
            scopes = scopes._replace(members=scopes.members | levels.keys(), outer_bases=(), levels=levels)
    if scopes.members is not None and (scopes.class_names or scopes.outer_bases):
        scopes = _with_members_of_project(scopes, document, line)
    if scopes.members is not None and _is_narrowed(document, cursor.start, slot.receiver, line.resolver.table):
        scopes = scopes._replace(object_members=None, complete=False)
    return scopes._replace(parameters=scopes.parameters | outer.parameters) if outer.parameters else scopes


def _members_on_line(line: Line, dots: Sequence[str]) -> Iterable[str]:
    return (name.text for dot, name in pairwise(line) if dot.text in dots and is_name(name.text))


def _with_members_of_project(scopes: ScopeEvidence, document: Document, line: LineScopes) -> ScopeEvidence:
    """The members of a class of the file with those that other files give it, or its bases."""
    from editahead.suggest.completion.ranking.project_classes import (  # not before they are needed
        with_added_members,
        with_project_bases,
    )

    scopes = with_added_members(scopes, document)
    return with_project_bases(scopes, document, line) if scopes.outer_bases else scopes


def _literal_keys(
    document: Document, cursor: CursorContext, slot: Slot, scopes: ScopeEvidence | None
) -> ScopeEvidence | None:
    """The evidence of scopes where the key of a literal of a resolved class begins; None elsewhere."""
    table = document.syntax.language.scopes
    if table is None or not table.literals.keys or scopes is None or slot.kind not in _BEFORE_KEYS:
        return None
    from editahead.suggest.completion.ranking.project_classes import with_literal_keys  # not before it is needed

    line = document_scopes(document, cursor)
    return with_literal_keys(scopes, document, cursor, line) if line is not None else None


def _constants(document: Document, cursor: CursorContext, scopes: ScopeEvidence) -> ScopeEvidence | None:
    """The evidence at a label of the enumeration that is switched upon; None where its constants are unknown."""
    line = document_scopes(document, cursor)
    heads = (_SWITCH.search(" ".join(texts_of(row))) for row in reversed(cursor.lines[-_LINES_BACK:-1]))
    subject = next((head[1] for head in heads if head is not None), "")
    if line is None or not subject:
        return None
    of_class = _with_inferred_members(document, subject, line, scopes._replace(members=None))
    if of_class.members is None:
        of_class = _with_members_of(subject, document, cursor, line, of_class)
    names = [name for name in of_class.members or () if name.isupper()]
    if len(names) < _MIN_CONSTANTS or not of_class.has_all_members:
        return None
    taken = taken_keys(cursor.lines[:-1], cursor.lines[-1], cursor.below, document.language_id)
    names = [name for name in names if ("case", name) not in taken]
    levels = dict.fromkeys(names, 0)
    return of_class._replace(members=frozenset(names), levels=levels, declared=tuple(names), object_members=frozenset())


def _dots(document: Document) -> Sequence[str]:
    return tuple(slot_words(document.language_id).member_signs)


def _with_members_of(
    text: str, document: Document, cursor: CursorContext, line: LineScopes, scopes: ScopeEvidence
) -> ScopeEvidence:
    """The members of the receiver `text`, whose class this or another file declares."""
    from editahead.suggest.completion.ranking.project_classes import with_project_members  # not before the first dot
    from editahead.suggest.completion.ranking.receiver_expression import receiver_expression, with_elements

    resolver, unit = line.resolver, line.resolver.scopes.unit_at(line.byte)
    start = line.byte - resolver.scopes.facts.units[unit].start if unit >= 0 else -1
    receiver = receiver_expression(text, start, resolver.table) if unit >= 0 else None
    if receiver is None:
        return scopes
    receiver = with_elements(receiver, cursor.lines, _dots(document), resolver.table)
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
    inferred = inferred_members(document, text, line)
    if inferred is None:
        return scopes
    if inferred.scope is None:
        return scopes._replace(
            members=frozenset(inferred.levels),
            complete=inferred.complete,
            levels=inferred.levels,
            owner_name=inferred.owner_name,
        )
    return with_class_members(scopes, line.resolver, inferred.scope)


class _LineEvidence(NamedTuple):
    """Evidence of the tokens around the cursor: its slot, the members behind its receiver, sub-words of names."""

    slot: Slot
    receiver_pairs: frozenset[str]
    beside: frozenset[int]


@kept_while_equal()
def _line_evidence(lines: list[Line], below: list[Line], language_id: str) -> _LineEvidence:
    """The evidence of the tokens; cached while the letters of a name are typed, which are not part of it."""
    slot = slot_at(lines, language_id)
    near = lines[-_LINES_BESIDE:]
    beside = frozenset(part for line in near for name in names_of(line) for part in subword_buckets(name))
    return _LineEvidence(slot, _receiver_pairs(slot, [*lines[:-1], *below]), beside)


def name_lines(cursor: CursorContext) -> NameLines:
    """Where names stand in the lines around the cursor."""
    around = _names_around(cursor.line, cursor.lines[:-1], cursor.below, numbers=cursor.numbers[:-1])
    return around._replace(on_line=frozenset(names_of(cursor.lines[-1])))


@kept_while_equal()
def _names_around(at: int, lines: list[Line], lines_below: list[Line], *, numbers: Sequence[int]) -> NameLines:
    """The names above and below a line; cached while the cursor stays there."""
    above: dict[str, int] = {}
    below: dict[str, int] = {}
    holding: dict[str, int] = {}
    for number, line in zip(reversed(numbers), reversed(lines), strict=True):
        for name in names_of(line):
            above.setdefault(name, at - number)
            holding[name] = holding.get(name, 0) + 1
    for away, line in enumerate(lines_below, 1):
        for name in names_of(line):
            below.setdefault(name, away)
            holding[name] = holding.get(name, 0) + 1
    return NameLines(above, below, holding, frozenset())


def recent_names(document: Document) -> frozenset[str]:
    """Names that the last edits inserted, except that which is being typed."""
    names: set[str] = set()
    for edit in document.history.settled[-_RECENT_EDITS:]:
        text = edit.inserted[:400].decode("utf-8", "replace")
        names.update(word for word in _words(text) if len(word) > 1)
    return frozenset(names)


def _words(text: str) -> Iterable[str]:
    return "".join(letter if is_word_continuation(letter) else " " for letter in text).split()


def _receiver_pairs(slot: Slot, lines: Iterable[Line]) -> frozenset[str]:
    """Names that follow the same receiver and a dot in the lines."""
    if not slot.receiver:
        return frozenset()
    last, members = slot.receiver[-1], set[str]()
    for line in lines:
        if last not in names_of(line):
            continue
        tokens = [token for token in line if token.kind is not TokenKind.NEWLINE]
        for first, dot, second in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if first.text == last and dot.text in DOTS and is_name(second.text):
                members.add(second.text)
    return frozenset(members)
