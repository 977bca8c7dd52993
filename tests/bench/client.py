"""A blocking JSON-RPC client on a child's pipes: one clock on both ends of a request, and nothing between."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Sequence
from queue import Empty, Queue
from types import TracebackType
from typing import Any, BinaryIO

Message = dict[str, Any]


class ServerGoneError(RuntimeError):
    """The server closed its end, or did not answer in time."""


class Client:
    """Starts `command` and speaks LSP to it. One request is outstanding at a time."""

    def __init__(self, command: Sequence[str], timeout: float = 60.0) -> None:
        self.timeout = timeout
        self.process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.errors = bytearray()
        self.notices: list[Message] = []
        self._inbox: Queue[Message | None] = Queue()
        self._last_id = 0
        threading.Thread(target=self._read, daemon=True).start()
        self._drainer = threading.Thread(target=self._drain, daemon=True)
        self._drainer.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.request("shutdown", None)
                self.notify("exit", None)
                self.process.wait(10)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait(10)

    def notify(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Any) -> Any:
        """Returns the result; an error reply is returned as `{"error": ...}`. Raises ServerGoneError."""
        self._last_id += 1
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        while True:
            message = self._next(method)
            if "method" in message:
                self._serve(message)
            elif message.get("id") == self._last_id:
                return message["result"] if "result" in message else {"error": message.get("error")}

    def _serve(self, message: Message) -> None:
        """Answer what a server asks of every editor, so that it never waits for the bench."""
        if "id" not in message:
            self.notices.append(message)
            return
        result: list[Message] | None = None
        if message["method"] == "workspace/configuration":
            result = [{} for _ in message["params"]["items"]]
        self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def _send(self, message: Message) -> None:
        body = json.dumps(message, separators=(",", ":")).encode()
        pipe = self._pipe(self.process.stdin)
        try:
            pipe.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            pipe.flush()
        except BrokenPipeError as error:
            raise ServerGoneError(self._why("is gone")) from error

    def _next(self, method: str) -> Message:
        try:
            message = self._inbox.get(timeout=self.timeout)
        except Empty:
            raise ServerGoneError(self._why(f"did not answer {method} in {self.timeout:.0f} s")) from None
        if message is None:
            raise ServerGoneError(self._why(f"ended while {method} waited"))
        return message

    def _read(self) -> None:
        pipe = self._pipe(self.process.stdout)
        while header := pipe.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                if name.strip().lower() == b"content-length":
                    length = int(value)
                header = pipe.readline()
            self._inbox.put(json.loads(pipe.read(length)))
        self._inbox.put(None)

    def _drain(self) -> None:
        descriptor = self._pipe(self.process.stderr).fileno()
        while chunk := os.read(descriptor, 65536):
            self.errors += chunk
            del self.errors[:-20_000]

    def _why(self, what: str) -> str:
        self._drainer.join(0.2)  # the last words of a dead server are still on their way
        tail = self.errors.decode(errors="replace").strip().splitlines()[-1:]
        return f"the server {what}" + (f": {tail[0]}" if tail else "")

    @staticmethod
    def _pipe(pipe: Any) -> BinaryIO:
        assert pipe is not None
        return pipe  # type: ignore[no-any-return]
