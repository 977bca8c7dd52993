"""JSON-RPC at our own door: raw parameters, exactly one answer per request, one log line per fault.

pygls carries the connection and sends; what comes in is dispatched here, because pygls drops fields that it does not
know (the version in a request, among others), refuses commands sent as notifications, keeps a text mirror that splits
lines where LSP does not, and shows faults to the user. Values are plain JSON both ways: no converter on a keystroke.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pygls.protocol import LanguageServerProtocol

from editahead.lsp.logs import describe, log, one_line
from editahead.lsp.params import BadParams, Raw

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer

Handler = Callable[["EditaheadServer", Raw], Any]
MessageId = str | int
Answered = Callable[[Any], None]  # gets the client's answer, or the RequestError with which it refused

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
NOT_INITIALIZED, REQUEST_CANCELLED = -32002, -32800


class RequestError(Exception):
    """A request that is refused. The message is one line."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def method_not_found(method: str) -> RequestError:
    """There is no such method (here and now)."""
    return RequestError(METHOD_NOT_FOUND, f"method {method!r} is not known")


def _id_of(data: Mapping[str, Any]) -> MessageId | float | None:
    """The id to answer with: the client's, where it is one that JSON has and a client can tell from others."""
    msg_id = data.get("id")
    if isinstance(msg_id, bool) or not isinstance(msg_id, (str, int, float)):
        return None
    return None if isinstance(msg_id, float) and not math.isfinite(msg_id) else msg_id


class Protocol(LanguageServerProtocol):
    """Messages in, handlers called, answers out. All on the event loop's thread."""

    routes: Mapping[str, Handler]
    _server: EditaheadServer

    def __init__(self, server: EditaheadServer, converter: Any) -> None:
        super().__init__(server, converter)
        self.initialized = False
        self.shutting_down = False
        self._open: dict[MessageId, asyncio.Future[Any]] = {}  # requests of the client
        self._asked: dict[MessageId, Answered] = {}  # requests to the client
        self._asks = 0

    # -- out

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification."""
        self._send_data({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: object, answered: Answered) -> None:
        """Ask the client. `answered` is called with its answer before any later message is looked at."""
        self._asks += 1
        msg_id = f"editahead-{self._asks}"
        self._asked[msg_id] = answered
        self._send_data({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params})

    def _answer(self, msg_id: MessageId, result: object) -> None:
        self._send_data({"jsonrpc": "2.0", "id": msg_id, "result": result})

    def _refuse(self, msg_id: MessageId | float | None, code: int, message: str) -> None:
        self._send_data({"jsonrpc": "2.0", "id": msg_id, "error": {"code": code, "message": message}})

    # -- in

    def receive(self, body: bytes) -> None:
        """One message. Never raises: what cannot be read costs one log line."""
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            log.warning("a message of %d bytes is not UTF-8: what is wrong in it was replaced", len(body))
            text = body.decode("utf-8", "replace")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            log.error("a message of %d bytes is not JSON (%s) and was skipped", len(body), one_line(error))
            self._refuse(None, PARSE_ERROR, "the message is not JSON")
            return
        if not isinstance(data, dict):
            self._not_a_message(data)
            return
        try:
            self._dispatch(data)
        except Exception as error:
            log.error("%s: %s", describe(data), one_line(error), exc_info=error)

    def _not_a_message(self, data: object) -> None:
        """Something else than an object: each request of a batch is refused, and anything else once."""
        log.error("a message that is no JSON object was skipped")
        ids = [_id_of(one) for one in data if isinstance(one, dict) and "id" in one] if isinstance(data, list) else []
        for msg_id in ids or [None]:
            self._refuse(msg_id, INVALID_REQUEST, "a message must be one JSON object: LSP has no batches")

    def _dispatch(self, data: dict[str, Any]) -> None:
        method, msg_id = data.get("method"), data.get("id")
        raw = data.get("params")
        raw = {} if raw is None else raw
        if isinstance(method, str) and "id" in data:
            if not isinstance(msg_id, (str, int)) or isinstance(msg_id, bool):
                log.error("%s: an id must be a whole number or a text; refused", method)
                self._refuse(_id_of(data), INVALID_REQUEST, "an id must be a whole number or a text")
                return
            self._request(msg_id, method, raw)
        elif isinstance(method, str):
            self._notification(method, raw)
        elif isinstance(msg_id, (str, int)) and ("result" in data or "error" in data or msg_id in self._asked):
            self._response(msg_id, data)  # of a client that leaves out a result that is null, too
        elif "result" in data or "error" in data:  # an answer to an answer would have no end
            log.error("an answer without an id that we gave was skipped")
        else:
            log.error("a message that is neither request, notification nor answer was skipped")
            self._refuse(_id_of(data), INVALID_REQUEST, "a message must have a method, a result or an error")

    def _request(self, msg_id: MessageId, method: str, raw: Raw) -> None:
        try:
            result = self._handle(method, raw)
        except BadParams as error:
            log.warning("%s (id %s): %s", method, msg_id, error)
            self._refuse(msg_id, INVALID_PARAMS, str(error))
        except RequestError as error:
            log.debug("%s (id %s): %s", method, msg_id, error)
            self._refuse(msg_id, error.code, str(error))
        except Exception as error:
            log.error("%s (id %s): %s", method, msg_id, one_line(error), exc_info=error)
            self._refuse(msg_id, INTERNAL_ERROR, one_line(error))
        else:
            if isinstance(result, asyncio.Future):
                self._open[msg_id] = result
                result.add_done_callback(lambda done: self._settled(msg_id, method, done))
            else:
                self._answer(msg_id, result)

    def _handle(self, method: str, raw: Raw) -> Any:
        handler = self.routes.get(method)
        if not self.initialized and method != "initialize":
            raise RequestError(NOT_INITIALIZED, "initialize comes first")
        if self.shutting_down:
            raise RequestError(INVALID_REQUEST, "the server is shutting down")
        if handler is None:
            raise method_not_found(method)
        return handler(self._server, raw)

    def _settled(self, msg_id: MessageId, method: str, done: asyncio.Future[Any]) -> None:
        self._open.pop(msg_id, None)
        if done.cancelled():
            self._refuse(msg_id, REQUEST_CANCELLED, "cancelled")
        elif isinstance(error := done.exception(), RequestError):
            self._refuse(msg_id, error.code, str(error))
        elif error is not None:
            log.error("%s (id %s): %s", method, msg_id, one_line(error), exc_info=error)
            self._refuse(msg_id, INTERNAL_ERROR, one_line(error))
        else:
            self._answer(msg_id, done.result())

    def _notification(self, method: str, raw: Raw) -> None:
        if method == "$/cancelRequest":
            self._cancel(raw)
            return
        if method == "exit":
            self._server.finish(0 if self.shutting_down else 1)
            return
        try:
            result = self._handle(method, raw)
            if isinstance(result, asyncio.Future):
                result.cancel()  # asked as a notification: nobody waits
        except BadParams as error:
            log.warning("%s: %s", method, error)
        except RequestError as error:
            log.debug("notification %s is ignored: %s", method, error)
        except Exception as error:
            log.error("%s: %s", method, one_line(error), exc_info=error)

    def _cancel(self, raw: Raw) -> None:
        msg_id = raw.get("id") if isinstance(raw, Mapping) else None
        future = self._open.get(msg_id) if isinstance(msg_id, (str, int)) else None
        if future is not None:
            future.cancel()

    def _response(self, msg_id: MessageId, data: dict[str, Any]) -> None:
        answered = self._asked.pop(msg_id, None)
        if answered is None:
            log.debug("an answer to nothing that was asked was skipped")
            return
        error = data.get("error")
        if error is None:
            answered(data.get("result"))
            return
        fields = error if isinstance(error, Mapping) else {}
        code = fields.get("code")
        message = str(fields.get("message", "unknown error"))
        answered(RequestError(code if isinstance(code, int) else 0, message))

    def begin_shutdown(self) -> None:
        """From now on only `exit` is obeyed; requests that are open are answered as cancelled."""
        self.shutting_down = True
        for future in list(self._open.values()):
            future.cancel()
