"""What the user sees of the server's state: status notifications, progress while loading, few messages."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from editahead.lsp.logs import log
from editahead.lsp.protocol import RequestError

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer

TITLE = "editahead: loading models"
WARNING = 2  # MessageType


class Status:
    """Tells the client how things stand; says nothing twice."""

    def __init__(self, server: EditaheadServer) -> None:
        self._server = server
        self._told: dict[str, Any] = {}
        self._shown: set[str] = set()
        self._token: str | None = None
        self._begun = False

    def message(self, text: str) -> None:
        """One message at the user, and one line in the log; the same text comes only once in a session."""
        if text in self._shown:
            return
        self._shown.add(text)
        log.warning("%s", text)
        self._server.protocol.notify("window/showMessage", {"type": WARNING, "message": f"editahead: {text}"})

    def tell(self) -> None:
        """Send `didChangeStatus` if anything changed.

        Plugins for Copilot notify at kind Warning and above, and search the message of kind Error: so all is
        Normal or Inactive unless there is nothing left to serve, and the message is always a text.
        """
        server = self._server
        worker = server.worker
        status: dict[str, Any] = {"busy": not worker.ready, "kind": "Normal", "message": ""}
        if worker.failed:
            status |= {"kind": "Error", "message": f"no models: {worker.failed}"}
        elif server.session.clock() < server.session.snoozed_until:
            status |= {"kind": "Inactive", "message": "snoozed"}
        elif not server.session.settings.enabled:
            status |= {"kind": "Inactive", "message": "switched off"}
        if status != self._told:
            self._told = status
            server.protocol.notify("didChangeStatus", status)

    # -- progress

    def begin(self) -> None:
        """Loading has begun: ask the client for a progress bar, if it has one."""
        self.tell()
        if not self._server.abilities.progress or self._token is not None:
            return
        token = self._token = str(uuid.uuid4())

        def created(answer: Any) -> None:
            if not isinstance(answer, RequestError) and self._token == token:
                self._begun = True
                self._notify(token, {"kind": "begin", "title": TITLE, "cancellable": False, "percentage": 0})

        self._server.protocol.request("window/workDoneProgress/create", {"token": token}, created)

    def report(self, text: str, part: float) -> None:
        """`part` of the loading, in [0, 1], is done."""
        if self._token is not None and self._begun:
            percentage = min(max(round(100 * part), 0), 100)
            self._notify(self._token, {"kind": "report", "message": text, "percentage": percentage})

    def end(self) -> None:
        """Loading is over."""
        if self._token is not None and self._begun:
            self._notify(self._token, {"kind": "end"})
        self._token, self._begun = None, False
        self.tell()

    def _notify(self, token: str, value: Any) -> None:
        self._server.protocol.notify("$/progress", {"token": token, "value": value})
