"""The language server: wiring, and the two ways to serve. Nothing heavy is imported here."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

from cattrs import Converter
from pygls.lsp.server import LanguageServer

from editahead import __version__
from editahead.lsp.capabilities import ClientAbilities
from editahead.lsp.configuration import Configuration
from editahead.lsp.disk import Exclusions
from editahead.lsp.ending import Ending
from editahead.lsp.engine_loader import Loader, load_limited, warm_up
from editahead.lsp.events import ACCEPT, COPILOT_ACCEPT
from editahead.lsp.indexing import Indexing
from editahead.lsp.jobs import EngineLike, Events, Surface
from editahead.lsp.json_rpc import Protocol
from editahead.lsp.logs import configure_logging, log, one_line
from editahead.lsp.options import ServeOptions
from editahead.lsp.recording import Recording
from editahead.lsp.routes import ROUTES
from editahead.lsp.session import OpenDocument, Session
from editahead.lsp.status import Status
from editahead.lsp.tcp import accept_client, new_token
from editahead.lsp.transport import FrameError, FrameWriter, RawReader, RawWriter, read_frames
from editahead.lsp.uris import expanded
from editahead.lsp.watchdog import start_watchdog
from editahead.lsp.worker import Worker
from editahead.suggest.types import Reason, Suppressed

DRAIN = 1.0  # seconds that the end waits for what a recording still has to ask
WAIT_FOR_THREAD = 0.4  # seconds, at the end, for one that does not see at once that nothing is wanted any more
WAIT_FOR_CLIENT = 0.2  # seconds, at the end, for a client that still reads
SWITCH_INTERVAL = 0.001  # seconds; Python's 5 ms would let a keystroke wait for the inference thread


def is_exit(body: bytes) -> bool:
    """Whether a message is the notification `exit`, after which no other message counts."""
    if len(body) > 200 or b'"exit"' not in body:
        return False
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and message.get("method") == "exit" and "id" not in message


class EditaheadServer(LanguageServer):
    """Everything that handlers need, for one client. Lives on one event loop."""

    loop: asyncio.AbstractEventLoop
    worker: Worker
    protocol: Protocol
    _code: asyncio.Future[int]
    _out: FrameWriter

    def __init__(
        self, options: ServeOptions, loader: Loader, session: Session | None = None, ending: Ending | None = None
    ) -> None:
        super().__init__("editahead", __version__, protocol_cls=Protocol, converter_factory=Converter)
        self.protocol.routes = ROUTES
        self.options = options
        self.session = session or Session()
        self.abilities = ClientAbilities()
        self.indexing = Indexing(self)
        self.session.elsewhere = self.indexing.elsewhere
        self.exclusions = Exclusions()  # on the inference thread
        self.status = Status(self)
        self.recording = Recording(self)
        self.configuration = Configuration(self)
        self._loader = loader
        self.ending = ending or Ending()

    # -- serving

    def serve(self, reader: RawReader, writer: RawWriter) -> int:
        """Serve one client until it leaves; the exit code that LSP asks for."""
        return asyncio.run(self._serve(reader, writer))

    async def _serve(self, reader: RawReader, writer: RawWriter) -> int:
        self.loop = asyncio.get_running_loop()
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._code = self.loop.create_future()
        events = Events(self.status.report, self._loaded, self._broken)
        self.worker = Worker(self.loop, events, self._loader.warm)
        self.worker.start()
        self._out = FrameWriter(writer, lambda: self.from_thread(self.hang_up))
        self.protocol.set_writer(self._out)
        threading.Thread(target=self._read, args=(reader,), name="reader", daemon=True).start()
        try:
            return await self._code
        finally:
            await self.recording.drain(DRAIN)
            self.recording.end()
            self.indexing.stop(WAIT_FOR_THREAD)
            self.worker.stop(WAIT_FOR_THREAD)
            self._out.finish(WAIT_FOR_CLIENT)

    def _read(self, reader: RawReader) -> None:
        """On the reader thread: hand every message to the loop, until the stream or `exit` ends the session."""
        try:
            for body in read_frames(reader, log.error):
                self.indexing.stir()
                self.from_thread(self.protocol.receive, body)
                if is_exit(body):
                    break
        except FrameError as error:
            log.error("the stream cannot be followed further: %s", error)
        except Exception as error:  # whatever it is: nobody would ever read another message
            log.error("the stream can no longer be read: %s", one_line(error), exc_info=error)
        finally:
            self.from_thread(self.hang_up)
            self.ending.begins(lambda: 0 if self.protocol.shutting_down else 1)

    def from_thread(self, callback: Callable[..., None], *arguments: Any) -> None:
        """Call back on the loop, from another thread."""
        try:
            self.loop.call_soon_threadsafe(callback, *arguments)
        except RuntimeError:  # the loop has ended
            log.debug("a message came after the end")

    def finish(self, code: int) -> None:
        """End serving with this exit code."""
        if not self._code.done():
            self._code.set_result(code)

    def hang_up(self) -> None:
        """The client is gone."""
        self.finish(0 if self.protocol.shutting_down else 1)

    def parent_gone(self) -> None:
        """The process that started us has ended."""
        log.warning("the editor's process has ended: so does the server")
        self.hang_up()

    # -- models

    def load_models(self) -> None:
        """Load the models anew, on the inference thread."""
        settings, options = self.session.settings, self.options
        device = settings.device if settings.device != "auto" else options.device
        bundles = list(options.bundles)
        for folder in settings.bundles:
            try:
                bundles.append(expanded(folder))
            except ValueError as error:
                self.status.message(f"editahead.bundles: {error}; the other models are loaded")
        load = self._loader.load
        self.worker.load(lambda progress: load(bundles, device, progress))
        self.status.begin()

    def _loaded(self, engine: EngineLike | None, why: str) -> None:
        self.status.end()
        self.indexing.start()
        if engine is None:
            self.status.message(f"no models, so no suggestions: {why}. Try: editahead doctor")

    def _broken(self, surface: Surface, why: str) -> None:
        self.status.message(
            f"{surface.value} failed three times in a row and is switched off ({why}). "
            "The command editahead.restart-models switches it on again."
        )
        self.status.tell()

    # -- for the handlers

    def gate(self, uri: str, version: int | None, surface: Surface) -> OpenDocument | Suppressed:
        """The document to ask about, or why no work is done."""
        if surface in self.worker.off:
            return Suppressed(Reason.FAILED, "switched off after three failures")
        return self.session.gate(uri, version, surface)

    def deadline(self, surface: Surface) -> float:
        """Seconds that a surface may take."""
        settings = self.session.settings
        milliseconds = {
            Surface.COMPLETION: settings.completion_deadline_ms,
            Surface.RANK: settings.completion_deadline_ms,
            Surface.INLINE: settings.inline_deadline_ms,
            Surface.NEXT_EDIT: settings.next_edit_deadline_ms,
            Surface.NEXT_EDITS: settings.next_edit_deadline_ms,
            Surface.CODE_ACTION: settings.next_edit_deadline_ms,
        }
        return milliseconds.get(surface, 10_000) / 1000

    def quiet(self, surface: Surface, suppressed: Suppressed) -> Any:
        """A surface's empty answer; the reason is counted and noted in the log."""
        self.session.feedback.quiet(surface.value, suppressed.reason.value)
        log.debug("%s: %s %s", surface.value, suppressed.reason.value, suppressed.detail)
        if surface is Surface.COMPLETION:
            return {"isIncomplete": True, "items": []}
        if surface is Surface.INLINE:  # never null: Neovim would leave old ghost text standing
            return {"items": []}
        if surface is Surface.NEXT_EDIT:
            return {"edits": [], "reason": suppressed.reason.value, "detail": suppressed.detail}
        if surface is Surface.NEXT_EDITS:
            return {"items": [], "reason": suppressed.reason.value, "detail": suppressed.detail}
        if surface is Surface.CODE_ACTION:
            return []
        return None

    def accept_command(self, name: str) -> dict[str, Any]:
        """The command that the client runs once an item was accepted."""
        command = COPILOT_ACCEPT if self.session.compatible else ACCEPT
        return {"title": "Accept", "command": command, "arguments": [name]}

    def latencies(self) -> dict[str, dict[str, float]]:
        """Median and 95th percentile of the time that each surface took on the inference thread, in ms."""
        report = {}
        for surface, seconds in self.worker.seconds.items():
            if seconds:
                ordered = sorted(seconds)
                report[surface.value] = {
                    name: round(1000 * ordered[int(part * (len(ordered) - 1))], 2)
                    for name, part in (("p50", 0.5), ("p95", 0.95))
                }
        return report


def serve_stdio(options: ServeOptions, loader: Loader | None = None) -> int:
    """Serve the client on standard input and output. Returns the exit code: 0 only after `shutdown`."""
    # The protocol owns what was standard output; a stray print of anybody lands on standard error.
    sys.stdout.flush()
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    source = os.fdopen(os.dup(0), "rb", buffering=0)
    # Nor does anybody else read what the client writes: whoever opens standard input finds nothing there.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return _serve(source, out, source.fileno(), options, loader)


def serve_tcp(port: int, options: ServeOptions, loader: Loader | None = None) -> int:
    """Serve the client that knows the printed token on a port of the loopback interface; 0 takes any free port and
    says which."""
    try:
        listener = socket.create_server(("127.0.0.1", port), backlog=16)
    except OSError as error:
        print(f"editahead: port {port} cannot be opened: {os.strerror(error.errno or 0)}", file=sys.stderr)
        return 1
    token = new_token()
    with listener:
        print(f"editahead: listening on 127.0.0.1:{listener.getsockname()[1]}", file=sys.stderr)
        print(f"editahead: initializationOptions.token must be {token}", file=sys.stderr, flush=True)
        client = accept_client(listener, token)
    with client.connection as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return _serve(client, connection.makefile("wb", buffering=0), connection.fileno(), options, loader)


def _serve(reader: RawReader, writer: RawWriter, stream: int, options: ServeOptions, loader: Loader | None) -> int:
    watchdog = start_watchdog(stream)  # before there are threads
    ending = Ending(configure_logging(options), watchdog, owns_process=True)
    server = EditaheadServer(options, loader or Loader(warm_up, load_limited), ending=ending)
    return ending.end(server.serve(reader, writer))
