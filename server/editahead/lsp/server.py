"""The language server: wiring, and the two ways to serve. Nothing heavy is imported here."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cattrs import Converter
from pygls.lsp.server import LanguageServer

from editahead import __version__
from editahead.lsp.capabilities import ClientAbilities
from editahead.lsp.configure import Configuration
from editahead.lsp.disk import Exclusions
from editahead.lsp.engine import Loader, load_engine, warm_up
from editahead.lsp.events import ACCEPT, COPILOT_ACCEPT
from editahead.lsp.indexing import Indexing
from editahead.lsp.jobs import EngineLike, Events, Surface
from editahead.lsp.logs import configure_logging, log
from editahead.lsp.options import ServeOptions
from editahead.lsp.protocol import Protocol
from editahead.lsp.recording import Recording
from editahead.lsp.routes import ROUTES
from editahead.lsp.session import OpenDocument, Session
from editahead.lsp.status import Status
from editahead.lsp.transport import FrameError, FrameWriter, RawReader, RawWriter, read_frames
from editahead.lsp.worker import Worker
from editahead.suggest.types import Reason, Suppressed

DRAIN = 1.0  # seconds that the end waits for what a recording still has to ask
SWITCH_INTERVAL = 0.001  # seconds; Python's 5 ms would let a keystroke wait for the inference thread


class EditaheadServer(LanguageServer):
    """Everything that handlers need, for one client. Lives on one event loop."""

    loop: asyncio.AbstractEventLoop
    worker: Worker
    protocol: Protocol
    _code: asyncio.Future[int]

    def __init__(self, options: ServeOptions, loader: Loader, session: Session | None = None) -> None:
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
        self._engine: EngineLike | None = None

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
        self.protocol.set_writer(FrameWriter(writer, lambda: self.from_thread(self.hang_up)))
        threading.Thread(target=self._read, args=(reader,), name="reader", daemon=True).start()
        try:
            return await self._code
        finally:
            await self.recording.drain(DRAIN)
            self.recording.end()
            self.indexing.stop()
            self.worker.stop()

    def _read(self, reader: RawReader) -> None:
        """On the reader thread: hand every message to the loop, then hang up."""
        try:
            for body in read_frames(reader, log.error):
                self.indexing.stir()
                self.from_thread(self.protocol.receive, body)
        except FrameError as error:
            log.error("the stream cannot be followed further: %s", error)
        self.from_thread(self.hang_up)

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
        bundles = (*options.bundles, *(Path(folder).expanduser() for folder in settings.bundles))
        load = self._loader.load
        self.worker.load(lambda progress: load(bundles, device, progress))
        self.status.begin()

    def _loaded(self, engine: EngineLike | None, why: str) -> None:
        self._engine = engine
        self.indexing.start()
        self.status.end()
        if engine is None:
            self.status.message(f"no models, so no suggestions: {why}. Try: editahead doctor")

    def _broken(self, surface: Surface, why: str) -> None:
        self.status.message(
            f"{surface.value} failed three times in a row and is switched off ({why}). "
            "The command editahead.restart-models switches it on again."
        )
        self.status.tell()

    def left_out(self) -> tuple[str, ...]:
        """One line for each bundle that is damaged and was left out: at the load, or when it was first used."""
        report = getattr(self._engine, "report", None)  # an engine without bundles has none
        return tuple(report().failures) if report is not None else ()

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
    configure_logging(options)
    # The protocol owns what was standard output; a stray print of anybody lands on standard error.
    sys.stdout.flush()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    source = os.fdopen(os.dup(0), "rb", buffering=0)
    # Nor does anybody else read what the client writes: whoever opens standard input finds nothing there.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return EditaheadServer(options, loader or Loader(warm_up, load_engine)).serve(source, out)


def serve_tcp(port: int, options: ServeOptions, loader: Loader | None = None) -> int:
    """Serve one client on a port of the loopback interface; 0 takes any free port and says which."""
    configure_logging(options)
    try:
        listener = socket.create_server(("127.0.0.1", port), backlog=1)
    except OSError as error:
        print(f"editahead: port {port} cannot be opened: {os.strerror(error.errno or 0)}", file=sys.stderr)
        return 1
    with listener:
        print(f"editahead: listening on 127.0.0.1:{listener.getsockname()[1]}", file=sys.stderr, flush=True)
        connection, _ = listener.accept()
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader, writer = connection.makefile("rb", buffering=0), connection.makefile("wb")
        return EditaheadServer(options, loader or Loader(warm_up, load_engine)).serve(reader, writer)
