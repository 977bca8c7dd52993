"""A small JSON-RPC client for a server in a child process, used by the demo and the bench.

Bytes on the wire follow the base protocol of LSP 3.17: a `Content-Length` header, an empty line, UTF-8 JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from types import TracebackType
from typing import IO, Any

JSON = Any


class ServerError(Exception):
    """The server answered with an error, did not answer in time, or ended; the message is a single line."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A result, and the time from sending the request to reading the answer, in milliseconds."""

    result: JSON
    milliseconds: float


class StdioClient:
    """A child process that speaks JSON-RPC. Use it as a context manager: leaving it ends the child.

    Requests of the server are answered by `answer` (method, params) -> result. Notifications are kept in
    `notifications` as (method, params), in order of arrival.
    """

    def __init__(
        self,
        command: Sequence[str],
        answer: Callable[[str, JSON], JSON] = lambda method, params: None,
        timeout: float = 30.0,
    ) -> None:
        self.timeout = timeout
        self.notifications: list[tuple[str, JSON]] = []
        self._answer = answer
        self._errors: list[str] = []
        self._arrived = threading.Condition()
        self._waiting: dict[int, Queue[dict[str, JSON] | None]] = {}
        self._write_lock = threading.Lock()
        self._last_id = 0
        self._gone = False
        self.started = time.perf_counter()
        self._child = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process id of the child."""
        return self._child.pid

    @property
    def is_alive(self) -> bool:
        """Whether the child is running and its answers can be read."""
        return not self._gone and self._child.poll() is None

    def __enter__(self) -> StdioClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def request(self, method: str, params: JSON = None, timeout: float | None = None) -> Reply:
        """Send a request and wait for its answer. Raises ServerError."""
        return self.ask(method, params)(timeout)

    def ask(self, method: str, params: JSON = None) -> Callable[[float | None], Reply]:
        """Send a request and return a function that waits for its answer, so that several can be in flight.

        Both raise ServerError.
        """
        inbox: Queue[dict[str, JSON] | None] = Queue(1)
        with self._arrived:
            self._last_id += 1
            number = self._last_id
            self._waiting[number] = inbox
        began = time.perf_counter()
        self._send({"id": number, "method": method, "params": params})

        def wait(timeout: float | None = None) -> Reply:
            limit = self.timeout if timeout is None else timeout
            try:
                message = None if self._gone and inbox.empty() else inbox.get(timeout=limit)
            except Empty:
                raise ServerError(f"no answer to {method} within {limit:g} s{self._last_words()}") from None
            if message is None:
                raise ServerError(f"the server ended before it answered {method}{self._last_words()}")
            if "error" in message:
                raise ServerError(f"{method}: {message['error'].get('message', message['error'])}")
            return Reply(message.get("result"), (message["_arrived"] - began) * 1000.0)

        return wait

    def notify(self, method: str, params: JSON) -> None:
        """Send a notification. Raises ServerError if the server is gone."""
        self._send({"method": method, "params": params})

    def wait_for(self, wanted: Callable[[str, JSON], bool], timeout: float) -> bool:
        """Wait until a notification that `wanted` accepts has arrived, before or after the call."""
        with self._arrived:
            return self._arrived.wait_for(
                lambda: self._gone or any(wanted(*seen) for seen in self.notifications), timeout
            ) and any(wanted(*seen) for seen in self.notifications)

    def close(self) -> int:
        """Shut the server down, kill it if necessary, and return its exit code."""
        with suppress(ServerError, OSError):
            if self._child.poll() is None:
                self.request("shutdown", timeout=2.0)
                self.notify("exit", None)
        with suppress(OSError):
            _open(self._child.stdin).close()
        try:
            return self._child.wait(2.0)
        except subprocess.TimeoutExpired:
            self._child.kill()
            return self._child.wait()

    def _send(self, message: dict[str, JSON]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, separators=(",", ":")).encode()
        try:
            with self._write_lock:
                pipe = _open(self._child.stdin)
                pipe.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                pipe.flush()
        except (OSError, ValueError) as error:
            raise ServerError(f"the server is gone{self._last_words()}") from error

    def _read(self) -> None:
        """Read messages until the end of the stream. On the reader thread."""
        pipe = _open(self._child.stdout)
        try:
            while (message := read_message(pipe)) is not None:
                self._receive(message)
        except (OSError, ValueError, ServerError) as error:
            self._errors.append(f"unreadable answer: {error}")
        with self._arrived:
            self._gone = True
            for inbox in self._waiting.values():
                inbox.put(None)
            self._waiting.clear()
            self._arrived.notify_all()

    def _receive(self, message: dict[str, JSON]) -> None:
        """Handle a message: response, request or notification."""
        if "method" not in message:
            with self._arrived:
                inbox = self._waiting.pop(message.get("id", -1), None)
            if inbox is not None:
                inbox.put({**message, "_arrived": time.perf_counter()})
        elif "id" in message:
            self._send({"id": message["id"], "result": self._answer(message["method"], message.get("params"))})
        else:
            with self._arrived:
                self.notifications.append((message["method"], message.get("params")))
                self._arrived.notify_all()

    def _read_errors(self) -> None:
        for line in _open(self._child.stderr):
            self._errors.append(line.decode("utf-8", "replace").rstrip())
            del self._errors[:-50]

    def _last_words(self) -> str:
        if self._child.poll() is not None:
            self._threads[1].join(0.5)
        words = next((line for line in reversed(self._errors) if line.strip()), "")
        return f": {words.strip()}" if words else ""


def read_message(pipe: IO[bytes]) -> dict[str, JSON] | None:
    """Read the next message; None at the end of the stream. Raises ServerError for an invalid message."""
    length = None
    while line := pipe.readline():
        if not line.strip():
            if length is not None:
                break
            continue
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
        elif name.strip().lower() != b"content-type":
            raise ServerError(f"expected a header, found {line[:80]!r}")
    if length is None:
        return None
    body = pipe.read(length)
    if len(body) < length:
        return None
    message = json.loads(body)
    if not isinstance(message, dict):
        raise ServerError("expected a JSON object")
    return message


def server_command(*arguments: str) -> list[str]:
    """Return the command that starts this installation's server on standard input and output."""
    return [sys.executable, "-m", "editahead", "--stdio", *arguments]


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
