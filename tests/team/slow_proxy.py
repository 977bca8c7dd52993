"""A TCP proxy that makes a network slow: every piece of data is late, some of it as late as after a retransmission."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading

RETRANSMISSION = 0.2  # seconds that a lost packet costs (RFC 6298: the shortest time-out in use)
PIECE = 16 << 10


class SlowProxy:
    """Forwards connections to a port of this machine, on a thread. `delay` and `loss` may change at any time."""

    def __init__(self, target: int, seed: int = 0) -> None:
        self.delay = 0.0  # seconds in each direction
        self.loss = 0.0  # share of the pieces that are sent twice
        self.connections = 0  # so far
        self.silent = 0  # of the connections so far, the first ones that pass nothing on any more
        self._target = target
        self._random = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._main, daemon=True)
        self._thread.start()
        assert self._ready.wait(10)

    def stop(self) -> None:
        """Close the port and every connection."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(10)

    def _main(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port: int = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        number = self.connections
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        try:
            await asyncio.gather(self._forward(reader, back, number), self._forward(there, writer, number))
        except asyncio.CancelledError:
            pass
        finally:
            writer.transport.abort()
            back.transport.abort()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        """Pass data on in its order, each piece when its delay is over; the end of one side ends the other."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def write() -> None:
            while True:
                due, data = await pieces.get()
                await asyncio.sleep(due - self._loop.time())
                if not data:
                    writer.transport.abort()
                    return
                writer.write(data)

        writing = asyncio.ensure_future(write())
        try:
            data = b"-"
            while data:
                data = b""
                with contextlib.suppress(OSError):
                    data = await reader.read(PIECE)
                if data and number <= self.silent:
                    continue
                lost = self._random.random() < self.loss
                pieces.put_nowait((self._loop.time() + self.delay + lost * RETRANSMISSION, data))
            await writing
        finally:
            writing.cancel()
