"""Events of an editing session, and the JSON-lines file that holds them (described in docs/commands/bench.md).

Positions in a file are those of LSP, counted in UTF-16 units; inside they are byte offsets.
A session knows nothing of servers or of requests: those are decided when it is replayed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from editahead.checked_json import FieldError, checked
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.positions import PositionEncoding, byte_at, position_at

FORMAT, VERSION = "editahead-session", 1
MAX_FILE_BYTES = 1 << 28
MAX_EVENTS = 1_000_000
_UTF16 = PositionEncoding.UTF16


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


class _Position(msgspec.Struct):
    line: int
    character: int


class _Range(msgspec.Struct):
    start: _Position
    end: _Position


class _ChangeJson(msgspec.Struct):
    text: str
    range: _Range | None = None  # None: the whole document


class _OpenRecord(msgspec.Struct):
    """A line of the file whose `event` is "open"."""

    document: int
    path: str
    language: str = msgspec.field(name="languageId")
    text: str
    time: float = 0.0


class _ChangeRecord(msgspec.Struct):
    document: int
    changes: tuple[_ChangeJson, ...]
    time: float = 0.0


class _CloseRecord(msgspec.Struct):
    document: int
    time: float = 0.0


def write_session(path: Path, events: Iterable[Event], *, anonymised: bool = False) -> None:
    """Write a session file. Raises OSError."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for record in (head(anonymised), *_records(events)):
            out.write(as_line(record))


def head(anonymised: bool) -> dict[str, Any]:
    """Return the first record of a session file."""
    return {"format": FORMAT, "version": VERSION, "positionEncoding": _UTF16.value, "anonymised": anonymised}


def as_line(record: Mapping[str, Any]) -> str:
    """Serialise a record as a line of the file."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def about(kind: str, document: int, time: float) -> dict[str, Any]:
    """Return the common fields of event records; `kind` is "open", "change" or "close"."""
    return {"event": kind, "time": round(time, 3), "document": document}


_KINDS: dict[type, str] = {Open: "open", RecordedChange: "change", Close: "close"}


def _records(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """Convert events to the records of a file."""
    buffers: dict[int, Buffer] = {}
    for event in events:
        record = about(_KINDS[type(event)], event.document, event.time)
        if isinstance(event, Open):
            buffers[event.document] = buffer = Buffer(event.text)
            record |= {"path": event.path, "languageId": event.language_id, "text": buffer.text}
        elif isinstance(event, RecordedChange):
            changes = []
            for edit in event.edits:
                buffer = buffers[event.document]
                changes.append({"range": utf16_range(buffer, edit.start, edit.old_end), "text": edit.new.decode()})
                buffers[event.document] = buffer.apply(edit)
            record["changes"] = changes
        yield record


def utf16_range(buffer: Buffer, start: int, end: int) -> dict[str, dict[str, int]]:
    """Return the LSP range of bytes [start, end), in UTF-16 units."""
    places = (position_at(buffer, start, _UTF16), position_at(buffer, end, _UTF16))
    first, last = ({"line": line, "character": character} for line, character in places)
    return {"start": first, "end": last}


def edit_of_change(buffer: Buffer, change: Mapping[str, Any]) -> ByteEdit:
    """Convert an LSP change event to a byte edit. Raises KeyError, TypeError or ValueError if it is invalid."""
    new = _utf8(change["text"])
    if change.get("range") is None:
        return ByteEdit(0, len(buffer.data), new)
    ends = [change["range"][name] for name in ("start", "end")]
    low, high = sorted(byte_at(buffer, int(end["line"]), int(end["character"]), _UTF16) for end in ends)
    return ByteEdit(low, high, new)


def read_session(path: Path) -> tuple[Event, ...]:
    """Read the events of a session file. Raises SessionError."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise SessionError(f"{path} is larger than {MAX_FILE_BYTES >> 20} MB: record a shorter session")
        lines = _whole_lines(path.read_bytes())
    except OSError as error:
        raise SessionError(f"cannot read {path}: {(error.strerror or type(error).__name__).lower()}") from None
    except UnicodeDecodeError:
        raise SessionError(f"{path} is not UTF-8: session files are JSON lines") from None
    buffers: dict[int, Buffer] = {}
    events: list[Event] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if number == 1:
                _check_head(record)
            elif (event := _event(record, buffers)) is not None:
                events.append(event)
        except SessionError as error:
            raise SessionError(f"{path}, line {number}: {error}") from None
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            reason = str(error) if isinstance(error, FieldError) else f"{type(error).__name__}: {error}"
            what = reason.splitlines()[0]
            raise SessionError(f"{path}, line {number}: no event of a session ({what})") from None
        if len(events) > MAX_EVENTS:
            raise SessionError(f"{path} has more than {MAX_EVENTS} events: record a shorter session")
    if not events:
        raise SessionError(f"{path} holds no events: record a session first")
    return tuple(events)


def _whole_lines(data: bytes) -> list[str]:
    """Return the lines of a session file, without an incomplete last line.

    Raises UnicodeDecodeError.
    """
    whole, end, rest = data.rpartition(b"\n")
    lines = whole.decode("utf-8").split("\n") if end else []
    try:
        json.loads(rest)
        lines.append(rest.decode("utf-8"))
    except (ValueError, RecursionError):
        if not end:
            lines.append(rest.decode("utf-8"))
    return lines


def _check_head(record: object) -> None:
    head = record if isinstance(record, dict) else {}
    if head.get("format") != FORMAT:
        raise SessionError(f'no session; it begins with {{"format": "{FORMAT}", "version": {VERSION}}}')
    if head.get("version") != VERSION or head.get("positionEncoding", _UTF16.value) != _UTF16.value:
        raise SessionError(f"only version {VERSION} with {_UTF16.value} positions can be read")


def _event(record: Mapping[str, Any], buffers: dict[int, Buffer]) -> Event | None:
    """Parse an event; None for an unknown kind, which a later version may add."""
    kind = record["event"]
    if kind == "open":
        opened = checked(record, _OpenRecord)
        buffers[opened.document] = buffer = Buffer(_utf8(opened.text))
        return Open(opened.document, safe_path(opened.path), opened.language, buffer.data, opened.time)
    if kind not in ("change", "close"):
        return None
    entry: _ChangeRecord | _CloseRecord
    entry = checked(record, _ChangeRecord) if kind == "change" else checked(record, _CloseRecord)
    if entry.document not in buffers:
        raise ValueError(f"document {entry.document} is not open")
    if isinstance(entry, _CloseRecord):
        del buffers[entry.document]
        return Close(entry.document, entry.time)
    edits = []
    for change in record["changes"]:
        edits.append(edit_of_change(buffers[entry.document], change))
        buffers[entry.document] = buffers[entry.document].apply(edits[-1])
    return RecordedChange(entry.document, tuple(edits), entry.time)


def opened_files(events: Iterable[Event]) -> dict[str, bytes]:
    """Return the files on disk before a recorded session: each document as it was when first opened."""
    files: dict[str, bytes] = {}
    for event in events:
        if isinstance(event, Open):
            files.setdefault(event.path, event.text)
    return files


def safe_path(path: object) -> str:
    """Validate a path, which must stay inside the folder of the replay. Raises ValueError."""
    parts = PurePosixPath(path).parts if isinstance(path, str) and "\\" not in path and "\0" not in path else ()
    if not parts or parts[0] == "/" or ".." in parts or ":" in parts[0]:
        raise ValueError(f"{path!r} is no path inside a project")
    return "/".join(parts)


def _utf8(text: object) -> bytes:
    if not isinstance(text, str):
        raise TypeError("a text is missing")
    return text.encode("utf-8", "replace")
