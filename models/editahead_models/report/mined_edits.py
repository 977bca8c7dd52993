"""The part of the page on edit models that is about real edits: the models of the paper on mined ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from editahead.text.percent import percentage

from editahead_models.report.results import table

Run = Mapping[str, Any]
PAPER = {"E": 51.0, "IR": 55.5, "IA-ag": 61.1}
"""Sub-token accuracy in percent, Zhao et al. 2019, section 5.3; their data are private."""


def paper_runs(runs: Sequence[Run]) -> list[Run]:
    """One run of each of the paper's models, in their order.

    Either those with the longest budget that all of them had, or each with its own longest one.
    """
    found = [[run for run in runs if run["family"] == name] for name in PAPER]
    found = [some for some in found if some]
    shared = set.intersection(*({_budget(run) for run in some} for some in found)) if found else set()
    return [max((run for run in some if not shared or _budget(run) == max(shared)), key=_minutes) for some in found]


def with_others(new: Sequence[Run], saved: Sequence[Run]) -> list[Run]:
    """New runs, and the saved ones on other data."""
    known = {run["data"] for run in new}
    return [*new, *(run for run in saved if run["data"] not in known)]


def newest(runs: Sequence[Run]) -> list[Run]:
    """The runs on the data of the longest one."""
    longest = max(runs, key=_minutes)["data"] if runs else ""
    return [run for run in runs if run["data"] == longest]


def _budget(run: Run) -> float:
    return round(_minutes(run), 1)


def _minutes(run: Run) -> float:
    return float(run["minutes"])


def sections(results: Mapping[str, Any]) -> list[str]:
    """Markdown of that part; empty without results."""
    runs: Sequence[Run] = results.get("mined", ())
    main = newest(runs)
    return [part for part in (*_real(paper_runs(main)), _by_budget(main)) if part]


def _real(runs: Sequence[Run]) -> list[str]:
    if not runs:
        return []
    return [
        "## Real edits\n", _corpus(runs[0]), _accuracies(runs), _by_kind(runs),
        "![Accuracy of the most confident predictions](edit-confidence.svg)\n", _confidences(runs), _machine(runs),
    ]  # fmt: skip


def _corpus(run: Run) -> str:
    corpus, splits = run["corpus"], run["corpus"]["splits"]
    sizes = "; ".join(
        f"{name} {part['instances']:,} sequences of {part['projects']} projects, {part['edits']:,} edits"
        for name, part in splits.items()
    )
    limits = corpus["settings"]
    return (
        f"Edit sequences from the histories of Python projects, split by project ({sizes}). Sub-words: "
        f"{corpus['subwords']:,}. A state has at most {limits['tokens']:,} of them and a sequence {limits['edits']} "
        f"edits (the paper: 1,000 and about 100; {splits['train']['mean initial sub-words']} and "
        f"{splits['train']['mean edits']} on average here), so that the explicit model can be trained in a budget "
        f"of minutes. Data {run['data']}. All figures are from {run['test']['instances']} sequences of test projects "
        "that no model saw, with every edit scored. The figures of the paper are from other, private data with a "
        "random split; a run took 48 hours on a GPU. They are given for orientation only.\n"
    )


def _accuracies(runs: Sequence[Run]) -> str:
    columns = [
        "%", "sub-word edit (paper)", "sub-word edit", "position", "content", "whole token", "calibration error",
        "of tokens",
    ]  # fmt: skip
    lines = []
    for run in runs:
        test = run["test"]
        shares = [percentage(test[key]) for key in ("joint", "position", "content", "token")]
        errors = [f"{test[key]:.3f}" for key in ("edit_calibration_error", "token_calibration_error")]
        lines.append([run["family"], f"{PAPER[run['family']]:.1f}", *shares, *errors])
    return table(columns, lines) + (
        "\nContent is that at the true position. A token is right if all edits up to its end are. Calibration error: "
        "expected, 15 bins, of teacher-forced edits and of greedily decoded tokens.\n"
    )


def _by_kind(runs: Sequence[Run]) -> str:
    kinds = list(runs[0]["test"]["kinds"])
    of = [run["test"]["kinds"] for run in runs]
    lines = [[kind, f"{of[0][kind]['edits']:,}", *(percentage(one[kind]["joint"]) for one in of)] for kind in kinds]
    return table(["sub-word edits right, %", "edits", *(run["family"] for run in runs)], lines)


def _by_budget(runs: Sequence[Run]) -> str:
    """Sub-word edits right at each budget that a run of the paper's models had; empty with one budget."""
    joint = {(_budget(run), run["family"]): percentage(run["test"]["joint"]) for run in runs if run["family"] in PAPER}
    budgets = sorted({budget for budget, _ in joint})
    lines = [[f"{budget:g}", *(joint.get((budget, name), "-") for name in PAPER)] for budget in budgets]
    return table(["sub-word edits right, %, after minutes", *PAPER], lines) if len(budgets) > 1 else ""


def _confidences(runs: Sequence[Run]) -> str:
    points = runs[0]["test"]["curve"]
    columns = ["tokens right, % of the most confident", *(f"{100 - point['percentile']} %" for point in points)]
    lines = [[run["family"], *(percentage(point["right"]) for point in run["test"]["curve"])] for run in runs]
    count = runs[0]["test"]["rolled"]
    return table(columns, lines) + (
        f"\n{count} tokens of the test sequences, drawn once for all models. Positions of deleted tokens are "
        f"excluded here, since a greedy edit could not be applied there{_alive(runs)}.\n"
    )


def _alive(runs: Sequence[Run]) -> str:
    """What that does to all edits, where it was measured."""
    told = [
        f"{run['family']} {percentage(run['test']['joint'])} to {percentage(run['test']['live']['joint'])} %"
        for run in runs
        if "live" in run["test"] and run["family"] != "E"
    ]
    return f"; on all sub-word edits, teacher forced, this alone makes of {', of '.join(told)}" if told else ""


def _machine(runs: Sequence[Run]) -> str:
    columns = [
        "run",
        "processor minutes",
        "sequences read",
        "of one pass",
        "updates",
        "batch",
        "best at",
        "dev, last quarter",
        "weights",
        "commit",
    ]
    lines = [
        [run["family"], f"{run['minutes']:.1f}", f"{run['instances']:,}", f"{run['epochs']:.2f}",
         f"{run['steps_done']:,}",
         str(run["batch"]), f"{run['best_step']:,}", _last_quarter(run), f"{run['parameters']:,}", run["commit"]]
        for run in runs
    ]  # fmt: skip
    first = runs[0]
    return table(columns, lines) + (
        f"\nWidth {first['hidden']}, Adam {first['rate']:g}, seed {first['seed']}, {first['device']}, "
        f"{first['threads']} thread; minutes include the evaluations on the dev split. Every run ended by the clock. "
        "Last quarter: points of sub-word edits by which the best step in it is ahead of the best one before.\n"
    )


def _last_quarter(run: Run) -> str:
    """By how many points dev rose in the last quarter of a run; a dash where its curve is too short to say."""
    curve = run.get("curve", ())
    before = [point["dev"] for point in curve if point["step"] <= 0.75 * run["steps_done"]]
    after = [point["dev"] for point in curve if point["step"] > 0.75 * run["steps_done"]]
    return f"{100 * (max(after) - max(before)):+.1f}" if before and after else "-"
