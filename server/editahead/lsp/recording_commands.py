"""Handlers of the commands that begin and end a recording, and of `--record`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from editahead.lsp.context import ServerContext
from editahead.lsp.rpc.json_rpc import INVALID_PARAMS, RequestError
from editahead.lsp.rpc.params import BadParams, JsonValue
from editahead.lsp.rpc.uris import expand_user
from editahead.recording.session_file import SessionError

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
    try:
        context.recording.begin(path, False)
    except SessionError as error:
        context.status.message(f"nothing is recorded: {error}")
