"""A strict client: sends exactly what a test says, and takes note of every breach of the protocol."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO, Any

from editahead.lsp.inference.engine_startup import EngineStartup
from editahead.lsp.options import ServeOptions
from editahead.lsp.rpc.transport import read_frames
from editahead.lsp.server import EditaheadServer
from editahead.lsp.surfaces.surface_context import SurfaceSpec
from editahead.lsp.surfaces.table import SURFACES

PATIENCE = 10.0  # seconds; only a test that fails waits so long


class Client:
    """One client with one server. Requests of the server are answered as an editor would."""

    def __init__(self, reader: Any, writer: IO[bytes], process: subprocess.Popen[bytes] | None = None) -> None:
        self.process = process
        self.configuration: Any = None
        self.answers: dict[int | str | None, dict[str, Any]] = {}
        self.notifications: list[tuple[str, Any]] = []
        self.refused: set[str] = set()  # requests of the server that are answered with an error
        self.requests: list[tuple[str, Any]] = []
        self.faults: list[str] = []
        self.server: EditaheadServer | None = None
        self.thread: threading.Thread | None = None
        self.code: list[int] = []
        self.stderr = b""
        self._writer = writer
        self._next = 0
        self._sending = threading.Lock()
        self._arrived = threading.Condition()
        self._ended = False
        self._left = False
        threading.Thread(target=self._read, args=(reader,), daemon=True).start()
        if process is not None and process.stderr is not None:
            self._errors = threading.Thread(target=self._drain, args=(process.stderr,), daemon=True)
            self._errors.start()

    # -- sending

    def send_bytes(self, body: bytes, header: bytes | None = None) -> None:
        with self._sending:
            self._writer.write((header or b"Content-Length: %d\r\n\r\n" % len(body)) + body)
            self._writer.flush()

    def send(self, message: Any) -> None:
        self.send_bytes(json.dumps(message).encode())

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": {} if params is None else params})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request; its id, for `wait`."""
        self._next += 1
        self.send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params or {}})
        return self._next

    def wait(self, msg_id: int | str) -> dict[str, Any]:
        """The whole answer to a request."""
        self.until(lambda: msg_id in self.answers, f"the answer to request {msg_id}")
        return self.answers[msg_id]

    def request(self, method: str, params: Any = None) -> Any:
        """Send a request and give its result; an error fails the test."""
        answer = self.wait(self.ask(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def error(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request that must fail; the error."""
        answer = self.wait(self.ask(method, params))
        assert "error" in answer, answer
        found: dict[str, Any] = answer["error"]
        return found

    # -- receiving

    def until(self, ready: Callable[[], bool], what: str) -> None:
        """Wait for what messages bring, or what the server comes to without telling anybody."""
        last = time.monotonic() + PATIENCE
        with self._arrived:
            while not (ready() or self._ended):
                assert time.monotonic() < last, f"no {what}: {self.stderr!r}"
                self._arrived.wait(0.05)
            assert ready(), f"the server ended before {what}: {self.stderr!r}"

    def told(self, method: str) -> list[Any]:
        """The parameters of all notifications of this method so far."""
        return [params for name, params in list(self.notifications) if name == method]

    def wait_told(self, method: str, fits: Callable[[Any], bool] = lambda params: True) -> Any:
        self.until(lambda: any(fits(params) for params in self.told(method)), f"notification {method}")
        return next(params for params in self.told(method) if fits(params))

    def _read(self, reader: Any) -> None:
        for body in read_frames(reader, self.faults.append):
            message = json.loads(body)
            with self._arrived:
                self._take(message)
                self._arrived.notify_all()
        with self._arrived:
            self._ended = True
            self._arrived.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("jsonrpc") != "2.0":
            self.faults.append(f"not JSON-RPC: {message}")
        if "method" in message and "id" in message:
            self.requests.append((message["method"], message.get("params")))
            result: Any = None
            if message["method"] == "workspace/configuration":
                result = [self.configuration for _ in message["params"]["items"]]
            refused = {"error": {"code": -32601, "message": "not here"}}
            outcome = refused if message["method"] in self.refused else {"result": result}
            self.send({"jsonrpc": "2.0", "id": message["id"], **outcome})
        elif "method" in message:
            self.notifications.append((message["method"], message.get("params")))
        else:
            if message["id"] in self.answers and message["id"] is not None:  # null: of what had no id to read
                self.faults.append(f"a second answer to {message['id']}")
            if ("result" in message) == ("error" in message):
                self.faults.append(f"neither result nor error, or both: {message}")
            self.answers[message["id"]] = message

    def _drain(self, stream: IO[bytes]) -> None:
        for line in stream:
            self.stderr += line
            with self._arrived:
                self._arrived.notify_all()

    def wait_logged(self, text: str) -> None:
        self.until(lambda: text.encode() in self.stderr, f"log line {text!r}")

    # -- the life of a session

    def hello(self, ready: bool = True, capabilities: Any = None, **params: Any) -> dict[str, Any]:
        """`initialize` and `initialized`; waits until the models are loaded, if `ready`."""
        self.initialize_result: dict[str, Any] = self.request(
            "initialize", {"processId": os.getpid(), "capabilities": capabilities or {}, **params}
        )
        self.notify("initialized")
        if ready:
            self.wait_told("didChangeStatus", lambda status: not status["busy"])
        return self.initialize_result

    def open(self, text: str, uri: str = "file:///w/a.py", language: str = "python", version: int = 0) -> str:
        document = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, version: int, *changes: tuple[tuple[int, int, int, int] | None, str]) -> None:
        """`didChange` with (line, character, line, character) and text, for each change."""
        entries: list[dict[str, Any]] = []
        for span, text in changes:
            entry: dict[str, Any] = {"text": text}
            if span is not None:
                entry["range"] = {
                    "start": {"line": span[0], "character": span[1]},
                    "end": {"line": span[2], "character": span[3]},
                }
            entries.append(entry)
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": entries},
        )

    def at(self, uri: str, line: int, character: int, **more: Any) -> dict[str, Any]:
        """Parameters of a request at a position; `version` goes to the document."""
        document = {"uri": uri} | ({"version": more.pop("version")} if "version" in more else {})
        return {"textDocument": document, "position": {"line": line, "character": character}, **more}

    def settle(self) -> dict[str, Any]:
        """Wait until the server has taken in all that was sent; its statistics."""
        found: dict[str, Any] = self.request("editahead/stats")
        return found

    def leave(self) -> int:
        """`shutdown` and `exit`, unless the server has already ended; the exit code."""
        if not self._left:
            self._left = True
            if not self._ended:
                try:
                    self.request("shutdown")
                    self.notify("exit")
                except (OSError, ValueError):
                    self.faults.append("the server went away before it was told to")
        return self.exit_code()

    def exit_code(self) -> int:
        self._left = True
        if self.process is not None:
            code = self.process.wait(PATIENCE)
            self._errors.join(PATIENCE)
            return code
        assert self.thread is not None
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        return self.code[0]

    def hang_up(self) -> None:
        """Close the server's standard input."""
        self._writer.close()


def over_stdio(command: Sequence[str], **more: Any) -> Client:
    """A client with a server in a process of its own."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(list(command), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, **more)
    assert process.stdin is not None
    assert process.stdout is not None
    return Client(process.stdout, process.stdin, process)


def in_process(
    loader: EngineStartup, options: ServeOptions | None = None, surfaces: Sequence[SurfaceSpec] = SURFACES
) -> Client:
    """A client with a server in a thread of this process."""
    ours, theirs = socket.socketpair()
    client = Client(ours.makefile("rb", buffering=0), ours.makefile("wb"))
    server = client.server = EditaheadServer(options or ServeOptions(), loader, surfaces=surfaces)

    def serve() -> None:
        client.code.append(server.serve(theirs.makefile("rb", buffering=0), theirs.makefile("wb")))

    client.thread = threading.Thread(target=serve, daemon=True)
    client.thread.start()
    return client
