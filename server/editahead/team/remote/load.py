"""Simulated typists for a team server: each types a file key by key, as a laptop would, and measures its requests."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import editahead
from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.syntax.chunked import next_snapshot, open_snapshot
from editahead.syntax.language import Language
from editahead.team.remote.documents import SentDocuments
from editahead.team.remote.engine import BUDGET
from editahead.team.remote.target import RemoteTarget
from editahead.team.wire import websocket
from editahead.team.wire.messages import (
    MAX_MESSAGE,
    PROTOCOL,
    Answer,
    Ask,
    Declined,
    DocumentVersion,
    FromClient,
    Hello,
    Resend,
    SurfaceMethod,
    Welcome,
    decode_from_server,
    encode,
)
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

METHODS: tuple[SurfaceMethod, ...] = ("complete", "inline")  # that an editor requests at each key
KEYS_PER_SECOND = 5.0  # of a fast typist
PATIENCE = 2.0  # seconds after which a request counts as unanswered


@dataclass
class LoadResult:
    """Outcomes of requests: `in-time`, `late`, or why the server declined. Times are in seconds."""

    outcomes: Counter[str] = field(default_factory=Counter)
    round_trips: list[float] = field(default_factory=list)  # of all answers
    engine: list[float] = field(default_factory=list)  # run time on the server
    lost: int = 0  # typists whose connection ended

    @property
    def requests(self) -> int:
        """All requests."""
        return sum(self.outcomes.values())

    @property
    def in_time(self) -> float:
        """Share of the requests that were answered within the budget of a laptop."""
        return self.outcomes["in-time"] / max(1, self.requests)


class Typist:
    """One simulated laptop. It types the second half of a text, over and over."""

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
        self._sent = SentDocuments()
        self._numbers = 0
        self._waiting: dict[int, float] = {}

    async def run(self, until: float, result: LoadResult) -> None:
        """Type until a time of the monotonic clock; adds what happened to `result`."""
        target = self._target
        try:
            reader, writer = await asyncio.open_connection(target.host, target.port, limit=websocket.MAX_HEADER)
        except OSError:
            result.lost += 1
            return
        receiving: asyncio.Task[None] | None = None
        try:
            headers = {"Authorization": f"Bearer {target.token}"}
            await websocket.connect(reader, writer, target.address, target.path, headers)
            self._write(writer, [Hello(PROTOCOL, editahead.__version__)])
            receiving = asyncio.ensure_future(self._receive(reader, writer, result))
            while time.monotonic() < until and not receiving.done():
                await asyncio.sleep(self._random.expovariate(KEYS_PER_SECOND))
                self._type()
                self._request(writer)
            await asyncio.sleep(min(PATIENCE, 4 * BUDGET))
        except (OSError, asyncio.IncompleteReadError):
            result.lost += 1
        finally:
            if receiving is not None:
                receiving.cancel()
            result.outcomes["late"] += len(self._waiting)
            writer.transport.abort()

    def _type(self) -> None:
        """Insert the next character at the end; begin again after the last one."""
        document, buffer = self._document, self._document.syntax.buffer
        if self._at >= len(self._text):
            self._at = len(self._text) // 2
            edit = ByteEdit(self._at, len(buffer.data), b"")
        else:
            size = next(n for n in range(1, 5) if self._at + n == len(self._text) or self._starts(self._at + n))
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

    def _starts(self, at: int) -> bool:
        return self._text[at] & 0xC0 != 0x80

    def _request(self, writer: asyncio.StreamWriter) -> None:
        """Send the last key and a request of each method."""
        messages, version, _ = self._sent.sync(self._document)
        byte = len(self._document.syntax.buffer.data)
        for method in METHODS:
            self._numbers += 1
            self._waiting[self._numbers] = time.monotonic()
            budget, now = int(1000 * BUDGET), self._document.now
            ask = Ask(self._numbers, method, version, [], byte, 0, budget, now, False, 0, [], [], [])
            messages.append(ask)
            version = DocumentVersion(version.document, version.serial, None)  # the history is there by the first
        self._write(writer, messages)

    async def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, result: LoadResult) -> None:
        while True:
            data = await websocket.read_message(reader, writer, MAX_MESSAGE, mask=True)
            message = decode_from_server(data) if data else None
            if isinstance(message, Welcome) or message is None:
                continue
            began = self._waiting.pop(message.number, None)
            if isinstance(message, Resend):
                self._sent.resend(message.document)
                result.outcomes["resend"] += began is not None
            elif isinstance(message, Declined):
                result.outcomes[message.why] += 1
            elif isinstance(message, Answer) and began is not None:
                seconds = time.monotonic() - began
                result.round_trips.append(seconds)
                result.engine.append(message.seconds)
                result.outcomes["in-time" if seconds <= BUDGET else "late"] += 1

    def _write(self, writer: asyncio.StreamWriter, messages: Sequence[FromClient]) -> None:
        for message in messages:
            writer.write(websocket.encode_frame(websocket.BINARY, encode(message), mask=True))


async def simulate(
    target: RemoteTarget, text: bytes, language: Language, name: str, clients: int, seconds: float
) -> LoadResult:
    """Let so many typists type for some seconds; they begin one after another within the first tenth."""
    result = LoadResult()
    until = time.monotonic() + seconds

    async def typist(number: int) -> None:
        await asyncio.sleep(seconds / 10 * number / clients)
        await Typist(target, text, language, f"{number}/{name}", number).run(until, result)

    await asyncio.gather(*(typist(number) for number in range(clients)))
    return result
