"""The table of times in README.md and docs/figures.md, from the figures that `make bench` stored.

`make bench BENCH_ARGS=--publish` measures, stores the figures in models/results/times.json and renews both tables;
`python -m tests.bench.publish` renews the tables alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .measure import COMPLETION, INLINE, NEXT_EDIT

ROOT = Path(__file__).resolve().parents[2]
DATA = Path("models/results/times.json")
PAGES = (Path("README.md"), Path("docs/figures.md"))
NAMES = {"python": "Python", "java": "Java", "typescript": "TypeScript", "go": "Go"}
BEGIN, END = "<!-- begin: times -->", "<!-- end: times -->"


def block(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the block: for each length of the file the worst of the languages."""
    where, alone = found["machine"], [row for row in found["results"] if COMPLETION in row["times"]]
    sizes = sorted({row["lines"] for row in alone})
    languages = ", ".join(sorted({NAMES[row["language_id"]] for row in alone}, reverse=True))
    yield (
        f"Milliseconds from the key to the answer over stdio (`make bench`; {where['processor']}, "
        f"{where['cores']} cores, load {where['load']}, commit {where['commit']}; the worst of {languages};"
    )
    yield f"from process start to the first completion {max(found['start_ms'].values()) / 1000:.1f} s):"
    yield ""
    yield "| | " + " | ".join(f"{size:,} lines" for size in sizes) + " |"
    yield "|---|" + "---|" * len(sizes)
    for surface in (COMPLETION, INLINE, NEXT_EDIT):
        yield _row(f"{surface}, p50 / p99", _percentiles(alone, sizes, surface))
    yield _row("resident memory, MB", _memory(alone, sizes))
    if beside := found.get("beside"):
        yield _row(
            f"completion of {beside['name']}, in the same run", _percentiles(beside["results"], sizes, COMPLETION)
        )
        yield _row(f"resident memory of {beside['name']}, MB", _memory(beside["results"], sizes))


def block_of(page: Path, found: Mapping[str, Any]) -> Iterator[str]:
    """The block of a page: README.md, which is short, has no rows of another server."""
    return block({**found, "beside": None} if page.name == "README.md" else found)


def _row(title: str, cells: Iterable[str]) -> str:
    return f"| {title} | " + " | ".join(cells) + " |"


def _percentiles(rows: list[dict[str, Any]], sizes: list[int], surface: str) -> Iterator[str]:
    """The worst p50 and p99 of each size."""
    for size in sizes:
        yield " / ".join(f"{max(_times(rows, size, surface, share)):.3g}" for share in ("p50", "p99"))


def _memory(rows: list[dict[str, Any]], sizes: list[int]) -> Iterator[str]:
    return (f"{max(row['rss_mb'] for row in rows if row['lines'] == size):.0f}" for size in sizes)


def with_block(text: str, lines: Iterator[str]) -> str:
    """A page with the block between its markers. Raises ValueError where it has none."""
    head, begin, rest = text.partition(f"{BEGIN}\n")
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"no place for the times between {BEGIN} and {END}")
    return f"{head}{BEGIN}\n" + "".join(f"{line}\n" for line in lines) + f"{END}{tail}"


def publish(root: Path, found: Mapping[str, Any]) -> None:
    """Store the figures and renew the tables of both pages. Raises ValueError before anything is written."""
    before = {page: (root / page).read_text(encoding="utf-8") for page in PAGES}
    texts = {root / page: with_block(text, block_of(page, found)) for page, text in before.items()}
    (root / DATA).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")


def _times(rows: list[dict[str, Any]], size: int, surface: str, share: str) -> Iterator[float]:
    return (row["times"][surface][share] for row in rows if row["lines"] == size and surface in row["times"])


if __name__ == "__main__":
    publish(ROOT, json.loads((ROOT / DATA).read_text(encoding="utf-8")))
