"""The block of figures in README.md and docs/figures.md, between two comments, from the stored tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from editahead_models.publishing.page import NAMES, with_interval
from editahead_models.report.results import table

BEGIN, END = "<!-- begin: product figures -->", "<!-- end: product figures -->"
PAGES = {
    "README.md": ("docs/results/product.md", "docs/figures.md#definitions"),
    "docs/figures.md": ("results/product.md", "#definitions"),
}
"""The pages with a block, each with the links from there to all figures and to their definitions."""
_LOCALS = "locals, parameters, imports"
ROWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("**completions**, nothing typed: first choice", ("completions", "all", "0", "1")),
    ("among the first five", ("completions", "all", "0", "5")),
    ("the same by the nearest words of the buffer", ("completions", "words", "0", "5")),
    ("one letter typed: first choice", ("completions", "all", "1", "1")),
    ("the same without what is typed, where that is a name", ("completions", "longer", "1", "1")),
    ("among the first five", ("completions", "all", "1", "5")),
    ("the same by the nearest words of the buffer", ("completions", "words", "1", "5")),
    ("**ghost text**: places where it is shown", ("ghost-text", "0.8", "shown")),
    ("right to the last character, of what is shown", ("ghost-text", "0.8", "precision")),
    ("**next edits**: requests answered exactly", ("next-edits", "precisions", "0.8", "exact")),
    ("the same by repeating the last edit", ("next-edits", "baseline", "exact")),
    ("wrong, of what is shown", ("next-edits", "precisions", "0.8", "wrong of shown")),
    ("nothing to come: nothing shown", ("next-edits", "precisions", "0.8", "quiet")),
    ("**renames** of locals, parameters, imports: offered", ("renames", _LOCALS, "offered")),
    ("right, of the edits that follow", ("renames", _LOCALS, "right")),
)


class MarkersMissingError(ValueError):
    """A page has no place for the block."""


def block(found: Mapping[str, Any], links: tuple[str, str]) -> Iterator[str]:
    """The lines of the block. `links` lead to the page of all figures and to their definitions."""
    languages: Mapping[str, Any] = found["languages"]
    yield "On projects that no model was trained on, and on which nothing was fitted or chosen, at the default target"
    yield "precision of 0.8. In brackets: the 95 % interval over the projects."
    yield f"[All figures]({links[0]}), [definitions]({links[1]})."
    yield ""
    rows = [(title, [_cell(one["tables"], path) for one in languages.values()]) for title, path in ROWS]
    yield table(
        ("", *(f"{NAMES[name]}, {_projects(len(one['projects']))}" for name, one in languages.items())),
        [(title, *(cell or "–" for cell in cells)) for title, cells in rows if any(cells)],
    )
    yield from _kept_lines(found)


def _projects(count: int) -> str:
    return "1 project" if count == 1 else f"{count} projects"


def _cell(tables: Any, path: tuple[str, ...]) -> str:
    for key in path:
        tables = tables.get(key) if isinstance(tables, Mapping) else None
    return with_interval(tables) if isinstance(tables, Mapping) and tables["n"] else ""


def _kept_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """For each surface the languages with the target precisions that are kept, and those that are not."""
    for surface, title in (("ghost-text", "Ghost text keeps its"), ("next-edits", "Next edits keep their")):
        parts = []
        for language, one in found["languages"].items():
            table = one["tables"].get(surface, {})
            rows = table.get("precisions", table)
            kept, missed = ([t for t, row in rows.items() if row["kept"] is kept] for kept in (True, False))
            if kept or missed:
                yes, no = f"at {_list(kept)}" if kept else "", f"not at {_list(missed)}" if missed else ""
                parts.append(f"in {NAMES[language]} {', '.join(text for text in (yes, no) if text)}")
        if parts:
            yield f"{title} target precision {'; '.join(parts)}."


def _list(targets: list[str]) -> str:
    return targets[0] if len(targets) == 1 else f"{', '.join(targets[:-1])} and {targets[-1]}"


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
        root / name: with_block((root / name).read_text(encoding="utf-8"), block(found, links), name)
        for name, links in PAGES.items()
        if (root / name).exists()
    }
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return list(texts)
