"""Common start of the commands about a file position: from what the user names to the frozen document and an engine."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from editahead.cli.commands.serve import DEVICES
from editahead.cli.errors import CliError, ExitCode, counted, reason_of
from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.embedded import embedded_regions, host_by_path, only_language
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import Language, by_id, by_path
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit, minimal_diff
from editahead.text.history import EditKind, History, HistoryView
from editahead.text.positions import PositionEncoding, byte_at, position_at
from editahead.text.words import WORD_BYTES

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel
    from editahead.suggest.engine import Engine

PAUSE = 30.0  # seconds between the edits of a replayed change: each settles by itself
MAX_FILE_BYTES = 256 * 1024 * 1024
_REST_OF_WORD = re.compile(rb"[%b]+" % WORD_BYTES)


@dataclass(frozen=True, slots=True)
class FilePosition:
    """A position in a file; line and column count from 1, columns are characters."""

    path: Path
    line: int
    column: int


def is_number(text: str) -> bool:
    """Whether a text is a number that may count lines or columns."""
    return text.isascii() and text.isdigit() and len(text) < 10


def parse_place(text: str) -> FilePosition:
    """Read `FILE:LINE:COL` (a drive letter before it is part of FILE). Raises CliError."""
    parts = text.rsplit(":", 2)
    numbers = [int(part) for part in parts[1:] if is_number(part)]
    if len(parts) < 3 or len(numbers) < 2 or not parts[0]:
        raise CliError(f"{text!r} is no position: write FILE:LINE:COL, for instance src/app.py:12:8")
    if min(numbers) < 1:
        raise CliError(f"{text!r} is no position: LINE and COL count from 1")
    return FilePosition(Path(parts[0]), numbers[0], numbers[1])


def read_buffer(path: Path) -> Buffer:
    """The text of a file. Raises CliError if it cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)  # devices and pipes have no size to ask for, some of them no end
    except OSError as error:
        raise CliError(f"cannot read {path}: {reason_of(error)}") from error
    if len(data) > MAX_FILE_BYTES:
        raise CliError(f"{path} is larger than {MAX_FILE_BYTES >> 20} MB: choose a smaller file")
    return Buffer.from_bytes(data)


def byte_of_position(buffer: Buffer, position: FilePosition) -> int:
    """The byte offset of a position. Raises CliError if the file has no such line or column."""
    if position.line > buffer.line_count:
        raise CliError(f"{position.path} has {counted(buffer.line_count, 'line')}: there is no line {position.line}")
    start, end = buffer.line_span(position.line - 1)
    characters = len(buffer.data[start:end].decode("utf-8"))
    if position.column > characters + 1:
        last = f"the last column is {characters + 1}"
        raise CliError(f"line {position.line} of {position.path} has {counted(characters, 'character')}: {last}")
    return byte_at(buffer, position.line - 1, position.column - 1, PositionEncoding.UTF32)


def position_of_byte(buffer: Buffer, path: Path, byte: int) -> FilePosition:
    """The file position of a byte offset."""
    line, column = position_at(buffer, byte, PositionEncoding.UTF32)
    return FilePosition(path, line + 1, column + 1)


def language_of(path: Path) -> Language | None:
    """The language by the file's name, or None. Raises CliError, QUIET, where its grammar is not installed."""
    language = by_path(path)
    return None if language is None else _installed(language, path)


def _installed(language: Language, path: Path) -> Language:
    """The language, if its grammar is installed. Raises CliError, QUIET, where it is not."""
    try:
        language.grammar()
    except GrammarMissing as error:
        raise CliError(f"{path.name}: {error}", ExitCode.QUIET) from None
    return language


def code_at(path: Path, buffer: Buffer, byte: int) -> tuple[Language, Buffer]:
    """The language at a byte of a file and its code there: embedded code with all around it blanked, or the whole text.

    Raises CliError, QUIET, for a language that is not supported or whose grammar is not installed.
    """
    regions = embedded_regions(host_by_path(path) or "", buffer.data)
    region = next((region for region in regions if region.start <= byte <= region.end), None)
    if region is not None and (inner := by_id(region.language_id)) is not None:
        return _installed(inner, path), Buffer(only_language(buffer.data, regions, region.language_id))
    if regions and region is None:
        raise CliError(f"{path.name} has no code of a supported language at this place", ExitCode.QUIET)
    language = language_of(path)
    if language is None:
        raise CliError(f"{path.name} is in no supported language", ExitCode.QUIET)
    return language, buffer


def open_document(
    path: Path, language: Language, buffer: Buffer, history: HistoryView | None = None, now: float = 0.0
) -> Document:
    """A document as it is on disk, with default settings and, unless given, no history."""
    absolute = path.absolute()
    return Document(
        uri=absolute.as_uri(),
        path=absolute,
        language_id=language.id,
        version=1,
        syntax=open_snapshot(buffer, language),
        history=history or History(buffer, lambda: 0.0).view(),
        settings=Settings(),
        root=_root(absolute),
        now=now,
    )


def change_document(path: Path, language: Language, before: Buffer, after: Buffer) -> tuple[Document, int]:
    """The document after someone turned `before` into `after` from the top, and where the last edit ended."""
    seconds = 0.0
    history = History(before, lambda: seconds)
    buffer, end = before, 0
    for edit in in_reading_order(minimal_diff(before.data, after.data)):
        history.push(edit, buffer, EditKind.TYPED)
        buffer, end = buffer.apply(edit), edit.new_end
        seconds += PAUSE
        history.settle(seconds)
    document = open_document(path, language, buffer, history.view(), seconds)
    word = _REST_OF_WORD.match(buffer.data, end)
    return replace(document, idle=True), word.end() if word else end  # idle: no name is still being typed


def in_reading_order(edits: Sequence[ByteEdit]) -> list[ByteEdit]:
    """Edits of a text as a sequence from its top: each in coordinates after the previous edit."""
    out, shift = [], 0
    for edit in sorted(edits, key=lambda e: e.start):
        out.append(ByteEdit(edit.start + shift, edit.old_end + shift, edit.new))
        shift += edit.delta
    return out


def _root(path: Path) -> Path:
    """What an editor would take for the workspace: the nearest folder under git, else the file's own."""
    return next((folder for folder in path.parents if (folder / ".git").exists()), path.parent)


def require_options(bundles: Sequence[Path], device: str) -> None:
    """Raise CliError for an unknown device or a bundle that is no directory."""
    if device not in DEVICES:
        raise CliError(f"--device {device!r} is not known: choose one of {', '.join(DEVICES)}")
    for path in bundles:
        if not path.is_dir():
            raise CliError(f"--bundle {path} is no directory")


def load_engine(bundles: Sequence[Path], device: str) -> Engine:
    """The engine with the given bundles before the shipped ones. Raises CliError for wrong options."""
    from editahead.runtime.bundle import find_bundles
    from editahead.suggest.engine import Engine

    require_options(bundles, device)
    return Engine.load(find_bundles(bundles), device, lambda message, share: None)


def warn(engine: Engine) -> None:
    """Print on standard error what the engine could not load; models are opened at the first request."""
    report = engine.report()
    if report.selection.requested == "cuda" and report.selection.used == "CPUExecutionProvider":
        print(f"editahead: {report.selection.reason}", file=sys.stderr)
    for failure in report.failures:
        print(f"editahead: left out {failure}", file=sys.stderr)


def with_project(document: Document) -> Document:
    """The document, knowing the names of its project; progress and a summary go to standard error.

    A root that is no project (the user's own folder, the whole disk) is not read, and this is reported.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from editahead.index.lexicon import language_family
    from editahead.index.project import ProjectIndex
    from editahead.index.types import IndexState
    from editahead.index.view import WorkspaceNames
    from editahead.index.walk import reason_not_indexable

    root, path = document.root, document.path
    assert root is not None
    assert path is not None
    if (why := reason_not_indexable(root)) is not None:
        print(f"editahead: no project was read: {root} is {why}", file=sys.stderr)
        return document
    began = time.perf_counter()
    columns = TextColumn("reading names"), BarColumn(), MofNCompleteColumn(), TextColumn("files")
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)

        def show(state: IndexState) -> None:
            if state.to_read:
                progress.update(task, total=state.to_read, completed=round((state.share or 0) * state.to_read))

        index = ProjectIndex(root, document.settings, show)
        for _ in index.build():
            pass
    state = index.state
    seconds = time.perf_counter() - began
    full = "; more were left out (editahead.index.maxNames, maxFiles)" if state.full else ""
    print(f"editahead: {state.names} names in {state.files} files of {root}, {seconds:.1f} s{full}", file=sys.stderr)
    family, own = language_family(document.language_id), path.relative_to(root).as_posix()
    return replace(document, elsewhere=WorkspaceNames((), index.view(family), own, index.ngrams(family)))


Answer = TypeVar("Answer")


@dataclass(frozen=True)
class PlaceQuery:
    """A file position with its document and the engine that answers."""

    where: FilePosition
    byte: int
    document: Document
    engine: Engine

    @property
    def buffer(self) -> Buffer:
        """The text of the file."""
        return self.document.syntax.buffer

    def run(self, surface: Callable[[Document, int, Cancel], Answer]) -> tuple[Answer, float]:
        """The answer of a method of the engine here, and its time in milliseconds. Prints its warnings."""
        from editahead.runtime.ort import Cancel

        began = time.perf_counter()
        answer = surface(self.document, self.byte, Cancel())
        milliseconds = (time.perf_counter() - began) * 1000
        warn(self.engine)
        return answer, milliseconds

    def json(self, milliseconds: float) -> dict[str, object]:
        """The position and the time, the beginning of every answer in JSON."""
        where = self.where
        return {"file": str(where.path), "line": where.line, "column": where.column, "milliseconds": milliseconds}


def with_precision(document: Document, precision: float | None) -> Document:
    """The document with another setting `editahead.precision`, unless there is none to set."""
    if precision is None:
        return document
    return replace(document, settings=replace(document.settings, precision=precision))


def ask_at(
    position_text: str, bundles: Sequence[Path], device: str, *, project: bool = False, precision: float | None = None
) -> PlaceQuery:
    """Read the file of a position and load the models. Raises CliError, QUIET in an unsupported language."""
    where = parse_place(position_text)
    buffer = read_buffer(where.path)
    byte = byte_of_position(buffer, where)
    language, code = code_at(where.path, buffer, byte)
    engine = load_engine(bundles, device)
    document = with_precision(open_document(where.path, language, code), precision)
    return PlaceQuery(where, byte, with_project(document) if project else document, engine)
