"""What the inference thread is asked: surfaces, jobs, and the engine that answers them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from editahead.suggest.types import (
    Completions,
    Decision,
    Document,
    Explanation,
    Fixes,
    InlineSuggestion,
    NextEdit,
    NextEdits,
    WrittenBodies,
)

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel


class Surface(str, Enum):
    """What is asked for; the order is the order in which the thread takes waiting jobs."""

    COMPLETION = "completion"
    RANK = "rank"
    INLINE = "inline"
    NEXT_EDIT = "next_edit"
    NEXT_EDITS = "next_edits"
    CODE_ACTION = "code_action"
    EXPLAIN = "explain"
    PRIME = "prime"  # not a surface of the user's: makes the first answer for a document quick


URGENCY = {surface: number for number, surface in enumerate(Surface)}


class EngineLike(Protocol):
    """What the worker asks of an engine (`editahead.suggest.engine.Engine`)."""

    def complete(self, document: Document, byte: int, cancel: Cancel) -> Decision[Completions]: ...

    def rank(
        self, document: Document, byte: int, labels: Sequence[str], cancel: Cancel
    ) -> Decision[tuple[float, ...]]: ...

    def inline(self, document: Document, byte: int, cancel: Cancel) -> Decision[InlineSuggestion]: ...

    def next_edit(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdit]: ...

    def next_edits(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdits]: ...

    def fixes(self, document: Document, start: int, end: int, cancel: Cancel) -> Decision[Fixes]: ...

    def bodies(self, document: Document, byte: int, cancel: Cancel) -> Decision[WrittenBodies]: ...

    def explain(self, document: Document, byte: int, cancel: Cancel) -> Explanation: ...

    def forget(self, uri: str) -> None: ...


Progress = Callable[[str, float], None]
Load = Callable[[Progress], EngineLike]
Run = Callable[[EngineLike, "Cancel"], Any]


@dataclass(eq=False)
class Job:
    """One question. `future` is answered exactly once, on the loop; `cancel` exists while it runs."""

    uri: str
    surface: Surface
    run: Run
    future: asyncio.Future[Any]
    order: int
    deadline: float
    timer: asyncio.TimerHandle | None = None
    cancel: Cancel | None = None
    again: bool = False  # was interrupted by something more urgent, to be run once more

    @property
    def key(self) -> tuple[str, Surface]:
        return self.uri, self.surface


@dataclass
class Events:
    """What the worker tells, always on the loop's thread."""

    loading: Callable[[str, float], None]
    loaded: Callable[[EngineLike | None, str], None]  # the engine, or None and the reason
    broken: Callable[[Surface, str], None]  # a surface was switched off, with the last failure
