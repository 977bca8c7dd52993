"""docs/results/team.md, from the figures in models/results/team.json."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .corpora_page import corpora
from .measure import AFTER, AIM, BEFORE, SETTLE, carried
from .paper import CORE_HOUR, CORES, DEVELOPERS, HOURS, TYPING_SHARE, UTILISATION, control_cores, core_seconds, need

ROOT = Path(__file__).resolve().parents[3]
PRICE_LIST = "https://docs.github.com/en/copilot/concepts/billing/billing-for-enterprises"
PARTS = ("capacity", "faults", "corpora")
DATA, PAGE = Path("models/results/team.json"), Path("docs/results/team.md")


def page(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Team server under load"
    yield ""
    yield (
        "Written by `python -m tests.bench.team --publish` from `models/results/team.json`. Simulated typists "
        "(`python -m tests.bench.team.load`) type a Python file at five keys a second, with a request for completions "
        "and then one for ghost text at each key. A request that the server does not answer within 40 ms is answered "
        "by the laptop. Requests that the next key supersedes do not count. Two Ray nodes with a replica each, the "
        "proxy and the typists run on one machine."
    )
    yield ""
    sections: dict[str, Callable[[Any], Iterator[str]]] = {
        "capacity": lambda part: _capacity(part["rows"]),
        "faults": lambda part: _faults(part["rows"]),
        "corpora": corpora,
    }
    for part, section in sections.items():
        if part in found:
            yield from section(found[part])
            if len(numbers := found[part].get("carried", ())) > 1:
                yield f"{len(numbers)} searches found {_listed(numbers)} typists; the table is that of the middle one."
                yield ""
            yield _measured(found[part]["machine"])
            yield ""
    if "capacity" in found:
        yield from _paper(found["capacity"]["rows"])


def _listed(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}"


def _measured(where: Mapping[str, Any]) -> str:
    return (
        f"Measured on {where['date']} at commit {where['commit']}: {where['processor']}, {where['cores']} cores, which "
        f"other programs used too (load average {where['load']} before it began), Python {where['python']}, Ray "
        f"{where['ray']}."
    )


def _capacity(trials: list[Mapping[str, Any]]) -> Iterator[str]:
    best = carried(trials)
    yield "## How many typists"
    yield ""
    if best is None:
        yield f"In no trial did the server answer {AIM:.0%} of the requests in time."
    else:
        free = (1 - best["processor"]["others"] / best["seconds"] / 2) * 2
        yield (
            f"**{best['clients']} typists** were carried: the most of whose requests the server answers at least "
            f"{AIM:.0%} in time. Other programs left {free:.1f} cores of 2 for it, including the typists themselves. "
            f"The answers cost {1000 * core_seconds(best):.1f} ms of processor time each. Requests run one at a time: "
            "each step of the engine holds one. A trial that missed the aim was made a second time."
        )
    yield ""
    yield (
        "| typists | requests | answered in time | p50, ms | p99, ms | engine, ms | queue, ms | rest, ms "
        "| server, cores | typists, cores | other programs, cores |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for trial in trials:
        times, processor, seconds = trial["milliseconds"], trial["processor"], trial["seconds"]
        server = sum(processor[role] for role in ("replicas", "proxy", "ray")) / seconds
        cells = [f"{times[name]:.1f}" if times else "" for name in ("p50", "p99", "engine", "queue", "rest")]
        yield (
            f"| {trial['clients']} | {trial['requests']:,} | {trial['in_time']:.1%} | {' | '.join(cells)} "
            f"| {server:.2f} | {processor['typists'] / seconds:.2f} | {processor['others'] / seconds:.2f} |"
        )
    yield ""
    yield (
        "Times are those of the answers in time. Engine: its run time; queue: the wait for it; rest: the proxy, the "
        "network and the scheduling of a shared machine."
    )
    yield ""


def _faults(runs: list[Mapping[str, Any]]) -> Iterator[str]:
    yield "## Faults"
    yield ""
    yield (
        "Share of the requests that the server answers in time: in the "
        f"{BEFORE:.0f} s before the fault, while it lasts, in the {SETTLE:.0f} s after it, and in the {AFTER:.0f} s "
        f"after those. The aim is {AIM:.0%} before and again afterwards; the laptop answers the rest. Wrong: answers "
        "that do not fit the text that was asked about; they are not shown. Steady after: the seconds from the end of "
        "the fault from which on the aim holds in every two seconds of the run; two late answers in them move it back. "
        "Longest wait of any request: for an answer or the decision to answer locally."
    )
    yield ""
    yield "| fault | typists | before | during | 10 s after | then | steady after, s | wrong | longest wait, ms |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for run in runs:
        shares = [
            f"{run[name]['in_time']:.1%} of {run[name]['requests']:,}" if name in run else ""
            for name in ("before", "during", "settling", "after")
        ]
        steady = "not in the run" if run["recovered_seconds"] is None else f"{run['recovered_seconds']:.1f}"
        yield (
            f"| {run['name']} | {run['clients']} | {' | '.join(shares)} | {steady} | {run['wrong']} "
            f"| {run['longest_ms']:.0f} |"
        )
    yield ""


def _paper(trials: list[Mapping[str, Any]]) -> Iterator[str]:
    best = carried(trials)
    yield "## For a company, on paper"
    yield ""
    if best is None:
        yield "Nothing can be computed without a trial that met the aim."
        return
    rate = best["requests"] / best["seconds"] / best["clients"]
    yield (
        f"From the trial with {best['clients']} typists: {rate:.1f} requests a second and typist, "
        f"{1000 * core_seconds(best):.1f} ms of processor time of the server for each, and {control_cores(best):.2f} "
        "cores for the control of the cluster. Assumed, not measured: at most "
        f"{TYPING_SHARE:.0%} of the developers type at the same moment; processors are used at {UTILISATION:.0%}; "
        f"machines have {CORES} cores, run {HOURS} hours a month and cost {CORE_HOUR} US dollars a core and hour; the "
        "proxy of the head node is divided among several head nodes where one is not enough."
    )
    yield ""
    yield "| developers | typing at once | requests a second | cores | machines | dollars a month | each developer |"
    yield "|---|---|---|---|---|---|---|"
    for developers in DEVELOPERS:
        row = need(developers, best)
        yield (
            f"| {row.developers:,} | {row.typing:,} | {row.requests_per_second:,.0f} | {row.cores:,} | {row.machines} "
            f"| {row.dollars:,.0f} | {row.each:.2f} |"
        )
    yield ""
    yield (
        f"For comparison: [GitHub Copilot Business]({PRICE_LIST}) "
        "costs 19 US dollars a user and month, with much larger models and much more than completions."
    )


def text(found: Mapping[str, Any]) -> str:
    """Return the page."""
    return "\n".join(page(found)) + "\n"


def publish(root: Path, found: Mapping[str, Any]) -> None:
    """Store the figures and write the page."""
    made = text(found)
    (root / DATA).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (root / PAGE).write_text(made, encoding="utf-8")


if __name__ == "__main__":
    publish(ROOT, json.loads((ROOT / DATA).read_text(encoding="utf-8")))
