"""Metrics of rewritings, as the paper's figures were computed, and some stricter ones beside them.

Panthaplackel et al. 2021, sections 4.1 and 4.2. A beam is a list of outputs, likeliest first. "accuracy" looks at the
first output that is not the input: in data where every input is wrong, offering it again is never an answer.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Sequence

from editahead_models.copyspan.network.batches import Pair, Tokens

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z")
_BLANKS = " \t"
_NUMBER = re.compile(r"\d")
_JAVA = frozenset(
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends final "
    "finally float for goto if implements import instanceof int interface long native new package private protected "
    "public return short static strictfp super switch synchronized this throw throws transient try void volatile while "
    "true false null".split()
)
KEYWORDS = _JAVA | frozenset(keyword.kwlist)


def answer(beam: Sequence[Tokens], source: Tokens) -> Tokens | None:
    """The first output that changes something."""
    return next((output for output in beam if output != source), None)


def rank(beam: Sequence[Tokens], wanted: Tokens) -> float:
    """1 / place of an output, 0 where it is not in the beam."""
    return next((1.0 / place for place, output in enumerate(beam, 1) if output == wanted), 0.0)


def token_class(token: str) -> str:
    """Identifier, number or string as one symbol each, anything else as it is; keywords count as identifiers.

    Blanks before a token stay.
    """
    text = token.lstrip(_BLANKS)
    blanks = token[: len(token) - len(text)]
    if _IDENTIFIER.match(text):
        return f"{blanks}identifier"
    if _NUMBER.match(text):
        return f"{blanks}number"
    return f"{blanks}string" if text[:1] in ("'", '"') else token


def same_structure(one: Tokens, two: Tokens) -> bool:
    """Whether two sequences agree in the classes of their tokens."""
    return len(one) == len(two) and all(token_class(a) == token_class(b) for a, b in zip(one, two, strict=True))


def same_but_names(one: Tokens, two: Tokens) -> bool:
    """Whether a renaming, one name for each name, turns one sequence into the other; all else is equal."""
    if len(one) != len(two):
        return False
    there: dict[str, str] = {}
    back: dict[str, str] = {}
    for a, b in zip(one, two, strict=True):
        if _is_name(a) and _is_name(b):
            one_name, other = a.lstrip(_BLANKS), b.lstrip(_BLANKS)
            if a[: -len(one_name)] != b[: -len(other)]:
                return False
            if there.setdefault(one_name, other) != other or back.setdefault(other, one_name) != one_name:
                return False
        elif a != b:
            return False
    return True


def _is_name(token: str) -> bool:
    text = token.lstrip(_BLANKS)
    return bool(_IDENTIFIER.match(text)) and text not in KEYWORDS


def of_beam(pair: Pair, beam: Sequence[Tokens], most: int = 20) -> dict[str, float]:
    """All metrics of one pair and its beam, each between 0 and 1."""
    chosen = answer(beam, pair.source)
    return {
        "accuracy": float(chosen == pair.target or (chosen is None and pair.source == pair.target)),
        f"accuracy@{most}": float(pair.target in beam[:most]),
        "mrr": rank(beam, pair.target),
        "structural": float(chosen is not None and same_structure(chosen, pair.target)),
        "but_names": float(chosen is not None and same_but_names(chosen, pair.target)),
        "exact": float(bool(beam) and beam[0] == pair.target),
        "input_rank": rank(beam, pair.source),
    }


def of_output(pair: Pair, output: Tokens | None) -> dict[str, float]:
    """The metrics that an only output has, the input counted as the answer that it is."""
    return {
        "accuracy": float(output == pair.target),
        "structural": float(output is not None and same_structure(output, pair.target)),
        "but_names": float(output is not None and same_but_names(output, pair.target)),
    }


def mean_of(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Means by name; ValueError where there is nothing."""
    if not rows:
        raise ValueError("no pairs to measure")
    return {name: math.fsum(row[name] for row in rows) / len(rows) for name in rows[0]}


def span_figures(spans: Sequence[Sequence[int]]) -> dict[str, float]:
    """Statistics of copied spans, one list of lengths an example: mean, median, share of single tokens, spans each."""
    lengths = sorted(length for each in spans for length in each)
    if not lengths:
        return {"mean": 0.0, "median": 0.0, "single": 0.0, "per_example": 0.0}
    middle = len(lengths) // 2
    median = lengths[middle] if len(lengths) % 2 else (lengths[middle - 1] + lengths[middle]) / 2
    return {
        "mean": sum(lengths) / len(lengths),
        "median": float(median),
        "single": sum(length == 1 for length in lengths) / len(lengths),
        "per_example": len(lengths) / len(spans),
    }
