"""Handlers of the server's commands (`workspace/executeCommand`)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from editahead.lsp.context import ServerContext
from editahead.lsp.rpc import params
from editahead.lsp.rpc.json_rpc import INVALID_PARAMS, RequestError
from editahead.lsp.rpc.params import BadParams, JsonValue, Raw
from editahead.lsp.rpc.uris import expand_user
from editahead.lsp.surfaces.feedback import ACCEPT, COPILOT_ACCEPT

if TYPE_CHECKING:
    from editahead.recording.recorder import Recorder


def record(context: ServerContext, arguments: Sequence[JsonValue]) -> asyncio.Future[object]:
    """Answer `editahead.record` [path, anonymised]; a relative path is below the first workspace folder.

    Raises BadParams.
    """
    name = arguments[0] if arguments else None
    if not isinstance(name, str) or not name.strip():
        raise BadParams("arguments must begin with the path of a file to write")
    anonymised = arguments[1] if len(arguments) > 1 else False
    if not isinstance(anonymised, bool):
        raise BadParams("arguments[1] must be true (without code) or false")
    try:
        path = expand_user(name)
    except ValueError as error:
        raise BadParams(str(error)) from None
    if not path.is_absolute() and context.session.roots:
        path = context.session.roots[0] / path
    from editahead.recording.session_file import SessionError

    try:
        recorder = context.recording.begin(path, anonymised)
    except SessionError as error:
        raise BadParams(str(error)) from None
    return _once_idle(context, lambda: _begun(context, recorder))


def _begun(context: ServerContext, recorder: Recorder) -> dict[str, str | bool | int]:
    if not context.recording.is_active:
        raise RequestError(INVALID_PARAMS, f"cannot write {recorder.path}: the recording has ended")
    return {"path": str(recorder.path), "anonymised": recorder.anonymised, "documents": recorder.events}


def stop_recording(context: ServerContext, arguments: Sequence[JsonValue]) -> asyncio.Future[object]:
    """Answer `editahead.stop-recording`: the path and the number of events; null without a recording."""
    return _once_idle(context, lambda: _ended(context))


def _ended(context: ServerContext) -> dict[str, str | bool | int] | None:
    recorder = context.recording.end()
    return None if recorder is None else {"path": str(recorder.path), "events": recorder.events}


def _once_idle(context: ServerContext, answer: Callable[[], object]) -> asyncio.Future[object]:
    """Return the future result of `answer`, called once all events so far are written, even after a cancel."""
    result: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    def then() -> None:
        try:
            value = answer()
        except RequestError as error:
            if not result.done():
                result.set_exception(error)
        else:
            if not result.done():
                result.set_result(value)

    context.recording.when_idle(then)
    return result


def record_from_the_start(context: ServerContext) -> None:
    """Begin the recording of `--record FILE`, in the first of FILE, FILE-2, FILE-3, ... that does not exist."""
    wanted = context.options.record
    if wanted is None:
        return
    names = (wanted, *(wanted.with_stem(f"{wanted.stem}-{number}") for number in range(2, 1000)))
    path = next((path for path in names if not os.path.lexists(path)), wanted)
    from editahead.recording.session_file import SessionError

    try:
        context.recording.begin(path, False)
    except SessionError as error:
        context.status.message(f"nothing is recorded: {error}")


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
