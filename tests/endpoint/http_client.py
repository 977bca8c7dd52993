"""An endpoint in a thread of this process, and a client that sends exactly what a test says."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from editahead.cli.commands.serve import parse
from editahead.endpoint.completion_endpoint import CompletionEndpoint
from editahead.lsp.inference.engine_startup import EngineStartup
from editahead.lsp.server import EditaheadServer

TOKEN = "a-token-of-the-tests"
PATIENCE = 20.0  # seconds; only a test that fails waits so long


class Reply(NamedTuple):
    """A response: status code, header fields by their names in small letters, and body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        """The text of the first choice."""
        text: str = self.json["choices"][0]["text"]
        return text


class HttpClient:
    """Requests to an endpoint, each on a connection of its own."""

    def __init__(self, port: int, token: str = TOKEN) -> None:
        self.port = port
        self.token = token

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def send(self, data: bytes) -> Reply:
        """Send bytes; the response to them."""
        with self.connect() as connection:
            connection.sendall(data)
            return receive(connection)

    def request(self, method: str, path: str, body: bytes = b"", **headers: str | None) -> Reply:
        return self.send(self.encode(method, path, body, **headers))

    def encode(self, method: str, path: str, body: bytes = b"", **headers: str | None) -> bytes:
        """The bytes of a request; a header that is None is not sent, `_` in names stands for `-`."""
        fields: dict[str, str | None] = {
            "host": f"127.0.0.1:{self.port}",
            "authorization": f"Bearer {self.token}",
            "content_length": str(len(body)),
            **headers,
        }
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items() if value is not None]
        return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode() + body

    def complete(self, prompt: str, suffix: str | None = None, path: str | None = "/w/a.py", **more: Any) -> Reply:
        return self.post({"prompt": prompt, "suffix": suffix, "path": path, **more})

    def post(self, body: Mapping[str, Any] | bytes, **headers: str | None) -> Reply:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.request("POST", "/v1/completions", data, **headers)


def receive(connection: socket.socket) -> Reply:
    """Read a response up to the end of the connection."""
    data = b""
    while part := connection.recv(65_536):
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    assert headers.get("connection") == "close", data
    assert int(headers["content-length"]) == len(body), data
    return Reply(int(status.split(" ")[1]), headers, body)


class RunningEndpoint:
    """An endpoint with its server, in a thread until `stop`."""

    def __init__(self, startup: EngineStartup, folder: Path, settings: Any = None, host: str = "127.0.0.1") -> None:
        self.server = EditaheadServer(parse(["serve", "--http", "127.0.0.1:0"]), startup)
        self.server.context.configuration.initialize(settings)
        self.endpoint = CompletionEndpoint(self.server, TOKEN, folder)
        self.host, self.port = host, 0
        self._listening = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._listening.wait(PATIENCE)

    async def _serve(self) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        listener = await self.endpoint.listen(self.host, 0)
        self.host, self.port = listener.sockets[0].getsockname()[:2]
        self._listening.set()
        await self._stopped.wait()
        listener.close()
        await self.server.stop()

    @property
    def client(self) -> HttpClient:
        return HttpClient(self.port)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
