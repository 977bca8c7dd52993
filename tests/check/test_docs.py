"""docs/commands/check.md says what is there: every field, every option, every limit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from editahead.check import (
    left_calls,
    left_imports,
    left_names,
    leftover,
    run,
    search,
    texts,
)
from editahead.check.leftover import left_rates
from editahead.check.report import LEFTOVER_RULE, RULE, as_json
from editahead.cli.app import app
from editahead.git import MAX_BLOB

from tests.check.repos import Repo, checked

PAGE = (Path(__file__).parents[2] / "docs" / "commands" / "check.md").read_text(encoding="utf-8")


def test_every_field_has_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo(tmp_path)
    repo.put("a.py", "f(1)\nf(2)\nf(3)\n").commit()
    repo.put("a.py", "g(1)\ng(2)\nf(3)\n")
    answer = as_json(checked(repo), 0.8)
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    (one,) = answer["missed"]
    repo.put("a.py", "f(1)\nf(2)\nf(3)\nprint(g)\n")
    monkeypatch.setattr("editahead.check.leftover.left_rate", lambda kind: 0.9)
    (left,) = as_json(checked(repo), 0.8)["leftovers"]
    assert sorted(named) == sorted([*answer, *one, *(set(left) - set(one))])
    assert all(f"`{rule}`" in PAGE for rule in (RULE, LEFTOVER_RULE))


def test_every_kind_of_leftover_has_its_row() -> None:
    rows = re.findall(r"^\| ([a-z, -]+) \| .* \| (?:all|Python)", PAGE, re.MULTILINE)
    kinds = {kind for row in rows for kind in row.split(", ")}
    modules = (left_calls, left_imports, left_names)
    texts = [Path(str(module.__file__)).read_text(encoding="utf-8") for module in modules]
    lines = re.findall(r"^[A-Z_, ]+ = (\"[a-z-]+\"(?:, \"[a-z-]+\")*)$", "\n".join(texts), re.MULTILINE)
    assert kinds == {kind for line in lines for kind in re.findall(r"\"([a-z-]+)\"", line)}
    assert set(left_rates()) <= kinds


def test_every_option_is_shown() -> None:
    command = typer.main.get_command(app).commands["check"]  # type: ignore[attr-defined]
    options = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
    assert options - {"--help", "--bundle"} == {"--base", "--precision", "--format", "--json"}
    assert all(option in PAGE for option in options - {"--help", "--bundle"})


def test_every_limit_has_its_number() -> None:
    rows = dict(re.findall(r"^\| ([a-z ]+) \| ([\d,]+) \|", PAGE, re.MULTILINE))
    assert {name: int(number.replace(",", "")) for name, number in rows.items()} == {
        "changed files compared": run.MAX_CHANGED,
        "changes of one file": texts.MAX_EDITS,
        "changes in all": search.MAX_CHANGES,
        "repeated edits followed up": search.MAX_GROUPS,
        "other files searched": run.MAX_SEARCHED,
        "deleted and renamed modules": left_imports.MAX_GONE,
        "places that one edit leaves": search.MAX_OPEN,
        "files searched for uses of one module": left_imports.MAX_IMPORTERS,
        "places of one kind about one name": leftover.MAX_LEFT,
    }
    assert MAX_BLOB == 1_000_000
    assert "below 1 MB" in PAGE
