"""What was offered on commits that were made again, and which model should have written it: two tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from editahead.text.percent import percentage

from editahead_models.report.results import table

WRITERS = {
    "edit model finds the place": "the edit model's best guess touches an edit to come",
    "edit model right": "it is right",
    "spans right at the true place": "the span model's best rewriting around the true place is right",
    "spans right where the edit model only finds the place": "it is right where the edit model only finds the place",
}


def tables(results: Mapping[str, Any]) -> Iterator[str]:
    """Held-out commits replayed by the real engine: what is offered, and who should write it."""
    languages = [name for name in results if isinstance(results[name], Mapping)]
    if not languages:
        return
    of = [results[name] for name in languages]
    lines = [
        ["commits replayed", *(str(one["commits"]) for one in of)],
        ["edits after the first", *(f"{one['later']:,}" for one in of)],
        ["offered exactly before they were made, %", *(percentage(one["offered"]) for one in of)],
    ]
    for surface in ("next edit", "sure places"):
        parts = [one["surfaces"].get(surface, {"shown": 0, "right": 0.0}) for one in of]
        cells = (f"{part['shown']} / {percentage(part['right'])}" for part in parts)
        lines.append([f"{surface}: shown / of these right, %", *cells])
    yield (
        "Commits of dev projects replayed edit by edit, with a request after each edit at the default precision of 0.8 "
        f"(seed {results['seed']}; {', '.join(results['models'])}). An edit is a sequence of changed bytes:\n\n"
        + table(["offered", *(name.capitalize() for name in languages)], lines)
    )
    writers = [[text, *(percentage(one["writers"].get(key, 0.0)) for one in of)] for key, text in WRITERS.items()]
    if any(one["moments"] for one in of):
        yield (
            "Which model should write a change of more than a few tokens? At the same moments, if another edit of the "
            "same file follows, at any probability:\n\n"
            + table(["% of moments", *(name.capitalize() for name in languages)], writers)
        )
