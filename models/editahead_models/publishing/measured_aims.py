"""Aims of one figure each, such as times: read from the JSON file that a command stored, and held against a bound."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from editahead_models.data.splits import languages
from editahead_models.publishing.keystrokes.figures import MOST_CALIBRATION_ERROR
from editahead_models.report.results import LANGUAGE_NAMES

SPREAD = "next edit, 200 open documents against one"


class MeasuredAim(NamedTuple):
    """`path` leads to a number in models/results/`file`.json: a key of a table, or the name of a list's entry.

    The figure is that number times `scale`.
    """

    text: str
    file: str
    path: tuple[str, ...]
    bound: float
    unit: str
    at_most: bool = True
    scale: float = 1.0


class JudgedAim(NamedTuple):
    """An aim with its stored figure; None where nothing was measured."""

    aim: MeasuredAim
    figure: float | None

    @property
    def missed(self) -> bool:
        """Whether the figure lies on the wrong side of the bound."""
        if self.figure is None:
            return False
        return self.figure > self.aim.bound if self.aim.at_most else self.figure < self.aim.bound


def _of_bench(name: str, bound: float, unit: str = "ms") -> MeasuredAim:
    """What `make bench` judges too, the worst of its languages."""
    return MeasuredAim(name, "times", ("aims", name, "value"), bound, unit)


def _all_tokens(language: str, run: str, bound: float) -> MeasuredAim:
    """Share of all tokens of dev that the served network predicts, unknown names by their class."""
    path = ("runs", run, "metrics", "all/acc with unknown")
    return MeasuredAim(f"all tokens predicted, {language}", "runs", path, bound, "%", at_most=False, scale=100)


def _calibration(language: str) -> MeasuredAim:
    """The calibration error of first completions in replayed typing, on dev."""
    path = ("languages", language, "tables", "calibration", "all", "share")
    title = f"calibration error of completions, {LANGUAGE_NAMES[language]}"
    return MeasuredAim(title, "keystrokes", path, 100 * MOST_CALIBRATION_ERROR, "points", scale=100)


def _recall(language: str) -> MeasuredAim:
    """How often the right edit is among ten candidates where a substitution comes once more, on dev."""
    path = ("languages", language, "recall", "same", "among 10")
    title = f"a repeated substitution is among ten candidates, {LANGUAGE_NAMES[language]}"
    return MeasuredAim(title, "next-edits", path, 85, "%", at_most=False, scale=100)


def _network(language: str) -> MeasuredAim:
    """Exact answers of the network of edits against those of all other sources, on dev."""
    title = f"exact next edits of the network, of those of other sources, {LANGUAGE_NAMES[language]}"
    return MeasuredAim(title, "next-edits", ("languages", language, "network adds"), 33, "%", at_most=False, scale=100)


def _keys_saved(name: str, language: str, bound: float) -> MeasuredAim:
    """Keys saved by completions and ghost text, on dev."""
    path = ("languages", language, "tables", "saved", "both", "share")
    return MeasuredAim(f"keys saved by completions and ghost text, {name}", "keystrokes", path, bound, "%", False, 100)


AIMS = (
    _all_tokens("Python", "spn-python", 72),
    _all_tokens("Java", "spn-java", 78),
    *map(_calibration, languages("dev")),
    _of_bench("completion p50, 5,000 lines", 2),
    _of_bench("completion p99, 5,000 lines", 10),
    _of_bench("completion p50 after a jump, a paste or an inserted line", 8),
    _of_bench("process start to first completion", 500),
    _of_bench("completion p99, others asked at every key", 30),
    _of_bench("completion p99, 20,000 files changing", 30),
    _of_bench("next edit p50, any size", 10),
    _of_bench("next edit p99, any size", 50),
    _of_bench("resident memory at the end, any size", 200, "MB"),
    MeasuredAim(SPREAD, "speed", ("aims", SPREAD, "value"), 1.5, "times"),
    *map(_recall, languages("dev")),
    *map(_network, ("python", "java")),
    _keys_saved("Python", "python", 50),
)


def judged_aims(data: Path, aims: Iterable[MeasuredAim] = AIMS) -> list[JudgedAim]:
    """The aims with their figures, from the JSON files of a folder."""
    stored: dict[str, Any] = {}
    judged = []
    for aim in aims:
        path = data / f"{aim.file}.json"
        if aim.file not in stored:
            stored[aim.file] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        figure = _figure(stored[aim.file], aim.path)
        judged.append(JudgedAim(aim, None if figure is None else figure * aim.scale))
    return judged


def bound_of(aim: MeasuredAim) -> str:
    """The bound in words."""
    return f"{'at most' if aim.at_most else 'at least'} {aim.bound:g} {aim.unit}".rstrip()


def _figure(found: Any, path: tuple[str, ...]) -> float | None:
    """The number at a path; None where nothing stands or what stands is no number."""
    for key in path:
        if isinstance(found, list):
            entries = (entry for entry in found if isinstance(entry, Mapping))
            found = next((entry for entry in entries if key in (entry.get("name"), entry.get("run"))), None)
        else:
            found = found.get(key) if isinstance(found, Mapping) else None
    known = isinstance(found, (int, float)) and not isinstance(found, bool) and not math.isnan(found)
    return float(found) if known else None
