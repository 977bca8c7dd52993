"""Somebody types in Neovim with a team server on two Ray nodes; the node or the replica that answers is killed.

Without the extra `team` this is skipped; `make team` runs it.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from editahead.team.cluster.deployment import TeamOptions, deploy
from editahead.team.cluster.tokens import new_token, token_sum
from editor import Editor, find
from shared import PYTHON, config

from tests.bench.team.processes import processor_seconds, raylets, workers
from tests.team.team_ray import end, two_nodes

ray = pytest.importorskip("ray", reason="the extra `team` is not installed: pip install -e '.[team]'")

pytestmark = pytest.mark.filterwarnings("ignore:::ray", "ignore:::pydantic")
AGAIN = 10.0  # seconds after which the server answers again


@dataclass
class Server:
    """A team server with a replica on each of two nodes."""

    cluster: Any
    second: Any
    url: str
    token: Path

    def replicas(self) -> dict[int, int]:
        """Return the processes of the replicas with those of their nodes."""
        nodes = raylets(self.cluster.list_all_nodes())
        return {found: node for node in nodes for found in workers(node, "ray::ServeReplica:editahead")}

    def kill(self, replica: int) -> None:
        """End the second node if the replica runs there, else the replica alone: the first node holds the entrance."""
        if self.replicas()[replica] == raylets([self.second])[0]:
            self.cluster.remove_node(self.second, allow_graceful=False)
        else:
            os.kill(replica, signal.SIGKILL)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    cluster, _, second = two_nodes()
    try:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        token, file = new_token(), tmp_path / "token"
        file.write_text(token)
        deploy(TeamOptions({token_sum(token): "me"}, replicas=2, address=cluster.address, port=port, device="cpu"))
        yield Server(cluster, second, f"ws://127.0.0.1:{port}", file)
    finally:
        end(cluster)


@pytest.fixture
def editor(server: Server, tmp_path: Path) -> Iterator[Editor]:
    newest = find("0.12") or find("0.11")
    if newest is None:
        pytest.skip("no Neovim: python scripts/install_neovim.py")
    folder = tmp_path / "nvim"
    folder.mkdir()
    editor = Editor(newest, folder)
    remote = ["--remote", server.url, "--remote-token", str(server.token)]
    command = [sys.executable, "-m", "editahead", "serve", "--stdio", *remote]
    editor.lua(f"require('editahead').setup({{ server = {config(command)} }})")
    yield editor
    editor.close()


def answered(editor: Editor) -> dict[str, int]:
    """Return who answered, as the language server counts it."""
    ask = "return vim.lsp.get_clients()[1]:request_sync('editahead/stats', vim.empty_dict(), 60000, 0).result.remote"
    return dict(editor.lua(ask))


def type_a_line(editor: Editor) -> None:
    """Type the beginning of a name, see it completed, and take the line back."""
    editor.keys("oself.quant")
    ghost = editor.until(editor.ghost, "ghost text")
    assert ghost.startswith("ities")
    editor.keys("<Esc>u")
    editor.until(lambda: editor.mode() == "n" and not editor.ghost(), "normal mode")


def test_completions_go_on_when_the_node_that_answers_is_killed(server: Server, editor: Editor) -> None:
    editor.open("inventory.py", PYTHON)
    editor.ready()
    editor.go("pass")
    before = {replica: processor_seconds(replica) for replica in server.replicas()}
    assert len(before) == 2
    until = time.monotonic() + 60
    while answered(editor).get("remote", 0) < 15:
        assert time.monotonic() < until, answered(editor)
        type_a_line(editor)
    text = editor.text()
    server.kill(max(before, key=lambda replica: processor_seconds(replica) - before[replica]))
    killed, count = time.monotonic(), answered(editor).get("remote", 0)
    lines = 0
    while time.monotonic() - killed < AGAIN or not lines:
        type_a_line(editor)
        lines += 1
    assert editor.text() == text
    last = answered(editor)
    assert last.get("remote", 0) > count, f"of {lines} lines: {last}"
    assert editor.save() == text
