"""Fixtures: an endpoint with the engine of the language server's tests, whose answers follow from the text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "lsp"))

from fake_engine import FakeEngine, loader
from http_client import HttpClient, RunningEndpoint


@pytest.fixture
def engine() -> FakeEngine:
    """The engine of `start`, to hold and to release."""
    return FakeEngine()


@pytest.fixture
def start(engine: FakeEngine, tmp_path: Path) -> Iterator[Callable[..., RunningEndpoint]]:
    """Starts an endpoint whose folder for Zed's paths is `tmp_path`; its argument are settings."""
    running: list[RunningEndpoint] = []

    def begin(host: str = "127.0.0.1", **settings: Any) -> RunningEndpoint:
        running.append(RunningEndpoint(loader(engine), tmp_path, {"precision": 0.5, **settings}, host))
        return running[-1]

    yield begin
    engine.release.set()
    for endpoint in running:
        endpoint.stop()


@pytest.fixture
def client(start: Callable[..., RunningEndpoint]) -> HttpClient:
    """A client of an endpoint with default settings, but for a lower precision."""
    return start().client
