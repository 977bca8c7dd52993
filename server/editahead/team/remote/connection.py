"""The connection to the team server: one thread with an event loop of its own, which reconnects by itself."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from editahead.team.remote.channel import Channel
from editahead.team.remote.target import RemoteTarget
from editahead.team.wire.messages import (
    LEAVING,
    REFUSED_CONNECTIONS,
    REFUSED_MESSAGE,
    REFUSED_PROTOCOL,
    REFUSED_TOKEN,
    FromServer,
    Welcome,
    WireError,
)
from editahead.team.wire.websocket import HandshakeRefusedError, WebSocketClosedError, WebSocketError

log = logging.getLogger("editahead.team")
FIRST_RETRY, LONGEST_RETRY, AFTER_REFUSAL = 0.1, 5.0, 30.0  # seconds


class Link(Protocol):
    """What the engine needs of a connection."""

    @property
    def session(self) -> int:
        """The number of the current connection; 0 while there is none."""

    @property
    def welcome(self) -> Welcome | None:
        """What the server of the current connection offers."""

    @property
    def backlog(self) -> int:
        """Bytes that wait to be sent."""

    def send(self, session: int, frames: Sequence[bytes]) -> None:
        """Send messages, unless that connection is gone. Never blocks."""

    def report_problems(self, report: Callable[[str], None]) -> None:
        """Report each problem from now on, and the current one, in one line for the user."""


class Connection:
    """Keeps a connection open. `on_message` is called on its thread."""

    def __init__(self, target: RemoteTarget, on_message: Callable[[int, FromServer], None]) -> None:
        self._target = target
        self._on_message = on_message
        self._on_problem: Callable[[str], None] = lambda text: None
        self._problem = ""  # why there is no connection
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._main, name="remote", daemon=True)
        self._channel: Channel | None = None
        self._sessions = 0
        self._waiting = 0  # bytes handed to the loop and not written yet
        self._lock = threading.Lock()
        self.session = 0
        self.welcome: Welcome | None = None
        self.stopping = False

    @property
    def backlog(self) -> int:
        """Bytes that wait to be sent."""
        channel = self._channel
        return self._waiting + (channel.backlog if channel is not None else 0)

    def start(self) -> None:
        """Connect, on the thread."""
        self._thread.start()

    def stop(self, wait: float = 1.0) -> None:
        """Close the connection and end the thread. Waits at most `wait` seconds."""
        self.stopping = True
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._hang_up)
        if self._thread.is_alive():
            self._thread.join(wait)

    def report_problems(self, report: Callable[[str], None]) -> None:
        """Report each problem from now on, and the current one, in one line for the user. From any thread."""
        self._on_problem = report
        if self._problem:
            report(self._problem)

    def send(self, session: int, frames: Sequence[bytes]) -> None:
        """Send messages, unless that connection is gone. Never blocks."""
        size = sum(map(len, frames))
        with self._lock:
            self._waiting += size

        def write() -> None:
            with self._lock:
                self._waiting -= size
            if self._channel is not None and session == self.session:
                self._channel.write(frames)

        try:
            self._loop.call_soon_threadsafe(write)
        except RuntimeError:  # the loop has ended
            log.debug("a message came after the end of the connection")

    # -- on the thread

    def _main(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._task = self._loop.create_task(self._keep_connected())
        with contextlib.suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._task)
        self._loop.close()

    def _hang_up(self) -> None:
        self._task.cancel()

    async def _keep_connected(self) -> None:
        retry = FIRST_RETRY
        while not self.stopping:
            before = self._sessions
            why, wait = await self._connect_once()
            if self._sessions > before:
                retry = FIRST_RETRY
            lost = self._sessions > before and not wait  # another replica may serve at once: then there is no problem
            if why and why != self._problem and not lost:
                self._problem = why
                log.warning("%s", why)
                self._on_problem(why)
            await asyncio.sleep(wait or retry)
            retry = min(2 * retry, LONGEST_RETRY)

    async def _connect_once(self) -> tuple[str, float]:
        """Serve one connection until its end. Returns the problem in one line, and a fixed time to wait, or 0."""
        where = f"the team server {self._target.address}"
        local = "suggestions are computed locally"
        self._channel = Channel(self._target, self._opened, self._received)
        try:
            await self._channel.run()
        except HandshakeRefusedError as error:
            if error.status in (401, 403):
                return f"{where} refuses the token: {local}. Ask for a new one", AFTER_REFUSAL
            return f"{where} cannot serve now (HTTP status {error.status}): {local}", 0.0
        except WebSocketClosedError as error:
            if error.code == LEAVING:
                return "", FIRST_RETRY
            if error.code == REFUSED_TOKEN:
                return f"{where} refuses the token: {local}. Ask for a new one", AFTER_REFUSAL
            if error.code == REFUSED_PROTOCOL:
                return f"{where} speaks another version of the protocol: {local}. Update editahead", AFTER_REFUSAL
            if error.code == REFUSED_CONNECTIONS:
                return f"{where} has too many connections with this token: {local}", AFTER_REFUSAL
            if error.code == REFUSED_MESSAGE:
                return f"{where} refused a message: {local}", LONGEST_RETRY
            return f"{where} is gone: {local} until it is back", 0.0
        except ssl.SSLError as error:
            return f"{where} cannot be verified ({error.reason or 'TLS'}): {local}", AFTER_REFUSAL
        except WireError as error:
            return f"{where} sent {error}: {local}", AFTER_REFUSAL
        except (OSError, asyncio.IncompleteReadError, TimeoutError, asyncio.TimeoutError, WebSocketError):
            return f"{where} cannot be reached: {local} until it is back", 0.0
        finally:
            self.session, self.welcome, self._channel = 0, None, None
        return f"{where} is gone: {local} until it is back", 0.0

    def _opened(self, welcome: Welcome) -> None:
        """Begin a session: with the first connection, and with each that takes over."""
        self._sessions += 1
        self._problem = ""
        self.welcome, self.session = welcome, self._sessions
        log.info("connected to the team server %s", self._target.address)

    def _received(self, message: FromServer) -> None:
        self._on_message(self.session, message)
