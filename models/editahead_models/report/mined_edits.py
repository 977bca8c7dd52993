"""The part of the page on edit models that is about real edits: the models of the paper on mined ones, and beyond."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from editahead.text.percent import percentage

from editahead_models.report import offered
from editahead_models.report.results import table

Run = Mapping[str, Any]
PAPER = {"E": 51.0, "IR": 55.5, "IA-ag": 61.1}
"""Sub-token accuracy in percent, Zhao et al. 2019, section 5.3; their data are private."""
BASE = "IA-ag"


def label(run: Run) -> str:
    """A run's name on the page."""
    shuffled = ", shuffled hunks" if run.get("shuffled") else ""
    numbered = ", numbered names" if run.get("placeholders") is not None else ""
    return f"{run['family']}{shuffled}{numbered}"


def paper_runs(runs: Sequence[Run]) -> list[Run]:
    """One run of each of the paper's models, in their order.

    Either those with the longest budget that all of them had, or each with its own longest one.
    """
    found = [[run for run in runs if label(run) == name] for name in PAPER]
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
    """Markdown of both parts; empty without results."""
    runs: Sequence[Run] = results.get("mined", ())
    main = newest(runs)
    return [part for part in (*_real(paper_runs(main)), _by_budget(main), *_beyond(results, runs)) if part]


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
        lines.append([label(run), f"{PAPER[run['family']]:.1f}", *shares, *errors])
    return table(columns, lines) + (
        "\nContent is that at the true position. A token is right if all edits up to its end are. Calibration error: "
        "expected, 15 bins, of teacher-forced edits and of greedily decoded tokens.\n"
    )


def _by_kind(runs: Sequence[Run]) -> str:
    kinds = list(runs[0]["test"]["kinds"])
    of = [run["test"]["kinds"] for run in runs]
    lines = [[kind, f"{of[0][kind]['edits']:,}", *(percentage(one[kind]["joint"]) for one in of)] for kind in kinds]
    return table(["sub-word edits right, %", "edits", *(label(run) for run in runs)], lines)


def _by_budget(runs: Sequence[Run]) -> str:
    """Sub-word edits right at each budget that a run of the paper's models had; empty with one budget."""
    joint = {(_budget(run), label(run)): percentage(run["test"]["joint"]) for run in runs if label(run) in PAPER}
    budgets = sorted({budget for budget, _ in joint})
    lines = [[f"{budget:g}", *(joint.get((budget, name), "-") for name in PAPER)] for budget in budgets]
    return table(["sub-word edits right, %, after minutes", *PAPER], lines) if len(budgets) > 1 else ""


def _confidences(runs: Sequence[Run]) -> str:
    points = runs[0]["test"]["curve"]
    columns = ["tokens right, % of the most confident", *(f"{100 - point['percentile']} %" for point in points)]
    lines = [[label(run), *(percentage(point["right"]) for point in run["test"]["curve"])] for run in runs]
    count = runs[0]["test"]["rolled"]
    return table(columns, lines) + (
        f"\n{count} tokens of the test sequences, drawn once for all models. Positions of deleted tokens are "
        f"excluded here, since a greedy edit could not be applied there{_alive(runs)}.\n"
    )


def _alive(runs: Sequence[Run]) -> str:
    """What that does to all edits, where it was measured."""
    told = [
        f"{label(run)} {percentage(run['test']['joint'])} to {percentage(run['test']['live']['joint'])} %"
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
        [label(run), f"{run['minutes']:.1f}", f"{run['instances']:,}", f"{run['epochs']:.2f}", f"{run['steps_done']:,}",
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


def _beyond(results: Mapping[str, Any], runs: Sequence[Run]) -> list[str]:
    counted, product = results.get("changes") or {}, results.get("product") or {}
    parts = [
        *_alone_by_data(runs), *_parts(results.get("parts") or {}), *_counts(counted), *_product(product),
        *offered.tables(results.get("offered") or {}),
    ]  # fmt: skip
    parts = [part for part in parts if part]
    return ["## Beyond the paper\n", *parts] if parts else []


def _alone_by_data(runs: Sequence[Run]) -> Iterator[str]:
    """The additions on the newest data, then those on others."""
    main = newest(runs)
    yield _alone(main)
    for data in dict.fromkeys(run["data"] for run in runs if run not in main):
        some = [run for run in runs if run["data"] == data]
        found = _alone(some)
        if found:
            train = some[0]["corpus"]["splits"]["train"]
            size = f"{train['instances']:,} sequences of {train['projects']} projects"
            yield f"On other data ({data}: {size}):\n\n{found}"


def _alone(runs: Sequence[Run]) -> str:
    """Each addition to IA-ag beside IA-ag at the same number of minutes."""
    added = [run for run in runs if label(run) not in PAPER]
    lines = []
    for run in added:
        base = [other for other in runs if label(other) == BASE and abs(_minutes(other) - _minutes(run)) < 0.5]
        for one in (*base[:1], run):
            test = one["test"]
            kinds = test["kinds"]
            lines.append([
                label(one), f"{one['minutes']:.1f}", f"{one['steps_done']:,}",
                *(percentage(test[key]) for key in ("joint", "position", "content", "token")),
                *(percentage(kinds[f"insertions of what {rest}"]["joint"]) for rest in (
                    "stands in the state", "was inserted before alone", "is new")),
            ])  # fmt: skip
    lines = [line for number, line in enumerate(lines) if line not in lines[:number]]
    if not lines:
        return ""
    columns = [
        "one addition to IA-ag", "minutes", "updates", "sub-word edit", "position", "content", "whole token",
        "insertions: in the state", "inserted before", "new",
    ]  # fmt: skip
    return (
        "Trained alone on the same edits, each with the same processor time:\n\n"
        + table(columns, lines)
        + (
            "\nNumbered names: a name of the first state that is not among the 1,000 frequent ones of the training "
            "code is a placeholder, the same one in later edits; new names stay spelled. The sub-words differ, so "
            "compare whole tokens.\n"
            if any(run.get("placeholders") is not None for run in added)
            else ""
        )
        + (
            "\nQueries: positions stand in queries alone, as the paper words it, not in keys and values.\n"
            if any(label(run).endswith("+queries") for run in added)
            else ""
        )
    )


_COUNTED: tuple[tuple[str, str], ...] = (
    ("hunks", "later hunks"),
    ("repeats", "repeat an earlier hunk token by token"),
    ("from edits", "insert only what earlier hunks inserted"),
    ("from state", "insert only tokens of the file"),
    ("from either", "insert only tokens of the file or of earlier hunks"),
    ("inside nearest 320", "inside a window of the nearest 320 tokens"),
    ("inside shared 320", "inside one of 320, lines with shared words first"),
    ("inside nearest 640", "inside a window of the nearest 640 tokens"),
    ("inside shared 640", "inside one of 640, lines with shared words first"),
    *(
        (f"repeat inside {name}", f"of those that repeat: {text}")
        for name, text in (
            ("nearest 320", "inside the nearest 320"),
            ("shared 320", "inside 320, shared words first"),
            ("nearest 640", "inside the nearest 640"),
            ("shared 640", "inside 640, shared words first"),
        )
    ),
    ("names", "inserted names"),
    ("name state", "stand in the file"),
    ("name edits", "were inserted by an earlier hunk, and do not stand in the file"),
    ("name new", "are new"),
    ("name listed", "are among the shipped model's 5,000 fixed tokens"),
    ("name reachable", "are fixed, or can be copied or numbered: stand in the file or in earlier hunks"),
)


def _counts(changes: Mapping[str, Any]) -> Iterator[str]:
    languages = [name for name in changes if isinstance(changes[name], Mapping)]
    if not languages:
        return
    lines = [[text, *(_count(changes[name].get(key, 0)) for name in languages)] for key, text in _COUNTED]
    yield "Counted on changes of several hunks in the dev projects, one hunk given, the others to come:\n\n" + table(
        ["%", *(name.capitalize() for name in languages)], lines
    )


def _product(product: Mapping[str, Any]) -> Iterator[str]:
    if product:
        yield f"{product['about']}\n\n" + table(["shipped model, dev projects", "figure"], product["rows"])


def _parts(results: Mapping[str, Any]) -> Iterator[str]:
    """The search for whole hunks with a part left out."""
    if not results:
        return
    keys = ("top", "top_whole", "top_repeated", "offered_80", "offered_repeated_80")
    lines = [[name, *(percentage(one[key]) for key in keys)] for name, one in results["searches"].items()]
    columns = ["%", "first choice right", "as a whole hunk", "where a hunk repeats"]
    columns += ["offered at 80 %", "where it repeats"]
    yield (
        f"The shipped model's search ({results['bundle']}) without one of its parts, on {results['count']} changes of "
        f"{results['projects']} dev projects. Shares of places with a hunk to come inside the window; each search is "
        "fitted for itself on the other half of the projects:\n\n" + table(columns, lines)
    )


def _count(value: float) -> str:
    return percentage(value) if isinstance(value, float) else f"{value:,}"
