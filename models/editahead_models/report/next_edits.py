"""docs/results/next-edits.md: what is shown as the next edit, from the figures that `evaluate candidates` stored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from editahead.text.percent import percent

NAME = "next-edits"
HEAD = """# What is shown as the next edit

Written by `editahead-models report` from `data/next-edits.json`; `editahead-models evaluate candidates --store`
measured it at commit {commit} on the {split} projects ({machine}).

Commits are replayed with the real engine, with all of their files open: the hunks in the order of the files, in one
commit of four shuffled. The engine is asked after drawn hunks (`between`), in the middle of one (`half`), after one
drawn edit of the commit alone (`burst`), after the last one (`finished`), after an undo, and after a letter that was
typed and deleted.

A request is a moment in which an edit is still to come in the file of the cursor. Exact: the answer lies on a shortest
way to the committed text, counted in tokens. In place: it touches an edit that is still to come. Wrong: it touches
none. Quiet: nothing was shown where nothing was to come. 95 % intervals by Wilson."""
CATEGORIES = {
    "all": "all requests",
    "same": "a substitution comes once more",
    "seen": "only tokens that were inserted before",
    "deletion": "only deletions",
    "file": "only tokens of the file",
    "other": "other tokens",
}
LANGUAGES = {"python": "Python", "java": "Java"}
DEFAULT = "0.8"


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
    for language, figures in found["languages"].items():
        name = LANGUAGES[language]
        before = found.get("before", {}).get("languages", {}).get(language)
        yield from ("", f"## {name}, {figures['due']} requests in {figures['moments']} moments", "")
        if before is not None:
            yield from (f"`before`: the same moments at commit {found['before']['commit']}.", "")
        yield from ("### By `editahead.precision`", "")
        yield "| precision | | shown | exact | in place of shown | wrong of shown | quiet after finished commits |"
        yield "|---|---|---|---|---|---|---|"
        for dial in figures["dials"]:
            for version, table in (("before", before), ("now", figures)):
                if table is not None:
                    yield _row(dial, version, table["dials"][dial])
        yield from ("", f"### By what is to come, at {DEFAULT}", "")
        yield "Found: how often the right edit is among the ten likeliest candidates."
        yield from ("", "| | requests | found | shown | exact | wrong of shown |", "|---|---|---|---|---|---|")
        for category, title in CATEGORIES.items():
            row = figures["dials"][DEFAULT]["categories"][category]
            among = percent(figures["recall"][category]["among 10"], 1)
            cells = (among, percent(row["shown"], 1), _exact(row), percent(row["wrong of shown"], 1))
            yield f"| {title} | {row['requests']} | {' | '.join(cells)} |"
        yield from ("", f"### By source, at {DEFAULT}", "")
        yield "| source | shown | exact of shown | wrong of shown | shown where nothing was to come |"
        yield "|---|---|---|---|---|"
        for source, row in figures["dials"][DEFAULT]["sources"].items():
            right, wrong = percent(row["exact of shown"], 1), percent(row["wrong of shown"], 1)
            yield f"| {source} | {row['requests']} | {right} | {wrong} | {row['where nothing is due']} |"


def _row(dial: str, version: str, row: Mapping[str, Any]) -> str:
    total, quiet = row["categories"]["all"], row["quiet"]["finished"]
    cells = (
        percent(total["shown"], 1), _exact(total), percent(total["in place of shown"], 1),
        percent(total["wrong of shown"], 1), f"{percent(quiet['quiet'], 1)} of {quiet['moments']}",
    )  # fmt: skip
    return f"| {dial} | {version} | {' | '.join(cells)} |"


def _exact(row: Mapping[str, Any]) -> str:
    low, high = row["exact interval"] or (0.0, 1.0)
    return f"{percent(row['exact'], 1)} ({percent(low)} to {percent(high)})"
