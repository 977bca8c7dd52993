"""Words that n-grams predict, weighed by scopes: for languages that have rules of names and no model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from editahead.suggest.completion.complete_words import reserved_words
from editahead.suggest.completion.ranking.document_scopes import document_scopes
from editahead.suggest.completion.ranking.scope_evidence import ScopeEvidence, slot_scopes
from editahead.suggest.completion.ranking.slots import Slot, SlotKind, open_bracket, slot_at
from editahead.suggest.context import CursorContext
from editahead.suggest.types import Document
from editahead.syntax.tokens import names_of

_USES = frozenset({SlotKind.STATEMENT, SlotKind.EXPRESSION, SlotKind.ARGUMENT, SlotKind.VALUE, SlotKind.TYPE})


_FUNCTIONS = frozenset({"func", "function", "fn"})
_BINDS = frozenset("const let var function func fn type struct trait mut enum interface class import".split())


class Weights(NamedTuple):
    """Chosen on dev files of TypeScript and Go (models/LOG.md).

    `unfit`: what is left of a word that stands in other places only. `hidden`: of a name that cannot be seen here.
    `unseen`: the share of what n-grams leave that goes to names which scopes know and n-grams do not.
    """

    unfit: float = 0.5
    unseen: float = 0.3
    hidden: float = 0.2


WEIGHTS = Weights()


def scoped_words(
    document: Document, place: CursorContext, words: Mapping[str, float], mass: float, weights: Weights = WEIGHTS
) -> Mapping[str, float]:
    """Probabilities of words at a place, `mass` of them in all by n-grams; as they are where scopes say nothing."""
    line = document_scopes(document, place)
    if line is None:
        return words
    slot = slot_at(place.lines, document.syntax.language.id)
    evidence = slot_scopes(line, slot, frozenset(names_of(place.lines[-1])) - slot.targets)
    reserved = reserved_words(document.syntax.language)
    if slot.kind is SlotKind.MEMBER:
        return _members(evidence, words, mass, weights)
    if slot.kind not in _USES or _names_a_binding(place):
        return words
    kept = {word: p * _fit(word, evidence, reserved, weights) for word, p in words.items()}
    weighed = _with_unseen(kept, _visible(evidence, slot), (1.0 - mass) * weights.unseen)
    if slot.kind is SlotKind.STATEMENT:  # which may bind the name anew
        return weighed
    return _hidden_last(weighed, evidence)


def _names_a_binding(place: CursorContext) -> bool:
    """Whether a new name follows: behind the word of a declaration, or in a list of parameters."""
    before = [token.text for token in place.lines[-1] if token.text.strip()][-1:]
    bracket, head = open_bracket(place.lines)
    in_head = bracket == "(" and not _FUNCTIONS.isdisjoint(token.text for token in head)
    return in_head or not _BINDS.isdisjoint(before)


def _fit(word: str, evidence: ScopeEvidence, reserved: frozenset[str], weights: Weights) -> float:
    """How well a word fits where a name is used."""
    if word in reserved or word in evidence.visible:
        return 1.0
    return weights.hidden if word in evidence.hidden else weights.unfit if word in evidence.attributes else 1.0


def _members(evidence: ScopeEvidence, words: Mapping[str, float], mass: float, weights: Weights) -> Mapping[str, float]:
    """Behind a dot: members of a known class, else what stands behind some dot of the file."""
    if evidence.members is None:
        return {word: p * (1.0 if word in evidence.attributes else weights.unfit) for word, p in words.items()}
    kept = {word: p for word, p in words.items() if word in evidence.members or not evidence.all_members}
    return _with_unseen(kept, dict.fromkeys(evidence.members, 1.0), 1.0 - mass)


def _visible(evidence: ScopeEvidence, slot: Slot) -> Mapping[str, float]:
    """Names that a use may mean, nearer ones with more weight; what the statement itself assigns is none."""
    seen = {name: 1.0 / (1 + one.distance) ** 2 for name, one in evidence.visible.items() if name not in slot.targets}
    return {**dict.fromkeys(evidence.unbound, 0.1), **seen}


def _with_unseen(words: dict[str, float], names: Mapping[str, float], share: float) -> Mapping[str, float]:
    """The words, with `share` spread over the names by their weights."""
    whole = sum(names.values())
    if whole > 0:
        for name, weight in names.items():
            words[name] = words.get(name, 0.0) + share * weight / whole
    return words


def _hidden_last(words: Mapping[str, float], evidence: ScopeEvidence) -> Mapping[str, float]:
    """No name that cannot be seen stands before the likeliest one that can."""
    most = max((p for word, p in words.items() if word in evidence.visible), default=1.0)
    return {word: min(p, most * 0.99) if word in evidence.hidden else p for word, p in words.items()}
