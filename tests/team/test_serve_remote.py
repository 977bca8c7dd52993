"""`editahead serve --remote`: a session of an editor while the team server comes, answers, dies and comes back."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editahead.cli.commands.serve import _with_team_server, parse
from editahead.cli.errors import CliError
from raw_client import Client, over_stdio
from team_pair import TOKEN, Team, wait_for

TEXT = "first_name = 1\nsecond_name = first_name\n"
METHOD = "textDocument/completion"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Team]:
    made = Team(tmp_path)
    yield made
    made.end()


def start(team: Team, tmp_path: Path) -> Client:
    """The real server as an editor starts it, in a workspace folder."""
    token = tmp_path / "token"
    token.write_text(TOKEN)
    url = f"ws://127.0.0.1:{team.host.port}"
    command = [sys.executable, "-m", "editahead", "serve", "--stdio", "--remote", url, "--remote-token", str(token)]
    client = over_stdio(command)
    folder = {"uri": tmp_path.as_uri(), "name": "w"}
    client.hello(workspaceFolders=[folder], initializationOptions={"index": {"enabled": False}})
    return client


def labels(client: Client, uri: str, line: int, character: int) -> list[str]:
    where = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    answer: Any = client.request(METHOD, where)
    return [item["label"] for item in answer["items"]]


def change(client: Client, uri: str, version: int, text: str) -> None:
    document = {"uri": uri, "version": version}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})


def by(client: Client) -> dict[str, int]:
    answer: dict[str, int] = client.request("editahead/stats")["remote"]
    return answer


def test_an_editor_notices_nothing_but_one_line(server: Team, tmp_path: Path) -> None:
    client = start(server, tmp_path)
    uri = (tmp_path / "a.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": TEXT}
    client.notify("textDocument/didOpen", {"textDocument": document})
    client.wait_told("editahead/ready")
    wait_for(lambda: server.host.app.clients == 1, "connection")
    version = 1

    def typed(word: str) -> list[str]:
        nonlocal version
        version += 1
        change(client, uri, version, f"{TEXT}{word}")
        return labels(client, uri, 2, len(word))

    def answered_remotely() -> bool:
        before = by(client).get("remote", 0)
        typed("first")
        return by(client).get("remote", 0) > before

    wait_for(answered_remotely, "answer of the server")
    wait_for(lambda: typed("sec") == ["second_name"], "list of the fake engine on the server")
    server.host.kill()
    wait_for(lambda: "first_name" in typed("fir") and by(client).get("down", 0) > 0, "local answer")
    warning = client.wait_told("window/showMessage", lambda params: "team server" in params["message"])
    assert "suggestions are computed locally" in warning["message"]
    server.restart()
    began = time.monotonic()
    wait_for(answered_remotely, "answer of the server again")
    assert time.monotonic() - began < 10.0
    assert len(client.told("window/showMessage")) == 1
    client.leave()
    assert client.faults == []
    assert TOKEN.encode() not in client.stderr
    assert b"first_name" not in client.stderr


def test_without_a_server_everything_is_local_and_the_end_is_quick(tmp_path: Path) -> None:
    team = Team(tmp_path)
    team.host.kill()
    client = start(team, tmp_path)
    uri = (tmp_path / "a.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": f"{TEXT}fir"}
    client.notify("textDocument/didOpen", {"textDocument": document})
    client.wait_told("editahead/ready")
    assert "first_name" in labels(client, uri, 2, 3)
    assert set(by(client)) == {"down"}
    began = time.monotonic()
    client.leave()
    assert time.monotonic() - began < 2.0
    team.end()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--remote", "http://team"], "no URL of a team server"),
        (["--remote", "ws://team.example.com"], "clear text"),
        (["--remote", "wss://me:word@team.example.com"], "the token comes from"),
        (["--remote", "wss://team.example.com:no"], "no URL"),
        (["--remote", "wss://a..b"], "no name of a host"),
        (["--remote", "wss://team.example.com"], "needs a token"),
        (["--remote", "wss://team.example.com", "--remote-token", "/nowhere/token"], "cannot be read"),
        (["--remote-token", "x"], "belongs to"),
        (["--remote", "wss://t", "--deterministic"], "exclude each other"),
    ],
)
def test_wrong_arguments_are_one_line(arguments: list[str], text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDITAHEAD_REMOTE_TOKEN", raising=False)
    with pytest.raises(CliError, match=text):
        _with_team_server(parse(["serve", "--stdio", *arguments]))


def test_a_file_that_holds_no_token_is_refused_without_being_shown(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("password with spaces")
    with pytest.raises(CliError) as error:
        _with_team_server(parse(["serve", "--stdio", "--remote", "wss://t", "--remote-token", str(file)]))
    assert "password" not in str(error.value)
    assert "\n" not in str(error.value)
