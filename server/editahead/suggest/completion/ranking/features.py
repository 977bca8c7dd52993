"""Features of the ranker: of the position and of each candidate.

Shapes: N candidates, C features of a candidate, S features of the position.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.encode.language_model.vocabulary import subword_buckets
from editahead.runtime.language_model.mixture import MIN_PROBABILITY
from editahead.runtime.language_model.ngrams import CacheScores
from editahead.runtime.language_model.prediction import Prediction
from editahead.suggest.completion.candidates import MixtureParts
from editahead.suggest.completion.extra_names import ExtraNames
from editahead.suggest.completion.ranking.import_features import ImportEvidence
from editahead.suggest.completion.ranking.member_features import MemberEvidence
from editahead.suggest.completion.ranking.scope_evidence import ScopeEvidence
from editahead.suggest.completion.ranking.slots import Slot, SlotKind
from editahead.suggest.context import CursorContext
from editahead.syntax.language import Language

Floats = npt.NDArray[np.float32]
OUT_OF_REACH = 1 << 30  # lines
FAR = 7.0  # ln(1 + lines) of a name that does not stand in reach
_KINDS = ("variable", "parameter", "function", "class", "import", "field")

CANDIDATE_FEATURES = (
    "mixture",  # ln p of the mixture
    "model",  # ln p of softmax and pointer together
    "listed",  # ln p of the softmax
    "copied",  # ln p of the pointer
    "ngrams",  # ln p of the n-grams
    "project_ngrams",  # ln p of the other files' n-grams
    "place_in_mixture",  # ln(1 + rank)
    "listed_name",  # 1 where the network lists the text
    "keyword",
    "built_in",
    "visible",  # bound in a scope that reaches here
    "visible_distance",  # scopes away
    *(f"visible_{kind}" for kind in _KINDS),
    "hidden",  # bound in the file where it cannot be seen from here
    "unbound",  # used below and bound nowhere
    "unbound_nearness",  # 1 / (1 + rank among these)
    "target",  # what this statement assigns
    "member",  # of the receiver's class
    "no_member",  # the class is resolved and has no such member
    "attribute",  # stands behind a dot somewhere in the file
    "parameter_of_callee",
    "above",  # ln(1 + lines up to the nearest line that holds it), FAR if there is none
    "below",
    "lines",  # ln(1 + lines in reach that hold it)
    "on_line",  # stands on the cursor's line already
    "recent",  # 0: files that are fitted on have no history, so that `ranked` weighs edits by itself
    "receiver_pair",  # stands behind the same receiver elsewhere in reach
    "elsewhere_open",
    "elsewhere_project",
    "spelled",  # always 0: new names are not composed any more
    "related",  # shares a part of its spelling with a name beside the cursor
    "capital",
    "underscore",
    "length",  # ln of its letters
    "remaining",  # ln(1 + letters that are still to be typed)
)
SLOT_KINDS = tuple(SlotKind)
_COLUMN = {name: column for column, name in enumerate(CANDIDATE_FEATURES)}
PLACE_FEATURES = (
    *(f"slot_{kind.value}" for kind in SLOT_KINDS),
    "receiver_known",
    "receiver_known_in_part",
    "letters_1",
    "letters_2",
    "letters_3",
    "entropy",
    "pointer_share",
    "unknown_mass",
    "first_mixture",  # ln p of the mixture's best candidate
    "no_ngrams",
)


class KnownWords(NamedTuple):
    """Words that need no declaration in the file: those that the network lists, keywords, built-in names."""

    listed: Container[str]
    keywords: Container[str]
    builtins: Container[str]


class NameLines(NamedTuple):
    """Where names stand in reach of the cursor: nearest line above and below, number of lines, those on the line."""

    above: Mapping[str, int]
    below: Mapping[str, int]
    holding: Mapping[str, int]
    on_line: frozenset[str]

    def away(self, name: str) -> int:
        """The number of lines to the nearest line that holds a name; a large number where none in reach does."""
        return min(self.above.get(name, OUT_OF_REACH), self.below.get(name, OUT_OF_REACH))


class PlaceEvidence(NamedTuple):
    """Evidence at the cursor besides the mixture: its slot, its scopes, where names stand.

    `recent`: names inserted by the edits before the present edit. `permitted`: the only possible words, or None, and
    `forbidden` the impossible words; `head_parameters`: those of the function whose head contains the cursor,
    or None elsewhere; `imports`, `members`: the evidence of an import or behind a dot, where a model has
    weights for it.
    """

    slot: Slot
    scopes: ScopeEvidence | None
    lines: NameLines
    recent: frozenset[str]
    receiver_pairs: frozenset[str]
    beside: frozenset[int]  # sub-words of the names beside the cursor
    elsewhere: Mapping[str, str]  # the source of names of other files
    permitted: frozenset[str] | None = None
    forbidden: frozenset[str] = frozenset()
    head_parameters: frozenset[str] | None = None
    imports: ImportEvidence | None = None
    members: MemberEvidence | None = None

    @property
    def literal_keys(self) -> frozenset[str] | None:
        """The keys that may still be added to a literal of a resolved class, where a key begins; None elsewhere."""
        is_key = self.slot.kind is SlotKind.MEMBER and self.slot.key
        return self.scopes.members if is_key and self.scopes is not None else None


def candidate_features(
    texts: Sequence[str],
    mixture: Mapping[str, float],
    parts: MixtureParts,
    prediction: Prediction,
    project: Mapping[str, float],
    evidence: PlaceEvidence,
    words: KnownWords,
    prefix: str,
) -> Floats:
    """Features (N, C) of candidates, in their order, which is that of the mixture."""
    scopes, lines, slot = evidence.scopes, evidence.lines, evidence.slot
    rows = np.zeros((len(texts), len(CANDIDATE_FEATURES)), np.float32)

    def mark(name: str, holders: Container[str]) -> None:
        """A column that is 1 for the candidates that something holds; most hold few, so that few are set."""
        rows[[number for number, text in enumerate(texts) if text in holders], _COLUMN[name]] = 1.0

    def measure(name: str, values: Mapping[str, float], default: float = 0.0) -> None:
        rows[:, _COLUMN[name]] = [values.get(text, default) for text in texts]

    chances = (mixture, parts.model, parts.listed, prediction.copies, parts.ngrams, project)
    for column, chance in enumerate(chances):
        rows[:, column] = [chance.get(text, 0.0) for text in texts]
    rows[:, : len(chances)] = np.log(np.maximum(rows[:, : len(chances)], MIN_PROBABILITY)) / -math.log(MIN_PROBABILITY)
    rows[:, _COLUMN["place_in_mixture"]] = np.log1p(np.arange(len(texts)))
    mark("listed_name", words.listed)
    mark("keyword", words.keywords)
    mark("built_in", words.builtins)
    if scopes is not None:
        _put_scopes(rows, texts, scopes)
        mark("hidden", scopes.hidden)
        unbound = sorted(scopes.unbound, key=scopes.unbound.__getitem__)
        mark("unbound", scopes.unbound)
        measure("unbound_nearness", {name: 1 / (1 + rank) for rank, name in enumerate(unbound)})
        mark("member", scopes.members or ())
        if scopes.has_all_members:
            rows[:, _COLUMN["no_member"]] = 1.0 - rows[:, _COLUMN["member"]]
        mark("attribute", scopes.attributes)
        mark("parameter_of_callee", scopes.parameters)
    mark("target", slot.targets)
    for name, away in (("above", lines.above), ("below", lines.below)):
        rows[:, _COLUMN[name]] = [math.log1p(away[text]) if text in away else FAR for text in texts]
    rows[:, _COLUMN["lines"]] = np.log1p([lines.holding.get(text, 0) for text in texts])
    mark("on_line", lines.on_line)
    mark("receiver_pair", evidence.receiver_pairs)
    for origin in ("open", "project"):
        mark(f"elsewhere_{origin}", {name for name, source in evidence.elsewhere.items() if source == origin})
    if evidence.beside:
        rows[:, _COLUMN["related"]] = [not evidence.beside.isdisjoint(subword_buckets(text)) for text in texts]
    rows[:, _COLUMN["capital"]] = [text[:1].isupper() for text in texts]
    rows[:, _COLUMN["underscore"]] = [text[:1] == "_" for text in texts]
    letters = np.array([len(text) for text in texts], np.float64)
    rows[:, _COLUMN["length"]] = np.log(letters)
    rows[:, _COLUMN["remaining"]] = np.log1p(letters - len(prefix))
    return rows


def _put_scopes(rows: Floats, texts: Sequence[str], scopes: ScopeEvidence) -> None:
    """The columns of what can be seen at the cursor."""
    visible, distance = _COLUMN["visible"], _COLUMN["visible_distance"]
    for number, text in enumerate(texts):
        if (name := scopes.visible.get(text)) is not None:
            rows[number, visible] = 1.0
            rows[number, distance] = name.distance
            if (column := _COLUMN.get(f"visible_{name.kind}")) is not None:
                rows[number, column] = 1.0


def place_features(
    evidence: PlaceEvidence, prediction: Prediction, first: float, prefix: str, *, ngrams: bool
) -> Floats:
    """Features (S,) of the position."""
    scopes, letters = evidence.scopes, len(prefix)
    return np.array(
        (
            *(evidence.slot.kind is kind for kind in SLOT_KINDS),
            scopes is not None and scopes.has_all_members,
            scopes is not None and scopes.members is not None and not scopes.has_all_members,
            letters == 1,
            letters == 2,
            letters > 2,
            prediction.entropy / 5,
            prediction.copy_mass,
            prediction.unknown,
            math.log(max(first, MIN_PROBABILITY)) / -math.log(MIN_PROBABILITY),
            not ngrams,
        ),
        np.float32,
    )


def builtin_names(language: Language | None) -> frozenset[str]:
    """Built-in names of a language."""
    return language.scopes.builtins if language is not None and language.scopes is not None else frozenset()


class PredictionContext(NamedTuple):
    """The inputs of a prediction at the cursor."""

    cursor: CursorContext
    prediction: Prediction
    cache: CacheScores
    outside: ExtraNames
    ranking: PlaceEvidence | None = None  # the inputs of the ranker, if any
