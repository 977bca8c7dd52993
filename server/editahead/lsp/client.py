"""The client of a session: its capabilities, and messages to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from editahead.lsp.capabilities import ClientCapabilities
from editahead.lsp.process.logs import log
from editahead.lsp.rpc.outgoing import Outgoing
from editahead.lsp.rpc.params import JsonValue, Raw
from editahead.lsp.rpc.protocol_types import Registration

MESSAGE_WARNING = 2  # MessageType
Answered = Callable[[JsonValue], None]


class Client:
    """Sends notifications and requests to the client. On the event loop's thread."""

    def __init__(self, outgoing: Outgoing) -> None:
        self.capabilities = ClientCapabilities()
        self._outgoing = outgoing
        self._requests = 0
        self._pending: dict[str | int, tuple[str, Answered | None]] = {}  # method by id of requests without an answer

    def notify(self, method: str, params: Mapping[str, object]) -> None:
        """Send a notification."""
        self._outgoing.send({"method": method, "params": params})

    def request(self, method: str, params: Mapping[str, object], answered: Answered | None = None) -> None:
        """Send a request. `answered` gets the result before any later message is read; a refusal is logged."""
        self._requests += 1
        msg_id = f"editahead-{self._requests}"
        self._pending[msg_id] = method, answered
        self._outgoing.send({"id": msg_id, "method": method, "params": params})

    def awaits(self, msg_id: str | int) -> bool:
        """Whether a request with this id was sent and has no response yet."""
        return msg_id in self._pending

    def answer(self, msg_id: str | int, data: Raw) -> None:
        """Hand a response of the client to whoever asked."""
        method, answered = self._pending.pop(msg_id, ("", None))
        error = data.get("error")
        if not method:
            log.debug("an answer to nothing that was asked was skipped")
        elif error is not None:
            message = error.get("message") if isinstance(error, Mapping) else None
            log.info("the client refused %s: %s", method, message or "unknown error")
        elif answered is not None:
            answered(data.get("result"))

    def register(self, registration: Registration) -> None:
        """Register for the notifications of one method (`client/registerCapability`)."""
        self.request("client/registerCapability", {"registrations": [registration]})

    def show_warning(self, text: str) -> None:
        """Show a warning of one line to the user (`window/showMessage`)."""
        self.notify("window/showMessage", {"type": MESSAGE_WARNING, "message": f"editahead: {text}"})
