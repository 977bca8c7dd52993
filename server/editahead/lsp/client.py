"""The client of a session: its capabilities, and messages to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

from editahead.lsp.capabilities import ClientCapabilities
from editahead.lsp.process.logs import log
from editahead.lsp.rpc.outgoing import Outgoing
from editahead.lsp.rpc.params import JsonValue, Raw
from editahead.lsp.rpc.protocol_types import Registration

if TYPE_CHECKING:
    from pygls.protocol import JsonRPCProtocol

MESSAGE_WARNING = 2  # MessageType
UNKNOWN_ERROR = -32001


@dataclass
class _Error:
    """The `error` of a response, with the fields that pygls reads."""

    code: int
    message: str
    data: JsonValue = None


@dataclass
class _Refusal:
    """An error response of the client to a request (pygls' `RPCError`)."""

    id: str | int
    error: _Error
    jsonrpc: str = "2.0"


class Client:
    """Sends notifications and requests to the client, through pygls. On the event loop's thread."""

    def __init__(self, outgoing: Outgoing) -> None:
        self.capabilities = ClientCapabilities()
        self._outgoing = outgoing
        self._requests = 0
        self._pending: set[str | int] = set()  # ids of requests without an answer

    def notify(self, method: str, params: Mapping[str, object]) -> None:
        """Send a notification."""
        self._outgoing.send(lambda protocol: protocol.notify(method, params))

    def request(
        self, method: str, params: Mapping[str, object], answered: Callable[[JsonValue], None] | None = None
    ) -> None:
        """Send a request. `answered` gets the result before any later message is read; a refusal is logged."""
        self._requests += 1
        msg_id = f"editahead-{self._requests}"
        self._pending.add(msg_id)

        def done(future: Future[JsonValue]) -> None:
            if (error := future.exception()) is not None:
                log.info("the client refused %s: %s", method, error)
            elif answered is not None:
                answered(future.result())

        def send(protocol: JsonRPCProtocol) -> None:
            protocol.send_request(method, params, msg_id=msg_id).add_done_callback(done)

        self._outgoing.send(send)

    def is_awaiting(self, msg_id: str | int) -> bool:
        """Whether a request with this id was sent and has no response yet."""
        return msg_id in self._pending

    def answer(self, msg_id: str | int, data: Raw) -> None:
        """Pass a response of the client to pygls, which holds the future of the request."""
        if msg_id not in self._pending:
            log.debug("skipped a response to an unknown request")
            return
        self._pending.discard(msg_id)
        error = data.get("error")
        if error is None:
            from pygls.protocol.json_rpc import JsonRPCResponseMessage

            result = JsonRPCResponseMessage(id=msg_id, jsonrpc="2.0", result=data.get("result"))
            self._outgoing.send(lambda protocol: protocol.handle_message(result))
            return
        fields = error if isinstance(error, Mapping) else {}
        code = fields.get("code")
        code = code if isinstance(code, int) else UNKNOWN_ERROR
        refusal = _Refusal(msg_id, _Error(code, str(fields.get("message", "unknown error"))))
        self._outgoing.send(lambda protocol: protocol.handle_message(refusal))

    def register(self, registration: Registration) -> None:
        """Register for the notifications of a method (`client/registerCapability`)."""
        self.request("client/registerCapability", {"registrations": [registration]})

    def show_warning(self, text: str) -> None:
        """Show a single-line warning to the user (`window/showMessage`)."""
        self.notify("window/showMessage", {"type": MESSAGE_WARNING, "message": f"editahead: {text}"})
