"""What a bundle's speller knows of names that stand nowhere in the file before: asked as the server asks it."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from editahead.runtime.bundle import load_bundle
from editahead.runtime.language_model.speller import Speller
from editahead.runtime.ort import Cancel, select_providers
from editahead.suggest.completion.spelled_names import SPELLED
from editahead.suggest.engine import Engine
from editahead.suggest.types import Shown
from editahead.syntax.language import Language
from rich.progress import track

from editahead_models.data.spelling.spellings import Spellings, load, load_names
from editahead_models.evaluate.places.product import Sample, document_of

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


def product_figures(engine: Engine, samples: Sequence[Sample], language: Language) -> dict[str, float]:
    """What a user sees of names that their file says nowhere else and that the vocabulary does not list.

    The file is cut at the name. Found first and among the first five, by letters typed, with the mean probability that
    the first choice was shown with, and how many were `spelled`.
    """
    model = engine.language_model(language.id)
    assert model is not None
    new = [sample for sample in samples if _is_new(sample) and _text(sample) not in model.vocab.ids]
    figures: dict[str, float] = {"new names": float(len(new))}
    for letters in range(4):
        asked = [sample for sample in new if sample.end - sample.start > letters]
        first = among = spelled = 0
        chances: list[float] = []
        for sample in track(asked, f"{letters} typed", transient=True):
            at = sample.start + letters
            decision = engine.complete(document_of(language, sample.content[:at]), at, Cancel())
            items = decision.value.items if isinstance(decision, Shown) else ()
            labels = [item.label for item in items]
            truth = _text(sample)
            first += labels[:1] == [truth]
            among += truth in labels[:TOP]
            spelled += any(item.source == SPELLED and item.label == truth for item in items[:TOP])
            chances += [item.probability for item in items[:1]]
        n = max(1, len(asked))
        figures[f"{letters} typed/first 1"] = first / n
        figures[f"{letters} typed/first {TOP}"] = among / n
        figures[f"{letters} typed/first {TOP}, spelled"] = spelled / n
        figures[f"{letters} typed/mean probability of the first"] = sum(chances) / n
    return {key: round(value, 4) for key, value in figures.items()}


def _text(sample: Sample) -> str:
    return sample.content[sample.start : sample.end].decode("utf-8", "replace")


def _is_new(sample: Sample) -> bool:
    name = re.escape(sample.content[sample.start : sample.end])
    return len(re.findall(rb"(?<![\w$])" + name + rb"(?![\w$])", sample.content)) == 1


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
