"""docs/results/consequences.md: what follows from one edit, from the figures that `evaluate consequences` stored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from editahead.text.percent import percent

from editahead_models.treegen.metrics import wilson

NAME = "consequences"
HEAD = """# What follows from one edit

Written by `editahead-models report` from `data/consequences.json`; `editahead-models evaluate consequences --store`
measured it at commit {commit} on the {split} projects ({machine}).

## Renames typed by hand

A declaration is drawn in a real file, its name deleted and a new one typed letter by letter; then every next edit
of the real engine, at the default precision, is accepted until none comes. Offered: of the renames with a use left
those after which something was shown at once. Right: of the accepted edits those that rename what another program
names as a reference, and nothing else. To the end: all uses were renamed. Half typed: something was shown while
letters were missing. Nothing left: something was shown where no use was, or after the last one. 95 % intervals by
Wilson."""
COMMITS = """## Changes in commits, replayed

A commit that changes something by which other places must change is entered with that edit alone. Due: the commit
changed the first place that is offered. Exact: it wrote there what was offered. Commits also rewrite and delete, so
that the exact share is a lower bound. Shown: of the moments with a candidate, by the dial `editahead.precision`."""
RATES = """## Rates by kind of change

Fitted on the fit projects by `editahead-models calibrate consequences`; the gate compares them with the dial."""
LANGUAGES = {"python": ("Python", "jedi"), "java": ("Java", "the Java compiler")}


def write(docs: Path, data: Path) -> Path | None:
    """Write the page; None where nothing was measured."""
    source = data / f"{NAME}.json"
    if not source.exists():
        return None
    target = docs / f"{NAME}.md"
    target.write_text("\n".join(page(json.loads(source.read_text(encoding="utf-8")))) + "\n", encoding="utf-8")
    return target


def page(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the page."""
    yield from HEAD.format(**found).split("\n")
    for language, (name, truth) in LANGUAGES.items():
        figures = found["renames"].get(language)
        if figures is None:
            continue
        yield ""
        yield f"### {name}, references by {truth}"
        yield ""
        yield "| | renames | offered | right | to the end | half typed | nothing left |"
        yield "|---|---|---|---|---|---|---|"
        for group, row in figures.items():
            cells = (
                _with_interval(row["offered"], row["renames"]),
                _with_interval(row["right"], row["accepted"]),
                _with_interval(row["led to the end"], row["renames"]),
                percent(row["half typed, shown"]),
                f"{percent(row['nothing left, shown'])} of {row['nothing left']}",
            )
            yield f"| {group} | {row['renames']} | {' | '.join(cells)} |"
    yield ""
    yield from COMMITS.split("\n")
    for source, table in found["replayed"].items():
        yield ""
        yield f"### {source}, {found['moments'][source]} moments"
        yield ""
        yield "| precision | shown | due | exact |"
        yield "|---|---|---|---|"
        for precision, row in table.items():
            yield f"| {precision} | {percent(row['shown'])} | {percent(row['due'])} | {percent(row['exact'])} |"
    yield ""
    yield from RATES.split("\n")
    for source, rows in found["rates"].items():
        yield ""
        yield f"### {source}"
        yield ""
        yield "| kind | probability | moments | exact | left as it was |"
        yield "|---|---|---|---|---|"
        for kind, row in rows.items():
            if kind:
                counts = percent(row["probability"]), str(row["n"]), str(row["exact"]), str(row["kept"])
                yield f"| {kind} | {' | '.join(counts)} |"


def _with_interval(share: float, count: int) -> str:
    low, high = wilson(round(share * count), count) if count else (0.0, 1.0)
    return f"{percent(share, 1)} ({percent(low)} to {percent(high)})"
