"""Gather the evidence behind a dot: how near members are declared, what the receiver was used for, names around.

Nothing is gathered anywhere else, nor for a model without weights for such places.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile

import numpy as np

from editahead.environment.builtin_types import builtin_class
from editahead.index.types import OutsideNames
from editahead.suggest.completion.ranking.features import PlaceEvidence
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

_FUNCTIONS = frozenset(("def", "function", "func", "fn"))
_PAIR, _MIN_SHARE = 3, 1e-6  # contexts of n-grams that say something of a receiver, and the least share of a member
_VALUE = re.compile(r"=\s*(?!=)(?:self\.|this\.)?([^\W\d]\w*)")
_LINES_BACK = 60  # to the head of the function around
_ASSIGNS = frozenset(("=", ":=", "+=", "-=", "*=", "/=", "|=", "&=", ":"))


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
