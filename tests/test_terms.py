"""One term for one thing in what users read: pages, help texts, settings, and the texts of the editor plugins."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer
from editahead.cli.app import app
from editahead.settings import setting_fields

ROOT = Path(__file__).parents[1]
# What is not written, and the term that is used instead. Names of tests and of protocol values are no prose.
TERMS = {
    r"turn(?:s|ed|ing)? (?:it |one |them )?down": "reject",
    r"forgot(?:ten)?": "missed, dropped or removed",
    r"the dial": "the target precision",
    r"silen(?:ce|t)": "nothing is shown",
    r"just so": "in this way",
    r"asked for": "requested",
}
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(path for path in (ROOT / "docs").rglob("*.md") if "results" not in path.parts),
        *(ROOT / "editors" / "nvim").glob("doc/*.txt"),
        *(ROOT / "editors" / "nvim").glob("tutor/*.py"),
        *(ROOT / "editors" / "vscode" / "media").rglob("*.md"),
        *(ROOT / "editors" / "vscode" / name for name in ("README.md", "package.json")),
    ]
)


def other_terms(text: str) -> list[str]:
    """What a text says in other words than these."""
    found = []
    for pattern, term in TERMS.items():
        found += [f"{match.group()}: {term}" for match in re.finditer(rf"\b(?:{pattern})\b", text, re.IGNORECASE)]
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_uses_the_terms(page: Path) -> None:
    assert other_terms(page.read_text(encoding="utf-8")) == []


def test_help_and_settings_use_the_terms() -> None:
    group: Any = typer.main.get_command(app)
    texts = [group.help, group.epilog, *(item.metadata["doc"] for item in setting_fields())]
    for command in group.commands.values():
        texts += [command.help, *(getattr(param, "help", None) for param in command.params)]
    assert other_terms("\n".join(text for text in texts if text)) == []


def test_another_term_is_found() -> None:
    assert other_terms("`Escape` turns it down; the dial") == [
        "turns it down: reject",
        "the dial: the target precision",
    ]
