"""Modules are read ahead when a document opens or is saved or imports change; names where an edit stands elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from fake_engine import FakeEngine
from raw_client import Client

URI = "file:///project/main.py"


def settled(engine: FakeEngine, count: int) -> bool:
    """Whether so many readings come, and no more."""
    for _ in range(500):
        if len(engine.read) >= count:
            break
        time.sleep(0.01)
    time.sleep(0.05)
    return len(engine.read) == count


def test_modules_are_read_at_the_right_moments(start: Callable[..., Client], engine: FakeEngine) -> None:
    client = start()
    client.open("import os\n\n", URI)
    assert settled(engine, 1)
    client.change(URI, 2, ((1, 0, 1, 0), "x = 1"))
    assert settled(engine, 1)
    client.change(URI, 3, ((0, 9, 0, 9), ", sys"))
    assert settled(engine, 2)
    assert engine.read[-1] == b"import os, sys\nx = 1\n"
    client.notify("textDocument/didSave", {"textDocument": {"uri": URI}})
    assert settled(engine, 3)


def test_a_request_does_not_wait_for_them(start: Callable[..., Client], engine: FakeEngine) -> None:
    client = start()
    client.open("import os\nname = 1\nna", URI)
    position: dict[str, Any] = client.at(URI, 2, 2)
    assert client.request("textDocument/completion", position)["items"]
    assert settled(engine, 1)


def test_names_are_read_around_edits_elsewhere(start: Callable[..., Client], engine: FakeEngine) -> None:
    client = start()
    client.open("x = 1\n" * 100, URI)
    client.change(URI, 2, ((50, 5, 50, 5), "2"))
    client.change(URI, 3, ((52, 5, 52, 5), "3"))  # read with the first
    _wait_for(lambda: len(engine.names_read) == 1)
    client.change(URI, 4, ((90, 5, 90, 5), "4"))
    _wait_for(lambda: len(engine.names_read) == 2)
    assert [data[:at].count(b"\n") for data, at in engine.names_read] == [50, 90]
    assert client.request("textDocument/completion", client.at(URI, 90, 1)) is not None


def test_completions_have_names_read_ahead_without_next_edits(start: Callable[..., Client], engine: FakeEngine) -> None:
    client = start(initializationOptions={"nextEdit": False})
    client.open("x = 1\n" * 100, URI)
    client.change(URI, 2, ((50, 5, 50, 5), "2"))
    _wait_for(lambda: len(engine.names_read) == 1)


def _wait_for(is_true: Callable[[], bool]) -> None:
    for _ in range(500):
        if is_true():
            return
        time.sleep(0.01)
    raise AssertionError("it was not read")
