"""A home folder and a repository of their own for each test."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from editahead.gitignore import rules

from tests.gitignore.git_trees import git


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, and none of git's own variables."""
    folder = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setattr(rules, "CACHE_SECONDS", 0.0)  # settings are looked at anew each time
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("no git on this machine")
    top = tmp_path / "repository"
    top.mkdir()
    git(top, "init", "-q")
    return top
