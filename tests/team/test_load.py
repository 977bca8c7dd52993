"""The load of a team server: the simulated typists type what a laptop would, and what they measure is what happened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from editahead.cli.samples import sample
from editahead.team.cluster.documents import ClientLimits
from team_pair import TOKEN, Team

from tests.bench.team.load import main


def measured(
    team: Team, token: Path, capsys: pytest.CaptureFixture[str], clients: int
) -> tuple[int, dict[str, object]]:
    url = f"ws://127.0.0.1:{team.host.port}"
    arguments = ["--remote-token", str(token), "--clients", str(clients), "--seconds", "2"]
    code = main([url, *arguments])
    return code, json.loads(capsys.readouterr().out)


@pytest.fixture
def token(tmp_path: Path) -> Path:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    return file


def test_every_request_has_one_outcome(tmp_path: Path, token: Path, capsys: pytest.CaptureFixture[str]) -> None:
    team = Team(tmp_path, limits=ClientLimits(connections=3))
    code, answer = measured(team, token, capsys, clients=3)
    assert (code, answer["lost"]) == (0, 0)
    assert isinstance(answer["outcomes"], dict)
    assert sum(answer["outcomes"].values()) == answer["requests"] >= 6
    text = sample("inventory.py").data
    assert all(text.startswith(seen.syntax.buffer.data) for seen in team.theirs.seen)
    assert len({seen.uri for seen in team.theirs.seen}) == 3
    team.end()


def test_a_slow_server_answers_late(tmp_path: Path, token: Path, capsys: pytest.CaptureFixture[str]) -> None:
    team = Team(tmp_path)
    team.host.delay = 0.06
    _, answer = measured(team, token, capsys, clients=1)
    assert answer["in_time"] == 0.0
    team.end()


def test_a_server_that_is_not_there_is_told_by_the_exit_code(
    tmp_path: Path, token: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    team = Team(tmp_path)
    team.host.kill()
    code, answer = measured(team, token, capsys, clients=2)
    assert (code, answer["requests"]) == (1, 0)
    assert isinstance(answer["lost"], int)
    assert answer["lost"] >= 2, "each of both tried"
    team.end()


def test_why_connections_were_lost_is_told(tmp_path: Path, token: Path, capsys: pytest.CaptureFixture[str]) -> None:
    team = Team(tmp_path, limits=ClientLimits(connections=1))
    _, answer = measured(team, token, capsys, clients=2)
    assert "too many connections with this token" in str(answer["problem"])
    token.write_text("b" * 32)
    _, answer = measured(team, token, capsys, clients=1)
    assert "refuses the token" in str(answer["problem"])
    team.end()
