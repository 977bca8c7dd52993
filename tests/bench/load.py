"""Completions while the server has other work: ghost text and next edits asked at every key, and files that change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from editahead.bench.stdio_client import Reply, ServerError

from .measure import Measured, Typist, memory_mb, pacing, start, type_block
from .sources import Session

BESIDE = "beside others"  # completions; ghost text and next edits asked too
WATCHED = "files changing"  # completions

CHANGES = 20_000  # of watched files, in one typed session
FILES = 5_000
NAMES = 20  # new ones in each file, on a line of its own: the project fills the index of names
READ_IN = 300.0  # seconds
CHANGED = 2  # FileChangeType

_FILES = {
    ".py": "{text}",
    ".java": "class Module{number} {{\n{text}}}\n",
    ".ts": "class Module{number} {{\n{text}}}\n",
    ".go": "package module{number}\n\nvar (\n{text})\n",
}
_LINES = {
    ".py": "{name} = other({name}, 1)\n",
    ".java": "    int {name} = other({name}, 1);\n",
    ".ts": "  {name} = other(this.{name}, 1);\n",
    ".go": "\t{name} = other({name}, 1)\n",
}

Wait = Callable[[float | None], Reply]


class BusyTypist(Typist):
    """Asks for ghost text and the next edit before each completion, and does not wait for them."""

    def __init__(self, typist: Typist) -> None:
        super().__init__(typist.client, typist.uri, typist.measured)
        self.version = typist.version
        self.waiting: list[Wait] = []

    def ask(self, surface: str, method: str, line: int, character: int, since: float | None = None, **more: Any) -> Any:
        """The completion is timed; the other two are asked first, as the busiest editor would."""
        if method != "textDocument/completion":
            return None
        place = {"position": {"line": line, "character": character}}
        document = {"uri": self.uri, "version": self.version}
        context = {"triggerKind": 2, "idle": False}
        for other in ("textDocument/inlineCompletion", "editahead/nextEdit"):
            self.waiting.append(self.client.ask(other, {"textDocument": document, **place, "context": context}))
        return super().ask(BESIDE, method, line, character, since, **more)

    def settle(self) -> None:
        """Wait until all that was asked is answered."""
        for wait in self.waiting:
            wait(None)
        self.waiting.clear()


class InterruptedTypist(Typist):
    """Tells the server before each key that some files have changed on disk."""

    def __init__(self, typist: Typist, batches: Iterator[list[dict[str, object]]]) -> None:
        super().__init__(typist.client, typist.uri, typist.measured)
        self.version = typist.version
        self._batches = batches
        self.sent = 0

    def change(self, line: int, start: int, end: int, text: str) -> None:
        """The batch goes first, so that the key waits behind it."""
        batch = next(self._batches)
        self.sent += len(batch)
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": batch})
        super().change(line, start, end, text)

    def ask(self, surface: str, method: str, line: int, character: int, since: float | None = None, **more: Any) -> Any:
        """Completions only, timed from the change."""
        if method != "textDocument/completion":
            return None
        return super().ask(WATCHED, method, line, character, since, **more)


def run_loaded(command: list[str], session: Session, lines: int, root: Path, rounds: int, pace_ms: float) -> Measured:
    """One server, one file: `rounds` sessions beside other requests, then as many while watched files change.

    The server has read the project before, so that its memory is that of a project of FILES files.
    """
    uris = write_project(root / "project", session.suffix)
    measured = Measured(session.language_id, lines)
    client, typist = start(command, session, root, measured)
    with client:
        if not client.wait_for(_has_read, READ_IN):
            raise ServerError(f"the server has not read the project within {READ_IN:g} s")
        pause = pacing(pace_ms)
        busy = BusyTypist(typist)
        for _ in range(rounds):
            type_block(busy, session, pause)
            busy.settle()
        typist.version = busy.version
        time.sleep(1.0)  # the server rests, as between two sessions
        size = -(-CHANGES // len(session.block))
        interrupted = InterruptedTypist(typist, batches(uris, size))
        for _ in range(rounds):
            type_block(interrupted, session, pause)
        measured.rss_mb, measured.peak_mb = memory_mb(client.pid)
    return measured


def write_project(folder: Path, suffix: str) -> list[str]:
    """FILES files with NAMES names each that no other file has, for the server to read again; their URIs."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"module_{number}{suffix}" for number in range(FILES)]
    for number, path in enumerate(paths):
        names = [f"name_{number * NAMES + at:x}" for at in range(NAMES)]
        text = "".join(_LINES[suffix].format(name=name) for name in names)
        path.write_text(_FILES[suffix].format(number=number, text=text), encoding="utf-8")
    return [path.as_uri() for path in paths]


def _has_read(method: str, params: Any) -> bool:
    index = params.get("index") if method == "didChangeStatus" else None
    return index is not None and index["building"] is None and index["files"] >= FILES


def batches(uris: list[str], size: int) -> Iterator[list[dict[str, object]]]:
    """Changes of `size` files, one batch after the other, for ever."""
    files = cycle(uris)
    while True:
        yield [{"uri": uri, "type": CHANGED} for uri in islice(files, size)]
