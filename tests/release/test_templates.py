"""What people are asked for when they report something, and where they are sent."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from editahead.cli.app import app
from typer.main import get_command

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install -e '.[dev]'")

ROOT = Path(__file__).parents[2]
FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"
PAGES = [ROOT / "SECURITY.md", ROOT / ".github" / "PULL_REQUEST_TEMPLATE.md", *sorted(FORMS.glob("*.yml"))]
ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.[a-z]{2,}")


def questions(name: str) -> dict[str, dict[str, Any]]:
    form = yaml.safe_load((FORMS / name).read_text(encoding="utf-8"))
    return {part["id"]: part for part in form["body"] if "id" in part}


def required(name: str) -> set[str]:
    return {key for key, part in questions(name).items() if part.get("validations", {}).get("required")}


def test_a_bug_comes_with_what_the_doctor_says() -> None:
    assert required("bug.yml") == {"what", "steps", "doctor", "editor"}
    doctor = questions("bug.yml")["doctor"]["attributes"]
    assert "`editahead doctor --json`" in doctor["label"]
    assert doctor["render"] == "json"


def test_a_suggestion_comes_with_code_and_what_was_expected() -> None:
    assert required("suggestion.yml") == {"surface", "language", "code", "shown", "version"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_it_names_exist_and_nobody_is_sent_to_an_address(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    commands = set(getattr(get_command(app), "commands", {}))
    assert set(re.findall(r"editahead ([a-z][a-z-]*)", text)) <= commands
    assert ADDRESS.findall(text) == []
    for path in re.findall(r"\b(?:docs/[\w-]+\.md|[A-Z]+\.md)\b", text):
        assert (ROOT / path).is_file(), path


def test_weaknesses_are_reported_privately() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "*Report a vulnerability*" in text
    assert "SECURITY.md" in (FORMS / "bug.yml").read_text(encoding="utf-8")
