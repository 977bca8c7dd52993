"""Events of an editing session: documents that are opened, changed and closed, with byte offsets.

A session knows nothing of servers or of requests: those are decided when it is replayed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from editahead.text.edits import ByteEdit


class SessionError(Exception):
    """An invalid session; the message says what is wrong and where, in a single line."""


@dataclass(frozen=True, slots=True)
class Open:
    """A document is opened; `path` is relative to the project, with slashes."""

    document: int
    path: str
    language_id: str
    text: bytes
    time: float = 0.0  # seconds since the session began


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A notification of changes, each edit in coordinates of the text after the previous edit."""

    document: int
    edits: tuple[ByteEdit, ...]
    time: float = 0.0


@dataclass(frozen=True, slots=True)
class Close:
    """A document is closed."""

    document: int
    time: float = 0.0


Event = Open | RecordedChange | Close


@dataclass(frozen=True, slots=True)
class RecordedSession:
    """A session: events, and the files on disk when it begins (path relative to the project -> contents)."""

    name: str
    source: str  # "retype" | "commits" | "session"
    events: tuple[Event, ...]
    files: Mapping[str, bytes]
