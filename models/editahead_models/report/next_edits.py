"""docs/results/next-edits.md: what is shown as the next edit, from the figures that `evaluate candidates` stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from editahead.text.percent import percent

from editahead_models.report.results import LANGUAGE_NAMES, table, write_page

NAME = "next-edits"
HEAD = """# What is shown as the next edit

Written by `editahead-models report` from `models/results/next-edits.json`; `editahead-models evaluate candidates
--store` measured it at commit {commit} on the {split} projects ({machine}).

Commits are replayed with the real engine, with all of their files open: the hunks in the order of the files, in one
commit of four shuffled. The engine is asked after drawn hunks (`between`), in the middle of one (`half`), after one
drawn edit of the commit alone (`burst`), after the last one (`finished`), after an undo, and after a letter that was
typed and deleted.

A request is a moment in which an edit is still to come in the file of the cursor. Exact: the answer lies on a shortest
way to the committed text, counted in tokens. In place: it touches an edit that is still to come. Wrong: it touches
none. Quiet: nothing was shown where nothing was to come. 95 % intervals by Wilson.

By source: kept are the exact ones; in place are those that touch an edit still to come and are not exact. Rejected are
the wrong ones, and those shown where nothing was to come, as a user who writes the commit would reject both."""
CATEGORIES = {
    "all": "all requests",
    "same": "a substitution comes once more",
    "seen": "only tokens that were inserted before",
    "deletion": "only deletions",
    "file": "only tokens of the file",
    "other": "other tokens",
}
DEFAULT = "0.8"


def write(docs: Path, data: Path) -> Path | None:
    """Write the page; None where nothing was measured."""
    return write_page(docs, data, NAME, page)


def page(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the page."""
    yield from HEAD.format(**found).split("\n")
    for language, figures in found["languages"].items():
        name = LANGUAGE_NAMES[language]
        yield from ("", f"## {name}, {figures['due']} requests in {figures['moments']} moments", "")
        yield from ("### By `editahead.precision`", "")
        columns = ("precision", "shown", "exact", "in place of shown", "wrong of shown")
        rows = [_row(dial, figures["dials"][dial]) for dial in figures["dials"]]
        yield from table((*columns, "quiet after finished commits"), rows).splitlines()
        yield from ("", f"### By what is to come, at {DEFAULT}", "")
        yield "Found: how often the right edit is among the ten likeliest candidates."
        yield ""
        rows = [_category(category, figures) for category in CATEGORIES]
        yield from table(("", "requests", "found", "shown", "exact", "wrong of shown"), rows).splitlines()
        yield from ("", f"### By source, at {DEFAULT}", "")
        headings = ("source", "shown", "kept", "in place", "wrong", "where nothing was to come", "rejected of shown")
        sources = {source: source_counts(row) for source, row in figures["dials"][DEFAULT]["sources"].items()}
        sources["all"] = SourceOutcomes(*map(sum, zip(*sources.values(), strict=True)))
        rows = [_source(source, counts) for source, counts in sources.items()]
        yield from table(headings, rows).splitlines()


def _row(dial: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    total, quiet = row["categories"]["all"], row["quiet"]["finished"]
    return (
        dial, percent(total["shown"], 1), _exact(total), percent(total["in place of shown"], 1),
        percent(total["wrong of shown"], 1), f"{percent(quiet['quiet'], 1)} of {quiet['moments']}",
    )  # fmt: skip


def _category(category: str, figures: Mapping[str, Any]) -> tuple[str, ...]:
    row = figures["dials"][DEFAULT]["categories"][category]
    among = percent(figures["recall"][category]["among 10"], 1)
    shown, wrong = percent(row["shown"], 1), percent(row["wrong of shown"], 1)
    return CATEGORIES[category], str(row["requests"]), among, shown, _exact(row), wrong


class SourceOutcomes(NamedTuple):
    """What became of the next edits that one source gave, by their number."""

    kept: int
    in_place: int
    wrong: int
    idle: int
    """Shown where nothing was to come."""


def source_counts(row: Mapping[str, Any]) -> SourceOutcomes:
    """The numbers behind the shares of a source."""
    shown = row["requests"]
    kept, wrong = (round(row[what] * shown) for what in ("exact of shown", "wrong of shown"))
    return SourceOutcomes(kept, shown - kept - wrong, wrong, row["where nothing is due"])


def _source(source: str, counts: SourceOutcomes) -> tuple[str, ...]:
    shown = sum(counts)
    rejected = percent((counts.wrong + counts.idle) / shown, 1) if shown else ""
    return source, str(shown), *map(str, counts), rejected


def _exact(row: Mapping[str, Any]) -> str:
    low, high = row["exact interval"] or (0.0, 1.0)
    return f"{percent(row['exact'], 1)} ({percent(low)} to {percent(high)})"
