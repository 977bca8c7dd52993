"""Fixtures for the language server: the real server in a process of its own, or on a socket pair in this one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from editahead.cli.commands.serve import parse
from fake_engine import FakeEngine, loader
from raw_client import Client, in_process, over_stdio

HERE = Path(__file__).parent
FAKE_SERVER = [sys.executable, str(HERE / "serve_fake.py")]


@pytest.fixture
def stdio() -> Iterator[Callable[..., Client]]:
    """Starts the server with the fake engine over stdio and says hello; leaves politely at the end."""
    clients: list[Client] = []

    def start(*arguments: str, hello: bool = True, **more: Any) -> Client:
        client = over_stdio([*FAKE_SERVER, *arguments])
        clients.append(client)
        if hello:
            client.hello(**more)
        return client

    yield start
    for client in clients:
        client.leave()
        assert client.faults == []


@pytest.fixture
def engine() -> FakeEngine:
    """The engine of `start`, to hold and to release."""
    return FakeEngine()


@pytest.fixture
def start(engine: FakeEngine) -> Iterator[Callable[..., Client]]:
    """Starts the server in a thread of this process, with `engine`: the same, without the time to start."""
    clients: list[Client] = []

    def begin(*arguments: str, hello: bool = True, **more: Any) -> Client:
        options = parse(["serve", "--stdio", *arguments])
        client = in_process(loader(engine), options)
        clients.append(client)
        if hello:
            client.hello(**more)
        return client

    yield begin
    engine.release.set()
    for client in clients:
        client.leave()
        assert client.faults == []
