"""Hosts an ASGI application on a free port of this machine, on a thread: the WebSocket server of these tests."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any

from editahead.team.wire import websocket

LIMIT = 16 << 20


class AsgiHost:
    """A server for one application, which `make` builds on the server's event loop."""

    def __init__(self, make: Callable[[], Any], port: int = 0) -> None:
        self._make = make
        self.port = port
        self.app: Any = None
        self.delay = 0.0  # seconds before each message of the application is sent
        self.loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._main, daemon=True)
        self._thread.start()
        assert self._ready.wait(10)

    def call(self, coroutine: Any) -> Any:
        """Run a coroutine on the server's loop and return its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(10)

    def kill(self) -> None:
        """Close the port and every connection at once, without a word."""
        if self._thread.is_alive():
            self.loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(10)

    def _main(self) -> None:
        self.loop.run_until_complete(self._serve())
        self.loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self.app = self._make()
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for writer in self._writers:
            writer.transport.abort()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = [
                (name.strip().lower().encode(), value.strip().encode())
                for name, _, value in (line.partition(":") for line in head[1:] if line)
            ]
            if dict(headers).get(b"upgrade") == b"websocket":
                await self._websocket(path, headers, reader, writer)
            else:
                await self._http(method, path, headers, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):  # the last of `kill`
            pass
        finally:
            self._writers.discard(writer)
            with contextlib.suppress(OSError, RuntimeError):
                writer.close()

    async def _http(self, method: str, path: str, headers: Any, writer: asyncio.StreamWriter) -> None:
        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(event: Any) -> None:
            if event["type"] == "http.response.start":
                writer.write(f"HTTP/1.1 {event['status']} X\r\nConnection: close\r\n\r\n".encode())
            else:
                writer.write(event["body"])

        await self.app({"type": "http", "method": method, "path": path, "headers": headers}, receive, send)

    async def _websocket(
        self, path: str, headers: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        key = dict(headers)[b"sec-websocket-key"].decode()
        first = True
        accepted = False

        async def receive() -> Any:
            nonlocal first
            if first:
                first = False
                return {"type": "websocket.connect"}
            try:
                while not (data := await websocket.read_message(reader, writer, LIMIT, mask=False)):
                    pass
            except (websocket.WebSocketError, OSError, asyncio.IncompleteReadError):
                return {"type": "websocket.disconnect", "code": 1006}
            return {"type": "websocket.receive", "bytes": data}

        async def send(event: Any) -> None:
            nonlocal accepted
            if event["type"] == "websocket.accept":
                accepted = True
                writer.write(
                    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Accept: " + websocket.accept_key(key).encode() + b"\r\n\r\n"
                )
            elif event["type"] == "websocket.send":
                if self.delay:
                    await asyncio.sleep(self.delay)
                writer.write(websocket.encode_frame(websocket.BINARY, event["bytes"], mask=False))
            elif not accepted:
                writer.write(b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n")
            else:
                reason = event["code"].to_bytes(2, "big") + event.get("reason", "").encode()
                writer.write(websocket.encode_frame(websocket.CLOSE, reason, mask=False))
            await writer.drain()

        await self.app({"type": "websocket", "path": path, "headers": headers}, receive, send)
