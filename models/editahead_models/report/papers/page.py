"""Write the pages of the papers from their TOML files and the stored figures."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from editahead_models.report.papers.orders import order_row
from editahead_models.report.papers.stored import Row, groups_of, value_of
from editahead_models.report.papers.tables import tables
from editahead_models.report.results import deviations, table

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PAGES = ("language-models", "edit-models", "copyspan", "treegen")


def read_spec(name: str) -> dict[str, Any]:
    """What stands on a page."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))


def write(docs: Path, data: Path) -> list[Path]:
    """Write the pages of which something was measured."""
    written = []
    for name in PAGES:
        spec = read_spec(name)
        if any((data / f"{source['file']}.json").exists() for source in spec["source"]):
            docs.mkdir(parents=True, exist_ok=True)
            page = docs / f"{name}.md"
            page.write_text("\n".join(page_parts(name, spec, data)).rstrip("\n") + "\n", encoding="utf-8")
            written.append(page)
    return written


def page_parts(name: str, spec: Mapping[str, Any], data: Path) -> Iterator[str]:
    """The parts of a page, each ended by a line end."""
    groups = groups_of(spec["source"], data)

    def is_enough(row: Row) -> bool:
        """Whether a run was not cut short and fulfils one of the conditions; one that it says nothing of holds."""
        if any(value_of(row, path) == value for path, value in spec.get("cut", {}).items()):
            return False
        limits = [(value_of(row, limit["path"]), limit.get("least", 1)) for limit in spec.get("enough", ())]
        return not limits or any(value is None or value >= least for value, least in limits)

    yield f"# {spec['title']}\n"
    for part in spec["part"]:
        if "text" in part:
            yield part["text"].strip("\n") + "\n"
        if "table" in part:
            yield from tables(part["table"], groups, is_enough)
        if "order" in part:
            rows = [order_row(order, spec, list(groups.values()), is_enough) for order in part["order"]]
            yield table(["claim", "in print", "here", "verdict"], rows)
    yield deviations(name)
