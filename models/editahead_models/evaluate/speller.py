"""What a bundle's speller knows of names that stand nowhere in the file before: asked as the server asks it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from editahead.runtime.bundle import load_bundle
from editahead.runtime.ort import select_providers
from editahead.runtime.speller import Speller
from rich.progress import track

from editahead_models.data.spellings import Spellings, load, load_names

TOP = 5


def spelling_figures(bundle: Path, data: Path, count: int, seed: int) -> dict[str, float]:
    """Names found first and among the first five with 0 to 3 letters typed, and milliseconds a question.

    Drawn from the dev names that their file says only once; of these, names too short for the letters are left out.
    ValueError where there are none.
    """
    speller = Speller(load_bundle(bundle), select_providers("cpu"))
    examples, names = load(data, "dev"), load_names(data)
    rows = np.random.default_rng(seed).permutation(np.flatnonzero(examples.once))[:count]
    if not len(rows):
        raise ValueError(f"{data}: holds no dev name that its file says only once")
    figures: dict[str, float] = {"names": float(len(rows))}
    for letters in range(4):
        asked = [row for row in rows.tolist() if len(names[examples.name[row]]) > letters]
        first = among = 0
        times: list[float] = []
        for row in track(asked, f"{letters} typed", transient=True):
            ranked, seconds = _asked(speller, examples, names, row, letters)
            truth = names[examples.name[row]]
            first += ranked[:1] == [truth]
            among += truth in ranked[:TOP]
            times.append(seconds)
        figures[f"{letters} typed/first 1"] = first / max(1, len(asked))
        figures[f"{letters} typed/first {TOP}"] = among / max(1, len(asked))
        figures[f"{letters} typed/ms p50"] = 1e3 * float(np.median(times or [0.0]))
        figures[f"{letters} typed/ms p99"] = 1e3 * float(np.quantile(times or [0.0], 0.99))
    return {key: round(value, 4) for key, value in figures.items()}


def _asked(
    speller: Speller, examples: Spellings, names: Sequence[str], row: int, letters: int
) -> tuple[list[str], float]:
    recent = [names[n] for n in examples.recent[row].tolist() if n >= 0]
    prefix = names[examples.name[row]][:letters]
    state = examples.state[row : row + 1].astype(np.float32)
    start = time.perf_counter()
    found = speller.spell(state, recent, prefix)
    seconds = time.perf_counter() - start
    ranked = sorted(found.names.items(), key=lambda item: (-item[1], item[0]))
    return [name for name, _ in ranked if name not in recent and name != prefix], seconds
