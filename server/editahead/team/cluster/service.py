"""The team server as an ASGI application: WebSockets of clients, and a health page. Ray Serve or a test hosts it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import editahead
from editahead.suggest.engine import Engine
from editahead.team.cluster.client_session import ClientSession, RefusedError
from editahead.team.cluster.documents import ClientLimits
from editahead.team.cluster.inference import Inference
from editahead.team.cluster.metrics import CLIENTS, DOCUMENTS, REFUSALS, WAITING, Metrics
from editahead.team.cluster.tokens import owner_of
from editahead.team.wire.messages import LEAVING, PATH, REFUSED_CONNECTIONS, REFUSED_MESSAGE, REFUSED_TOKEN

log = logging.getLogger("editahead.team")
SWEEP_SECONDS = 10.0
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class TeamService:
    """All clients of a replica. `tokens` are names of owners by the SHA-256 sums of their tokens."""

    def __init__(
        self,
        inference: Inference,
        tokens: Mapping[str, str],
        metrics: Metrics,
        limits: ClientLimits | None = None,
        replica: str = "",
    ) -> None:
        self.inference = inference
        self._tokens = dict(tokens)
        self._metrics = metrics
        self.limits = limits or ClientLimits()
        self._replica = replica or secrets.token_hex(4)
        self._clients: dict[ClientSession, tuple[str, str, Callable[[int, str], Awaitable[None]]]] = {}
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
                self._metrics.count(REFUSALS, reason="revoked")
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
            self._metrics.count(REFUSALS, reason="token")
            await send({"type": "websocket.close", "code": REFUSED_TOKEN})  # before it is accepted: HTTP 403
            return
        if sum(owner == owner_and_sum[0] for owner, _, _ in self._clients.values()) >= self.limits.connections:
            self._metrics.count(REFUSALS, reason="connections")
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

        session = ClientSession(
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
        self, session: ClientSession, receive: Receive, close: Callable[[int, str], Awaitable[None]]
    ) -> None:
        """Process the messages of a client until it leaves or is refused."""
        try:
            event = await asyncio.wait_for(receive(), self.limits.hello_seconds)
            while event["type"] == "websocket.receive":
                await session.receive(event.get("bytes") or b"")
                event = await receive()
        except RefusedError as error:
            self._metrics.count(REFUSALS, reason="message")
            log.warning("a client was refused: %s", error)
            await close(error.code, str(error))
        except (TimeoutError, asyncio.TimeoutError):
            self._metrics.count(REFUSALS, reason="hello")
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
            self._metrics.set(CLIENTS, len(self._clients))
            self._metrics.set(DOCUMENTS, sum(len(session.documents) for session in self._clients))
            self._metrics.set(WAITING, self.inference.waiting)
            await asyncio.sleep(SWEEP_SECONDS)
