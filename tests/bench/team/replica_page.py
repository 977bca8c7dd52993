"""The section on batches in a replica of docs/results/team.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

PAYS = 0.9  # of the processor time of a request alone: batches that save less are not worth their wait


def replica(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of the section."""
    alone = {row["clients"]: row for row in rows if row["size"] == 1}
    ratios = [row["processor_ms"] / alone[row["clients"]]["processor_ms"] for row in rows if row["size"] > 1]
    yield "## Batches in a replica"
    yield ""
    yield (
        "One replica on the processor, without a network (`team serve --batch N --batch-wait MS`): clients that send "
        "their next request for completions with the answer to the one before, each at another place of a file. The "
        "documents of requests that wait at the same time are read by the language model in shared runs of its graphs; "
        "a request waits for others at most so long. Settings take turns; requests a second and processor time are "
        "those of the best round, p50 and p99 those of all requests. A request in a batch costs between "
        f"{min(ratios):.0%} and {max(ratios):.0%} of the processor time that it costs without: "
        + (
            "batches pay here."
            if max(ratios) <= PAYS
            else "reading the new tokens of a document is a small part of a request, so batches do not pay with these "
            "models on a processor, beyond the differences between rounds that other programs cause. They are off "
            "unless asked for: they are meant for larger models and a GPU."
        )
    )
    yield ""
    yield "| clients | batch | wait, ms | mean batch | requests a second | processor time, ms | p50, ms | p99, ms |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        yield (
            f"| {row['clients']} | {row['size']} | {row['wait_ms']:.0f} | {row['mean_batch']:.1f} "
            f"| {row['a_second']:.0f} | {row['processor_ms']:.2f} | {row['p50_ms']:.0f} | {row['p99_ms']:.0f} |"
        )
    yield ""
