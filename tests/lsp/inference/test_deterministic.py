"""`--deterministic`: the real process answers the same messages with the same bytes, whatever the pace and the load."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from editahead.lsp.inference.deterministic import MessageClock, SequentialDispatch
from editahead.lsp.rpc.transport import read_frames

SOURCES = {
    "shop.py": """class Inventory:
    def __init__(self, location):
        self.location = location
        self.quantities = {}

    def add(self, name, count):
        self.quantities[name] = self.quantities.get(name, 0) + count

    def remove(self, name, count):
        self.quantities[name] = self.quantities.get(name, 0) - count

    def check(self, name):
        return self.quantities.get(name, 0) > 0
""",
    "sale.py": """from shop import Inventory


def sell(inventory, name, count):
    if inventory.check(name):
        inventory.remove(name, count)


def buy(inventory, name, count):
    if not inventory.check(name):
        inventory.add(name, count)
    return inventory.check(name)
""",
    "report.py": "def summary(inventory):\n    return sorted(inventory.quantities.items())\n",
}
SURFACES = ("textDocument/completion", "textDocument/inlineCompletion", "editahead/nextEdit", "editahead/nextEdits")
QUIET_ENOUGH = 1.2  # seconds: longer than the pause that ends a burst of typing


def session(folder: Path) -> Iterator[dict[str, Any]]:
    """Every message of a client: words typed by letters, each surface asked at every key, no answer waited for."""
    number = 0

    def asked(method: str, **params: Any) -> dict[str, Any]:
        nonlocal number
        number += 1
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}

    def told(method: str, **params: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "method": method, "params": params}

    capabilities = {"experimental": {"editahead": {"nextEditElsewhere": True}}}
    folders = [{"uri": folder.as_uri(), "name": "w"}]
    options = {"precision": 0.5, "completionDeadlineMs": 50, "inlineDeadlineMs": 50, "nextEditDeadlineMs": 50}
    yield asked(
        "initialize",
        processId=None,
        capabilities=capabilities,
        workspaceFolders=folders,
        initializationOptions=options,
    )
    yield told("initialized")
    for name in ("shop.py", "sale.py"):
        document = {"uri": (folder / name).as_uri(), "languageId": "python", "version": 1, "text": SOURCES[name]}
        yield told("textDocument/didOpen", textDocument=document)
    shop, sale = ((folder / name).as_uri() for name in ("shop.py", "sale.py"))
    versions = {shop: 1, sale: 1}
    typed = (
        (sale, 4, 17, 5, "verify"),
        (sale, 9, 21, 5, "verify"),
        (shop, 11, 0, 0, "    quota = 1\n"),  # a name for the other file, which is turned to at once
        (sale, 8, 0, 0, "x = inventory.quo"),
        (sale, 9, 4, 6, "return"),
    )
    for uri, line, column, old, new in typed:
        for at, letter in enumerate(new):
            versions[uri] += 1
            first, last = column + at, column + at + (old if at == 0 else 0)
            where = {"start": {"line": line, "character": first}, "end": {"line": line, "character": last}}
            document = {"uri": uri, "version": versions[uri]}
            change = {"range": where, "text": letter}
            yield told("textDocument/didChange", textDocument=document, contentChanges=[change])
            if at == 2:
                yield {"pause": True}
            place = {"line": line, "character": first + 1}
            for method in SURFACES:
                yield asked(method, textDocument=document, position=place, context={"triggerKind": 1})
    yield asked("shutdown")


def run(
    folder: Path, seed: int, pause: Callable[[random.Random], float], *, flag: bool = True, load: bool = False
) -> list[bytes]:
    """The bodies of all answers in the order in which they came."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-m", "editahead", "--stdio", *(["--deterministic"] if flag else [])]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment, bufsize=0)
    rng = random.Random(seed)
    assert process.stdin is not None
    assert process.stdout is not None
    answers: list[bytes] = []
    done = threading.Event()

    def collect() -> None:
        for body in read_frames(process.stdout, lambda line: None):  # type: ignore[arg-type]
            if "id" in json.loads(body) and "method" not in json.loads(body):
                answers.append(body)
                if len(answers) == asked:
                    done.set()

    messages = list(session(folder))
    asked = sum("id" in message for message in messages)
    reader = threading.Thread(target=collect, daemon=True)
    reader.start()
    try:
        for message in messages:
            if message == {"pause": True}:
                time.sleep(pause(rng))
                continue
            body = json.dumps(message).encode()
            process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            process.stdin.flush()
            if load and rng.random() < 0.1:  # the machine has no time for us
                process.send_signal(signal.SIGSTOP)
                time.sleep(rng.random() * 0.1)
                process.send_signal(signal.SIGCONT)
        assert done.wait(120), f"{len(answers)} of {asked} answers"
    finally:
        process.kill()
        process.wait()
    return answers


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no signals that stop a process here")
def test_the_same_messages_have_the_same_answers_at_any_pace_and_under_any_load(tmp_path: Path) -> None:
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    at_once = run(tmp_path, 1, lambda rng: 0.0)
    stopped = run(tmp_path, 2, lambda rng: QUIET_ENOUGH * (0.5 + rng.random()), load=True)
    assert len(at_once) == 4 * (6 + 6 + 14 + 17 + 6) + 2
    shown = [body for body in at_once if b'"label"' in body or b'"insertText"' in body or b'"newText"' in body]
    assert len(shown) > 10, "a session with nothing to show proves nothing"
    assert at_once == stopped


def test_a_message_waits_until_the_one_before_it_is_done() -> None:
    clock, rest, taken = MessageClock(), [True], []

    def receive(body: bytes) -> None:
        taken.append((body, clock()))
        rest[0] = False

    async def scenario() -> None:
        order = SequentialDispatch(receive, lambda: rest[0], clock)
        for body in (b"one", b"two", b"three"):
            order.add(body)
        assert [body for body, _ in taken] == [b"one"]
        for count in (2, 3):
            rest[0] = True
            while len(taken) < count:  # noqa: ASYNC110 (what is tested gives no event)
                await asyncio.sleep(0.001)
        assert [body for body, _ in taken] == [b"one", b"two", b"three"]
        assert [at for _, at in taken] == sorted({at for _, at in taken})

    asyncio.run(scenario())
