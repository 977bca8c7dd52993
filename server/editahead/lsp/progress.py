"""Progress reports of long work (`$/progress`)."""

from __future__ import annotations

import uuid

from editahead.lsp.client import Client
from editahead.lsp.rpc.params import JsonValue


class WorkDoneProgress:
    """At most one progress report at a time, with a title; none for clients that do not support it."""

    def __init__(self, client: Client, title: str, cancellable: bool = False) -> None:
        self._client = client
        self._title = title
        self._cancellable = cancellable
        self._begun = False
        self.token: str | None = None  # of the report that is shown or requested

    def begin(self) -> None:
        """Create the progress report, unless there is one already."""
        if not self._client.capabilities.progress or self.token is not None:
            return
        token = self.token = str(uuid.uuid4())

        def on_created(result: JsonValue) -> None:
            if self.token == token:
                self._begun = True
                self._notify(
                    token, {"kind": "begin", "title": self._title, "cancellable": self._cancellable, "percentage": 0}
                )

        self._client.request("window/workDoneProgress/create", {"token": token}, on_created)

    def report(self, text: str, part: float) -> None:
        """Report that `part` of the work, in [0, 1], is done."""
        if self.token is not None and self._begun:
            percentage = min(max(round(100 * part), 0), 100)
            self._notify(self.token, {"kind": "report", "message": text, "percentage": percentage})

    def end(self) -> None:
        """End the progress report, if there is one."""
        if self.token is not None and self._begun:
            self._notify(self.token, {"kind": "end"})
        self.token, self._begun = None, False

    def _notify(self, token: str, value: dict[str, str | bool | int]) -> None:
        self._client.notify("$/progress", {"token": token, "value": value})
