"""What clients tell about our suggestions, as commands and as notifications; and the server's commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from editahead.lsp import params as door
from editahead.lsp.params import BadParams, Raw
from editahead.lsp.recording import record, stop_recording

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer

ACCEPT = "editahead.accept"
REJECT = "editahead.reject"
SHOWN = "editahead.shown"
SNOOZE = "editahead.snooze"
RESTART = "editahead.restart-models"
RECORD, STOP_RECORDING = "editahead.record", "editahead.stop-recording"
COPILOT_ACCEPT = "github.copilot.didAcceptCompletionItem"

Command = Callable[["EditaheadServer", Sequence[Any]], Any]


def _name(arguments: Sequence[Any]) -> str:
    if not arguments or not isinstance(arguments[0], str):
        raise BadParams("arguments must begin with the item's identifier")
    return arguments[0]


def accept(server: EditaheadServer, arguments: Sequence[Any]) -> None:
    """The user took an item. One that is not known (any more) is no error: accepting may be late or early."""
    server.session.feedback.accepted(_name(arguments))


def reject(server: EditaheadServer, arguments: Sequence[Any]) -> None:
    """The user turned an item down: its pattern is not offered again for a while."""
    server.session.feedback.rejected(_name(arguments))


def shown(server: EditaheadServer, arguments: Sequence[Any]) -> None:
    """The client showed an item."""
    server.session.feedback.shown(_name(arguments))


def snooze(server: EditaheadServer, arguments: Sequence[Any]) -> dict[str, float]:
    """Keep quiet for so many minutes (first argument; the setting when there is none; 0 ends it)."""
    minutes: Any = arguments[0] if arguments else server.session.settings.snooze_minutes
    if isinstance(minutes, bool) or not isinstance(minutes, (int, float)) or not 0 <= minutes <= 10_080:
        raise BadParams("arguments[0] must be a number of minutes from 0 to 10080")
    server.session.snoozed_until = server.session.clock() + 60 * minutes
    server.status.tell()
    return {"minutes": float(minutes)}


def restart_models(server: EditaheadServer, arguments: Sequence[Any]) -> None:
    """Load all models anew; surfaces that failures have switched off come back."""
    server.load_models()


COMMANDS: dict[str, Command] = {
    ACCEPT: accept,
    REJECT: reject,
    SHOWN: shown,
    SNOOZE: snooze,
    RESTART: restart_models,
    RECORD: record,
    STOP_RECORDING: stop_recording,
}


def commands(compatible: bool) -> dict[str, Command]:
    """The commands by name; clients written for Copilot's server get the name that they know as well."""
    return {**COMMANDS, COPILOT_ACCEPT: accept} if compatible else COMMANDS


def execute_command(server: EditaheadServer, raw: Raw) -> Any:
    """`workspace/executeCommand`, as a request or (copilot.el) as a notification."""
    name = door.text(raw, "command")
    arguments = raw.get("arguments") or []
    handler = {**COMMANDS, COPILOT_ACCEPT: accept}.get(name)
    if handler is None:
        raise BadParams(f"command {name!r} is not known")
    if not isinstance(arguments, list):
        raise BadParams("arguments must be a list")
    return handler(server, arguments)


def did_focus(server: EditaheadServer, raw: Raw) -> None:
    """`textDocument/didFocus`: `{}` when no document has the focus. Nothing depends on it yet."""


def did_show(server: EditaheadServer, raw: Raw) -> None:
    """`textDocument/didShowInlineEdit` and `textDocument/didShowCompletion`."""
    server.session.feedback.shown(door.item_id(raw))


def did_partially_accept(server: EditaheadServer, raw: Raw) -> None:
    """`textDocument/didPartiallyAcceptCompletion`."""
    server.session.feedback.partly_accepted(door.item_id(raw))


def did_reject(server: EditaheadServer, raw: Raw) -> None:
    """`editahead/didReject`: `{"id": ...}`, or an item as the other notifications carry it."""
    server.session.feedback.rejected(door.item_id(raw))


def stats(server: EditaheadServer, raw: Raw) -> dict[str, Any]:
    """`editahead/stats`: counts since the server started, by surface; they are kept in memory only."""
    index = server.indexing.state()
    return {
        "surfaces": server.session.feedback.report(),
        "milliseconds": server.latencies(),
        "memory": memory(server),
        **({} if index is None else {"index": index}),
    }


def memory(server: EditaheadServer) -> dict[str, int | None]:
    """Bytes of the whole process, its limit, and the texts of open documents; null where the system does not tell."""
    from editahead.runtime.memory import current_limit, resident_memory

    documents = sum(len(document.buffer.data) for document in server.session.documents.values())
    return {"resident": resident_memory(), "limit": current_limit(), "documents": documents}
