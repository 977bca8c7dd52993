"""A team server and a laptop in this process, each with a fake engine, so that a test sees which of them answered."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from asgi_host import AsgiHost
from editahead.lsp.session import OpenDocument, Session
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.team.cluster.documents import ClientLimits
from editahead.team.cluster.inference import Inference
from editahead.team.cluster.replica import TeamService
from editahead.team.cluster.tokens import token_sum
from editahead.team.remote.connection import Connection, Replies
from editahead.team.remote.engine import RemoteEngine
from editahead.team.remote.target import TOKEN_VARIABLE, remote_target
from editahead.text.edits import ByteEdit
from fake_engine import FakeEngine

TOKEN = "a-token-of-a-test-0123456789"
PATIENCE = 10.0  # seconds; only a test that fails waits so long
FAMILIES = ["spn", "implicit-attention", "copyspan", "treegen"]


class BundledFake(FakeEngine):
    """The fake engine, as if it had a model of each kind for Python."""

    def report(self) -> Any:
        manifests = [SimpleNamespace(limits={}, language="python", family=family) for family in FAMILIES]
        return SimpleNamespace(bundles=[SimpleNamespace(manifest=manifest) for manifest in manifests])

    def language_model(self, language_id: str) -> None:
        return None

    def editor(self, language_id: str) -> None:
        return None


class MemoryMetrics:
    """Counts in memory."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, ...]] = Counter()
        self.values: dict[str, deque[float]] = {}
        self.levels: dict[str, float] = {}

    def count(self, name: str, **tags: str) -> None:
        self.counts[(name, *tags.values())] += 1

    def observe(self, name: str, value: float, **tags: str) -> None:
        self.values.setdefault(name, deque(maxlen=1000)).append(value)

    def set(self, name: str, value: float) -> None:
        self.levels[name] = value


def wait_for(ready: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < until, f"no {what}"
        time.sleep(0.005)


class Team:
    """Both sides. `theirs` is the server's engine, `ours` the laptop's."""

    def __init__(self, folder: Path, *, limits: ClientLimits | None = None, budget: float = 5.0) -> None:
        self.folder = folder
        self.theirs, self.ours = BundledFake(), BundledFake()
        self.metrics = MemoryMetrics()
        self.limits = limits
        self.inference = Inference(self.theirs)  # type: ignore[arg-type]
        self.host = AsgiHost(self._service)
        self.replies = Replies()
        self.problems: list[str] = []
        self.connection = self.connection_with(TOKEN)
        self.engine = RemoteEngine(self.ours, self.connection, self.replies, budget=budget)  # type: ignore[arg-type]
        self.session = Session(Settings())
        self.session.roots.append(folder)

    def _service(self) -> TeamService:
        return TeamService(self.inference, {token_sum(TOKEN): "me"}, self.metrics, self.limits, "replica")

    def connection_with(self, token: str, port: int | None = None) -> Connection:
        target = remote_target(f"ws://127.0.0.1:{port or self.host.port}", None, {TOKEN_VARIABLE: token})
        connection = Connection(target, self.replies.receive)
        connection.report_problems(self.problems.append)
        return connection

    def connect(self) -> None:
        self.connection.start()
        wait_for(lambda: self.connection.session != 0, f"connection: {self.problems}")

    def connect_through(self, port: int) -> None:
        """Connect by way of a port that leads to the server."""
        self.connection = self.engine.link = self.connection_with(TOKEN, port)
        self.connect()

    def restart(self) -> None:
        """Begin a server on the same port, which knows nothing."""
        self.inference = Inference(self.theirs)  # type: ignore[arg-type]
        self.restart_with_inference()

    def restart_with_inference(self) -> None:
        """Begin a server on the same port with the inference thread as it is."""
        self.host = AsgiHost(self._service, self.host.port)

    def end(self) -> None:
        self.theirs.release.set()
        self.connection.stop()
        self.host.kill()
        self.inference.stop()

    def open(self, name: str, text: str) -> OpenDocument:
        return self.session.open((self.folder / name).as_uri(), "python", 1, text)

    def document(self, opened: OpenDocument, byte: int = 0) -> Document:
        return self.session.snapshot(opened, byte).document

    def type(self, opened: OpenDocument, at: int, text: str) -> None:
        opened.apply([ByteEdit(at, at, text.encode())])
        opened.version += 1

    def complete(self, opened: OpenDocument, byte: int | None = None) -> Any:
        at = len(opened.buffer.data) if byte is None else byte
        return self.engine.complete(self.document(opened, at), at, Cancel())

    def outcomes(self) -> dict[str, int]:
        return self.engine.answered_by()
