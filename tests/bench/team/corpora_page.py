"""The section on corpora of docs/results/team.md: rates, growth, and 10,000 repositories on paper."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .paper import CORE_HOUR, CORES

JOBS = {"mine": "mining of edits (`mine --repo`)", "prepare": "a corpus (`prepare`)"}
REPOSITORIES = 10_000
MACHINES = (1, 10)
FILES = 200  # files of a repository, assumed for the memory


def corpora(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the section."""
    rows, projects = found["rows"], found["projects"]
    yield "## Corpora on a cluster"
    yield ""
    yield (
        f"The histories and files of {len(projects)} small projects of the train and dev splits, mined and prepared by "
        "one and two processes and by one and two Ray nodes of one processor each, in turns; the bytes are the same. "
        "Processor time is that of all processes that do the work, those of Ray included, so that other programs count "
        "little; seconds are those of the clock, which they change. The start of the processes counts too. Rounds: "
        f"{len(select(rows, 'mine', 'nodes', 1))}."
    )
    yield ""
    yield (
        "| work | processor time with 2 processes, s | with 2 nodes, s | throughput of a core beside processes "
        "| growth from 1 to 2 processes | growth from 1 to 2 nodes |"
    )
    yield "|---|---|---|---|---|---|"
    for job, name in JOBS.items():
        local, cluster = (processor(rows, job, where) for where in ("processes", "nodes"))
        yield (
            f"| {name} | {local:.1f} | {cluster:.1f} | {local / cluster:.2f} | {growth(rows, job, 'processes'):.2f} "
            f"| {growth(rows, job, 'nodes'):.2f} |"
        )
    yield ""
    core_hours = {job: processor(rows, job, "nodes") / len(projects) * REPOSITORIES / 3600 for job in JOBS}
    share = min(1.0, min(growth(rows, job, "nodes") for job in JOBS) / 2)
    kept = found["bytes_of_a_file"]
    yield (
        f"On paper, {REPOSITORIES:,} repositories such as these: {core_hours['mine']:,.0f} core-hours to mine, "
        f"{core_hours['prepare']:,.0f} to prepare. With the lesser growth above, {share:.0%} of each processor is of "
        f"use. Machines have {CORES} cores, which cost {CORE_HOUR} US dollars an hour. The process that looks for "
        f"near-duplicates keeps {kept / 1000:.1f} kB of each file: {kept * FILES * REPOSITORIES / 1e9:.1f} GB at "
        f"{FILES} files a repository; everything else is read and written a shard at a time."
    )
    yield ""
    yield "| machines | hours | US dollars |"
    yield "|---|---|---|"
    for machines in MACHINES:
        hours = sum(core_hours.values()) / (CORES * machines * share)
        yield f"| {machines} | {hours:,.1f} | {hours * machines * CORES * CORE_HOUR:,.2f} |"
    yield ""


def select(rows: Sequence[Mapping[str, Any]], job: str, where: str, count: int) -> list[Mapping[str, Any]]:
    """Return the rounds of one setting."""
    return [row for row in rows if (row["job"], row["where"], row["count"]) == (job, where, count)]


def processor(rows: Sequence[Mapping[str, Any]], job: str, where: str, count: int = 2) -> float:
    """Return the median of the processor seconds of one setting."""
    return statistics.median(row["processor"] for row in select(rows, job, where, count))


def growth(rows: Sequence[Mapping[str, Any]], job: str, where: str) -> float:
    """Return how many times as fast two of them are as one, as the median of the rounds."""
    one, two = (select(rows, job, where, count) for count in (1, 2))
    return statistics.median(a["seconds"] / b["seconds"] for a, b in zip(one, two, strict=True))
