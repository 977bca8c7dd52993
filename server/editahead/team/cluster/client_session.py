"""One connection of a client: its messages in order, its documents, and the answers to its requests.

What the server counts holds no code, path or name of a person.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol

import editahead
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.open_models import ANY_LANGUAGE, FAMILIES
from editahead.suggest.types import INTERRUPTED, Document, Reason, Suppressed
from editahead.team.cluster import documents as client_documents
from editahead.team.cluster.inference import Answered, DeclinedError, Inference
from editahead.team.wire import messages as wire
from editahead.team.wire.messages import answer_of

REQUESTS = "editahead_team_requests_total"  # by method and outcome
SECONDS = "editahead_team_engine_seconds"  # by method
WAIT_SECONDS = "editahead_team_waited_seconds"  # by method
CLIENTS = "editahead_team_clients"
DOCUMENTS = "editahead_team_documents"
WAITING = "editahead_team_waiting_requests"
REFUSALS = "editahead_team_refusals_total"  # by reason
DESCRIPTIONS = {
    REQUESTS: "Requests, by method and outcome.",
    SECONDS: "Run time of the engine for one request, in seconds.",
    WAIT_SECONDS: "Time from the arrival of a request until the engine began, in seconds.",
    CLIENTS: "Open connections of a replica.",
    DOCUMENTS: "Documents that a replica holds.",
    WAITING: "Requests that wait for the inference thread of a replica.",
    REFUSALS: "Connections and messages that were refused, by reason.",
}
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 1.0, 3.0)  # seconds
PREPARE_SECONDS = 5.0  # that preparing a document may wait


class Metrics(Protocol):
    """Where counts go."""

    def count(self, name: str, **tags: str) -> None:
        """Count an event."""

    def observe(self, name: str, value: float, **tags: str) -> None:
        """Record a value of a distribution."""

    def set(self, name: str, value: float) -> None:
        """Set a level."""


log = logging.getLogger("editahead.team")
Send = Callable[[bytes], Awaitable[None]]


class RefusedError(Exception):
    """The connection is closed, with this WebSocket code; the text is a single line."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


class ClientSession:
    """The state of a connection. For the event loop's thread."""

    def __init__(
        self,
        client: str,
        replica: str,
        inference: Inference,
        limits: client_documents.ClientLimits,
        metrics: Metrics,
        send: Send,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.client = client
        self._replica = replica
        self._inference = inference
        self._limits = limits
        self._metrics = metrics
        self._send = send
        self.documents = client_documents.ClientDocuments(client, limits, clock)
        self._bucket = client_documents.TokenBucket(limits.requests_per_second, limits.burst, clock)
        self._greeted = False
        self._latest = 0
        self._answers: set[asyncio.Task[None]] = set()

    async def receive(self, data: bytes) -> None:
        """Process a message. Raises RefusedError where the connection must end."""
        if len(data) > self._limits.message:
            raise RefusedError(wire.REFUSED_MESSAGE, "a message that is too large")
        try:
            message = wire.decode_from_client(data)
        except wire.WireError as error:
            raise RefusedError(wire.REFUSED_MESSAGE, str(error)) from None
        if isinstance(message, wire.Hello):
            await self._greet(message)
        elif not self._greeted:
            raise RefusedError(wire.REFUSED_MESSAGE, "no greeting")
        else:
            messages = message.messages if isinstance(message, wire.Batch) else [message]
            if len(messages) > wire.MAX_BATCHED:
                raise RefusedError(wire.REFUSED_MESSAGE, "too many messages in one")
            for each in messages:
                if isinstance(each, wire.Ask):
                    await self._ask(each)
                else:
                    await self._update(each)

    def close(self) -> None:
        """Drop everything of this client."""
        for task in self._answers:
            task.cancel()
        self._inference.forget(self.documents.drop_all())

    def expire(self) -> None:
        """Drop the documents that were not used for a while."""
        self._inference.forget(self.documents.expire())

    async def _greet(self, message: wire.Hello) -> None:
        if message.protocol != wire.PROTOCOL:
            raise RefusedError(wire.REFUSED_PROTOCOL, f"protocol {wire.PROTOCOL} is spoken here")
        self._greeted = True
        models = served_models(self._inference.engine)
        await self._reply(wire.Welcome(wire.PROTOCOL, editahead.__version__, self._replica, self.client, models))

    async def _update(self, message: wire.Configure | wire.PutDocument | wire.Change | wire.Drop) -> None:
        """Bring settings or a document up to date. Raises RefusedError beyond the limits."""
        try:
            if isinstance(message, wire.Configure):
                self.documents.settings = client_documents.server_settings(message.settings)
            elif isinstance(message, wire.PutDocument):
                self.documents.put(message)
            elif isinstance(message, wire.Change):
                self.documents.change(message)
            else:
                uri = self.documents.drop(message.document)
                self._inference.forget([uri] if uri else [])
        except client_documents.UnknownDocumentError as error:
            await self._reply(wire.Resend(error.number, 0))
        except client_documents.LimitError as error:
            raise RefusedError(wire.REFUSED_MESSAGE, str(error)) from None

    async def _ask(self, ask: wire.Ask) -> None:
        """Hand a request to the inference thread; its answer is sent when it is ready."""
        if ask.number <= self._latest:
            await self._decline(ask, "replayed")
            return
        self._latest = ask.number
        if len(ask.others) > wire.MAX_OTHERS or len(ask.names) > wire.MAX_NAMES or len(ask.labels) > wire.MAX_LABELS:
            raise RefusedError(wire.REFUSED_MESSAGE, "a request that is too large")
        try:
            document = self.documents.document(ask)  # in any case: the next request builds on its histories
        except client_documents.UnknownDocumentError as error:
            self._metrics.count(REQUESTS, method=ask.method, outcome="resend")
            await self._reply(wire.Resend(error.number, ask.number))
            return
        if not self._bucket.take():
            await self._decline(ask, "busy")
            return
        seconds = PREPARE_SECONDS if ask.method == "prepare" else ask.budget_ms / 1000
        run = partial(run_method, ask, document)
        future = self._inference.submit((self.client, ask.method), seconds, run)
        task = asyncio.ensure_future(self._answer(ask, document, future))
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _decline(self, ask: wire.Ask, why: str) -> None:
        self._metrics.count(REQUESTS, method=ask.method, outcome=why)
        await self._reply(wire.Declined(ask.number, why))

    async def _answer(self, ask: wire.Ask, document: Document, future: asyncio.Future[Answered]) -> None:
        try:
            answered = await future
        except DeclinedError as error:
            if error.__cause__ is not None:  # its kind alone: the text of an error may hold code
                log.error("%s failed: %s", ask.method, type(error.__cause__).__name__)
            await self._decline(ask, error.why)
            return
        self._metrics.observe(SECONDS, answered.seconds, method=ask.method)
        self._metrics.observe(WAIT_SECONDS, answered.waited, method=ask.method)
        self._metrics.count(REQUESTS, method=ask.method, outcome="answered")
        await self._reply(answer_of(ask.number, document.version, answered.value, answered.seconds, answered.waited))

    async def _reply(self, message: wire.FromServer) -> None:
        try:
            await self._send(wire.encode(message))
        except (OSError, RuntimeError):  # the client is gone
            self._metrics.count(REFUSALS, reason="gone")


def run_method(ask: wire.Ask, document: Document, engine: Engine, cancel: Cancel) -> Any:
    """Run a method of the engine. On the inference thread. Raises DeclinedError where it was cancelled."""
    size = len(document.syntax.buffer.data)
    byte = min(max(0, ask.byte), size)
    end = min(max(ask.end, byte), size)
    if ask.method == "prepare":
        engine.language_model(document.language_id)
        engine.editor(document.language_id)
        document.syntax.line_tokens(0)
        return Suppressed(Reason.EMPTY, "prepared")
    if ask.method == "rank":
        return engine.rank(document, byte, ask.labels, cancel)
    if ask.method == "fixes":
        return engine.fixes(document, byte, end, cancel)
    decision = getattr(engine, ask.method)(document, byte, cancel)
    if isinstance(decision, Suppressed) and decision.reason in INTERRUPTED:
        raise DeclinedError("superseded" if decision.reason is Reason.CANCELLED else "late")
    return decision


def served_models(engine: Engine) -> dict[str, list[str]]:
    """Return the families of models by language; those of every language stand under ANY_LANGUAGE."""
    models: dict[str, list[str]] = {}
    for bundle in engine.report().bundles:
        listed = bundle.manifest.limits.get("languages") or (bundle.manifest.language,)
        for language in listed:
            models.setdefault(str(language), []).append(bundle.manifest.family)
    everywhere = models.get(ANY_LANGUAGE, [])
    return {language: sorted({*own, *everywhere} & set(FAMILIES)) for language, own in models.items()}
