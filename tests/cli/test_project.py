"""`--project`: the names around the file reach the engine, and what was read is said on standard error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.cli.errors import ExitCode
from editahead.index.types import PROJECT, NameOrigin

from .conftest import SOURCE, FakeEngine, Result

Cli = Callable[..., Result]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A file in a folder of a repository with one more file, and one that git ignores."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("made.py\n", encoding="utf-8")
    (tmp_path / "made.py").write_text("ignored = 1\n", encoding="utf-8")
    (tmp_path / "shop.py").write_text("\nclass Shop:\n    pass\n", encoding="utf-8")
    path = tmp_path / "pkg" / "greeting.py"
    path.parent.mkdir()
    path.write_text(SOURCE, encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["complete", "explain"])
def test_the_engine_is_told_the_names_of_the_project(cli: Cli, engine: FakeEngine, project: Path, command: str) -> None:
    result = cli(command, f"{project}:5:6", "--project")
    assert result.code == ExitCode.ANSWERED
    root = project.parent.parent
    assert f"editahead: 3 names in 2 files of {root}, " in result.err
    assert result.err.count("\n") == 1
    ((_, document, _),) = engine.asked
    assert document.elsewhere is not None
    assert dict(document.elsewhere.names("")) == {"Shop": NameOrigin(PROJECT, "shop.py", 1, 1, 1)}
    assert document.elsewhere.followers(["\n", "class"]).words == {"Shop": 0.75}


def test_standard_output_is_the_same(cli: Cli, engine: FakeEngine, project: Path) -> None:
    asked = ("complete", f"{project}:5:6", "--json")
    one, other = (json.loads(cli(*asked, *more).out) for more in ((), ("--project",)))
    assert {**one, "milliseconds": 0} == {**other, "milliseconds": 0}
    assert engine.asked[0][1].elsewhere is None


def test_the_home_folder_is_no_project(
    cli: Cli, engine: FakeEngine, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: project.parent.parent)
    result = cli("complete", f"{project}:5:6", "--project")
    assert result.code == ExitCode.ANSWERED
    assert result.err == f"editahead: no project was read: {project.parent.parent} is the home folder\n"
    assert engine.asked[0][1].elsewhere is None
