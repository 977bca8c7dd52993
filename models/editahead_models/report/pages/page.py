"""Write pages from their TOML files and the stored figures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from editahead_models.report.pages.orders import order_row
from editahead_models.report.pages.stored import Group, Row, groups_of, value_of
from editahead_models.report.pages.tables import tables
from editahead_models.report.results import LANGUAGE_NAMES, deviations, in_order, table

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Derive = Callable[[Mapping[str, Group]], None]
PAPERS = ("language-models", "edit-models", "copyspan", "treegen")
PAGES = (*PAPERS, "check", "consequences", "next-edits")


def read_spec(name: str) -> dict[str, Any]:
    """What stands on a page."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))


def write(docs: Path, data: Path, names: Sequence[str] = PAGES, derive: Derive = lambda groups: None) -> list[Path]:
    """Write the pages of which something was measured; `derive` adds to their rows what is worked out from them."""
    written = []
    for name in names:
        spec = read_spec(name)
        if any((data / f"{source['file']}.json").exists() for source in spec["source"]):
            groups = groups_of(spec["source"], data)
            derive(groups)
            docs.mkdir(parents=True, exist_ok=True)
            page = docs / f"{name}.md"
            page.write_text(page_text(name, spec, groups), encoding="utf-8")
            written.append(page)
    return written


def page_text(name: str, spec: Mapping[str, Any], groups: Mapping[str, Group]) -> str:
    """The text of a page."""
    return "\n".join(page_parts(name, spec, groups)).rstrip("\n") + "\n"


def page_parts(name: str, spec: Mapping[str, Any], groups: Mapping[str, Group]) -> Iterator[str]:
    """The parts of a page, each ended by a line end."""

    def is_enough(row: Row) -> bool:
        """Whether a run was not cut short and fulfils one of the conditions; one that it says nothing of holds."""
        if any(value_of(row, path) == value for path, value in spec.get("cut", {}).items()):
            return False
        limits = [(value_of(row, limit["path"]), limit.get("least", 1)) for limit in spec.get("enough", ())]
        return not limits or any(value is None or value >= least for value, least in limits)

    def parts_of(parts: Sequence[Mapping[str, Any]], key: str = "") -> Iterator[str]:
        """Text, table and claims of parts; those inside of an `each` once for every row of its group."""
        for part in parts:
            group = groups.get(part.get("each", part.get("about", "")))
            if "each" in part and group is not None:
                for language in in_order(group.rows):
                    yield part["text"].format(name=LANGUAGE_NAMES[language], **group.rows[language]) + "\n"
                    yield from parts_of(part["part"], language)
                continue
            if "needs" in part and value_of(groups["languages"].rows[key], part["needs"]) is None:
                continue
            if "text" in part:
                text = part["text"].strip("\n")
                yield (text.format(**group.rows["all"]) if group is not None else text) + "\n"
            if "table" in part:
                yield from tables(part["table"], groups, is_enough, key)
            if "order" in part:
                rows = [order_row(order, spec, list(groups.values()), is_enough) for order in part["order"]]
                yield table(["claim", "in print", "here", "verdict"], rows)

    yield f"# {spec['title']}\n"
    yield from parts_of(spec["part"])
    yield deviations(name)
