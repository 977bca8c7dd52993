"""The option --mirror: files of real projects beside the samples."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --mirror."""
    parser.addoption("--mirror", type=Path, help="folder of git repositories, OWNER+NAME/repo: 200 files a language")


@pytest.fixture
def mirror(request: pytest.FixtureRequest) -> Path:
    """The folder of --mirror; without it the test is left out."""
    found = request.config.getoption("--mirror")
    if found is None:
        pytest.skip("real files come with --mirror DIR")
    assert isinstance(found, Path)
    return found
