"""Gather the evidence for members and imports, behind a dot and in import statements, for their own rankers.

Of a member: how near it is declared, what the receiver was used for, names around. Of an import: the imports around it,
those of other files, its section. Nothing is gathered anywhere else, nor for a model without weights for such places.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

import numpy as np

from editahead.environment.exports import builtin_class
from editahead.index.project_imports import ImportVotes, imports_of
from editahead.index.types import OutsideNames
from editahead.suggest.completion.ranking.external import module_index
from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.completion.ranking.import_features import PROJECT, STANDARD, ImportEvidence, section_of
from editahead.suggest.completion.ranking.member_features import (
    SELF,
    MemberEvidence,
    common_members,
    receiver_key,
    receiver_uses,
)
from editahead.suggest.completion.ranking.slots import SlotKind
from editahead.suggest.context import CursorContext
from editahead.suggest.types import Document
from editahead.syntax.tokens import Line, Token, TokenKind, text_tokens
from editahead.text.words import is_name

LANGUAGES = frozenset({"python"})
SLOTS = frozenset({SlotKind.MODULE, SlotKind.IMPORTED})
_WORDS = frozenset(("from", "import"))
_LINES = 8  # of a statement around the cursor's
_MAX_LINES = 30  # lines of the cursor's statement
_MAX_NAMES = 60  # of a statement
_FUNCTIONS = frozenset(("def", "function", "func", "fn"))
_PAIR, _MIN_SHARE = 3, 1e-6  # contexts of n-grams that say something of a receiver, and the least share of a member
_VALUE = re.compile(r"=\s*(?!=)(?:self\.|this\.)?([^\W\d]\w*)")
_LINES_BACK = 60  # to the head of the function around
_ASSIGNS = frozenset(("=", ":=", "+=", "-=", "*=", "/=", "|=", "&=", ":"))


class _Import(NamedTuple):
    """A statement that imports: its first word, its module, the names that it takes from there."""

    word: str
    module: str
    names: tuple[str, ...]


def import_evidence(document: Document, cursor: CursorContext, evidence: PlaceEvidence) -> ImportEvidence | None:
    """The evidence where an import is written; None elsewhere."""
    slot, scopes = evidence.slot, evidence.scopes
    if slot.kind not in SLOTS or document.syntax.language.id not in LANGUAGES:
        return None
    is_module = slot.kind is SlotKind.MODULE
    above, below = _statements(cursor.lines[:-1]), _statements(cursor.below)
    everything = (*above, *below)
    modules = frozenset(statement.module for statement in everything)
    source = "." * slot.dots + ".".join(slot.receiver)
    path = f"{source}." if slot.receiver else source
    others = document.elsewhere.imports if document.elsewhere is not None else None
    votes: Mapping[str, ImportVotes] = {}
    needed: Mapping[str, float] = {}
    declared: Mapping[str, float] = {}
    if others is not None:
        votes = others.votes(path if is_module else f"{source} import", modules)
        unbound = sorted(scopes.unbound, key=scopes.unbound.__getitem__) if scopes is not None else ()
        needed = others.import_shares(path, unbound) if is_module else {}
        declared = others.declaration_shares(path, unbound) if is_module else {}
    listed = () if is_module else _listed(cursor)
    index = module_index(document)
    own = index.project_children(()) if index is not None else frozenset[str]()
    last, following = _directly_before(cursor), below[0] if below and _is_import(cursor.below[0]) else None
    gap = last is not None and cursor.line - cursor.numbers[_last_code(cursor.lines[:-1])] > 1
    section = section_of(last.module, own) if last is not None else None
    word = "import" if slot.begins_statement else "from"
    before, after = (listed[-1] if listed else None), None
    if is_module:
        before = last.module if last is not None and not gap and last.word == word else None
        after = following.module if following is not None and following.word == word else None
    of_source = (name for statement in everything if statement.module == source for name in statement.names)
    of_place = (
        slot.begins_statement, slot.dots > 0, bool(slot.receiver) and is_module, math.log1p(len(listed)),
        math.log1p(len(above)), gap, last is not None and last.word == "from", section == STANDARD, section == PROJECT,
        following is not None, bool(cursor.below), others is not None and bool(others.project.paths),
    )  # fmt: skip
    return ImportEvidence(
        is_module, path, votes, needed, declared, before, after,
        modules if is_module else frozenset((*of_source, *listed)), own,
        section if is_module and not gap and not slot.dots else None, np.array(of_place, np.float32),
    )  # fmt: skip


def _is_import(line: Line) -> bool:
    return next((token.text for token in line if token.text.strip()), "") in _WORDS


def _statements(lines: Sequence[Line]) -> list[_Import]:
    """The statements of some lines that import."""
    statements = (_read(lines[at : at + _LINES]) for at, line in enumerate(lines) if _is_import(line))
    return [statement for statement in statements if statement is not None]


def _read(lines: Sequence[Line]) -> _Import | None:
    texts = _texts(lines)
    pairs = list(islice(imports_of(texts), _MAX_NAMES))
    return _Import(texts[0], pairs[0][0], tuple(name for _, name in pairs)) if pairs else None


def _texts(lines: Sequence[Line]) -> list[str]:
    """Tokens as the index holds them: each dot by itself, and an end of every line."""
    texts: list[str] = []
    for line in lines:
        for token in line:
            if token.kind not in (TokenKind.COMMENT, TokenKind.NEWLINE) and token.text.strip():
                texts += token.text if not token.text.strip(".") else [token.text]
        texts.append("\n")
    return texts


def _last_code(lines: Sequence[Line]) -> int:
    """The number of the last line that holds code; -1 if there is none."""
    return next((at for at in range(len(lines) - 1, -1, -1) if any(token.text.strip() for token in lines[at])), -1)


def _directly_before(cursor: CursorContext) -> _Import | None:
    """The import that is the last statement above the cursor's line."""
    lines = cursor.lines[:-1]
    last = _last_code(lines)
    first = next((at for at in range(last, max(-1, last - _MAX_LINES), -1) if _is_import(lines[at])), None)
    if first is None or (first < last and all(token.text != ")" for token in lines[last])):
        return None
    return _read(lines[first : last + 1])


def _listed(cursor: CursorContext) -> tuple[str, ...]:
    """The names that the cursor's statement imports already."""
    last = len(cursor.lines) - 1
    first = next((at for at in range(last, max(-1, last - _MAX_LINES), -1) if _is_import(cursor.lines[at])), None)
    return tuple(name for _, name in imports_of(_texts(cursor.lines[first:])) if name) if first is not None else ()


def member_evidence(document: Document, cursor: CursorContext, evidence: PlaceEvidence) -> MemberEvidence | None:
    """The evidence behind a dot; None elsewhere."""
    slot, scopes = evidence.slot, evidence.scopes
    if slot.kind is not SlotKind.MEMBER or slot.key:
        return None
    line = text_tokens(cursor.lines[-1])
    key = receiver_key(line[:-1]) if len(line) > 1 else ""
    above = ((cursor.line - at, row) for at, row in zip(cursor.numbers[:-1], cursor.lines[:-1], strict=True))
    uses = receiver_uses(key, above, cursor.lines[-1], enumerate(cursor.below, 1))
    project, anywhere = _project_shares(document.elsewhere, key)
    following = cursor.after.strip()
    hint = _hint(line) or _assigned(following)
    python = document.syntax.language.id == "python"
    of_object = held.names if python and (held := builtin_class("object")) is not None else frozenset[str]()
    visible = scopes.visible.values() if scopes is not None else ()  # the nearest first
    here = takewhile(lambda name: name.distance == 0, visible)
    parameters = frozenset(name.name.strip("_") for name in here if name.kind == "parameter")
    levels: Mapping[str, int] = scopes.levels if scopes is not None else {}
    members = scopes.members if scopes is not None else None
    first = line[0].text
    common_here = common_members(scopes.owner_name) if scopes is not None and scopes.owner_name else {}
    of_place = (
        key in SELF, bool(key.isidentifier()) and key not in SELF and len(slot.receiver) == 1, len(slot.receiver) > 1,
        slot.begins_statement, following[:1] == "(", following[:1] == "=" and following[:2] != "==", not following,
        first == "return", bool(hint), math.log1p(uses.times.total()),
        math.log1p(len(members)) if members is not None else 0.0, bool(project), bool(common_here),
    )  # fmt: skip
    return MemberEvidence(
        levels, of_object, scopes.declared if scopes is not None else (), uses, project, anywhere, common_here,
        common_members() if python else {}, hint, _function_around(cursor.lines), parameters,
        np.array(of_place, np.float32),
    )  # fmt: skip


def _project_shares(elsewhere: OutsideNames | None, key: str) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Shares of the members that other files use behind a receiver of that name, and behind any."""
    if elsewhere is None:
        return {}, {}
    anywhere = {name: 2 * p for name, p in elsewhere.followers(["."]).words.items()}
    prediction = elsewhere.followers([key, "."]) if is_name(key) else None
    if prediction is None or prediction.hits < _PAIR:
        return {}, anywhere
    shares = {name: 2 * p - anywhere.get(name, 0.0) / 2 for name, p in prediction.words.items()}
    return {name: share for name, share in shares.items() if share > _MIN_SHARE}, anywhere


def _hint(line: Sequence[Token]) -> str:
    """The name that the value behind the last sign of assignment on a line is given to, without underscores."""
    signs = [at for at, token in enumerate(line) if token.text in _ASSIGNS and at]
    if not signs or any(token.text in (",", ";") for token in line[signs[-1] :]):
        return ""
    before = line[signs[-1] - 1]
    text = before.text.strip("\"'") if before.kind is TokenKind.STRING else before.text
    return text.strip("_") if text.isidentifier() else ""


def _assigned(following: str) -> str:
    """The name that text behind the cursor assigns, without underscores: of `= size` it is `size`."""
    match = _VALUE.match(following)
    return match.group(1).strip("_") if match is not None else ""


def _function_around(lines: Sequence[Line]) -> str:
    """The name of the nearest function whose head stands above the last line, without underscores."""
    for line in reversed(lines[-_LINES_BACK:-1]):
        texts = [token.text for token in line if token.text.strip()]
        for word, name in pairwise(texts[:4]):
            if word in _FUNCTIONS and name.isidentifier():
                return name.strip("_")
    return ""
