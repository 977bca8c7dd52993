"""Gather the evidence for an import: the imports around it, those of other files, its section.

Nothing is gathered anywhere else, nor for a model without weights for such places.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from editahead.index.project_imports import ImportVotes, imports_of
from editahead.suggest.completion.ranking.external import module_index
from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.completion.ranking.import_features import PROJECT, STANDARD, ImportEvidence, section_of
from editahead.suggest.completion.ranking.slots import SlotKind
from editahead.suggest.context import CursorContext
from editahead.suggest.types import Document
from editahead.syntax.tokens import Line, TokenKind

LANGUAGES = frozenset({"python"})
SLOTS = frozenset({SlotKind.MODULE, SlotKind.IMPORTED})
_WORDS = frozenset(("from", "import"))
_LINES = 8  # of a statement around the cursor's
_MAX_LINES = 30  # lines of the cursor's statement
_MAX_NAMES = 60  # of a statement


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
