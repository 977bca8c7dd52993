"""JSON-RPC: raw parameters, exactly one response per request, a log line per error.

pygls sends our notifications and requests (`outgoing`). What comes in is dispatched here (docs/adr/0013): pygls drops
fields that it does not know (the version in a request, among others), refuses commands that are sent as notifications,
keeps a text mirror that splits lines where LSP does not, and shows faults to the user. Values are plain JSON both ways:
nothing is converted on a keystroke.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping

from editahead.lsp.client import Client
from editahead.lsp.process.logs import describe, log, one_line
from editahead.lsp.rpc.outgoing import Outgoing
from editahead.lsp.rpc.params import BadParams, JsonValue, Raw

MessageId = str | int

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
NOT_INITIALIZED, REQUEST_CANCELLED = -32002, -32800
Handler = Callable[[JsonValue], object]  # from raw parameters to a result, or a future of a result


class RequestError(Exception):
    """An error response to a request. The message is a single line."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def method_not_found(method: str) -> RequestError:
    """Return the error for a method that does not exist, or is not available now."""
    return RequestError(METHOD_NOT_FOUND, f"method {method!r} is not known")


def _id_of(data: Raw) -> MessageId | float | None:
    """Return the id for a response: the client's, where it is a valid JSON-RPC id, else None."""
    msg_id = data.get("id")
    if isinstance(msg_id, bool) or not isinstance(msg_id, (str, int, float)):
        return None
    return None if isinstance(msg_id, float) and not math.isfinite(msg_id) else msg_id


class Dispatcher:
    """Decodes messages, calls the handlers of their methods, and responds. On the event loop's thread."""

    def __init__(self, handlers: Mapping[str, Handler], outgoing: Outgoing, client: Client) -> None:
        self._handlers = handlers
        self._outgoing = outgoing
        self._client = client
        self._in_flight: dict[MessageId, asyncio.Future[object]] = {}
        self.initialized = False
        self.shutting_down = False

    @property
    def is_waiting(self) -> bool:
        """Whether a request has no response yet."""
        return bool(self._in_flight)

    # -- responses

    def _answer(self, msg_id: MessageId, result: object) -> None:
        try:
            self._outgoing.respond({"id": msg_id, "result": result})
        except (TypeError, ValueError, RecursionError) as error:
            log.error("an answer (id %s) is not JSON: %s", msg_id, one_line(error), exc_info=error)
            self._refuse(msg_id, INTERNAL_ERROR, one_line(error))

    def _refuse(self, msg_id: MessageId | float | None, code: int, message: str) -> None:
        self._outgoing.respond({"id": msg_id, "error": {"code": code, "message": message}})

    # -- messages of the client

    def receive(self, body: bytes) -> None:
        """Process a message. Never raises: an invalid message causes a log line."""
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

    def _not_a_message(self, data: JsonValue) -> None:
        """Reject a message that is no JSON object: each request of a batch, and anything else once."""
        log.error("a message that is no JSON object was skipped")
        ids = (
            [_id_of(entry) for entry in data if isinstance(entry, dict) and "id" in entry]
            if isinstance(data, list)
            else []
        )
        for msg_id in ids or [None]:
            self._refuse(msg_id, INVALID_REQUEST, "a message must be one JSON object: LSP has no batches")

    def _dispatch(self, data: Raw) -> None:
        """Dispatch a message by its kind: request, notification or response."""
        method, msg_id = data.get("method"), data.get("id")
        raw = data.get("params")
        raw = {} if raw is None else raw  # handlers read it with editahead.lsp.rpc.params, whatever it is
        if isinstance(method, str) and "id" in data:
            if not isinstance(msg_id, (str, int)) or isinstance(msg_id, bool):
                log.error("%s: an id must be a whole number or a text; refused", method)
                self._refuse(_id_of(data), INVALID_REQUEST, "an id must be a whole number or a text")
                return
            self._on_request(msg_id, method, raw)
        elif isinstance(method, str):
            self._on_notification(method, raw)
        elif isinstance(msg_id, (str, int)) and (data.keys() & {"result", "error"} or self._client.is_awaiting(msg_id)):
            self._client.answer(msg_id, data)  # some clients omit a result that is null
        elif "result" in data or "error" in data:  # a response to a response could repeat for ever
            log.error("an answer without an id that we gave was skipped")
        else:
            log.error("a message that is neither request, notification nor answer was skipped")
            self._refuse(_id_of(data), INVALID_REQUEST, "a message must have a method, a result or an error")

    def _on_request(self, msg_id: MessageId, method: str, raw: JsonValue) -> None:
        """Call the handler of a request and respond with its result or error, now or once it is done."""
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
                self._in_flight[msg_id] = result
                result.add_done_callback(lambda done: self._settled(msg_id, method, done))
            else:
                self._answer(msg_id, result)

    def _handle(self, method: str, raw: JsonValue) -> object:
        """Call the handler of a method. Raises RequestError where there is none, or none at this stage."""
        if not self.initialized and method != "initialize":
            raise RequestError(NOT_INITIALIZED, "initialize comes first")
        if self.shutting_down:
            raise RequestError(INVALID_REQUEST, "the server is shutting down")
        if self.initialized and method == "initialize":
            raise RequestError(INVALID_REQUEST, "initialize was answered already")
        handler = self._handlers.get(method)
        if handler is None or method == "exit":
            raise method_not_found(method)
        result = handler(raw)
        self.initialized = True
        return result

    def _settled(self, msg_id: MessageId, method: str, done: asyncio.Future[object]) -> None:
        self._in_flight.pop(msg_id, None)
        if done.cancelled():
            self._refuse(msg_id, REQUEST_CANCELLED, "cancelled")
        elif isinstance(error := done.exception(), RequestError):
            self._refuse(msg_id, error.code, str(error))
        elif error is not None:
            log.error("%s (id %s): %s", method, msg_id, one_line(error), exc_info=error)
            self._refuse(msg_id, INTERNAL_ERROR, one_line(error))
        else:
            self._answer(msg_id, done.result())

    def _on_notification(self, method: str, raw: JsonValue) -> None:
        """Call the handler of a notification; an error is logged in a single line."""
        if method == "$/cancelRequest":
            self._cancel(raw)
            return
        if method == "exit":
            self._handlers["exit"](raw)
            return
        try:
            result = self._handle(method, raw)
            if isinstance(result, asyncio.Future):
                result.cancel()  # sent as a notification: there is no response
        except BadParams as error:
            log.warning("%s: %s", method, error)
        except RequestError as error:
            log.debug("notification %s is ignored: %s", method, error)
        except Exception as error:
            log.error("%s: %s", method, one_line(error), exc_info=error)

    def _cancel(self, raw: JsonValue) -> None:
        msg_id = raw.get("id") if isinstance(raw, Mapping) else None
        future = self._in_flight.get(msg_id) if isinstance(msg_id, (str, int)) else None
        if future is not None:
            future.cancel()

    def begin_shutdown(self) -> None:
        """Answer the requests in flight as cancelled, and accept only `exit` from now on."""
        self.shutting_down = True
        for future in list(self._in_flight.values()):
            future.cancel()
