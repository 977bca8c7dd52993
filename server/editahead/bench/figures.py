"""Metrics of a report, computed from the counts of places: name, unit, and whether higher is better."""

from __future__ import annotations

import math
import platform
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from editahead.bench.drive import RunResult
from editahead.bench.probes import ProbedSurface
from editahead.bench.score import SOURCE, ScoredPlace
from editahead.runtime.calibration import expected_calibration_error
from editahead.text.percent import percent

FORMAT, VERSION = "editahead-bench", 1
SURFACE_NAMES = {
    ProbedSurface.COMPLETION.value: "completion",
    ProbedSurface.INLINE.value: "ghost text",
    ProbedSurface.NEXT_EDIT.value: "next edit",
}


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of a report. Its value is None where nothing was measured."""

    key: str
    title: str
    unit: str  # "%" (a share, in [0, 1]) | "ms" | "MB" | ""
    higher_is_better: bool | None  # None: neither is
    speed: bool
    of: Callable[[Sequence[ScoredPlace]], float | None]


def _share(numerator: str, denominator: str) -> Callable[[Sequence[ScoredPlace]], float | None]:
    def share(places: Sequence[ScoredPlace]) -> float | None:
        whole = sum(scores.counts[denominator] for scores in places)
        return sum(scores.counts[numerator] for scores in places) / whole if whole else None

    return share


def _saved(pressed: str) -> Callable[[Sequence[ScoredPlace]], float | None]:
    share = _share(pressed, "keys.typed")

    def saved(places: Sequence[ScoredPlace]) -> float | None:
        part = share(places)
        return None if part is None else 1.0 - part

    return saved


def _latency(surface: str, part: float) -> Callable[[Sequence[ScoredPlace]], float | None]:
    def latency(places: Sequence[ScoredPlace]) -> float | None:
        values = [scores.times(surface) for scores in places if scores.ms.get(surface)]
        return percentile(np.concatenate(values), part) if values else None

    return latency


def _calibration(surface: str) -> Callable[[Sequence[ScoredPlace]], float | None]:
    def error(places: Sequence[ScoredPlace]) -> float | None:
        pairs = np.array([pair for scores in places for pair in scores.pairs.get(surface, ())], np.float64)
        return float(expected_calibration_error(pairs[:, 0], pairs[:, 1])) if len(pairs) else None

    return error


def percentile(values: Sequence[float] | npt.NDArray[np.float64], part: float) -> float | None:
    """Return a percentile, with `part` in [0, 1]; None without values. Values (N,)."""
    if len(values) == 0:
        return None
    rank = max(0, math.ceil(part * len(values)) - 1)
    return float(np.partition(np.asarray(values, np.float64), rank)[rank])


FIGURES: tuple[Metric, ...] = (
    Metric("keys_saved", "keystrokes saved", "%", True, False, _saved("keys.all")),
    Metric("keys_saved_menu", "keystrokes saved, by completions alone", "%", True, False, _saved("keys.menu")),
    Metric("top1", "name is the first completion", "%", True, False, _share("bare.top1", "bare.names")),
    Metric("top5", "name is among the first five", "%", True, False, _share("bare.top5", "bare.names")),
    Metric("top1_typed", "first, one letter typed", "%", True, False, _share("typed.top1", "typed.names")),
    Metric("top5_typed", "among the first five, one letter typed", "%", True, False,
           _share("typed.top5", "typed.names")),
    Metric("completion_quiet", "completions quiet at a name", "%", None, False, _share("bare.quiet", "bare.names")),
    Metric("inline_shown", "ghost text shown", "%", None, False, _share("inline.shown", "inline.asked")),
    Metric("inline_right", "ghost text right where shown", "%", True, False, _share("inline.right", "inline.shown")),
    Metric("inline_kept", "ghost text kept (of its bytes)", "%", True, False, _share("inline.kept", "inline.bytes")),
    Metric("edit_shown", "next edit shown", "%", None, False, _share("edit.shown", "edit.asked")),
    Metric("edit_right", "next edit right where shown", "%", True, False, _share("edit.right", "edit.shown")),
    Metric("edit_found", "next edit right where one was due", "%", True, False, _share("edit.right", "edit.due")),
    Metric("edit_kept", "next edit kept (of its bytes)", "%", True, False, _share("edit.kept", "edit.bytes")),
    Metric("edit_reversal", "next edit takes back what was done", "%", False, False,
           _share("edit.reversal", "edit.shown")),
    Metric("completion_ece", "calibration error, first completion", "", False, False, _calibration("completion")),
    Metric("edit_ece", "calibration error, next edit", "", False, False, _calibration("next_edit")),
    *(
        Metric(f"{surface}_p{part}", f"{name}, p{part}", "ms", False, True, _latency(surface, part / 100))
        for surface, name in SURFACE_NAMES.items()
        for part in (50, 95, 99)
    ),
    *(
        Metric(f"{surface}_cpu", f"{name}, processor time, p50", "ms", False, True, _latency(f"{surface}.cpu", 0.5))
        for surface, name in SURFACE_NAMES.items()
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """A report of a bench run. `process` has start_ms, rss_mb and peak_mb of each server process."""

    about: Mapping[str, Any]  # server, options, machine, date
    places: tuple[ScoredPlace, ...]
    process: tuple[Mapping[str, float | None], ...]
    surfaces: tuple[str, ...]
    failed: Mapping[str, int]

    def values(self) -> dict[str, float | None]:
        """Return every metric by its key; of processes the median (start) or the maximum (memory)."""
        values = {figure.key: figure.of(self.places) for figure in FIGURES}
        starts = [row["start_ms"] for row in self.process if row["start_ms"] is not None]
        values["start_ms"] = percentile([value for value in starts if value is not None], 0.5)
        for key in ("rss_mb", "peak_mb"):
            sizes = [value for row in self.process if (value := row[key]) is not None]
            values[key] = max(sizes, default=None)
        return values

    def sources(self) -> dict[str, Counter[str]]:
        """Count next edits by source: `shown`, `right`, `partly` (a part of it is kept), `wrong` (nothing is)."""
        counts_by_source: dict[str, Counter[str]] = {}
        for scores in self.places:
            for key, count in scores.counts.items():
                if key.startswith(SOURCE):
                    source, _, outcome = key.removeprefix(SOURCE).rpartition(".")
                    counts_by_source.setdefault(source, Counter())[outcome] += count
        return dict(sorted(counts_by_source.items()))

    def as_json(self) -> dict[str, Any]:
        """Return a JSON value for `read_report`."""
        return {
            "format": FORMAT,
            "version": VERSION,
            **self.about,
            "figures": {key: None if value is None else round(value, 5) for key, value in self.values().items()},
            "surfaces": list(self.surfaces),
            "failed": dict(self.failed),
            "process": [dict(row) for row in self.process],
            "places": [scores.as_json() for scores in self.places],
        }


PROCESS_TITLES = {
    "start_ms": ("process start to first answer", "ms"),
    "rss_mb": ("resident memory at the end, the most", "MB"),
    "peak_mb": ("resident memory, peak", "MB"),
}


def report_of(runs: Sequence[RunResult], about: Mapping[str, Any]) -> Report:
    """Combine all replays into a report."""
    failed: dict[str, int] = {}
    for run in runs:
        for surface, count in run.failed.items():
            failed[surface] = failed.get(surface, 0) + count
    process = tuple(
        {"start_ms": _number(run.start_ms), "rss_mb": _number(run.rss_mb), "peak_mb": _number(run.peak_mb)}
        for run in runs
    )
    surfaces = tuple(dict.fromkeys(surface for run in runs for surface in run.surfaces))
    return Report(dict(about), tuple(scores for run in runs for scores in run.places), process, surfaces, failed)


def read_report(raw: object) -> Report:
    """Read a report from a JSON value. Raises ValueError if it is invalid."""
    if not isinstance(raw, dict) or raw.get("format") != FORMAT or raw.get("version") != VERSION:
        raise ValueError(f"no report of this bench (format {FORMAT!r}, version {VERSION})")
    try:
        return Report(
            {key: raw[key] for key in ("server", "options", "machine", "date") if key in raw},
            tuple(ScoredPlace.from_json(row) for row in raw["places"]),
            tuple({key: row.get(key) for key in PROCESS_TITLES} for row in raw["process"]),
            tuple(str(name) for name in raw["surfaces"]),
            {str(key): int(value) for key, value in raw["failed"].items()},
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"a report of this bench that is damaged ({type(error).__name__}: {error})") from None


def machine() -> dict[str, Any]:
    """Describe the machine of the measurement: processor, cores, load, system, interpreter."""
    import os

    processor = platform.processor() or platform.machine()
    try:
        rows = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(row.split(":", 1)[1].strip() for row in rows if row.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    python = platform.python_version()
    return {
        "processor": processor, "cores": os.cpu_count(), "load": load, "system": platform.system(), "python": python,
    }  # fmt: skip


def with_unit(value: float | None, unit: str) -> str:
    """Format a value with its unit."""
    if value is None:
        return "-"
    if unit == "%":
        return percent(value, 1)
    digits = 3 if not unit else 0 if value >= 100 else 1
    return f"{value:.{digits}f}{f' {unit}' if unit else ''}"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 1)


DRAWS = 1000
SPEED_DRAWS = 300  # of latencies, which are many
CONFIDENCE = 0.99  # many figures are compared at once
SPEED_TOLERANCE = 0.2  # latencies of two runs on the same machine differ by as much
_MIN_DOCUMENTS = 5


@dataclass(frozen=True, slots=True)
class Difference:
    """A metric in two reports. `low` and `high` bound the difference (after - before) at the given confidence.

    `verdict`: "better", "worse", "same" (not beyond noise), "changed" (beyond noise, neither way is better), or
    "unknown" where either side has nothing.
    """

    figure: Metric
    before: float | None
    after: float | None
    low: float | None
    high: float | None
    verdict: str


def is_paired(before: Report, after: Report) -> bool:
    """Whether both reports have the same documents, in the same order."""
    return [scores.name for scores in before.places] == [scores.name for scores in after.places]


def compare(
    before: Report, after: Report, confidence: float = CONFIDENCE, draws: int = DRAWS, seed: int = 0
) -> list[Difference]:
    """Compare every metric of two reports. Deterministic for a given seed."""
    chosen = random.Random(seed)
    same = is_paired(before, after)
    samples: list[tuple[Sequence[ScoredPlace], Sequence[ScoredPlace]]] = []
    for _ in range(draws):
        first = chosen.choices(range(len(before.places)), k=len(before.places))
        last = first if same else chosen.choices(range(len(after.places)), k=len(after.places))
        samples.append(([before.places[n] for n in first], [after.places[n] for n in last]))
    return [_difference(figure, before, after, samples, confidence) for figure in FIGURES]


def _difference(
    figure: Metric,
    before: Report,
    after: Report,
    samples: Sequence[tuple[Sequence[ScoredPlace], Sequence[ScoredPlace]]],
    confidence: float,
) -> Difference:
    old, new = figure.of(before.places), figure.of(after.places)
    if old is None or new is None:
        return Difference(figure, old, new, None, None, "unknown")
    drawn = []
    taken = samples[:SPEED_DRAWS] if figure.speed else samples
    for first, last in taken:
        first_value, last_value = figure.of(first), figure.of(last)
        if first_value is not None and last_value is not None:
            drawn.append(last_value - first_value)
    few = min(len(before.places), len(after.places)) < _MIN_DOCUMENTS
    if few or len(drawn) < len(taken) / 2:
        return Difference(figure, old, new, None, None, "unknown" if old != new else "same")
    drawn.sort()
    tail = (1.0 - confidence) / 2
    low, high = drawn[int(tail * len(drawn))], drawn[min(len(drawn) - 1, int((1 - tail) * len(drawn)))]
    return Difference(figure, old, new, low, high, _verdict(figure, old, low, high))


def _verdict(figure: Metric, old: float, low: float, high: float) -> str:
    """Return the verdict on a difference from its confidence interval."""
    margin = SPEED_TOLERANCE * abs(old) if figure.speed else 0.0
    if low > margin:
        up = True
    elif high < -margin:
        up = False
    else:
        return "same"
    if figure.higher_is_better is None:
        return "changed"
    return "better" if up == figure.higher_is_better else "worse"


def worse(differences: Sequence[Difference], *, speed: bool) -> list[Difference]:
    """Return the metrics that are significantly worse; those of speed only with `speed`."""
    return [
        difference
        for difference in differences
        if difference.verdict == "worse" and (speed or not difference.figure.speed)
    ]
