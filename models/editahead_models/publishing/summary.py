"""The block of figures in README.md and docs/figures.md, between two comments, from the stored tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from editahead_models.publishing.page import NAMES, with_interval
from editahead_models.report.results import table

BEGIN, END = "<!-- begin: product figures -->", "<!-- end: product figures -->"
PAGES = {"README.md": "docs/results/product.md", "docs/figures.md": "results/product.md"}
"""The pages with a block, each with the link from there to all figures."""
_LOCALS = "locals, parameters, imports"
ROWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("**completions**, nothing typed: first choice", ("completions", "all", "0", "1")),
    ("among the first five", ("completions", "all", "0", "5")),
    ("the same by the nearest words of the buffer", ("completions", "words", "0", "5")),
    ("one letter typed: first choice", ("completions", "all", "1", "1")),
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


def block(found: Mapping[str, Any], link: str) -> Iterator[str]:
    """The lines of the block. `link` leads to the page of all figures."""
    languages = list(found["languages"])
    total = sum(len(one["projects"]) for one in found["languages"].values())
    yield f"Measured on {total} projects that no model was trained on, and on which nothing was fitted or chosen,"
    yield f"at the default target precision of 0.8, with 95 % intervals over the projects ([all figures]({link})):"
    yield ""
    rows = [(title, [_cell(found["languages"][name]["tables"], path) for name in languages]) for title, path in ROWS]
    yield table(
        ("", *(NAMES[name] for name in languages)),
        [(title, *(cell or "–" for cell in cells)) for title, cells in rows if any(cells)],
    )
    yield from _kept_lines(found)


def _cell(tables: Any, path: tuple[str, ...]) -> str:
    for key in path:
        tables = tables.get(key) if isinstance(tables, Mapping) else None
    return with_interval(tables) if isinstance(tables, Mapping) and tables["n"] else ""


def _kept_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """For each surface and language the target precisions that are kept, in a sentence."""
    for surface, title in (("ghost-text", "Ghost text"), ("next-edits", "Next edits")):
        parts = []
        for language, one in found["languages"].items():
            table = one["tables"].get(surface, {})
            rows = table.get("precisions", table)
            measured = [target for target, row in rows.items() if row["kept"] is not None]
            kept = [target for target in measured if rows[target]["kept"]]
            if measured:
                parts.append(f"{NAMES[language]} at {_list(kept) if kept else 'none'} of {_list(measured)}")
        if parts:
            yield f"{title} keeps its target precision".replace("edits keeps its", "edits keep their") + (
                f" in {'; in '.join(parts)}."
            )


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
        root / name: with_block((root / name).read_text(encoding="utf-8"), block(found, link), name)
        for name, link in PAGES.items()
        if (root / name).exists()
    }
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return list(texts)
