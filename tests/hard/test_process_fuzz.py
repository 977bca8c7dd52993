"""The real server in its own process, fed at random: every promise that a client can check from outside is checked."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from editahead.bench.drive import memory_mb
from editahead.bench.stdio_client import server_command

from tests.hard.machine import PIECES, QUESTIONS, RUBBISH, SAMPLES
from tests.hard.reference import Reference

sys.path.insert(0, str(Path(__file__).parents[1] / "lsp"))

from raw_client import Client, over_stdio

STEPS = 250
DEADLINE = 15.0  # seconds for any answer; a server at work takes milliseconds, a loaded machine many times that
CEILING = 600.0  # MB of resident memory
TEXTS = tuple(piece for piece in PIECES if not any("\ud800" <= char <= "\udfff" for char in piece))


class Fuzz:
    """One client that does anything, and its own idea of every text."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client = client
        self.draw = random.Random(seed)
        self.texts: dict[str, Reference] = {}
        self.version = 0
        self.asked: list[int] = []
        self.with_result: set[int] = set()

    def open(self) -> None:
        language = self.draw.choice(sorted(SAMPLES))
        uri = f"file:///w/{len(self.texts)}-{self.draw.randrange(10**6)}.txt"
        self.texts[uri] = Reference(SAMPLES[language] * self.draw.choice((1, 1, 20)))
        self.client.open(self.texts[uri].text, uri, language)

    def close(self) -> None:
        if len(self.texts) > 1:
            uri = self.draw.choice(sorted(self.texts))
            del self.texts[uri]
            self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def edit(self) -> None:
        uri = self.draw.choice(sorted(self.texts))
        text, changes = self.texts[uri], []
        for _ in range(self.draw.choice((1, 1, 1, 3))):
            first = text.somewhere(self.draw)
            last = (
                text.somewhere(self.draw) if self.draw.random() < 0.1 else (first[0], first[1] + self.draw.randrange(4))
            )
            low, high = sorted((text.at(*first), text.at(*last)))
            if any("\ud800" <= char <= "\udfff" for char in text.units[max(0, low - 1) : high + 1]):
                continue  # a cut through a pair is each side's own affair
            new = self.draw.choice(TEXTS)
            text.replace((*first, *last), new)
            changes.append(((*first, *last), new))
        if changes:
            self.version += 1
            self.client.change(uri, self.version, *changes)

    def ask(self) -> None:
        uri = self.draw.choice(sorted(self.texts))
        line, character = self.texts[uri].somewhere(self.draw)
        params: dict[str, Any] = self.client.at(uri, line, character)
        params["context"] = {"triggerKind": 2, "diagnostics": []}
        params["range"] = {"start": params["position"], "end": params["position"]}
        number = self.client.ask(self.draw.choice(QUESTIONS), params)
        self.asked.append(number)
        if self.draw.random() < 0.2:
            self.client.notify("$/cancelRequest", {"id": number})

    def rubbish(self) -> None:
        self.client.send_bytes(self.draw.choice(RUBBISH))

    def save(self) -> None:
        """The server's own text must be this one: it says so in its log where it is not."""
        for uri, text in self.texts.items():
            self.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": text.text})

    def step(self) -> None:
        actions = (self.open, self.close, *[self.edit] * 8, *[self.ask] * 6, self.rubbish, self.save)
        self.draw.choice(actions)()


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_from_outside_every_promise_holds(seed: int) -> None:
    client = over_stdio(server_command())
    assert client.process is not None
    try:
        client.hello()
        fuzz = Fuzz(client, seed)
        fuzz.open()
        completed = 0
        for number in range(STEPS):
            fuzz.step()
            if number % 25 == 24:
                began = time.monotonic()
                client.settle()
                for asked in fuzz.asked:
                    completed += "result" in client.wait(asked)
                fuzz.asked.clear()
                assert time.monotonic() - began < DEADLINE
                resident, _ = memory_mb(client.process.pid)
                assert not resident > CEILING
        assert completed > 30  # a server that refuses everything keeps its promises, too
        fuzz.save()
        client.settle()
        assert b"a saved text differed" not in client.stderr
        assert b"Traceback" not in client.stderr
        codes = [answer["error"]["code"] for answer in client.answers.values() if "error" in answer]
        assert set(codes) <= {-32600, -32601, -32602, -32700, -32800}
        assert client.faults == []  # no second answer, none without a question
        client.hang_up()
        client.process.wait(5.0)
    finally:
        client.process.kill()
        client.exit_code()


@pytest.mark.slow
def test_a_text_that_differs_would_be_seen() -> None:
    """The check of the texts above can fail."""
    client = over_stdio(server_command())
    try:
        client.hello()
        uri = client.open("x = 1\n")
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": "x = 2\n"})
        client.wait_logged("a saved text differed")
    finally:
        client.leave()
