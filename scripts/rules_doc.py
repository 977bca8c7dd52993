"""Write the rules of next edits into the documentation: `python -m scripts.rules_doc`; a test compares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from editahead.suggest.next_edit.consequences.rules import all_rules

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = (DOCS / "surfaces" / "next-edit.md", DOCS / "protocol.md")
_PART = re.compile(r"( *)<!-- begin: (rules|rule names) -->\n.*?<!-- end: \2 -->", re.DOTALL)


def page_with_rules(text: str) -> str:
    """A page with the rules as they are now between its marks."""
    return _PART.sub(_written, text)


def _written(part: re.Match[str]) -> str:
    indent, what = part.groups()
    rows = _table() if what == "rules" else _names()
    lines = (f"<!-- begin: {what} -->", *rows, f"<!-- end: {what} -->")
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)


def _table() -> Iterator[str]:
    yield from ("", "| you | what follows | `source` |", "|---|---|---|")
    for rule in all_rules():
        yield f"| {rule.you} | {rule.follows} | {', '.join(f'`{source}`' for source in rule.sources)} |"
    yield ""


def _names() -> Iterator[str]:
    names = ", ".join(f"`{source}`" for source in sorted({name for rule in all_rules() for name in rule.sources}))
    yield f"- {names}: rules, which [next edits](surfaces/next-edit.md#four-sources-one-scorer) explains."


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(page_with_rules(page.read_text(encoding="utf-8")), encoding="utf-8")
