"""Shares of what is shown as the next edit: exact, in place, wrong, quiet; by dial, category and source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from editahead_models.evaluate.next_edits.candidate_moments import CATEGORIES, DIALS, Judged, Moment
from editahead_models.wilson_interval import wilson

DEFAULT = "0.8"  # the dial as it ships
OPEN_KINDS = ("between", "half", "burst")
QUIET_KINDS = ("finished", "undo", "letters")
AMONG = 10


def figures(moments: Sequence[Moment]) -> dict[str, Any]:
    """All figures of one language. `due`: moments with an edit still to come in the file of the cursor."""
    due = [one for one in moments if one.coming and one.kind in OPEN_KINDS]
    dials = {str(dial): _at_dial(moments, due, number) for number, dial in enumerate(DIALS)}
    return {
        "moments": len(moments),
        "due": len(due),
        "recall": {name: _recall(some) for name, some in _by_category(due)},
        "dials": dials,
        "network adds": network_adds(dials[DEFAULT]["sources"]),
    }


def network_adds(sources: Mapping[str, Mapping[str, Any]]) -> float:
    """Exact answers of the network as a share of those of all other sources."""
    exact = {name: row["exact"] * row["requests"] for name, row in sources.items()}
    others = sum(count for name, count in exact.items() if name != "network")
    return exact.get("network", 0.0) / others if others else 0.0


def _at_dial(moments: Sequence[Moment], due: Sequence[Moment], number: int) -> dict[str, Any]:
    other = [one for one in moments if not one.coming and one.elsewhere and one.kind in OPEN_KINDS]
    sources = sorted({answer.source for one in moments if (answer := one.answers[number]) is not None})
    done = [one for one in moments if not one.coming + one.elsewhere]
    quiet = {kind: [one for one in done if one.kind == kind] for kind in QUIET_KINDS}
    idle = [one.answers[number] for some in quiet.values() for one in some]
    return {
        "categories": {name: shares([one.answers[number] for one in some]) for name, some in _by_category(due)},
        "kinds": {
            kind: shares([one.answers[number] for one in due if one.kind == kind]) for kind in OPEN_KINDS
        },
        "elsewhere": shares([one.answers[number] for one in other]),
        "sources": {
            source: shares([a for one in due if (a := one.answers[number]) is not None and a.source == source])
            | {"where nothing is due": sum(_is_from(answer, source) for answer in idle)}
            for source in sources
        },
        "quiet": {
            kind: {"moments": len(some), "quiet": _share(sum(one.answers[number] is None for one in some), len(some))}
            for kind, some in quiet.items()
        },
    }  # fmt: skip


def shares(answers: Sequence[Judged | None]) -> dict[str, Any]:
    """Of these requests the share answered and exact; of the answers the share exact, in place, and wrong."""
    shown = [one for one in answers if one is not None]
    exact = sum(one.right for one in shown)
    place = sum(one.right or one.place for one in shown)
    return {
        "requests": len(answers),
        "shown": _share(len(shown), len(answers)),
        "exact": _share(exact, len(answers)),
        "exact interval": [round(value, 4) for value in wilson(exact, len(answers))] if answers else [],
        "exact of shown": _share(exact, len(shown)),
        "in place of shown": _share(place, len(shown)),
        "wrong of shown": _share(len(shown) - place, len(shown)),
    }


def _recall(due: Sequence[Moment]) -> dict[str, float]:
    """How often the right edit is among all candidates of the file, and among the ten likeliest."""
    among = [_among(one) for one in due]
    return {
        "moments": len(due),
        "among all": _share(sum(bool((one.right & one.own).any()) for one in due), len(due)),
        f"among {AMONG}": _share(sum(among), len(due)),
    }


def _among(one: Moment) -> bool:
    order = np.argsort(-one.probabilities * one.own, kind="stable")[:AMONG]
    return bool((one.right & one.own)[order].any())


def _by_category(due: Sequence[Moment]) -> list[tuple[str, list[Moment]]]:
    rows = [(name, [one for one in due if one.category == name]) for name in CATEGORIES]
    return [("all", list(due)), *rows]


def _is_from(answer: Judged | None, source: str) -> bool:
    return answer is not None and answer.source == source


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
