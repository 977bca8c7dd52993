"""The modules of a document are read ahead when it is opened or saved, and when a line that imports changes."""

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
