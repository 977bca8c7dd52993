"""The connection to the team server: a thread with an event loop of its own, which reconnects by itself.

Replies go from its thread to the inference thread. After late answers in a row, a circuit breaker answers requests
locally at once, until a probe is in time. A probe is a request that is sent while nobody waits for its answer: it costs
no keystroke, and keeps the text on the server up to date.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from editahead.team.remote.channel import Channel
from editahead.team.remote.target import RemoteTarget
from editahead.team.wire import messages as wire
from editahead.team.wire.messages import Answer, Declined, FromServer, Resend
from editahead.team.wire.websocket import HandshakeRefusedError, WebSocketClosedError, WebSocketError

LATE_TO_PAUSE = 3
PROBE_SECONDS = 0.25  # between two probes
PROBE_PATIENCE = 2.0  # seconds after which a probe counts as unanswered
FIRST_RETRY, LONGEST_RETRY, AFTER_REFUSAL = 0.1, 5.0, 30.0  # seconds
LOCAL = "suggestions are computed locally"
STABLE_SECONDS = 10.0  # after which a connection that ends is opened again without a pause
SHORT_TO_REPORT = 4  # connections in a row that end before


@dataclass
class PendingReply:
    """A request that was sent; `reply` and the time when it `arrived` are set before `done`."""

    number: int
    sent: float
    arrived: float = 0.0
    done: threading.Event = field(default_factory=threading.Event)
    reply: Answer | Declined | Resend | None = None


class Replies:
    """Requests that wait, by number. Replies to others came too late and are dropped."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: dict[int, PendingReply] = {}
        self._resend: deque[tuple[int, int]] = deque(maxlen=1000)  # connection and document
        self._numbers = 0

    def expect(self) -> PendingReply:
        """Return a request with the next number."""
        with self._lock:
            self._numbers += 1
            pending = self._waiting[self._numbers] = PendingReply(self._numbers, self._clock())
        return pending

    def give_up(self, pending: PendingReply) -> None:
        """Drop the reply to a request when it comes."""
        with self._lock:
            self._waiting.pop(pending.number, None)

    def receive(self, session: int, message: FromServer) -> None:
        """Hand a message to the request that it answers. On the connection's thread."""
        if not isinstance(message, (Answer, Declined, Resend)):
            return
        if isinstance(message, Resend):
            self._resend.append((session, message.document))
        with self._lock:
            pending = self._waiting.pop(message.number, None)
        if pending is not None:
            pending.reply, pending.arrived = message, self._clock()
            pending.done.set()

    def documents_to_resend(self, session: int) -> list[int]:
        """Return the documents that the server of this connection does not have as it should, once each."""
        numbers = []
        while self._resend:
            of_session, number = self._resend.popleft()
            if of_session == session:
                numbers.append(number)
        return numbers


class Breaker:
    """Whether waiting for a kind of request is useful."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._late = 0
        self._next_probe = 0.0

    @property
    def should_wait(self) -> bool:
        """Whether a request may be waited for now."""
        return self._late < LATE_TO_PAUSE

    def wants_probe(self) -> bool:
        """Whether a probe is due; it counts as sent."""
        now = self._clock()
        if self.should_wait or now < self._next_probe:
            return False
        self._next_probe = now + PROBE_PATIENCE
        return True

    def in_time(self) -> None:
        """Record an answer in time, of a request or of a probe."""
        self._late = 0

    def record_late(self) -> None:
        """Record an answer that did not come in time."""
        self._late += 1
        self._next_probe = self._clock() + PROBE_SECONDS


class Problem(NamedTuple):
    """A line, empty where another replica serves at once; and seconds to wait, 0 for those of the usual attempts."""

    text: str
    wait: float


def problem_of(error: Exception | None, target: RemoteTarget) -> Problem:
    """Return the problem behind what ended a connection; None: the server closed it without a reason."""
    where = f"the team server {target.address}"
    if isinstance(error, HandshakeRefusedError):
        if error.status in (401, 403):
            return Problem(f"{where} refuses the token: {LOCAL}. Ask for a new one", AFTER_REFUSAL)
        return Problem(f"{where} cannot serve now (HTTP status {error.status}): {LOCAL}", 0.0)
    if isinstance(error, WebSocketClosedError):
        return _closed(where, error.code)
    if isinstance(error, ssl.SSLError):
        return Problem(f"{where} cannot be verified ({error.reason or 'TLS'}): {LOCAL}", AFTER_REFUSAL)
    if isinstance(error, wire.WireError):
        return Problem(f"{where} sent {error}: {LOCAL}", AFTER_REFUSAL)
    if error is None:
        return Problem(f"{where} is gone: {LOCAL} until it is back", 0.0)
    if isinstance(error, (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, WebSocketError)):
        return Problem(f"{where} cannot be reached: {LOCAL} until it is back", 0.0)
    return Problem(f"{where} cannot be used ({type(error).__name__}): {LOCAL}", AFTER_REFUSAL)


def _closed(where: str, code: int) -> Problem:
    """Return the problem behind a WebSocket close code."""
    refusals = {
        wire.REFUSED_TOKEN: Problem(f"{where} refuses the token: {LOCAL}. Ask for a new one", AFTER_REFUSAL),
        wire.REFUSED_PROTOCOL: Problem(
            f"{where} speaks another version of the protocol: {LOCAL}. Update editahead", AFTER_REFUSAL
        ),
        wire.REFUSED_CONNECTIONS: Problem(f"{where} has too many connections with this token: {LOCAL}", AFTER_REFUSAL),
        wire.REFUSED_MESSAGE: Problem(f"{where} refused a message: {LOCAL}", LONGEST_RETRY),
        wire.LEAVING: Problem("", FIRST_RETRY),
    }
    return refusals.get(code, Problem(f"{where} is gone: {LOCAL} until it is back", 0.0))


log = logging.getLogger("editahead.team")


class Connection:
    """Keeps a connection open. `on_message` is called on its thread."""

    def __init__(self, target: RemoteTarget, on_message: Callable[[int, wire.FromServer], None]) -> None:
        self._target = target
        self._on_message = on_message
        self._on_problem: Callable[[str], None] = lambda text: None
        self._problem = ""  # why there is no connection
        self._reported = ""  # the last problem, until a connection lasts
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._main, name="remote", daemon=True)
        self._channel: Channel | None = None
        self._sessions = 0
        self._waiting = 0  # bytes handed to the loop and not written yet
        self._lock = threading.Lock()
        self.session = 0  # the number of the current connection; 0 while there is none
        self.welcome: wire.Welcome | None = None  # what the server of that connection offers
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
        """Report the current problem and each later problem, in a line for the user. From any thread."""
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
        retry, short = FIRST_RETRY, 0
        while not self.stopping:
            before, began = self._sessions, self._loop.time()
            why, wait = await self._connect_once()
            opened = self._sessions > before
            if opened and self._loop.time() - began >= STABLE_SECONDS:
                retry, short, self._reported = FIRST_RETRY, 0, ""
            short += opened
            lost = opened and not wait and short < SHORT_TO_REPORT  # another replica may serve at once: no problem
            if why and not lost:
                self._report(why)
            await asyncio.sleep(wait or retry)
            retry = min(2 * retry, LONGEST_RETRY)

    def _report(self, why: str) -> None:
        self._problem = why
        if why != self._reported:
            self._reported = why
            log.warning("%s", why)
            self._on_problem(why)

    async def _connect_once(self) -> Problem:
        """Serve a connection until its end. Return why there is none now."""
        self._channel = Channel(self._target, self._opened, self._received)
        try:
            await self._channel.run()
        except Exception as error:  # whatever a server sends, the thread must go on
            return problem_of(error, self._target)
        finally:
            self.session, self.welcome, self._channel = 0, None, None
        return problem_of(None, self._target)

    def _opened(self, welcome: wire.Welcome) -> None:
        """Begin a session: with the first connection, and with each that takes over."""
        self._sessions += 1
        self._problem = ""
        self.welcome, self.session = welcome, self._sessions
        log.info("connected to the team server %s", self._target.address)

    def _received(self, message: wire.FromServer) -> None:
        self._on_message(self.session, message)
