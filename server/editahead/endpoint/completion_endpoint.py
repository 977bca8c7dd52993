"""The endpoint: requests become documents and jobs of a language server's session, on its event loop."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

from editahead.endpoint.completion_request import MODEL, FillInRequest, completion_response, cut, parse_request
from editahead.endpoint.http_exchange import MAX_HEAD, HttpError, finish, read_request, response
from editahead.lsp.documents.text_sync import did_close, did_open
from editahead.lsp.inference.engine_startup import EngineStartup, load_limited, warm_up
from editahead.lsp.inference.jobs import EngineLike
from editahead.lsp.options import ServeOptions
from editahead.lsp.process.ending import ProcessTermination
from editahead.lsp.process.logs import configure_logging, log, one_line
from editahead.lsp.rpc.params import JsonValue
from editahead.lsp.server import EditaheadServer
from editahead.lsp.session import OpenDocument
from editahead.lsp.surfaces.convert import ghost_edit
from editahead.lsp.surfaces.surface_context import SurfaceContext
from editahead.lsp.surfaces.table import SURFACES
from editahead.runtime.ort import Cancel
from editahead.suggest.types import InlineSuggestion, Reason, Shown, Suppressed
from editahead.syntax.embedded import host_by_path
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import in_own_line_ends

READ_SECONDS = 5.0  # for a whole request
MAX_CONNECTIONS = 8  # at a time
MAX_DOCUMENTS = 20  # whose text is kept; the longest unused is dropped


class CompletionEndpoint:
    """Answers HTTP requests with the ghost text of a server that has no other client. For the event loop's thread.

    `folder` is the folder whose name Zed's paths begin with.
    """

    def __init__(self, server: EditaheadServer, token: str, folder: Path) -> None:
        self._server, self._token, self._folder = server, token, folder
        self._context = context = server.context
        inline = next(surface for surface in SURFACES if surface.name == "inline")
        self._inline = SurfaceContext(inline, context.session, context.client, context.worker, context.exclusions)
        self.connections = 0
        self._roots: dict[str, Path | None] = {}  # by the URI of a kept document, the longest unused first

    async def listen(self, host: str, port: int) -> asyncio.Server:
        """Accept connections and load the models. Raises OSError if the address cannot be used."""
        address = "127.0.0.1" if host == "localhost" else host  # no name is resolved
        listener = await asyncio.start_server(self.connect, address, port, limit=MAX_HEAD)
        self._server.outgoing.drop_messages()
        self._server.start()
        self._context.models.load()
        return listener

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection: a request, its response and the end. Never raises."""
        self.connections += 1
        try:
            await finish(reader, writer, await self._respond(reader, writer))
        except asyncio.CancelledError:  # the server ends; asyncio would log a cancelled connection
            writer.close()
        finally:
            self.connections -= 1

    async def _respond(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        """Return the response to a request, whatever it is; empty if the client is gone."""
        try:
            if self.connections > MAX_CONNECTIONS:
                raise HttpError(HTTPStatus.SERVICE_UNAVAILABLE, f"more than {MAX_CONNECTIONS} connections: try again")
            return await self._exchange(reader, writer)
        except HttpError as error:
            body = {"error": {"message": str(error), "type": "invalid_request_error"}}
            return response(json.dumps(body), status=error.status)
        except (OSError, EOFError, asyncio.TimeoutError):  # or it sends too slowly
            return b""
        except Exception as error:  # a fault costs this response alone
            log.error("a request failed: %s", one_line(error), exc_info=error)
            return response("{}", status=HTTPStatus.INTERNAL_SERVER_ERROR)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        """Return the response to a request. Raises HttpError, EOFError and TimeoutError."""
        request = await asyncio.wait_for(read_request(reader, writer, self._token), READ_SECONDS)
        if request.path == "/health":
            return response("ok", "text/plain")
        if request.path == "/v1/models":
            model = {"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL}
            return response(json.dumps({"object": "list", "data": [model]}))
        work = asyncio.ensure_future(self._complete(parse_request(request, self._folder)))
        leaving = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait({work, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if leaving.done() and not work.done() and not leaving.result():
                raise EOFError
            return await work
        finally:
            work.cancel()
            leaving.cancel()

    async def _complete(self, request: FillInRequest) -> bytes:
        uri, session = request.path.as_uri(), self._context.session
        root = self._roots[uri] if uri in self._roots else await asyncio.to_thread(_workspace_folder, request.path)
        self._context.indexing.mark_active()
        opened = self._document(uri, root, request)
        byte = len(request.before)
        allowed = self._inline.gate(uri, None, session.position(opened, byte))
        if isinstance(allowed, Suppressed):
            return answer_of(request, allowed)
        precision, settings = request.body.precision, session.settings
        settings = settings if precision is None else replace(settings, ghost_text_precision=precision)
        snapshot = session.snapshot(opened, byte, settings)

        def run(engine: EngineLike, cancel: Cancel) -> list[Shown[InlineSuggestion]] | Suppressed:
            first, count = engine.inline(snapshot.document, byte, cancel), request.body.n or 1
            if isinstance(first, Suppressed):
                return first
            others = engine.alternatives(snapshot.document, byte, first.value, cancel) if count > 1 else ()
            return [first, *others][:count]

        answer = partial(answer_of, request)
        return cast("bytes", await self._inline.ask(snapshot, run, answer, empty=answer))

    def _document(self, uri: str, root: Path | None, request: FillInRequest) -> OpenDocument:
        """Return the document of a request: the kept document, edited where its text differs, or a new document."""
        context, data = self._context, request.before + request.after
        session = context.session
        self._roots.pop(uri, None)
        self._roots[uri] = root
        if len(self._roots) > MAX_DOCUMENTS:
            unused = next(iter(self._roots))
            del self._roots[unused]
            did_close(context, {"textDocument": {"uri": unused}})
        roots = [root for root in dict.fromkeys(self._roots.values()) if root is not None]
        if roots != session.roots:
            session.roots = roots
            context.indexing.configure()
        if uri not in session.documents:
            language_id = host_by_path(request.path) or ""
            text_item = {"uri": uri, "languageId": language_id, "version": 0, "text": data.decode()}
            did_open(context, {"textDocument": cast("JsonValue", text_item)})
        opened = session.documents[uri]
        edit = ByteEdit(0, len(opened.buffer.data), data).trim(opened.buffer.data)
        if edit.new or edit.old_end > edit.start:
            opened.version += 1
            opened.apply([edit])
        return opened


def _workspace_folder(path: Path) -> Path | None:
    """The nearest folder above a file that git manages; None if there is none. Looks at the disk."""
    return next((folder for folder in path.parents if (folder / ".git").exists()), None)


def answer_of(request: FillInRequest, decisions: list[Shown[InlineSuggestion]] | Suppressed) -> bytes:
    """Return the response for ghost texts, or for the reason why there is none."""
    why = Suppressed(Reason.NO_OP, "no text that is only inserted at the cursor and begins before a stop text")
    choices, tokens, body = dict[str, dict[str, Any]](), 0, request.body
    buffer, byte = Buffer(request.before + request.after), len(request.before)
    if isinstance(decisions, Suppressed):
        why, decisions = decisions, []
    for decision in decisions:
        suggestion = decision.value
        edit = ByteEdit(suggestion.start, suggestion.end, suggestion.insert.encode("utf-8", "replace"))
        drawn = ghost_edit(buffer, edit, byte)
        if drawn is None or drawn.old_end > byte:
            continue
        text, finish_reason, count = cut(drawn.new.decode(), suggestion.tokens, request.stops, body.max_tokens)
        text = in_own_line_ends(ByteEdit(byte, byte, text.encode()), buffer.data).new.decode()
        if text and text not in choices:
            tokens += count
            framed = text.join(request.frame)
            choices[text] = {"text": framed, "finish_reason": finish_reason, "probability": decision.probability}
    empty = {"text": "".join(request.frame), "finish_reason": "stop"}
    reason = {} if choices else {"reason": why.reason.value, "detail": why.detail}
    answer = json.dumps(completion_response([*choices.values()] or [empty], tokens, reason))
    return response(f"data: {answer}\n\ndata: [DONE]\n\n", "text/event-stream") if body.stream else response(answer)


def serve_http(
    options: ServeOptions, settings: JsonValue, token: str, folder: Path, announce: Callable[[int], None]
) -> int:
    """Serve until Ctrl-C with the settings of the section `editahead`; `announce` gets the port. Raises OSError.

    Returns the exit code 0.
    """
    ending = ProcessTermination(configure_logging(options), owns_process=True)
    server = EditaheadServer(options, EngineStartup(warm_up, load_limited), ending=ending)
    server.context.configuration.initialize(settings)

    async def serve() -> None:
        assert options.http is not None
        listener = await CompletionEndpoint(server, token, folder).listen(*options.http)
        announce(listener.sockets[0].getsockname()[1])
        try:
            await asyncio.get_running_loop().create_future()  # `serve_forever` would end with the last connection
        finally:
            listener.close()
            await server.stop()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve())
    return ending.end(0)
