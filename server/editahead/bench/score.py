"""Scores of answers in a document, as counts that can be summed and resampled for confidence intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.bench.answers import Offered, OfferedEdit
from editahead.bench.probes import Probe, ProbedSurface, strokes
from editahead.text.diff import common_prefix
from editahead.text.edits import minimal_diff

SOURCE = "edit.source."
"""Prefix of the counts of next edits by source: `edit.source.rename.shown`, `.right`, `.partly`, `.wrong`."""
OUTCOMES = ("right", "partly", "wrong")  # of a next edit: all of it is kept, a part of it, or nothing
MENU_ROWS = 5  # of a completion menu that a person looks at before typing on


@dataclass
class ScoredPlace:
    """The scores of a document of a session, the unit of resampling. Nothing of its text is kept.

    `counts` are sums (see `figures.py` for what they mean), `pairs` (probability, right) by surface, `ms` latencies by
    surface in milliseconds.
    """

    name: str
    source: str
    language_id: str
    counts: Counter[str] = field(default_factory=Counter)
    pairs: dict[str, list[tuple[float, int]]] = field(default_factory=dict)
    ms: dict[str, list[float]] = field(default_factory=dict)
    _times: dict[str, npt.NDArray[np.float64]] = field(default_factory=dict, repr=False, compare=False)

    def times(self, surface: str) -> npt.NDArray[np.float64]:
        """Return the latencies of a surface in milliseconds (N,), cached."""
        values = self.ms.get(surface, [])
        cached = self._times.get(surface)
        if cached is None or len(cached) != len(values):
            cached = self._times[surface] = np.asarray(values, np.float64)
        return cached

    def as_json(self) -> dict[str, Any]:
        """Return a JSON value for `from_json`."""
        return {
            "name": self.name,
            "source": self.source,
            "language": self.language_id,
            "counts": {key: round(value, 4) for key, value in sorted(self.counts.items())},
            "pairs": {key: [[round(p, 4), right] for p, right in rows] for key, rows in self.pairs.items()},
            "ms": {key: [round(value, 2) for value in rows] for key, rows in self.ms.items()},
        }

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> ScoredPlace:
        """Read what `as_json` returned. Raises KeyError, TypeError or ValueError for anything else."""
        pairs = {str(key): [(float(p), int(right)) for p, right in rows] for key, rows in raw["pairs"].items()}
        ms = {str(key): [float(value) for value in rows] for key, rows in raw["ms"].items()}
        counts = Counter({str(key): value + 0 for key, value in raw["counts"].items()})
        return cls(str(raw["name"]), str(raw["source"]), str(raw["language"]), counts, pairs, ms)


class TypingStep(NamedTuple):
    """One action of a user behind `at` bytes of a run: keys that are pressed, and the bytes that they bring."""

    at: int
    keys: int
    brings: int


@dataclass
class RunScore:
    """The acceptable suggestions in a run of typing: by bytes typed, the bytes that a key would insert."""

    text: bytes
    menu: dict[int, tuple[int, int]] = field(default_factory=dict)  # at -> (keys it costs, bytes it brings)
    ghost: dict[int, int] = field(default_factory=dict)  # at -> bytes it brings

    def keys(self, *, ghosts: bool) -> int:
        """Count the keys of a user who accepts each right suggestion as soon as it saves a key.

        A ghost text costs a key; the nth completion costs n. A person who sees neither types on.
        """
        return sum(step.keys for step in self.steps(ghosts=ghosts))

    def steps(self, *, ghosts: bool) -> Iterator[TypingStep]:
        """What that user does, in order."""
        at = 0
        while at < len(self.text):
            step = self._step(at, ghosts=ghosts)
            yield step
            at += step.brings

    def _step(self, at: int, *, ghosts: bool) -> TypingStep:
        gain = self.ghost.get(at, 0) if ghosts else 0
        if gain and len(strokes(self.text[at : at + gain])) > 1:
            return TypingStep(at, 1, gain)
        cost, brings = self.menu.get(at, (0, 0))
        if brings and len(strokes(self.text[at : at + brings])) > cost:
            return TypingStep(at, cost, brings)
        return TypingStep(at, 1, len(strokes(self.text[at:])[0]))


def score_completion(scores: ScoredPlace, run: RunScore, probe: Probe, offered: list[Offered]) -> None:
    """Score a completion menu by the rank of the right name."""
    names = [item.name for item in offered]
    rank = names.index(probe.name) if probe.name in names else None
    if probe.in_code and probe.letters <= 1:
        kind = "typed" if probe.letters else "bare"
        scores.counts[f"{kind}.names"] += 1
        scores.counts[f"{kind}.quiet"] += not offered
        scores.counts[f"{kind}.top1"] += rank == 0
        scores.counts[f"{kind}.top5"] += rank is not None and rank < MENU_ROWS
        if offered and (p := offered[0].probability) is not None:
            scores.pairs.setdefault(ProbedSurface.COMPLETION.value, []).append((p, int(rank == 0)))
    if rank is not None and rank < MENU_ROWS:
        run.menu[probe.at] = (rank + 1, len(probe.name[probe.letters :].encode()))


def score_ghost(scores: ScoredPlace, run: RunScore, probe: Probe, shown: OfferedEdit | None) -> None:
    """Score ghost text by its agreement with what was typed next."""
    counts = scores.counts
    counts["inline.asked"] += 1
    if shown is None:
        return
    new = shown.edit.new if shown.edit.start == shown.edit.old_end == probe.byte else b""
    kept = common_prefix(new, probe.rest) if new else 0
    right = bool(new) and kept == len(new)
    counts["inline.shown"] += 1
    counts["inline.right"] += right
    counts["inline.bytes"] += max(1, len(shown.edit.new))
    counts["inline.kept"] += kept
    if shown.probability is not None:
        scores.pairs.setdefault(ProbedSurface.INLINE.value, []).append((shown.probability, int(right)))
    if right:
        run.ghost[probe.at] = len(new)


def score_edit(scores: ScoredPlace, before: bytes, original: bytes, final: bytes, shown: OfferedEdit | None) -> None:
    """Score a next edit: whether it brings the text nearer to its final state, and whether it reverts a change.

    Right: every byte that it removes or inserts reduces the distance from the text to its end. A reversal: every byte
    reduces the distance from the text to its beginning.
    """
    counts = scores.counts
    remaining = distance(before, final)
    counts["edit.asked"] += 1
    counts["edit.due"] += remaining > 0
    if shown is None:
        counts["edit.silent_at_end"] += remaining == 0
        return
    size = shown.edit.old_end - shown.edit.start + len(shown.edit.new)
    after = shown.edit.apply(before)
    nearer = remaining - distance(after, final)
    right = nearer >= size
    back = distance(before, original) - distance(after, original)
    kept = max(0, min(size, (size + nearer) // 2))
    counts["edit.shown"] += 1
    counts["edit.right"] += right
    counts["edit.reversal"] += back >= size and not right
    counts["edit.bytes"] += size
    counts["edit.kept"] += kept
    if shown.source:
        outcome = OUTCOMES[0 if right else 1 if kept else 2]
        counts[f"{SOURCE}{shown.source}.shown"] += 1
        counts[f"{SOURCE}{shown.source}.{outcome}"] += 1
    if shown.probability is not None:
        scores.pairs.setdefault(ProbedSurface.NEXT_EDIT.value, []).append((shown.probability, int(right)))


def distance(text: bytes, other: bytes) -> int:
    """Return the edit distance of two texts: bytes removed and inserted."""
    return sum(edit.old_end - edit.start + len(edit.new) for edit in minimal_diff(text, other))
