"""docs/results/check.md: what the missed-edit check finds, from the figures that `evaluate check` stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from editahead_models.report.results import table, write_page

NAME = "check"
HEAD = """# What the check finds

Written by `editahead-models report` from `models/results/check.json`, which `editahead-models evaluate check --store`
measured at commit {commit} with {bundle} `{digest}`, on dev projects ({machine}; seed {seed}, {commits} commits of
each). 95 % intervals are drawn over projects.

Nobody records what was forgotten, so it is made: one of several equal edits is left out of a commit, or one hunk of any
kind. It counts as found where the check reports it, or reports what follows from it and is not reported of the whole
commit. A report about a whole commit counts as a false one.
"""
SECTIONS = {
    "found": "Places of repeated edits that were left out, found",
    "hunks": "Hunks of any kind that were left out, told by what the change leaves behind",
    "repeating": "Whole commits that repeat an edit, with a report",
    "all": "All whole commits, with a report",
}


def write(docs: Path, data: Path) -> Path | None:
    """Write the page; None where nothing was measured."""
    return write_page(docs, data, NAME, page)


def page(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the page."""
    languages: Mapping[str, Any] = found["languages"]
    yield HEAD.format(**found)
    targets = list(next(iter(languages.values()))["steps"])
    for key, title in SECTIONS.items():
        yield f"## {title}\n"
        rows = [(target, *(_cell(one["steps"][target][key]) for one in languages.values())) for target in targets]
        yield table(("`--precision`", *languages), rows)
    yield "## By kind\n\nHunks left out that each kind tells of / whole commits that it is in.\n"
    kinds = sorted({kind for one in languages.values() for kind in one["kinds"]})
    nothing = {"hunks": 0, "commits": 0}
    counts = [(kind, [one["kinds"].get(kind, nothing) for one in languages.values()]) for kind in kinds]
    rows = [(kind, *(f"{row['hunks']} / {row['commits']}" for row in some)) for kind, some in counts]
    yield table(("kind", *languages), rows)
    yield "Projects:\n"
    for language, one in languages.items():
        yield f"- {language}: {', '.join(f'{name} `{commit}`' for name, commit in one['projects'].items())}"


def _cell(share: Mapping[str, Any]) -> str:
    if not share["n"]:
        return "–"
    low, high = share["interval"]
    bounds = f" ({100 * low:.0f} to {100 * high:.0f})" if low is not None else ""
    return f"{100 * share['share']:.1f} %{bounds} of {share['n']}"
