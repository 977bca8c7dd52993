"""Recording of a session to a file: each event is a line that is written when the call returns.

A killed recording is complete up to its last event. Files are never overwritten. The caller decides which documents may
be recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from editahead.recording.anonymise import Anonymiser, hidden_change, kept_words
from editahead.recording.session_file import (
    MAX_EVENTS,
    MAX_FILE_BYTES,
    SessionError,
    about,
    as_line,
    head,
    safe_path,
    utf16_range,
)
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit


class Recorder:
    """A recording. `anonymised`: only the shape of the code is written (docs/commands/bench.md).

    Raises SessionError when the file cannot be created. Afterwards every method may raise it, when the file cannot be
    written to or has become as long as a session may be; the recording has then ended, with all events before.
    """

    def __init__(self, path: Path, anonymised: bool, clock: Callable[[], float]) -> None:
        self.path = path
        self.anonymised = anonymised
        self.events = 0
        self._clock, self._began = clock, clock()
        self._anonymiser = Anonymiser() if anonymised else None
        self._numbers: dict[str, int] = {}  # of the documents that are open, by what the caller knows them as
        self._paths: dict[str, str] = {}
        self._kept: dict[str, frozenset[str]] = {}  # the words of their languages
        self._opened = self._bytes = 0
        try:
            self._file = path.open("xb", buffering=0)
        except FileExistsError:
            raise SessionError(f"{path} is there already: name another file") from None
        except (OSError, ValueError) as error:
            raise SessionError(f"cannot write {path}: {_why(error)}") from None
        self._write(head(anonymised))

    def __contains__(self, key: str) -> bool:
        """Whether a document is being recorded."""
        return key in self._numbers

    def open(self, key: str, path: str, language_id: str, buffer: Buffer) -> None:
        """Record an opened document; `path` is relative to the project. Paths outside it are not recorded.

        Raises SessionError.
        """
        try:
            path = safe_path(path)
        except ValueError:
            return
        self.close(key)
        text = buffer.text
        if self._anonymiser is not None:
            suffix = PurePosixPath(path).suffix
            path = self._paths.setdefault(path, f"file{len(self._paths) + 1}{suffix}")
            self._kept[key] = kept_words(language_id)
            text = self._anonymiser.text(text, self._kept[key])
        self._opened += 1
        self._numbers[key] = self._opened
        self._event("open", self._opened, {"path": path, "languageId": language_id, "text": text})

    def change(self, key: str, buffer: Buffer, edits: Sequence[ByteEdit]) -> None:
        """Record edits of a document, whose text was `buffer`, each in coordinates after the previous edit.

        Raises SessionError.
        """
        number = self._numbers.get(key)
        if number is None:
            return
        changes: list[dict[str, Any]] = []
        for edit in edits:
            change = self._change(key, buffer, edit)
            if change is not None:
                changes.append(change)
            buffer = buffer.apply(edit)
        if changes:
            self._event("change", number, {"changes": changes})

    def close(self, key: str) -> None:
        """Record a closed document, if it was recorded as open. Raises SessionError."""
        number = self._numbers.pop(key, None)
        if number is not None:
            self._event("close", number, {})

    def end(self) -> None:
        """End the recording. Never raises."""
        with suppress(OSError):  # each line has been handed over before
            self._file.close()

    def _change(self, key: str, buffer: Buffer, edit: ByteEdit) -> dict[str, Any] | None:
        if edit.is_noop(buffer.data):
            return None
        if self._anonymiser is not None:
            return hidden_change(self._anonymiser, buffer, edit, self._kept[key])
        return {"range": utf16_range(buffer, edit.start, edit.old_end), "text": edit.new.decode("utf-8", "replace")}

    def _event(self, kind: str, number: int, more: Mapping[str, Any]) -> None:
        if self.events >= MAX_EVENTS:
            self.end()
            raise SessionError(f"{self.path} holds {MAX_EVENTS:,} events, the most that a session may")
        self._write({**about(kind, number, self._clock() - self._began), **more})
        self.events += 1

    def _write(self, record: Mapping[str, Any]) -> None:
        """Append a record to the file. Raises SessionError."""
        line = as_line(record).encode("utf-8", "replace")
        if self._bytes + len(line) > MAX_FILE_BYTES:
            self.end()
            raise SessionError(f"{self.path} is {MAX_FILE_BYTES >> 20} MB long, the most that a session may be")
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[self._file.write(rest) :]
        except (OSError, ValueError) as error:
            with suppress(OSError, ValueError):  # the disk took the beginning of the line
                self._file.truncate(self._bytes)
            self.end()
            raise SessionError(f"cannot write {self.path}: {_why(error)}") from None
        self._bytes += len(line)


def _why(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return (reason or type(error).__name__).lower()
