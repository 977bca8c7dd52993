"""Fixtures: the team server on a port of this machine, and a laptop before it; without Ray."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "lsp")]

from team_pair import Team  # noqa: E402 (found by the line above)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    """A server with the fake engine and a connected laptop with another one."""
    made = Team(tmp_path)
    made.connect()
    yield made
    made.end()
