"""One replica of the team server, an ASGI application: an engine, its inference thread, and the service of its clients.

Ray Serve or a test hosts it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import sys
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import editahead
from editahead.suggest.engine import Engine
from editahead.suggest.open_models import ANY_LANGUAGE
from editahead.team.cluster import client_session
from editahead.team.cluster.documents import ClientLimits
from editahead.team.cluster.inference import Inference
from editahead.team.cluster.tokens import owner_of
from editahead.team.wire.messages import LEAVING, PATH, REFUSED_CONNECTIONS, REFUSED_MESSAGE, REFUSED_TOKEN
from editahead.text.memo import keep_documents

log = logging.getLogger("editahead.team")
SWEEP_SECONDS = 10.0
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
SWITCH_INTERVAL = 0.001  # seconds; Python's 5 ms would let each message wait for the inference thread
CONFIG_ACTOR, NAMESPACE = "editahead-team-config", "editahead"


class TeamService:
    """All clients of a replica. `tokens` are names of owners by the SHA-256 sums of their tokens."""

    def __init__(
        self,
        inference: Inference,
        tokens: Mapping[str, str],
        metrics: client_session.Metrics,
        limits: ClientLimits | None = None,
        replica: str = "",
    ) -> None:
        self.inference = inference
        self._tokens = dict(tokens)
        self._metrics = metrics
        self.limits = limits or ClientLimits()
        self._replica = replica or secrets.token_hex(4)
        self._clients: dict[client_session.ClientSession, tuple[str, str, Callable[[int, str], Awaitable[None]]]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    @property
    def clients(self) -> int:
        """The number of open connections."""
        return len(self._clients)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection or request (ASGI 3)."""
        if self._sweeper is None:
            self._sweeper = asyncio.ensure_future(self._sweep())
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, send)

    async def use_engine(self, engine: Engine) -> None:
        """Answer all following requests with another engine. No connection and no request is lost."""
        self.inference.replace_engine(engine)

    async def use_tokens(self, tokens: Mapping[str, str]) -> None:
        """Replace the tokens, and close the connections of those that are revoked."""
        self._tokens = dict(tokens)
        for owner, token_sum, close in list(self._clients.values()):
            if self._tokens.get(token_sum) != owner:
                self._metrics.count(client_session.REFUSALS, reason="revoked")
                await close(REFUSED_TOKEN, "token")

    async def leave(self) -> None:
        """Send all clients to other replicas; they connect again at once."""
        for _, _, close in list(self._clients.values()):
            await close(LEAVING, "leaving")

    # -- connections

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        owner_and_sum = self._owner(scope)
        if owner_and_sum is None or not scope["path"].endswith(PATH):
            self._metrics.count(client_session.REFUSALS, reason="token")
            await send({"type": "websocket.close", "code": REFUSED_TOKEN})  # before it is accepted: HTTP 403
            return
        if sum(owner == owner_and_sum[0] for owner, _, _ in self._clients.values()) >= self.limits.connections:
            self._metrics.count(client_session.REFUSALS, reason="connections")
            await send({"type": "websocket.accept"})  # a refused handshake would look like a wrong token
            await send({"type": "websocket.close", "code": REFUSED_CONNECTIONS})
            return
        await send({"type": "websocket.accept"})
        closed = False

        async def close(code: int, why: str) -> None:
            nonlocal closed
            if not closed:
                closed = True
                with contextlib.suppress(OSError, RuntimeError):
                    await send({"type": "websocket.close", "code": code, "reason": why[:100]})

        async def send_bytes(data: bytes) -> None:
            if not closed:
                await send({"type": "websocket.send", "bytes": data})

        session = client_session.ClientSession(
            secrets.token_hex(8), self._replica, self.inference, self.limits, self._metrics, send_bytes
        )
        self._clients[session] = (*owner_and_sum, close)
        try:
            await self._serve(session, receive, close)
        finally:
            closed = True
            del self._clients[session]
            session.close()

    async def _serve(
        self, session: client_session.ClientSession, receive: Receive, close: Callable[[int, str], Awaitable[None]]
    ) -> None:
        """Process the messages of a client until it leaves or is refused."""
        try:
            event = await asyncio.wait_for(receive(), self.limits.hello_seconds)
            while event["type"] == "websocket.receive":
                await session.receive(event.get("bytes") or b"")
                event = await receive()
        except client_session.RefusedError as error:
            self._metrics.count(client_session.REFUSALS, reason="message")
            log.warning("a client was refused: %s", error)
            await close(error.code, str(error))
        except (TimeoutError, asyncio.TimeoutError):
            self._metrics.count(client_session.REFUSALS, reason="hello")
            await close(REFUSED_MESSAGE, "no greeting in time")

    def _owner(self, scope: Scope) -> tuple[str, str] | None:
        """Return the owner of the token of a connection, and the token's sum; None for a wrong token."""
        from editahead.team.cluster.tokens import token_sum

        given = [value for name, value in scope["headers"] if name.lower() == b"authorization"]
        if len(given) != 1 or not given[0].startswith(b"Bearer "):
            return None
        token = given[0][len(b"Bearer ") :].decode("latin-1").strip()
        owner = owner_of(token, self._tokens)
        return None if owner is None else (owner, token_sum(token))

    # -- health

    async def _http(self, scope: Scope, send: Send) -> None:
        """Answer /health; everything else is unknown. Says nothing about clients."""
        ready = self.inference.is_alive
        is_health = scope["path"].rstrip("/").endswith("/health") and scope["method"] == "GET"
        health = {"ready": ready, "version": editahead.__version__, "replica": self._replica}
        body = json.dumps(health if is_health else {})
        status = (200 if ready else 503) if is_health else 404
        headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body.encode()})

    async def _sweep(self) -> None:
        while True:
            for session in list(self._clients):
                session.expire()
            self._metrics.set(client_session.CLIENTS, len(self._clients))
            self._metrics.set(client_session.DOCUMENTS, sum(len(session.documents) for session in self._clients))
            self._metrics.set(client_session.WAITING, self.inference.waiting)
            await asyncio.sleep(SWEEP_SECONDS)


class TeamError(RuntimeError):
    """The cluster cannot be reached or cannot serve; the text is a single line."""


@dataclass(frozen=True, slots=True)
class ReplicaConfig:
    """What a replica serves. `tokens` are owners by the sums of their tokens."""

    tokens: Mapping[str, str]
    bundles: tuple[str, ...]
    device: str
    connections: int = 8  # of a token at a time
    clients: int = 100  # of a replica at a time
    manifests: str = ""  # SHA-256 of the manifests of all bundles: a folder may get another content

    @property
    def models(self) -> tuple[tuple[str, ...], str, str]:
        """What the engine depends on."""
        return self.bundles, self.device, self.manifests


class ConfigHolder:
    """An actor on the head node that holds what replicas serve: later replicas serve the same."""

    def __init__(self) -> None:
        self._config: ReplicaConfig | None = None
        self._layout: tuple[Any, ...] = ()
        self._listens = ""

    def put(self, config: ReplicaConfig, layout: tuple[Any, ...], listens: str) -> None:
        """Hold a configuration, the layout of its deployment, and where that listens."""
        self._config, self._layout, self._listens = config, layout, listens

    def config(self) -> ReplicaConfig | None:
        """Return the configuration."""
        return self._config

    def layout(self) -> tuple[Any, ...]:
        """Return the layout of the deployment."""
        return self._layout

    def listens(self) -> str:
        """Return host and port of the deployment; empty before there is a deployment."""
        return self._listens


def load_engine(bundles: Sequence[Path | str], device: str) -> Engine:
    """Load the engine with the models of every language open. Raises TeamError for a damaged bundle."""
    from editahead.runtime.bundle import find_bundles

    engine = Engine.load(find_bundles([Path(path) for path in bundles]), device, lambda text, part: None)
    languages = {bundle.manifest.language for bundle in engine.report().bundles} - {ANY_LANGUAGE}
    for language in sorted(languages):
        engine.language_model(language)
        engine.editor(language)
    failures = engine.report().failures
    if failures:
        raise TeamError(f"a bundle cannot be used: {failures[0]}")
    return engine


class TeamReplica:
    """The class that Ray Serve makes replicas of. Raises TeamError where its models cannot be loaded."""

    def __init__(self) -> None:
        import ray

        holder: Any = ray.get_actor(CONFIG_ACTOR, NAMESPACE)
        config: ReplicaConfig = ray.get(holder.config.remote())
        self._models = config.models
        keep_documents(config.clients)
        self._applying = asyncio.Lock()
        sys.setswitchinterval(SWITCH_INTERVAL)
        inference = Inference(load_engine(config.bundles, config.device))
        limits = ClientLimits(connections=config.connections)
        self.service = TeamService(inference, config.tokens, RayMetrics(), limits, _replica_name())

    async def apply(self, config: ReplicaConfig) -> str:
        """Take over tokens and models; return a problem in a single line, or nothing.

        Requests are answered by the models so far until the new ones are loaded, and by those if they cannot be.
        """
        async with self._applying:
            await self.service.use_tokens(config.tokens)
            self.service.limits = ClientLimits(connections=config.connections)
            if config.models == self._models:
                return ""
            try:
                engine = await asyncio.to_thread(load_engine, config.bundles, config.device)
            except TeamError as error:
                log.error("the models were not replaced: %s", error)
                return str(error)
            await self.service.use_engine(engine)
            self._models = config.models
            return ""

    def check_health(self) -> None:
        """Raise TeamError when the inference thread has ended: then Ray Serve replaces this replica."""
        if not self.service.inference.is_alive:
            raise TeamError("the inference thread has ended")

    def __serve_build_asgi_app__(self) -> Any:  # the name that Ray Serve asks for
        return ReplicaApplication(self.service)


class ReplicaApplication:
    """The ASGI application of a replica, with the events of its life."""

    def __init__(self, service: TeamService) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection or request (ASGI 3)."""
        if scope["type"] != "lifespan":
            await self._service(scope, receive, send)
            return
        kind = ""
        while kind != "lifespan.shutdown":
            kind = (await receive())["type"]
            await send({"type": f"{kind}.complete"})


class RayMetrics:
    """Counts as metrics of Ray Serve, which every node exports for Prometheus."""

    def __init__(self) -> None:
        from ray.serve import metrics

        levels = (client_session.CLIENTS, client_session.DOCUMENTS, client_session.WAITING)
        self._gauges = {name: metrics.Gauge(name, description=client_session.DESCRIPTIONS[name]) for name in levels}
        self._values = {
            name: metrics.Histogram(
                name,
                description=client_session.DESCRIPTIONS[name],
                boundaries=list(client_session.BUCKETS),
                tag_keys=("method",),
            )
            for name in (client_session.SECONDS, client_session.WAIT_SECONDS)
        }
        self._make = metrics.Counter
        self._counters: dict[str, Any] = {}

    def count(self, name: str, **tags: str) -> None:
        """Count an event."""
        if name not in self._counters:
            self._counters[name] = self._make(name, description=client_session.DESCRIPTIONS[name], tag_keys=tuple(tags))
        self._counters[name].inc(tags=tags)

    def observe(self, name: str, value: float, **tags: str) -> None:
        """Record a value of a distribution."""
        self._values[name].observe(value, tags=tags)

    def set(self, name: str, value: float) -> None:
        """Set a level."""
        self._gauges[name].set(value)


def _replica_name() -> str:
    from ray import serve

    return str(serve.get_replica_context().replica_id.unique_id)
