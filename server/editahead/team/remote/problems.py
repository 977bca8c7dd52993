"""Why there is no connection to a team server: a line for the user, and how long to wait before the next attempt."""

from __future__ import annotations

import asyncio
import ssl
from typing import NamedTuple

from editahead.team.remote.target import RemoteTarget
from editahead.team.wire.messages import (
    LEAVING,
    REFUSED_CONNECTIONS,
    REFUSED_MESSAGE,
    REFUSED_PROTOCOL,
    REFUSED_TOKEN,
    WireError,
)
from editahead.team.wire.websocket import HandshakeRefusedError, WebSocketClosedError, WebSocketError

FIRST_RETRY, LONGEST_RETRY, AFTER_REFUSAL = 0.1, 5.0, 30.0  # seconds
LOCAL = "suggestions are computed locally"


class Problem(NamedTuple):
    """A line, empty where another replica serves at once; and seconds to wait, 0 for those of the usual attempts."""

    text: str
    wait: float


def problem_of(error: Exception | None, target: RemoteTarget) -> Problem:
    """Return the problem behind what ended a connection; None: the server closed it without a reason."""
    where = f"the team server {target.address}"
    if isinstance(error, HandshakeRefusedError):
        if error.status in (401, 403):
            return Problem(f"{where} refuses the token: {LOCAL}. Ask for a new one", AFTER_REFUSAL)
        return Problem(f"{where} cannot serve now (HTTP status {error.status}): {LOCAL}", 0.0)
    if isinstance(error, WebSocketClosedError):
        return _closed(where, error.code)
    if isinstance(error, ssl.SSLError):
        return Problem(f"{where} cannot be verified ({error.reason or 'TLS'}): {LOCAL}", AFTER_REFUSAL)
    if isinstance(error, WireError):
        return Problem(f"{where} sent {error}: {LOCAL}", AFTER_REFUSAL)
    if error is None:
        return Problem(f"{where} is gone: {LOCAL} until it is back", 0.0)
    if isinstance(error, (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, WebSocketError)):
        return Problem(f"{where} cannot be reached: {LOCAL} until it is back", 0.0)
    return Problem(f"{where} cannot be used ({type(error).__name__}): {LOCAL}", AFTER_REFUSAL)


def _closed(where: str, code: int) -> Problem:
    """Return the problem behind a WebSocket close code."""
    refusals = {
        REFUSED_TOKEN: Problem(f"{where} refuses the token: {LOCAL}. Ask for a new one", AFTER_REFUSAL),
        REFUSED_PROTOCOL: Problem(
            f"{where} speaks another version of the protocol: {LOCAL}. Update editahead", AFTER_REFUSAL
        ),
        REFUSED_CONNECTIONS: Problem(f"{where} has too many connections with this token: {LOCAL}", AFTER_REFUSAL),
        REFUSED_MESSAGE: Problem(f"{where} refused a message: {LOCAL}", LONGEST_RETRY),
        LEAVING: Problem("", FIRST_RETRY),
    }
    return refusals.get(code, Problem(f"{where} is gone: {LOCAL} until it is back", 0.0))
