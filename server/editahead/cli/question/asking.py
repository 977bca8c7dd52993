"""Common start of the commands about a file position: the position, its file, and an engine."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from editahead.cli.commands.serve import DEVICES
from editahead.cli.errors import CliError
from editahead.cli.question.opening import (
    FilePosition,
    byte_of_position,
    code_at,
    open_document,
    parse_place,
    read_buffer,
)

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel
    from editahead.suggest.engine import Engine
    from editahead.suggest.types import Document
    from editahead.text.buffer import Buffer


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
    from editahead.index.walk import reason_not_indexable
    from editahead.index.workspace_names import WorkspaceNames

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
