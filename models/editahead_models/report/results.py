"""Saved metrics: one JSON file a table in models/results, small enough to keep in the repository."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DATA = Path("models/results")
LANGUAGE_NAMES = {
    "python": "Python", "java": "Java", "typescript": "TypeScript and JavaScript", "go": "Go", "rust": "Rust",
    "cpp": "C and C++", "c_sharp": "C#", "kotlin": "Kotlin",
}  # fmt: skip
"""What pages call the languages of the splits, in the order of their columns and sections."""
_DIGITS = 5  # significant ones, so that a file changes only where a figure does


def data_of(docs: Path) -> Path:
    """The folder of the stored figures behind the pages in `docs`: models/results of a checkout, else `docs`/data."""
    return docs.parents[1] / DATA if docs.parts[-2:] == ("docs", "results") else docs / "data"


def in_order(languages: Mapping[str, Any]) -> dict[str, Any]:
    """Entries by language, in the order of LANGUAGE_NAMES."""
    return {name: languages[name] for name in LANGUAGE_NAMES if name in languages}


def rounded(value: Any) -> Any:
    """The same JSON value with short numbers."""
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


def deviations(page: str) -> str:
    """The section of a page on what differs from its paper: the rows of deviations.toml; empty where none are."""
    rows = tomllib.loads(Path(__file__).with_name("deviations.toml").read_text(encoding="utf-8")).get(page)
    if not rows:
        return ""
    lines = [("", "the paper", "here", "rows"), ("---",) * 4]
    lines += [(row["subject"], row["paper"], row["here"], row["rows"]) for row in rows]
    return "## What differs from the paper\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A markdown table, numbers to the right."""
    sides = ["---", *["---:"] * (len(columns) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (columns, sides, *rows)) + "\n"
