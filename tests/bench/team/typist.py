"""One simulated typist: a text typed key by key, with the requests, the budget and the pauses of a real laptop."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import next_snapshot, open_snapshot
from editahead.syntax.language import Language
from editahead.team.remote.channel import Channel
from editahead.team.remote.connection import Breaker, problem_of
from editahead.team.remote.documents import SentDocuments
from editahead.team.remote.engine import BUDGET
from editahead.team.remote.target import RemoteTarget
from editahead.team.wire.messages import (
    Answer,
    Ask,
    Declined,
    DocumentVersion,
    FromServer,
    Resend,
    SurfaceMethod,
    Update,
    Welcome,
    WireError,
    decision_of,
    encode_all,
)
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

from .load_result import DOWN, IN_TIME, LATE, PAUSED, RESEND, SUPERSEDED, WRONG, Request

METHODS: tuple[SurfaceMethod, ...] = ("complete", "inline")  # that an editor requests at each key, in turn
KEY_SECONDS, KEY_SPREAD = 0.18, 0.45  # median and logarithmic deviation between two keys: 5 keys a second on average
RETRY = 0.1  # seconds until a lost connection is opened again
Report = Callable[[Request], None]


class Typist:
    """Types the second half of a text, over and over. Each request is reported once, with its outcome."""

    def __init__(self, target: RemoteTarget, text: bytes, language: Language, name: str, seed: int) -> None:
        self._target = target
        self._text = text
        self._random = random.Random(seed)
        self._at = len(text) // 2
        buffer = Buffer(text[: self._at])
        self._history = History(buffer, time.monotonic)
        self._document = Document(
            uri=f"file:///{name}",
            path=Path(f"/{name}"),
            language_id=language.id,
            version=0,
            syntax=open_snapshot(buffer, language),
            history=self._history.view(),
            settings=Settings(),
        )
        self._channel: Channel | None = None
        self._connected = False
        self._sent = SentDocuments()
        self._breakers: dict[str, Breaker] = {}
        self._numbers = 0
        self._waiting: dict[int, asyncio.Future[Answer | Declined | Resend]] = {}
        self._probe: asyncio.Task[Any] | None = None  # the last request that nobody waits for
        self.lost = 0  # connections that ended or could not be opened
        self.problem = ""  # why the last of them did

    async def run(self, until: float, report: Report) -> None:
        """Type until a time of the monotonic clock."""
        connection = asyncio.ensure_future(self._keep_connected())
        asking: asyncio.Task[None] | None = None
        try:
            while time.monotonic() < until:
                await asyncio.sleep(self._random.lognormvariate(0.0, KEY_SPREAD) * KEY_SECONDS)
                if asking is not None and not asking.done():
                    asking.cancel()
                    await asyncio.wait({asking})
                self._type()
                if self._numbers:  # a laptop that was never connected asks nobody
                    asking = asyncio.ensure_future(self._ask_all(report))
            if asking is not None:
                await asyncio.wait({asking})
        finally:
            connection.cancel()
            await asyncio.wait({connection})

    # -- typing

    def _type(self) -> None:
        """Insert the next character at the end; begin again after the last."""
        document, buffer = self._document, self._document.syntax.buffer
        if self._at >= len(self._text):
            self._at = len(self._text) // 2
            edit = ByteEdit(self._at, len(buffer.data), b"")
        else:
            size = next(n for n in range(1, 5) if self._at + n == len(self._text) or self._is_boundary(self._at + n))
            edit = ByteEdit(len(buffer.data), len(buffer.data), self._text[self._at : self._at + size])
            self._at += size
        after = buffer.apply(edit)
        self._history.push(edit, buffer)
        self._document = replace(
            document,
            version=document.version + 1,
            syntax=next_snapshot(document.syntax, after, [edit]),
            history=self._history.view(),
            now=time.monotonic(),
        )

    def _is_boundary(self, at: int) -> bool:
        return self._text[at] & 0xC0 != 0x80

    async def _ask_all(self, report: Report) -> None:
        """Send the requests of an editor at a key, in sequence; the next key cancels the rest."""
        for method in METHODS:
            began = time.monotonic()
            try:
                request = await self._ask(method, began)
                report(request._replace(seconds=time.monotonic() - began))
            except asyncio.CancelledError:
                report(Request(began, method, SUPERSEDED))
                raise

    async def _ask(self, method: SurfaceMethod, began: float) -> Request:
        """Return a request with its outcome but its time, after the budget at the latest."""
        breaker = self._breakers.setdefault(method, Breaker(time.monotonic))
        if not self._connected:
            return Request(began, method, DOWN)
        if not breaker.should_wait:
            if breaker.wants_probe():
                self._probe = asyncio.ensure_future(self._reply(method, breaker, began))
            return Request(began, method, PAUSED)
        reply, version = await self._reply(method, breaker, began)
        if reply is None:
            return Request(began, method, LATE)
        if not isinstance(reply, Answer):
            return Request(began, method, reply.why if isinstance(reply, Declined) else RESEND)
        text = self._document.syntax.buffer.data
        try:
            if reply.serial != version.serial:
                raise WireError("an answer about another version")
            decision_of(method, reply, text, lambda uri: text)
        except WireError:
            return Request(began, method, WRONG)
        return Request(began, method, IN_TIME, 0.0, reply.seconds, reply.waited)

    async def _reply(
        self, method: SurfaceMethod, breaker: Breaker, began: float
    ) -> tuple[Answer | Declined | Resend | None, DocumentVersion]:
        """Return the reply to a request and what it is about; no reply after the budget."""
        number, version = self._send(method)
        replied = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            reply = await asyncio.wait_for(replied, began + BUDGET - time.monotonic())
        except (TimeoutError, asyncio.TimeoutError):
            breaker.record_late()
            return None, version
        finally:
            self._waiting.pop(number, None)
        breaker.in_time()
        return reply, version

    def _send(self, method: SurfaceMethod, seconds: float = BUDGET) -> tuple[int, DocumentVersion]:
        """Send the text and a request about its end; returns its number and what it is about."""
        self._numbers += 1
        messages, version, _ = self._sent.sync(self._document)
        byte, now = len(self._document.syntax.buffer.data), self._document.now
        budget = int(1000 * seconds)
        self._write([*messages, Ask(self._numbers, method, version, [], byte, 0, budget, now, False, 0, [], [], [])])
        return self._numbers, version

    def _write(self, messages: list[Update]) -> None:
        if self._channel is not None:
            self._channel.write(encode_all(messages))

    # -- the connection

    async def _keep_connected(self) -> None:
        while True:
            self._channel = Channel(self._target, self._opened, self._received)
            try:
                await self._channel.run()
            except Exception as error:
                self.problem = problem_of(error, self._target).text or self.problem
            self._connected = False
            self.lost += 1
            await asyncio.sleep(RETRY)

    def _opened(self, welcome: Welcome) -> None:
        self.lost += self._connected  # another replica took over
        self._connected, self._sent = True, SentDocuments()
        self._breakers.clear()
        self._send("prepare")

    def _received(self, message: FromServer) -> None:
        if not isinstance(message, (Answer, Declined, Resend)):
            return
        if isinstance(message, Resend):
            self._sent.resend(message.document)
        waiting = self._waiting.get(message.number)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)
