"""The language server: construction of its parts, and serving over stdio. Nothing heavy is imported here."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from editahead.lsp.client import Client
from editahead.lsp.configuration import Configuration
from editahead.lsp.context import ServerContext
from editahead.lsp.documents.disk import Exclusions
from editahead.lsp.documents.indexing import Indexing
from editahead.lsp.inference.engine_startup import EngineStartup, Models, load_limited, warm_up
from editahead.lsp.inference.jobs import EngineLike, Events
from editahead.lsp.inference.worker import Worker
from editahead.lsp.options import ServeOptions
from editahead.lsp.process.ending import ProcessTermination, start_watchdog, watch
from editahead.lsp.process.logs import configure_logging, log, one_line
from editahead.lsp.recording import Recording
from editahead.lsp.routes import ROUTES
from editahead.lsp.rpc.json_rpc import Dispatcher, Handler
from editahead.lsp.rpc.outgoing import Outgoing, import_pygls
from editahead.lsp.rpc.transport import FrameError, FrameWriter, RawReader, RawWriter, read_frames
from editahead.lsp.session import Session
from editahead.lsp.status import Status
from editahead.lsp.surfaces.surface import SENDING, Surface
from editahead.lsp.surfaces.surface_context import SurfaceContext, SurfaceSpec
from editahead.lsp.surfaces.table import SURFACES

if TYPE_CHECKING:
    from editahead.lsp.inference.deterministic import MessageClock
    from editahead.lsp.memory import LearningMemory

SILENCE = 1.0  # seconds after `initialized` that messages to the client wait at most for a pause
DRAIN = 1.0  # seconds to wait at the end for entries of a recording that are not ready
WAIT_FOR_THREAD = 0.4  # seconds to wait at the end for a thread
WAIT_FOR_MEMORY = 1.0  # seconds to wait at the end for the last transaction
WAIT_FOR_CLIENT = 0.2  # seconds to wait at the end for a client that still reads
SWITCH_INTERVAL = 0.0002  # seconds; with Python's 5 ms, or with 1 ms, a keystroke waits longer for the inference thread


def is_exit(body: bytes) -> bool:
    """Whether a message is the notification `exit`, after which no other message is read."""
    if len(body) > 200 or b'"exit"' not in body:
        return False
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and message.get("method") == "exit" and "id" not in message


class EditaheadServer:
    """A server for a single session, with all its parts, on its event loop."""

    loop: asyncio.AbstractEventLoop
    _code: asyncio.Future[int]

    def __init__(
        self,
        options: ServeOptions,
        startup: EngineStartup,
        session: Session | None = None,
        ending: ProcessTermination | None = None,
        surfaces: Sequence[SurfaceSpec] = SURFACES,
    ) -> None:
        self.ending = ending or ProcessTermination()
        clock: MessageClock | None = None
        if options.deterministic:
            from editahead.lsp.inference.deterministic import MessageClock, SequentialDispatch

            clock = MessageClock()
        self.session = session = session or (Session() if clock is None else Session(clock=clock))
        session.is_deterministic = clock is not None
        self.outgoing = Outgoing()
        self._sending: threading.Thread | None = None  # imports what sends
        client = Client(self.outgoing)
        self.handlers: dict[str, Handler] = {}  # by method
        self.dispatcher = Dispatcher(self.handlers, self.outgoing, client)
        events = Events(self._loading, self._loaded, self._broken)
        self.worker = worker = Worker(events, startup.warm, deadlines=clock is None)
        self._in_order = None if clock is None else SequentialDispatch(self.dispatcher.receive, self._is_idle, clock)
        self.status = status = Status(client, session, worker)
        self.indexing = indexing = Indexing(client, session, worker, status, self.from_thread)
        self.session.elsewhere = indexing.names_elsewhere
        status.index_summary = indexing.summary
        self.recording = recording = Recording(session, status, self.from_thread)
        models = Models(options, startup, session, worker, status)
        self.context = ServerContext(
            options=options,
            surfaces=surfaces,
            session=session,
            client=client,
            worker=worker,
            models=models,
            exclusions=Exclusions(kept=clock is None),
            status=status,
            configuration=Configuration(client, session, status, models, indexing),
            indexing=indexing,
            recording=recording,
            watch_parent=self._watch_parent,
            begin_shutdown=self.dispatcher.begin_shutdown,
            begin_sending=self._begin_sending,
        )
        self._memory: LearningMemory | None = None
        self.context.configuration.on_change = self._configure_memory
        self._register()

    def _configure_memory(self) -> None:
        """Begin or end remembering, as the settings say."""
        if self.session.settings.memory and self._memory is None:
            from editahead.lsp.memory import LearningMemory  # others start without SQLite

            self._memory = LearningMemory(self.session, self.status, self.from_thread)
        elif not self.session.settings.memory and self._memory is not None:
            self._memory.stop(0.0)
            self._memory = None

    def _register(self) -> None:
        context = self.context
        for method, handler in ROUTES.items():
            self.handlers[method] = partial(handler, context)
        for surface in context.surfaces:
            own = SurfaceContext(surface, context.session, context.client, context.worker, context.exclusions)
            for method, surface_handler in surface.methods.items():
                self.handlers[method] = partial(surface_handler, own)
        self.handlers["exit"] = lambda raw: self.hang_up()

    def serve(self, reader: RawReader, writer: RawWriter) -> int:
        """Serve a client until it disconnects. Return the exit code that LSP prescribes."""
        return asyncio.run(self._serve(reader, writer))

    async def _serve(self, reader: RawReader, writer: RawWriter) -> int:
        """Serve until the client disconnects, then end all threads. Returns the exit code."""
        self.start()
        out = FrameWriter(writer, lambda: self.from_thread(self.hang_up))
        self.outgoing.set_writer(out)
        threading.Thread(target=self._read, args=(reader,), name="reader", daemon=True).start()
        try:
            return await self._code
        finally:
            await self.stop()
            out.finish(WAIT_FOR_CLIENT)

    def start(self) -> None:
        """Start the inference thread, on the loop that runs."""
        self.loop = asyncio.get_running_loop()
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._code = self.loop.create_future()
        self.worker.start()

    async def stop(self) -> None:
        """End all threads but those of the client's streams."""
        await self.recording.drain(DRAIN)
        self.recording.end()
        if self._memory is not None:
            self._memory.stop(WAIT_FOR_MEMORY)
        self.indexing.stop(WAIT_FOR_THREAD)
        self.worker.stop(WAIT_FOR_THREAD)

    def _read(self, reader: RawReader) -> None:
        """Pass every message to the loop until the stream or `exit` ends the session. On the reader thread."""
        try:
            for body in read_frames(reader, log.error):
                if self._in_order is None:
                    self.indexing.mark_active()
                    self.from_thread(partial(self.dispatcher.receive, body))
                else:
                    self.from_thread(partial(self._in_order.add, body))
                if is_exit(body):
                    break
        except FrameError as error:
            log.error("the stream cannot be followed further: %s", error)
        except Exception as error:  # any error: no further message would be read
            log.error("the stream can no longer be read: %s", one_line(error), exc_info=error)
        finally:
            self.from_thread(self.hang_up)
            self.ending.start_deadline(self._exit_code)

    def from_thread(self, callback: Callable[[], None]) -> None:
        """Run a callback on the loop, from any thread."""
        try:
            self.loop.call_soon_threadsafe(callback)
        except RuntimeError:  # the loop has ended
            log.debug("a message came after the end")

    def hang_up(self) -> None:
        """End serving: the client disconnected or sent `exit`."""
        if not self._code.done():
            self._code.set_result(self._exit_code())

    def _exit_code(self) -> int:
        """Return the exit code that LSP prescribes: 0 only after `shutdown`."""
        return 0 if self.dispatcher.shutting_down else 1

    def _begin_sending(self) -> None:
        """Send what the server has to say once models are loaded and no request waits; after SILENCE in any case."""
        if self._in_order is not None:  # what is sent when must not depend on the machine's load
            self.outgoing.connect()
            return
        if not self.session.settings.memory:  # else what is stored of the project is restored before
            pause = self.worker.submit("", SENDING, SILENCE, lambda engine, cancel: None)
            pause.future.add_done_callback(lambda done: self._import_pygls())
        self.loop.call_later(SILENCE, self._import_pygls)

    def _import_pygls(self) -> None:
        """Import pygls on a thread of its own, so that requests are answered meanwhile, and send through it."""
        if self._sending is None and not self._code.done():
            self._sending = threading.Thread(target=self._load_sending, name="sending", daemon=True)
            self._sending.start()

    def _load_sending(self) -> None:
        try:
            import_pygls()
        except Exception as error:  # a damaged installation: answers need no pygls
            log.error("no message can be sent to the client: %s", one_line(error), exc_info=error)
        else:
            self.from_thread(self.outgoing.connect)

    def _watch_parent(self, process_id: int) -> None:
        """Terminate the server when this process ends, even when the loop is stuck."""
        watch(self.loop, process_id, self._parent_gone)
        self.ending.watch_parent(process_id)

    def _parent_gone(self) -> None:
        log.warning("the editor's process has ended: so does the server")
        self.hang_up()

    def _is_idle(self) -> bool:
        """Whether nothing is running that an answer could depend on."""
        return not self.dispatcher.is_waiting and not self.worker.is_working and self.indexing.is_idle

    # -- events of the inference thread

    def _loading(self, text: str, part: float) -> None:
        self.status.report_loading(text, part)

    def _loaded(self, engine: EngineLike | None, why: str) -> None:
        report = getattr(engine, "report", None)  # an engine without bundles has none
        self.status.left_out = (lambda: tuple(report().failures)) if report is not None else (lambda: ())
        if report is not None:
            self.status.models = lambda: ((now := report()).opened, now.states, now.cached)
            self.status.refused = lambda: report().refused
        report_problems = getattr(engine, "report_problems", None)  # of an engine with a team server
        if report_problems is not None:
            report_problems(lambda text: self.from_thread(partial(self.status.message, text)))
        answered_by = getattr(engine, "answered_by", None)
        self.status.answered_by = answered_by if answered_by is not None else (lambda: None)
        self.indexing.start()
        self.status.end_loading()
        if engine is None:
            self.status.message(f"no models, so no suggestions: {why}. Try: editahead doctor")

    def _broken(self, surface: Surface, why: str) -> None:
        self.status.message(
            f"{surface.name} failed three times in a row and is switched off ({why}). "
            "The command editahead.restart-models switches it on again."
        )
        self.status.send()


def serve_stdio(options: ServeOptions, startup: EngineStartup | None = None) -> int:
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
    watchdog = start_watchdog(source.fileno())  # before there are threads
    ending = ProcessTermination(configure_logging(options), watchdog, owns_process=True)
    server = EditaheadServer(options, startup or EngineStartup(warm_up, load_limited), ending=ending)
    return ending.end(server.serve(source, out))
