"""Common start of the commands about one place: the place, its file, and an engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from editahead.cli.question.engine import load_engine, warn
from editahead.cli.question.opening import FilePosition, code_at, open_document, parse_place, place_to_byte, read_buffer
from editahead.cli.question.project import with_project

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel
    from editahead.suggest.engine import Engine
    from editahead.suggest.types import Document
    from editahead.text.buffer import Buffer

Answer = TypeVar("Answer")

PlaceArgument = Annotated[
    str, typer.Argument(metavar="FILE:LINE:COL", help="Cursor position; line and column count from 1.")
]


@dataclass(frozen=True)
class PlaceQuery:
    """A place with its document and the engine that answers."""

    where: FilePosition
    byte: int
    document: Document
    engine: Engine

    @property
    def buffer(self) -> Buffer:
        """The text of the file."""
        return self.document.syntax.buffer

    def timed(self, surface: Callable[[Document, int, Cancel], Answer]) -> tuple[Answer, float]:
        """What a method of the engine answers here, and how long it took in milliseconds. Prints its warnings."""
        from editahead.runtime.ort import Cancel

        began = time.perf_counter()
        answer = surface(self.document, self.byte, Cancel())
        milliseconds = (time.perf_counter() - began) * 1000
        warn(self.engine)
        return answer, milliseconds

    def json(self, milliseconds: float) -> dict[str, object]:
        """The place and the time, as every answer in JSON begins."""
        where = self.where
        return {"file": str(where.path), "line": where.line, "column": where.column, "milliseconds": milliseconds}


PrecisionOption = Annotated[
    float | None,
    typer.Option(
        "--precision",
        min=0.0,
        max=1.0,
        metavar="P",
        help="Target precision: the share of shown suggestions that should be right; default 0.8.",
    ),
]


def with_precision(document: Document, precision: float | None) -> Document:
    """The document with another setting `editahead.precision`, unless there is none to set."""
    if precision is None:
        return document
    return replace(document, settings=replace(document.settings, precision=precision))


def ask_at(
    place: str, bundles: Sequence[Path], device: str, *, project: bool = False, precision: float | None = None
) -> PlaceQuery:
    """Read the file of a place and load the models. Raises CliError, QUIET where no language is known."""
    where = parse_place(place)
    buffer = read_buffer(where.path)
    byte = place_to_byte(buffer, where)
    language, code = code_at(where.path, buffer, byte)
    engine = load_engine(bundles, device)
    document = with_precision(open_document(where.path, language, code), precision)
    return PlaceQuery(where, byte, with_project(document) if project else document, engine)
