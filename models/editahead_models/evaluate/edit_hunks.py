"""Hunk accuracy on dev projects: after some hunks of a commit, is what is offered one of those to come?

An offer is right when it makes one of the remaining hunks, or its first whole lines: what is left of the hunk is
offered next. `whole` is the strict reading: the offer is a remaining hunk from end to end.

The same cases fit the scorer (logistic over roll-out features) and its isotonic calibration, as the server uses them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.encode.edit_model.sequences import EditState
from editahead.encode.edit_model.tokens import EditToken
from editahead.encode.edit_model.window import Window
from editahead.runtime.calibration import Calibration
from editahead.runtime.edit_model import EditModel
from editahead.runtime.edit_states import DecoderState
from editahead.runtime.logistic import LogisticModel
from editahead.suggest.next_edit.edit_programs import line_numbers
from editahead.suggest.next_edit.rollout import Proposal, RollOut
from editahead.suggest.next_edit.rollout_scorer import FEATURES

from editahead_models.data.edit_batches import Sample, ShardFile, make_sample
from editahead_models.evaluate.calibration_fit import fit_isotonic
from editahead_models.evaluate.logistic import newton

Floats = npt.NDArray[np.float64]
PARTLY = 0.3
"""Share of cases in which the first lines of the next hunk are done already, where it has several."""


Search = Callable[[EditModel, DecoderState], "list[Proposal]"]
"""What may come after a decoder state, within so many seconds."""


def roll_out(model: EditModel, decoder: DecoderState) -> list[Proposal]:
    """The search that the server does, to its end."""
    return RollOut(model, decoder).proposals()


@dataclass(frozen=True)
class Case:
    """The proposals after some hunks: features and rightness of each; `remaining` hunks were still to come."""

    project: str
    remaining: int
    features: Floats  # [P, F]
    right: npt.NDArray[np.bool_]  # [P]
    whole: npt.NDArray[np.bool_]  # [P]
    seconds: float
    repeated: bool  # one of the remaining hunks repeats an earlier one token by token


def sample_keys(sample: Sample, texts: Sequence[str]) -> tuple[tuple[EditToken, ...], list[EditToken | None]]:
    """Initial tokens and contents of a sample as keys."""
    state = tuple(EditToken(texts[text], int(gap)) for text, gap in zip(sample.state, sample.state_gap, strict=True))
    contents = [
        None if text < 0 else EditToken(texts[text], int(gap))
        for text, gap in zip(sample.content, sample.gap, strict=True)
    ]
    return state, contents


def cases(
    model: EditModel, shards: Sequence[ShardFile], texts: Sequence[str], *, count: int, seed: int = 3,
    hunk_limit: int = 40, search: Search = roll_out,
) -> Iterator[Case]:  # fmt: skip
    """Roll-outs at a random place in the hunk sequence of `count` random dev changes, the same ones for any search."""
    rng = np.random.default_rng(seed)
    where = [(shard, number) for shard in shards for number in range(len(shard))]
    done = 0
    for index in rng.permutation(len(where)):
        shard, number = where[index]
        sample = make_sample(shard, number, hunk_limit, rng)
        if sample is None:
            continue
        hunks = int(sample.hunk[-1]) + 1
        given = int(rng.integers(1, hunks + 1))
        if given == hunks and not sample.stop:
            continue
        yield _case(model, sample, given, texts, shard.project, rng, search)
        done += 1
        if done >= count:
            return


def _case(
    model: EditModel,
    sample: Sample,
    given: int,
    texts: Sequence[str],
    project: str,
    rng: np.random.Generator,
    search: Search,
) -> Case:
    keys, contents = sample_keys(sample, texts)
    line = line_numbers(keys)
    last = int(sample.hunk[-1])
    first = int(np.searchsorted(sample.hunk, given))
    if given <= last and rng.random() < PARTLY:
        cuts = line_cuts(sample, contents, np.flatnonzero(sample.hunk == given).tolist(), line)
        first = int(rng.choice(cuts))
    decoder = model.begin(model.encode(Window((), keys, {})))
    for edit, key in zip(sample.edits[:first], contents[:first], strict=True):
        decoder = model.append(decoder, edit.name, key, start=edit.start)
    begun = time.perf_counter()
    proposals = search(model, decoder)
    seconds = time.perf_counter() - begun
    parts: set[tuple[EditToken, ...]] = set()
    wholes: set[tuple[EditToken, ...]] = set()
    remaining = 0
    earlier = {_contents(sample, contents, hunk) for hunk in range(given)}
    repeated = False
    for hunk in range(given, last + 1):
        rows = [row for row in np.flatnonzero(sample.hunk == hunk).tolist() if row >= first]
        if not rows:
            continue
        remaining += 1
        repeated |= _contents(sample, contents, hunk) in earlier
        for cut in line_cuts(sample, contents, rows, line):
            parts.add(_after(decoder.state, sample, contents, rows[: cut - rows[0]], keys))
        wholes.add(_after(decoder.state, sample, contents, rows, keys))
    results = [tuple(proposal.decoder.key(name) for name in proposal.result) for proposal in proposals]
    features = np.asarray([proposal.features for proposal in proposals], dtype=np.float64).reshape(-1, len(FEATURES))
    return Case(
        project,
        remaining,
        features,
        np.asarray([result in parts for result in results], dtype=np.bool_),
        np.asarray([result in wholes for result in results], dtype=np.bool_),
        seconds,
        repeated,
    )


def line_cuts(
    sample: Sample, contents: Sequence[EditToken | None], rows: Sequence[int], line: Sequence[int]
) -> list[int]:
    """Edit numbers after which a whole line of a hunk is done; the last is its end."""
    cuts: list[int] = []
    lowest = line[sample.edits[rows[0]].root]
    for row in rows[1:]:
        here, key = line[sample.edits[row].root], contents[row]
        if here > lowest or (key is not None and key.text.startswith("\n")):
            cuts.append(row)
        lowest = max(lowest, here)
    return [*cuts, rows[-1] + 1]


def _contents(sample: Sample, contents: Sequence[EditToken | None], hunk: int) -> tuple[str, ...]:
    rows = np.flatnonzero(sample.hunk == hunk).tolist()
    return tuple("" if contents[row] is None else f"+{contents[row]}" for row in rows)


def _after(
    state: EditState,
    sample: Sample,
    contents: Sequence[EditToken | None],
    rows: Sequence[int],
    keys: Sequence[EditToken],
) -> tuple[EditToken, ...]:
    """The tokens after some more edits of the sample, consecutive ones."""
    twin = state.copy()
    for row in rows:
        name = sample.edits[row].name
        own = name - twin.n0
        if own >= rows[0]:  # their own insertions are numbered anew
            name = twin.n0 + state.steps + (own - rows[0])
        twin.apply(name, contents[row])
    return tuple(keys[name] if name < twin.n0 else twin.keys[name] for name in twin.names)


def fit_scorer(found: Sequence[Case], ridge: float = 1.0) -> LogisticModel:
    """Logistic regression over all proposals of all cases."""
    x = np.concatenate([case.features for case in found])
    y = np.concatenate([case.right for case in found]).astype(np.float64)
    weights = newton(x, y, np.ones(len(x)), np.full(x.shape[1], ridge))
    return LogisticModel(FEATURES, dict(zip(FEATURES, weights.tolist(), strict=True)))


def top_choices(found: Sequence[Case], scorer: LogisticModel) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Score and rightness of the proposal that each case would show; cases without one count as 0 and wrong.

    Both are (N,).
    """
    scores, hits, _ = _tops(found, scorer)
    return scores, hits


def _tops(found: Sequence[Case], scorer: LogisticModel) -> tuple[Floats, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    scores, hits, whole = [], [], []
    for case in found:
        values = [scorer.probability(row) for row in case.features.tolist()]
        best = int(np.argmax(values)) if values else -1
        scores.append(values[best] if values else 0.0)
        hits.append(bool(case.right[best]) if values else False)
        whole.append(bool(case.whole[best]) if values else False)
    return np.asarray(scores), np.asarray(hits), np.asarray(whole)


def report(found: Sequence[Case], scorer: LogisticModel, calibration: Calibration) -> dict[str, float]:
    """Shares over cases with something to come (`open`) or with a repeated hunk to come (`repeated`).

    `offered_80`: shown, and right, at the threshold for a precision of 80 %; `whole_80`: right as a whole hunk.
    """
    scores, hits, whole = _tops(found, scorer)
    values = calibration.apply_many(scores)
    still = np.asarray([case.remaining > 0 for case in found])
    repeated = np.asarray([case.repeated for case in found])
    result = {
        "cases": float(len(found)),
        "cases_open": float(still.sum()),
        "top": float(hits[still].mean()),
        "top_whole": float(whole[still].mean()),
        "any_proposal": float(np.asarray([bool(case.right.any()) for case in found])[still].mean()),
        "repeated": float(repeated[still].mean()),
        "top_repeated": float(hits[repeated].mean()) if repeated.any() else 0.0,
        "seconds_median": float(np.median([case.seconds for case in found])),
        "ece": calibration.ece,
    }
    for target in (0.5, 0.6, 0.7, 0.8, 0.9):
        shown = values >= calibration.threshold(target)
        name = f"{round(100 * target)}"
        result[f"shown_{name}"] = float(shown.mean())
        result[f"precision_{name}"] = float(hits[shown].mean()) if shown.any() else 0.0
        result[f"offered_{name}"] = float((hits & shown)[still].mean())
        result[f"whole_{name}"] = float((whole & shown)[still].mean())
        result[f"offered_repeated_{name}"] = float((hits & shown)[repeated].mean()) if repeated.any() else 0.0
    return result


def crossed(found: Sequence[Case]) -> dict[str, float]:
    """The report with scorer and calibration fitted on the other half of the projects."""
    names = sorted({case.project for case in found})
    halves = [[case for case in found if names.index(case.project) % 2 == side] for side in (0, 1)]
    reports: list[dict[str, float]] = []
    errors: list[float] = []
    for fit, test in (halves, halves[::-1]):
        if not fit or not test:
            return {}
        scorer = fit_scorer(fit)
        calibration = fit_isotonic(*top_choices(fit, scorer))
        reports.append(report(test, scorer, calibration))
        scores, hits = top_choices(test, scorer)
        errors.append(_ece(calibration.apply_many(scores), hits))
    mean = {name: (reports[0][name] + reports[1][name]) / 2 for name in reports[0]}
    return mean | {"ece": sum(errors) / 2}


def _ece(values: Floats, hits: npt.NDArray[np.bool_]) -> float:
    from editahead.runtime.calibration import expected_calibration_error

    return float(expected_calibration_error(values, hits))


def never_certain(calibration: Calibration, most: float = 0.99) -> Calibration:
    """The calibration with its knots at `most` or below: twenty hits in a row are no certainty."""
    knots = tuple((x, min(y, most)) for x, y in calibration.knots)
    thresholds = tuple((at, None if low is None else min(low, most)) for at, low in calibration.thresholds)
    return replace(calibration, knots=knots, thresholds=thresholds)


def load_shards_of(folder: Path) -> tuple[list[ShardFile], list[str]]:
    """The shards of a split and the texts that number their tokens."""
    table: dict[str, int] = {}
    shards = [ShardFile(path, table) for path in sorted(folder.glob("*.npz"))]
    return shards, list(table)


def calibrate(
    model: EditModel, data: Path, count: int
) -> tuple[LogisticModel, Calibration, dict[str, Any], list[Case]]:
    """Fit on the fit projects: scorer, calibration, metrics (cross-fitted ones under `crossed`)."""
    from rich.progress import track

    shards, texts = load_shards_of(data / "fit")
    found = list(track(cases(model, shards, texts, count=count), total=count, description="rolling out"))
    scorer = fit_scorer(found)
    calibration = never_certain(fit_isotonic(*top_choices(found, scorer)))
    metrics: Mapping[str, Any] = {"fitted": report(found, scorer, calibration), "crossed": crossed(found)}
    return scorer, calibration, dict(metrics), found
