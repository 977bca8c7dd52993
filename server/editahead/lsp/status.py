"""Reports of the server's state to the user: status notifications, loading progress, and messages."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence

from editahead.lsp.client import Client
from editahead.lsp.inference.worker import Worker
from editahead.lsp.process.logs import log
from editahead.lsp.rpc.extension_types import IndexSummary, ServerStatus
from editahead.lsp.rpc.params import JsonValue
from editahead.lsp.session import Session


class WorkDoneProgress:
    """A single progress report at a time, with a title; none for clients that do not support it."""

    def __init__(self, client: Client, title: str, cancellable: bool = False) -> None:
        self._client = client
        self._title = title
        self._cancellable = cancellable
        self._begun = False
        self.token: str | None = None  # of the report that is shown or requested

    def begin(self) -> None:
        """Create the progress report, unless a report exists."""
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
        """End the progress report, if any."""
        if self.token is not None and self._begun:
            self._notify(self.token, {"kind": "end"})
        self.token, self._begun = None, False

    def _notify(self, token: str, value: dict[str, str | bool | int]) -> None:
        self._client.notify("$/progress", {"token": token, "value": value})


TITLE = "editahead: loading models"


class Status:
    """Sends the status whenever it changes, and each message once per session."""

    def __init__(self, client: Client, session: Session, worker: Worker) -> None:
        self._client = client
        self._session = session
        self._worker = worker
        self._last = ServerStatus()
        self._messages: set[str] = set()
        self._progress = WorkDoneProgress(client, TITLE)
        self._ready = False
        self.index_summary: Callable[[], IndexSummary | None] = lambda: None
        self.left_out: Callable[[], Sequence[str]] = lambda: ()  # a line for each damaged bundle, which is not loaded
        self.models: Callable[[], tuple[Mapping[str, int], int, Mapping[str, int]]] = lambda: ({}, 0, {})
        """Bytes of the files of each open model and of their states of open documents, and entries of the caches."""
        self.refused: Callable[[], Mapping[str, Mapping[str, int]]] = dict
        """Edits that were not shown because they would break code, by source and rule."""
        self.answered_by: Callable[[], Mapping[str, int] | None] = lambda: None
        """Requests by who answered them; None without a team server."""

    def message(self, text: str) -> None:
        """Show a message to the user and log it; the same text only once in a session."""
        if text in self._messages:
            return
        self._messages.add(text)
        log.warning("%s", text)
        self._client.show_warning(text)

    def send(self) -> None:
        """Send `didChangeStatus` if anything changed.

        Plugins for Copilot notify at kind Warning and above, and search the message of kind Error: so all is
        Normal or Inactive unless nothing can be served, and the message is always a text.
        """
        session, worker = self._session, self._worker
        status = ServerStatus(busy=not worker.ready, kind="Normal", message="")
        if worker.failed:
            status["kind"], status["message"] = "Error", f"no models: {worker.failed}"
        elif session.clock() < session.snoozed_until:
            status["kind"], status["message"] = "Inactive", "snoozed"
        elif not session.settings.enabled:
            status["kind"], status["message"] = "Inactive", "switched off"
        elif left_out := self.left_out():
            status["message"] = f"{len(left_out)} damaged bundle{'s' if len(left_out) > 1 else ''} left out"
            for line in left_out:
                self.message(f"a damaged bundle is left out: {line}. Try: editahead doctor")
        if (index := self.index_summary()) is not None:
            status["index"] = index
        if status != self._last:
            self._last = status
            self._client.notify("didChangeStatus", status)
        self._send_ready(status.get("index"))

    def _send_ready(self, index: IndexSummary | None) -> None:
        """Send `editahead/ready` each time all models are loaded and all workspace folders indexed."""
        worker = self._worker
        ready = worker.ready and (index is None or index["building"] is None)
        if ready and not self._ready:
            left_out = list(self.left_out())
            self._client.notify("editahead/ready", {"models": not worker.failed, "leftOut": left_out, "index": index})
        self._ready = ready

    # -- progress of loading

    def begin_loading(self) -> None:
        """Begin the progress report of loading."""
        self.send()
        self._progress.begin()

    def report_loading(self, text: str, part: float) -> None:
        """Report that `part` of the loading, in [0, 1], is done."""
        self._progress.report(text, part)

    def end_loading(self) -> None:
        """End the progress report of loading."""
        self._progress.end()
        self.send()
