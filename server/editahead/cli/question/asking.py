"""Common start of the commands about a file position: the position, its file, and an engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from editahead.cli.question.engine import load_engine, warn
from editahead.cli.question.opening import (
    FilePosition,
    byte_of_position,
    code_at,
    open_document,
    parse_place,
    read_buffer,
)
from editahead.cli.question.project import with_project

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel
    from editahead.suggest.engine import Engine
    from editahead.suggest.types import Document
    from editahead.text.buffer import Buffer

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
