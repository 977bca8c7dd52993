"""JSON-RPC at our own door: raw parameters, exactly one answer per request, one log line per fault.

pygls drops fields that it does not know, keeps a text mirror that splits lines where LSP does not, lets sync
handlers block cancellation and shows faults to the user; so it is used for what is left: sending, structured
answers, requests to the client.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcMethodNotFound,
)
from pygls.protocol import LanguageServerProtocol

from editahead.lsp.logs import describe, log, one_line
from editahead.lsp.params import BadParams, Raw

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer

Handler = Callable[["EditaheadServer", Raw], Any]

_BEFORE_INITIALIZE = (lsp.INITIALIZE, lsp.EXIT)
NOT_INITIALIZED = -32002
INVALID_REQUEST = -32600


class EditaheadProtocol(LanguageServerProtocol):
    """Messages in, handlers called, answers out. All on the event loop's thread."""

    routes: dict[str, Handler]
    _server: EditaheadServer
    initialized = False

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
            return
        if not isinstance(data, dict):
            log.error("a message that is no JSON object was skipped")
            return
        try:
            self._dispatch(data)
        except Exception as error:
            log.error("%s: %s", describe(data), one_line(error), exc_info=error)

    def _dispatch(self, data: dict[str, Any]) -> None:
        method, msg_id = data.get("method"), data.get("id")
        raw = data.get("params")
        raw = {} if raw is None else raw
        if isinstance(method, str) and "id" in data:
            if not isinstance(msg_id, (str, int)) or isinstance(msg_id, bool):
                log.error("%s: an id must be a number or a text; skipped", method)
                return
            self._request(msg_id, method, raw)
        elif isinstance(method, str):
            self._notification(method, raw)
        elif isinstance(msg_id, (str, int)) and ("result" in data or "error" in data):
            self._response(msg_id, data)
        else:
            log.error("a message that is neither request, notification nor answer was skipped")

    def _request(self, msg_id: str | int, method: str, raw: Raw) -> None:
        problem: JsonRpcException | None = None
        result: Any = None
        handler = self.routes.get(method)
        if not self.initialized and method not in _BEFORE_INITIALIZE:
            problem = JsonRpcException("initialize comes first", NOT_INITIALIZED)
        elif self._shutdown and method != lsp.EXIT:
            problem = JsonRpcException("the server is shutting down", INVALID_REQUEST)
        elif handler is None:
            log.debug("%s is not known", method)
            problem = JsonRpcMethodNotFound.of(method)
        else:
            try:
                result = handler(self._server, raw)
            except BadParams as error:
                log.warning("%s (id %s): %s", method, msg_id, error)
                problem = JsonRpcInvalidParams(str(error))
            except JsonRpcException as error:
                problem = error
            except Exception as error:
                log.error("%s (id %s): %s", method, msg_id, one_line(error), exc_info=error)
                problem = JsonRpcInternalError(one_line(error))
        if problem is not None:
            self._send_response(msg_id, error=problem.to_response_error())
        elif isinstance(result, asyncio.Future):
            self._request_futures[msg_id] = result  # type: ignore[assignment]
            result.add_done_callback(partial(self._send_handler_result, msg_id=msg_id))
        else:
            self._send_response(msg_id, result)

    def _notification(self, method: str, raw: Raw) -> None:
        if method == lsp.CANCEL_REQUEST:
            self._cancel(raw)
            return
        if method == lsp.EXIT:
            self._server.finish(0 if self._shutdown else 1)
            return
        handler = self.routes.get(method)
        if handler is None or self._shutdown or not self.initialized:
            log.debug("notification %s is ignored", method)
            return
        try:
            result = handler(self._server, raw)
            if isinstance(result, asyncio.Future):
                result.cancel()  # asked as a notification: nobody waits
        except BadParams as error:
            log.warning("%s: %s", method, error)
        except JsonRpcException as error:  # what a request would have been refused with
            log.debug("notification %s is ignored: %s", method, error.message)
        except Exception as error:
            log.error("%s: %s", method, one_line(error), exc_info=error)

    def _cancel(self, raw: Raw) -> None:
        msg_id = raw.get("id") if isinstance(raw, dict) else None
        future = self._request_futures.get(msg_id) if isinstance(msg_id, (str, int)) else None
        if isinstance(future, asyncio.Future):  # our own requests to the client are not the client's to cancel
            future.cancel()

    def _response(self, msg_id: str | int, data: dict[str, Any]) -> None:
        error = data.get("error")
        if error is None:
            self._handle_response(msg_id, data.get("result"))
            return
        fields = error if isinstance(error, dict) else {}
        code = fields.get("code")
        self._handle_response(
            msg_id,
            error=lsp.ResponseError(
                code=code if isinstance(code, int) else 0, message=str(fields.get("message", "unknown error"))
            ),
        )

    def cancel_all(self) -> None:
        """End every request that is open; each is answered as cancelled."""
        for future in list(self._request_futures.values()):
            if isinstance(future, asyncio.Future) and not future.done():
                future.cancel()

    def begin_shutdown(self) -> None:
        """From now on only `exit` is obeyed."""
        self._shutdown = True

    @property
    def shutting_down(self) -> bool:
        """Whether `shutdown` has come."""
        return self._shutdown
