"""Handlers of the server's commands (`workspace/executeCommand`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from editahead.lsp.context import ServerContext
from editahead.lsp.recording_commands import record, stop_recording
from editahead.lsp.rpc import params
from editahead.lsp.rpc.params import BadParams, JsonValue, Raw
from editahead.lsp.surfaces.feedback import ACCEPT, COPILOT_ACCEPT

MAX_SNOOZE_MINUTES = 10_080  # a week
Command = Callable[[ServerContext, Sequence[JsonValue]], object]


def _item_id(arguments: Sequence[JsonValue]) -> str:
    name = arguments[0] if arguments else None
    if not isinstance(name, str):
        raise BadParams("arguments must begin with the item's identifier")
    return name


def accept(context: ServerContext, arguments: Sequence[JsonValue]) -> None:
    """Count an item as accepted; unknown items are ignored, as acceptance may arrive late. Raises BadParams."""
    context.session.feedback.count_accepted(_item_id(arguments))


def reject(context: ServerContext, arguments: Sequence[JsonValue]) -> None:
    """Count an item as rejected: its pattern is not offered again for a while. Raises BadParams."""
    context.session.feedback.count_rejected(_item_id(arguments))


def count_shown(context: ServerContext, arguments: Sequence[JsonValue]) -> None:
    """Count an item as shown. Raises BadParams."""
    context.session.feedback.count_shown(_item_id(arguments))


def snooze(context: ServerContext, arguments: Sequence[JsonValue]) -> dict[str, float]:
    """Pause suggestions for some minutes (first argument, by default the setting; 0 resumes them).

    Raises BadParams.
    """
    minutes = arguments[0] if arguments else context.session.settings.snooze_minutes
    if isinstance(minutes, bool) or not isinstance(minutes, (int, float)) or not 0 <= minutes <= MAX_SNOOZE_MINUTES:
        raise BadParams(f"arguments[0] must be a number of minutes from 0 to {MAX_SNOOZE_MINUTES}")
    context.session.snoozed_until = context.session.clock() + 60 * minutes
    context.status.send()
    return {"minutes": float(minutes)}


def restart_models(context: ServerContext, arguments: Sequence[JsonValue]) -> None:
    """Reload all models and enable surfaces that were disabled after failures."""
    context.models.load()


COMMANDS: dict[str, Command] = {
    ACCEPT: accept,
    "editahead.reject": reject,
    "editahead.shown": count_shown,
    "editahead.snooze": snooze,
    "editahead.restart-models": restart_models,
    "editahead.record": record,
    "editahead.stop-recording": stop_recording,
}


def commands(compatible: bool) -> dict[str, Command]:
    """Return the commands by name; `compatible` adds the name that clients of Copilot's server use."""
    return {**COMMANDS, COPILOT_ACCEPT: accept} if compatible else COMMANDS


def execute_command(context: ServerContext, raw: Raw) -> object:
    """Handle `workspace/executeCommand`, as a request or (copilot.el) as a notification.

    Raises BadParams for an unknown command.
    """
    name = params.text(raw, "command")
    arguments = params.field(raw, "arguments") or []
    command = commands(compatible=True).get(name)
    if command is None:
        raise BadParams(f"command {name!r} is not known")
    if not isinstance(arguments, list):
        raise BadParams("arguments must be a list")
    return command(context, arguments)
