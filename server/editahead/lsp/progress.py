"""A progress bar of the client, where it has one."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from editahead.lsp.json_rpc import RequestError

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer


class WorkDone:
    """One bar at a time, under one title. A client without progress bars hears nothing."""

    def __init__(self, server: EditaheadServer, title: str, cancellable: bool = False) -> None:
        self._server = server
        self._title = title
        self._cancellable = cancellable
        self._begun = False
        self.token: str | None = None  # of the bar that is shown or asked for

    def begin(self) -> None:
        """Ask for a bar; nothing if there is one already."""
        if not self._server.abilities.progress or self.token is not None:
            return
        token = self.token = str(uuid.uuid4())

        def created(answer: Any) -> None:
            if not isinstance(answer, RequestError) and self.token == token:
                self._begun = True
                start = {"kind": "begin", "title": self._title, "cancellable": self._cancellable, "percentage": 0}
                self._notify(token, start)

        self._server.protocol.request("window/workDoneProgress/create", {"token": token}, created)

    def report(self, text: str, part: float) -> None:
        """`part` of the work, in [0, 1], is done."""
        if self.token is not None and self._begun:
            percentage = min(max(round(100 * part), 0), 100)
            self._notify(self.token, {"kind": "report", "message": text, "percentage": percentage})

    def end(self) -> None:
        """The work is over; nothing if there is no bar."""
        if self.token is not None and self._begun:
            self._notify(self.token, {"kind": "end"})
        self.token, self._begun = None, False

    def _notify(self, token: str, value: Any) -> None:
        self._server.protocol.notify("$/progress", {"token": token, "value": value})
