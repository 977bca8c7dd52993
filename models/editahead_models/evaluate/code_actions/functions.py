"""Bodies written for held-out functions: how often the first one is the real one, and what its probability is worth.

A body is right when it equals the real one but for layout, quotes and the names of its local variables. Every function
counts, long ones too: whoever asks for a body does not know how long it would have become. A logistic regression over
the search's figures, then an isotonic calibration, both fitted on other projects than they are judged on.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.analysis.bindings import usable_names
from editahead.analysis.function_heads import head_at
from editahead.analysis.known_names import unknown_in
from editahead.encode.tree_generation.description import description_of
from editahead.runtime.calibration import PRECISIONS as TARGETS
from editahead.runtime.calibration import Calibration, expected_calibration_error
from editahead.runtime.tree_generation.model import FEATURES, ProgramModel, program_features
from editahead.suggest.function_bodies.bodies import has_effect, is_recursive
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

from editahead_models.data.mining.git_changes import blob_texts
from editahead_models.data.projects import open_project
from editahead_models.evaluate.fitting.calibration_fit import fit_isotonic, never_certain
from editahead_models.evaluate.fitting.logistic import features_of, logistic_scores, right_of, weights_of
from editahead_models.treegen.functions.mine import from_json, read_project
from editahead_models.treegen.functions.pairs import Pair
from editahead_models.treegen.metrics import renamed_equal, string_equal

Floats = npt.NDArray[np.float64]
PRECISIONS = (0.5, 0.65, 0.8, 0.9)
_SURE, _FEWEST = 2.58, 30  # standard errors below what was seen; bodies shown at least


@dataclass(frozen=True)
class Case:
    """What the search found for one function.

    Features and rightness of the bodies that may be offered, how many may not because they use names that nobody
    defines, whether the right one is among these, and whether the real body is as short as any that is ever written.
    """

    project: str
    short: bool
    documented: bool
    features: Floats  # [P, F]
    right: npt.NDArray[np.bool_]  # [P]
    dropped: int
    dropped_right: bool


def served(mirror: Path, folder: Path, project: str) -> Iterator[tuple[Pair, SyntaxSnapshot]]:
    """The mined functions of a project, each with its file as an editor has it before the body is written."""
    found = open_project(mirror, project)
    language = by_id("python")
    assert language is not None
    if found is None:
        return
    rows = read_project(folder, project)
    blobs = list(dict.fromkeys(row["blob"] for row in rows))
    texts = dict(zip(blobs, blob_texts(found.path, blobs), strict=True))
    for blob in blobs:
        text = texts[blob]
        if text is None:
            continue
        whole = SyntaxSnapshot.open(Buffer(text.encode("utf-8")), language)
        whole.lines(0, whole.line_count)
        for pair in (from_json(row) for row in rows if row["blob"] == blob):
            edit = ByteEdit(pair.cut.start, pair.cut.end, pair.cut.left.encode())
            yield pair, whole.advance(whole.buffer.apply(edit), [edit])


def cases_of(model: ProgramModel, mirror: Path, folder: Path, projects: Sequence[str], most: int = 0) -> list[Case]:
    """Every mined function of some projects (`most` of each, all when 0)."""
    from rich.progress import track

    found = []
    for project in projects:
        rows = islice(served(mirror, folder, project), most or None)
        for pair, syntax in track(rows, description=project, transient=True):
            description = description_of(syntax, pair.cut.def_byte)
            head = head_at(syntax, pair.cut.def_byte)
            if description is None or head is None:
                continue
            bodies = model.write(description)
            parameters = [parameter.name for parameter in head.parameters]
            right = [same_body(body.text, pair.body, parameters) for body in bodies]
            visible = usable_names(syntax, head)
            parsed = [ast.parse(body.text).body for body in bodies]
            known = [not unknown_in(one, visible, head.name) for one in parsed]
            fit_ = [has_effect(one) and not is_recursive(one, head, visible.self_names) for one in parsed]
            offered = [rank for rank in range(len(bodies)) if known[rank] and fit_[rank]]
            features = [program_features(bodies, rank) for rank in offered]
            found.append(
                Case(
                    project, pair.short, pair.documented,
                    np.asarray(features, dtype=np.float64).reshape(-1, len(FEATURES)),
                    np.asarray([right[rank] for rank in offered], dtype=np.bool_),
                    len(bodies) - sum(known),
                    any(good and not fine for good, fine in zip(right, known, strict=True)),
                )
            )  # fmt: skip
    return found


def same_body(first: str, second: str, parameters: Sequence[str]) -> bool:
    """Whether two bodies of a function are one, but for layout and the names of local variables."""
    head = f"def f({', '.join(dict.fromkeys(parameters))}):\n"
    one, other = (head + textwrap.indent(text, "    ") for text in (first, second))
    return string_equal(one, other) or renamed_equal(one, other)


def fit(
    cases: Sequence[Case], fitted: Sequence[str], judged: Sequence[str]
) -> tuple[dict[str, float], Calibration, dict[str, Any]]:
    """Weights of the features, the calibration of their scores, and figures.

    Both are fitted on the `fitted` projects, figures are those of the `judged` ones; no project judges itself. Raises
    ValueError when fewer than two fitted projects have bodies.
    """
    names = sorted({case.project for case in cases if len(case.right)})
    if len([name for name in names if name in fitted]) < 2:
        raise ValueError("a fit needs functions of two projects at least")
    scores: dict[str, Floats] = {}
    crossed: dict[str, Floats] = {}
    limits: dict[str, dict[float, float]] = {}
    ranked: list[Case] = []
    for name in names:
        others = [case for case in cases if case.project != name and case.project in fitted]
        weights = weights_of(others, FEATURES)
        others = [_ranked(case, weights) for case in others]
        own = [_ranked(case, weights) for case in cases if case.project == name]
        ranked += own
        scores[name] = logistic_scores(features_of(own), weights, FEATURES)
        calibration = _calibration(others, logistic_scores(features_of(others), weights, FEATURES))
        crossed[name] = calibration.apply_many(scores[name])
        limits[name] = {at: calibration.threshold(at) for at in PRECISIONS}
    outcomes = {name: right_of([case for case in ranked if case.project == name]) for name in names}
    calibration = _calibration(
        [case for case in ranked if case.project in fitted],
        np.concatenate([scores[name] for name in names if name in fitted]),
    )
    ranked += [case for case in cases if case.project not in names]
    figures = _figures([case for case in ranked if case.project in judged], crossed, outcomes, limits)
    return weights_of([case for case in cases if case.project in fitted], FEATURES), calibration, figures


def _ranked(case: Case, weights: dict[str, float]) -> Case:
    """With its likeliest body first, as they are offered."""
    order = np.argsort(-logistic_scores(case.features, weights, FEATURES), kind="stable")
    return replace(case, features=case.features[order], right=case.right[order])


def _calibration(cases: Sequence[Case], scores: Floats) -> Calibration:
    """Of all bodies, with thresholds of the ones that are offered first."""
    calibration = never_certain(fit_isotonic(scores, right_of(cases)))
    first = np.cumsum([0, *(len(case.right) for case in cases)])[:-1][[len(case.right) > 0 for case in cases]]
    values = calibration.apply_many(scores)[first]
    return replace(calibration, thresholds=sure_thresholds(values, right_of(cases)[first]))


def sure_thresholds(p: Floats, right: npt.NDArray[np.bool_]) -> tuple[tuple[float, float | None], ...]:
    """For each target precision the smallest probability whose shown set surely reached it.

    Surely means that the lower end of the 99 % interval does. A threshold that only just reached it by luck of these
    projects shows too much in others. Both are (N,).
    """
    order = np.argsort(-p, kind="stable")
    ranked, shown = p[order], np.arange(1, len(p) + 1)
    share = np.cumsum(right[order]) / shown
    low = share - _SURE * np.sqrt(np.maximum(share * (1 - share), 1e-9) / shown)
    whole = np.append(ranked[1:] != ranked[:-1], True) & (shown >= min(_FEWEST, len(p)))
    found = ((target, np.flatnonzero(whole & (low >= target))) for target in TARGETS)
    return tuple((target, float(ranked[reached[-1]]) if len(reached) else None) for target, reached in found)


def _figures(
    cases: Sequence[Case], crossed: dict[str, Floats], outcomes: dict[str, npt.NDArray[np.bool_]],
    limits: dict[str, dict[float, float]],
) -> dict[str, Any]:  # fmt: skip
    """Shares of all functions; `shown_P`, `right_P`: at the asked precision P, of all and of what is shown."""
    names = sorted({case.project for case in cases} & set(crossed))
    short, told = [c for c in cases if c.short], [c for c in cases if c.documented]
    figures: dict[str, Any] = {
        "functions": len(cases), "projects": len(names), "short": _share(len(short), len(cases)),
        "first_right": _share(sum(bool(c.right[:1].any()) for c in cases), len(cases)),
        "five_right": _share(sum(bool(c.right.any()) for c in cases), len(cases)),
        "first_right_short": _share(sum(bool(c.right[:1].any()) for c in short), len(short)),
        "five_right_short": _share(sum(bool(c.right.any()) for c in short), len(short)),
        "first_right_documented": _share(sum(bool(c.right[:1].any()) for c in told), len(told)),
        "nothing_found": _share(sum(not len(c.right) for c in cases), len(cases)),
        "by_project": {
            name: _share(sum(bool(c.right[:1].any()) for c in cases if c.project == name),
                         sum(c.project == name for c in cases)) for name in names
        },
        "bodies_dropped_for_names": sum(c.dropped for c in cases),
        "right_ones_dropped_for_names": sum(c.dropped_right for c in cases),
    }  # fmt: skip
    values = np.concatenate([crossed[name] for name in names])
    right_P = np.concatenate([outcomes[name] for name in names])
    figures["calibration_error"] = round(expected_calibration_error(values, right_P), 4)
    for asked in PRECISIONS:
        shown = right = 0
        for name in names:
            at = 0
            for case in (c for c in cases if c.project == name):
                if len(case.right) and crossed[name][at] >= limits[name][asked]:
                    shown, right = shown + 1, right + bool(case.right[0])
                at += len(case.right)
        figures[f"shown_{asked:g}"], figures[f"right_{asked:g}"] = _share(shown, len(cases)), _share(right, shown)
    return figures


def _share(count: int, of: int) -> float:
    return round(count / max(1, of), 4)
