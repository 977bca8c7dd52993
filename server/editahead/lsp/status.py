"""What the user sees of the server's state: status notifications, progress while loading, few messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from editahead.lsp.logs import log
from editahead.lsp.progress import WorkDone

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer

TITLE = "editahead: loading models"
WARNING = 2  # MessageType


class Status:
    """Tells the client how things stand; says nothing twice."""

    def __init__(self, server: EditaheadServer) -> None:
        self._server = server
        self._told: dict[str, Any] = {}
        self._ready = False
        self._shown: set[str] = set()
        self._bar = WorkDone(server, TITLE)

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
        elif left_out := server.left_out():
            status["message"] = f"{len(left_out)} damaged bundle{'s' if len(left_out) > 1 else ''} left out"
            for line in left_out:
                self.message(f"a damaged bundle is left out: {line}. Try: editahead doctor")
        if (index := server.indexing.state()) is not None:
            status["index"] = index
        if status != self._told:
            self._told = status
            server.protocol.notify("didChangeStatus", status)
        self._tell_ready(status.get("index"))

    def _tell_ready(self, index: dict[str, Any] | None) -> None:
        """Send `editahead/ready` when the models are loaded and the workspace folders read, each time it comes true."""
        worker = self._server.worker
        ready = worker.ready and (index is None or index["building"] is None)
        if ready and not self._ready:
            params = {"models": not worker.failed, "leftOut": list(self._server.left_out()), "index": index}
            self._server.protocol.notify("editahead/ready", params)
        self._ready = ready

    # -- progress of loading

    def begin(self) -> None:
        """Loading has begun."""
        self.tell()
        self._bar.begin()

    def report(self, text: str, part: float) -> None:
        """`part` of the loading, in [0, 1], is done."""
        self._bar.report(text, part)

    def end(self) -> None:
        """Loading is over."""
        self._bar.end()
        self.tell()
