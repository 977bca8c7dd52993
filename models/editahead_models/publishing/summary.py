"""The block of figures in README.md and docs/figures.md, between two comments, from the stored tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from editahead_models.publishing.intervals import is_kept
from editahead_models.publishing.parts import COMPLETIONS, OTHER_SERVER
from editahead_models.report.results import LANGUAGE_NAMES, in_order, table

BEGIN, END = "<!-- begin: product figures -->", "<!-- end: product figures -->"
PAGES = {"README.md": "docs/results/product.md", "docs/figures.md": "results/product.md"}
"""The pages with a block, each with the link from there to all figures."""
_LOCALS = "locals, parameters, imports"
_NEXT = ("next-edits", "precisions", "0.8")


def _tops(group: str, letters: str, part: str = COMPLETIONS) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (part, group, letters, "1"), (part, group, letters, "5")


ROWS: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("**completions**, nothing typed", _tops("all", "0")),
    ("one letter typed", _tops("all", "1")),
    ("nearest words, nothing typed", _tops("words", "0")),
    ("the language's own server, nothing typed", _tops("all", "0", OTHER_SERVER)),
    ("**ghost text**: places where it is shown", (("ghost-text", "0.8", "shown"),)),
    ("of these: right to the last character", (("ghost-text", "0.8", "precision"),)),
    ("**next edits**: requests answered exactly", ((*_NEXT, "exact"),)),
    ("the same by repeating the last edit", (("next-edits", "baseline", "exact"),)),
    ("wrong, of what is shown", ((*_NEXT, "wrong of shown"),)),
    ("nothing to come: nothing shown", ((*_NEXT, "quiet"),)),
    (
        "**renames**: offered / right",
        (("renames", _LOCALS, "offered"), ("renames", _LOCALS, "right")),
    ),
)
"""A title, and the shares that stand in its cells."""
MOST_WITH_INTERVALS = 3
"""Columns that are wide enough for intervals on a line of the README."""
TARGETS = 4  # 0.5, 0.65, 0.8 and 0.9
KEPT = (
    ("**kept** target precisions with 300 shown, ghost text", ("ghost-text",)),
    ("next edits, their places", ("next-edits", "places")),
    ("next edits, to the last character", ("next-edits",)),
)
"""A title, the surface, and what of its suggestions is judged where that is not the text."""
SHORT = {"typescript": "TypeScript", "cpp": "C, C++"}


class MarkersMissingError(ValueError):
    """A page has no place for the block."""


def block(found: Mapping[str, Any], link: str) -> Iterator[str]:
    """The lines of the block. `link` leads to the page of all figures."""
    languages = in_order(found["languages"])
    few = len(languages) <= MOST_WITH_INTERVALS
    told = ", with 95 % intervals over the projects" if few else ""
    more = "all figures" if few else "all figures, with their intervals"
    yield f"On projects that nothing was trained, fitted or chosen on, at precision 0.8, in %{told}"
    yield f"([{more}]({link})); completions: the first choice / one of the first five is right."
    yield ""
    rows = [
        (title, [_cell(one["tables"], paths, intervals=few) for one in languages.values()]) for title, paths in ROWS
    ]
    rows += [(title, [_kept(one["tables"], *judged) for one in languages.values()]) for title, judged in KEPT]
    lines = table(
        (
            "",
            *(
                f"{SHORT.get(name, LANGUAGE_NAMES[name])}, {_projects(len(one['projects']))}"
                for name, one in languages.items()
            ),
        ),
        [(title, *(cell or "–" for cell in cells)) for title, cells in rows if any(cells)],
    )
    yield lines.rstrip("\n")


def _projects(count: int) -> str:
    return "1 project" if count == 1 else f"{count} projects"


def _cell(tables: Mapping[str, Any], paths: Sequence[Sequence[str]], *, intervals: bool) -> str:
    found = []
    for path in paths:
        share: Any = tables
        for key in path:
            share = share.get(key) if isinstance(share, Mapping) else None
        if isinstance(share, Mapping) and share["n"]:
            low, high = share["interval"]
            bounds = "" if low is None or not intervals else f" ({100 * low:.0f} to {100 * high:.0f})"
            found.append(f"{100 * share['share']:.0f}{bounds}")
    return " / ".join(found)


def _kept(tables: Mapping[str, Any], surface: str, judged: str = "") -> str:
    """The target precisions that a surface keeps, of those at which enough is shown; "all" for all there are."""
    found = tables.get(surface, {})
    at_targets = found.get("precisions", found)
    rows = {target: row[judged] if judged else row for target, row in at_targets.items()}
    shown = {target: is_kept(row) for target, row in rows.items() if row["precision"]["n"]}
    kept = [target for target, is_so in shown.items() if is_so]
    if len(kept) == TARGETS:
        return "all"
    return (", ".join(kept) or "none") if shown else ""


def with_block(text: str, lines: Iterator[str], page: str) -> str:
    """A page with the block between its markers. Raises MarkersMissingError."""
    head, begin, rest = text.partition(f"{BEGIN}\n")
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise MarkersMissingError(f"{page}: no place for the figures between {BEGIN} and {END}")
    return f"{head}{BEGIN}\n" + "".join(f"{line}\n" for line in lines) + f"{END}{tail}"


def write(root: Path, found: Mapping[str, Any]) -> list[Path]:
    """Renew the block in the pages below a folder that are there. Raises MarkersMissingError before any is written."""
    texts = {
        root / name: with_block((root / name).read_text(encoding="utf-8"), block(found, link), name)
        for name, link in PAGES.items()
        if (root / name).exists()
    }
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return list(texts)
