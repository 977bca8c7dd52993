"""`editahead doctor --remote`: what a person sees of a team server that works, and of one that does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from editahead.cli.errors import CliError
from editahead.cli.installation.checks import REMOTE_ROUNDS, check_remote
from editahead.cli.main import run
from team_pair import TOKEN, Team


@pytest.fixture
def token(tmp_path: Path) -> Path:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    return file


def url(team: Team) -> str:
    return f"ws://127.0.0.1:{team.host.port}"


def test_a_server_that_works(team: Team, token: Path) -> None:
    found = check_remote(url(team), token)
    assert (found.problem, found.replica) == ("", "replica")
    assert found.models["python"] == ["copyspan", "implicit-attention", "spn", "treegen"]
    assert 0 < found.median_ms <= found.worst_ms
    assert len(team.theirs.seen) == REMOTE_ROUNDS + 1


def test_a_server_that_is_gone_and_a_wrong_token_are_one_line(team: Team, token: Path) -> None:
    token.write_text("b" * 32)
    assert "refuses the token" in check_remote(url(team), token).problem
    team.host.kill()
    assert "cannot be reached" in check_remote(url(team), token).problem


def test_the_command_prints_it(team: Team, token: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--remote", url(team), "--remote-token", str(token)]) == 0
    assert "it works" in capsys.readouterr().out
    team.host.kill()
    assert run(["doctor", "--remote", url(team), "--remote-token", str(token), "--json"]) == 3
    assert '"ok": false' in capsys.readouterr().out


def test_a_problem_is_printed_once(team: Team, token: Path) -> None:
    team.host.kill()
    command = [sys.executable, "-m", "editahead", "doctor", "--remote", url(team), "--remote-token", str(token)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.count("cannot be reached") == 1


def test_a_token_without_a_server_is_a_mistake(token: Path) -> None:
    with pytest.raises(CliError, match="--remote-token belongs to --remote"):
        run(["doctor", "--remote-token", str(token)])
