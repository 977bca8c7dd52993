"""Runs of TreeGen as cells of tables: what was measured of a set, with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from editahead_models.report.verdicts import verdict, width

NOT_RUN = "not run"
Runs = Mapping[str, Any]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of a table, with an empty one behind it."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def cell(value: float | None) -> str:
    """A figure in percent; a dash where print has none."""
    return "-" if value is None else f"{value:.1f}"


def entry_of(runs: Runs, name: str, row: int = 1) -> Mapping[str, Any] | None:
    """What was measured of a set on its test split with a row's model; None before it was."""
    entry: Mapping[str, Any] | None = runs.get(f"{name}/test/{row}")
    return entry


def exact(entry: Mapping[str, Any] | None) -> str:
    """Right ones in percent with their interval, of an entry or of its figures."""
    if entry is None:
        return NOT_RUN
    figures = entry.get("figures", entry)
    low, high = figures["interval"]
    return f"{figures['accuracy']:.1f} ({low:.1f} to {high:.1f})"


def epochs_of(entry: Mapping[str, Any] | None) -> str:
    """The epochs of a run, to be written behind its name."""
    return f", {entry['epochs']} epochs" if entry is not None else ""


def ours(entry: Mapping[str, Any] | None) -> list[str]:
    """StrAcc with its interval, Acc+, BLEU."""
    if entry is None:
        return [NOT_RUN] * 3
    figures = entry["figures"]
    return [exact(entry), cell(figures["renamed"]), f"{figures['bleu']:.1f} (corpus {figures['corpus bleu']:.1f})"]


def worth(entry: Mapping[str, Any] | None) -> str:
    """What the accuracy of an entry is worth, by its interval."""
    if entry is None:
        return verdict(["it was not run"], (), "")
    return width(entry["figures"]["interval"], f"{entry['figures']['examples']} examples")


def is_shorter(key: str) -> bool:
    """Whether figures stand beside those of the same model with more epochs, to compare others with."""
    return key.endswith(" epochs")
