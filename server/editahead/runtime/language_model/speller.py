"""Speller of new names: a sub-word beam search from the language model's state.

A single graph computes a step: the best next pieces of each row of the beam. Typed letters narrow every step, and
a piece may reach beyond them. Probabilities are those of the whole name given that a new name comes.

Shapes: N rows of the beam, M remembered pieces, V pieces, k best pieces a row, d state, u hidden.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.encode.language_model.name_pieces import END, Pieces
from editahead.runtime.bundle import Bundle, BundleError, verify_optional
from editahead.runtime.ort import Array, Cancel, InferenceError, Selection
from editahead.runtime.selftest import open_sessions
from editahead.text import memo

GRAPH, TABLE, ENCODER = "speller", "speller.json", "encode.onnx"
RECENT_NAMES = 24  # names of the file that a speller may see, the newest first
_SLACK = 1e-2  # a row this much less likely than the best is dropped
_MIN_SHARE = 1e-3  # so is a row whose probability given the typed letters is below this

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


class SpelledNames(NamedTuple):
    """SpelledNames names with P given a new name, and the probability that a new name begins with the typed prefix."""

    names: dict[str, float]
    begins: float


class _Row(NamedTuple):
    """A hypothesis: probability, text and last piece of an unfinished name, its row of `g`, and the required rest."""

    p: float
    text: str
    piece: int
    g: int
    rest: str


class Speller:
    """The speller of a bundle."""

    def __init__(self, bundle: Bundle, selection: Selection) -> None:
        """Raises BundleError when the bundle has none that works."""
        verify_optional(bundle)
        self._session = open_sessions(bundle, selection, graphs=[GRAPH])[GRAPH]
        try:
            table = json.loads(bundle.read(TABLE).decode("utf-8"))
            self.pieces = Pieces([str(text) for text in table["pieces"]])
            self.recent, self.parts = int(table["recent"]), int(table["parts"])
            self.beam, self.steps = int(table["beam"]), int(table["steps"])
            self._hidden, self.least = int(table["hidden"]), float(table["least"])
            made_for, encoder = table["encoder"], bundle.manifest.files[ENCODER].sha256
            if made_for != encoder:
                raise ValueError(f"states of {ENCODER} with SHA-256 {encoder[:12]}, it reads those of {made_for[:12]}")
            if not (0 < self.recent <= RECENT_NAMES and self.parts > 0 and self.beam > 0 and self.steps > 0):
                raise ValueError("recent, parts, beam and steps must be above 0")
        except (KeyError, TypeError, ValueError) as error:
            raise BundleError(bundle.path / TABLE, "the table of a speller", str(error)) from error
        self._anything = np.ones((1, len(self.pieces)), np.bool_)
        self._start = np.array([text[:1].isalpha() or text[:1] == "_" for text in self.pieces.texts], np.bool_)
        self._allowed = lru_cache(maxsize=64)(self._allowed_after)
        memo.register_owner(self)

    def forget(self) -> None:
        """Clear the cache of names."""
        self._allowed.cache_clear()

    def spell(
        self, state: Floats, names: Sequence[str], prefix: str = "", cancel: Cancel | None = None
    ) -> SpelledNames:
        """Return the most probable new names that begin with `prefix`, from the state (1, d) and recent names.

        Names are (T,).
        """
        memory = self._memory(names)
        rows = [_Row(1.0, "", END, 0, prefix)]
        g: Floats = np.zeros((1, self._hidden), np.float32)
        done: dict[str, float] = {}
        begins = 0.0 if prefix else 1.0
        for step in range(self.steps + 1):
            feeds: dict[str, Array] = {
                "piece": np.array([row.piece for row in rows], np.int64),
                "g": g[[row.g for row in rows]],
                "first": np.array([step == 0], np.float32),
                "state": state,
                "allowed": self._masks(rows, first=step == 0),
                **memory,
            }
            best, piece, mass, g = self._session.run(("best", "next", "mass", "g_next"), feeds, cancel)
            extended: list[_Row] = []
            for at, row in enumerate(rows):
                complete = row.p * float(mass[at]) if row.rest else 0.0
                for p, number in zip(best[at].tolist(), piece[at].tolist(), strict=True):
                    p *= row.p
                    if not p > 0:  # not allowed here
                        break
                    if number == END:
                        done[row.text] = done.get(row.text, 0.0) + p
                        continue
                    text = self.pieces.texts[number]
                    if len(text) < len(row.rest):
                        complete -= p
                    extended.append(_Row(p, row.text + text, number, at, row.rest[len(text) :]))
                begins += max(0.0, complete)
            rows = self._kept(extended, done, begins)
            if not rows:
                break
        return SpelledNames(done, min(1.0, begins))

    def _kept(self, rows: list[_Row], done: dict[str, float], begins: float) -> list[_Row]:
        """Prune the beam: drop rows that are improbable or can no longer be among the best."""
        if not rows:
            return []
        rows.sort(key=lambda row: -row.p)
        finished = sorted(done.values(), reverse=True)
        least = finished[self.beam - 1] if len(finished) >= self.beam else 0.0
        least = max(least, _SLACK * rows[0].p)
        return [row for row in rows[: self.beam] if row.p >= least and (row.rest or row.p >= _MIN_SHARE * begins)]

    def _memory(self, names: Sequence[str]) -> dict[str, Array]:
        """Return the pieces of recent names, each with the piece before it and the name's rank; never empty."""
        pieces: list[int] = []
        before: list[int] = []
        rank: list[int] = []
        for number, name in enumerate(names[: self.recent]):
            split = self.pieces.split(name)
            if not split:
                continue
            row = (*split, END)[: self.parts + 1]
            pieces += row
            before += (END, *row[:-1])
            rank += [number] * len(row)
        filled = [True] * len(pieces) or [False]
        return {
            "memory": np.array(pieces or [END], np.int64),
            "before": np.array(before or [END], np.int64),
            "rank": np.array(rank or [0], np.int64),
            "filled": np.array(filled, np.bool_),
        }

    def _masks(self, rows: list[_Row], *, first: bool) -> Flags:
        if first and not rows[0].rest:
            return self._start[None]
        if not any(row.rest for row in rows):
            return self._anything
        return np.stack([self._allowed(row.rest) if row.rest else self._anything[0] for row in rows])

    def _allowed_after(self, rest: str) -> Flags:
        mask = np.zeros(len(self.pieces), np.bool_)
        mask[list(self.pieces.continuing(rest))] = True
        return mask


def open_speller(bundle: Bundle, selection: Selection) -> tuple[Speller | None, str | None]:
    """Open a bundle's speller; None where it has none, with the reason in a line where it cannot be used."""
    if GRAPH not in bundle.manifest.graphs:
        return None, None
    try:
        return Speller(bundle, selection), None
    except (BundleError, InferenceError) as error:
        return None, f"{error} (new names are not spelled)"
