"""Full collections wait until the user rests or closes a document: one stops the server for longer than a key takes."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from editahead.cli.main import run
from editahead.lsp import server
from editahead.lsp.inference import garbage
from editahead.lsp.inference.engine_startup import EngineStartup
from editahead.lsp.options import ServeOptions
from raw_client import Client

Start = Callable[..., Client]
COMPLETION = "textDocument/completion"
REST = 0.5


@pytest.fixture
def full_collections(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The times of full collections; the thresholds are put back afterwards."""
    monkeypatch.setattr(garbage, "REST", REST)
    times: list[float] = []

    def note(phase: str, info: dict[str, Any]) -> None:
        if phase == "start" and info["generation"] == 2:
            times.append(time.monotonic())

    before = gc.get_threshold()
    gc.callbacks.append(note)
    yield times
    gc.callbacks.remove(note)
    gc.set_threshold(*before)


def test_nothing_is_collected_in_full_while_somebody_types(start: Start, full_collections: list[float]) -> None:
    client = start()
    uri = client.open("alpha = 1\n")
    client.settle()
    gc.collect()
    full_collections.clear()
    kept: list[object] = []
    for key in range(8):
        client.change(uri, key + 1, ((1, key, 1, key), "x"))
        client.request(COMPLETION, client.at(uri, 1, key + 1))
        kept.extend([number] for number in range(20_000))  # as trees and tables are made while somebody types
    assert full_collections == []


@pytest.mark.slow
def test_one_full_collection_is_made_when_the_user_rests(start: Start, full_collections: list[float]) -> None:
    client = start()
    uri = client.open("alpha = 1\n")
    client.settle()
    time.sleep(2.5 * REST)
    full_collections.clear()
    client.request(COMPLETION, client.at(uri, 1, 0))
    answered = time.monotonic()
    time.sleep(3 * REST)
    assert len(full_collections) == 1
    assert full_collections[0] - answered > 0.8 * REST


def test_closing_a_document_collects_at_once_although_typing_goes_on(
    start: Start, full_collections: list[float]
) -> None:
    client = start()
    uri, other = client.open("alpha = 1\n"), client.open("beta = 2\n", uri="file:///w/other.py")
    client.settle()
    time.sleep(2.5 * REST)
    full_collections.clear()
    client.notify("textDocument/didClose", {"textDocument": {"uri": other}})
    until = time.monotonic() + 10
    while not full_collections and time.monotonic() < until:  # sooner than anybody rests
        client.request(COMPLETION, client.at(uri, 1, 0))
        time.sleep(REST / 10)
    assert full_collections


def test_nothing_is_collected_while_a_server_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    collecting: list[bool] = []

    def serve(options: ServeOptions, startup: EngineStartup | None) -> int:
        collecting.append(gc.isenabled())
        return 0

    monkeypatch.setattr(server, "serve_stdio", serve)
    before = gc.get_threshold()
    try:
        assert run(["serve", "--stdio"]) == 0
        garbage.defer_full_collections()
        collecting.append(gc.isenabled())
    finally:
        gc.enable()
        gc.unfreeze()
        gc.set_threshold(*before)
    assert collecting == [False, True]
