"""Types of the JSON objects of the `editahead/` methods and of sidecar fields, with the names of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from editahead.lsp.rpc.protocol_types import Command, OriginFields, Range, VersionedDocument


class NextEditStep(TypedDict):
    """One token that the model predicted, with its probability."""

    text: str
    probability: float


class NextEditItem(TypedDict, total=False):
    """A next edit; `probability` and `steps` only in answers to `editahead/nextEdit`."""

    text: str
    range: Range
    textDocument: VersionedDocument
    command: Command
    probability: float
    steps: list[NextEditStep]
    source: str  # only where it follows from scopes
    jump: bool  # only for a site without a text: true
    message: str  # only for a site without a text: what it needs


class NextEditAnswer(TypedDict, total=False):
    """The answer to `editahead/nextEdit`; `reason` and `detail` only where `edits` is empty.

    `placeAfterMs`: milliseconds without a key after which a site may be shown that a model expects.
    """

    edits: list[NextEditItem]
    reason: str
    detail: str
    placeAfterMs: int


class QueuedEditItem(TypedDict):
    """A remaining site of a repeated edit."""

    id: str
    uri: str
    version: int | None  # null: the file is not open
    range: Range
    newText: str
    probability: float
    sure: bool
    group: str
    examples: int
    source: str
    command: Command


class NextEditsAnswer(TypedDict, total=False):
    """The answer to `editahead/nextEdits`; `reason` and `detail` only where `items` is empty."""

    items: list[QueuedEditItem]
    summary: str  # what remains, for people: "3 more", "1 more, less sure"
    reason: str
    detail: str


class RankAnswer(TypedDict, total=False):
    """The answer to `editahead/rank`; `reason` and `detail` only where there are no probabilities."""

    probabilities: list[float] | None
    reason: str
    detail: str


class ExplainedGate(TypedDict):
    """The reading of a gate at the time of an answer."""

    reason: str
    passed: bool
    value: str


class ExplainedCompletion(OriginFields):
    """A completion with its probability."""

    label: str
    probability: float
    source: str


class ExplainedToken(OriginFields):
    """A token of ghost text with its probability."""

    text: str
    probability: float
    source: str


class ExplainedGhostText(TypedDict):
    """Ghost text with the tokens that it consists of."""

    insertText: str
    tokens: list[ExplainedToken]


SourceCounts = Mapping[str, Mapping[str, Mapping[str, int]]]
"""What became of next edits in this session, by surface, source and event: `shown`, `accepted`, `rejected`."""


class ExplainedSurface(TypedDict, total=False):
    """The answer of a surface: a summary of the suggestion, or the reason for none."""

    shown: bool
    probability: float
    source: str  # of a next edit
    value: list[ExplainedCompletion] | ExplainedGhostText | str
    reason: str
    detail: str


class ExplainAnswer(TypedDict):
    """The answer to `editahead/explain`."""

    languageId: str
    models: list[str]
    gates: list[ExplainedGate]
    surfaces: dict[str, ExplainedSurface]
    sources: SourceCounts


class IndexSummary(TypedDict):
    """Progress and size of the index of all workspace folders; `building` is null when it is complete."""

    files: int
    names: int
    building: float | None
    full: bool


class ServerStatus(TypedDict, total=False):
    """The parameters of `didChangeStatus`."""

    busy: bool
    kind: str
    message: str
    index: IndexSummary


class Percentiles(TypedDict):
    """Latencies in milliseconds."""

    p50: float
    p95: float


class MemoryUse(TypedDict):
    """Memory in bytes, null where the system does not report it; of caches the number of entries."""

    resident: int | None
    limit: int | None
    documents: int
    models: dict[str, int]
    states: int
    cached: dict[str, int]


SurfaceCounts = Mapping[str, int | Mapping[str, int] | Mapping[str, Mapping[str, int]]]


class Scoreboard(TypedDict):
    """What became of suggestions: a page for people, and the counts of this session."""

    remembered: bool
    text: str
    session: list[dict[str, str | int]]


class Statistics(TypedDict, total=False):
    """The answer to `editahead/stats`."""

    surfaces: Mapping[str, SurfaceCounts]
    milliseconds: Mapping[str, Percentiles]
    memory: MemoryUse
    refused: Mapping[str, Mapping[str, int]]
    index: IndexSummary
    remote: Mapping[str, int]
    scoreboard: Scoreboard
