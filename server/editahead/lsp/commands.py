"""`workspace/executeCommand`: the server's commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from editahead.lsp import params
from editahead.lsp.context import Context
from editahead.lsp.feedback import ACCEPT, COPILOT_ACCEPT
from editahead.lsp.params import BadParams, JsonValue, Raw
from editahead.lsp.recording_commands import record, stop_recording

MAX_SNOOZE_MINUTES = 10_080  # a week
Command = Callable[[Context, Sequence[JsonValue]], object]


def _item_id(arguments: Sequence[JsonValue]) -> str:
    name = arguments[0] if arguments else None
    if not isinstance(name, str):
        raise BadParams("arguments must begin with the item's identifier")
    return name


def accept(context: Context, arguments: Sequence[JsonValue]) -> None:
    """Count an item as accepted. One that is not known (any more) is no error: accepting may be late or early."""
    context.session.feedback.accepted(_item_id(arguments))


def reject(context: Context, arguments: Sequence[JsonValue]) -> None:
    """Count an item as rejected: its pattern is not offered again for a while."""
    context.session.feedback.rejected(_item_id(arguments))


def shown(context: Context, arguments: Sequence[JsonValue]) -> None:
    """Count an item as shown."""
    context.session.feedback.shown(_item_id(arguments))


def snooze(context: Context, arguments: Sequence[JsonValue]) -> dict[str, float]:
    """Suggest nothing for so many minutes (first argument; the setting when there is none; 0 ends it).

    Raises BadParams.
    """
    minutes = arguments[0] if arguments else context.session.settings.snooze_minutes
    if isinstance(minutes, bool) or not isinstance(minutes, (int, float)) or not 0 <= minutes <= MAX_SNOOZE_MINUTES:
        raise BadParams(f"arguments[0] must be a number of minutes from 0 to {MAX_SNOOZE_MINUTES}")
    context.session.snoozed_until = context.session.clock() + 60 * minutes
    context.status.send()
    return {"minutes": float(minutes)}


def restart_models(context: Context, arguments: Sequence[JsonValue]) -> None:
    """Load all models anew; surfaces that failures have switched off come back."""
    context.models.load()


COMMANDS: dict[str, Command] = {
    ACCEPT: accept,
    "editahead.reject": reject,
    "editahead.shown": shown,
    "editahead.snooze": snooze,
    "editahead.restart-models": restart_models,
    "editahead.record": record,
    "editahead.stop-recording": stop_recording,
}


def commands(compatible: bool) -> dict[str, Command]:
    """The commands by name; clients written for Copilot's server get the name that they know as well."""
    return {**COMMANDS, COPILOT_ACCEPT: accept} if compatible else COMMANDS


def execute_command(context: Context, raw: Raw) -> object:
    """`workspace/executeCommand`, as a request or (copilot.el) as a notification.

    Raises BadParams for an unknown one.
    """
    name = params.text(raw, "command")
    arguments = params.field(raw, "arguments") or []
    command = commands(compatible=True).get(name)
    if command is None:
        raise BadParams(f"command {name!r} is not known")
    if not isinstance(arguments, list):
        raise BadParams("arguments must be a list")
    return command(context, arguments)
