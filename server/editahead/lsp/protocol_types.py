"""Types of the JSON objects that the server sends, with the field names of LSP and docs/protocol.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from editahead.lsp.params import JsonValue


class Position(TypedDict):
    """A line and a character, both counted from 0."""

    line: int
    character: int


class Range(TypedDict):
    """A half-open range of text."""

    start: Position
    end: Position


class TextEdit(TypedDict):
    """A replacement of a range."""

    range: Range
    newText: str


class VersionedDocument(TypedDict):
    """A document and the version of it that an answer refers to."""

    uri: str
    version: int


class Command(TypedDict):
    """A command that the client runs after it has applied an item."""

    title: str
    command: str
    arguments: list[str]


class LabelDetails(TypedDict):
    """Text that a completion menu shows beside a label."""

    description: str


class CompletionEdit(TypedDict, total=False):
    """A `TextEdit` (range) or an `InsertReplaceEdit` (insert and replace)."""

    newText: str
    range: Range
    insert: Range
    replace: Range


class OriginFields(TypedDict, total=False):
    """Where a predicted name comes from, as far as it is known; the line counts from 0."""

    line: int
    where: str


class CompletionData(OriginFields, total=False):
    """The data of an item that `completionItem/resolve` needs."""

    uri: str
    version: int
    probability: float
    source: str


class CompletionItem(TypedDict, total=False):
    """One entry of the completion menu."""

    label: str
    labelDetails: LabelDetails
    kind: int
    detail: str
    sortText: str
    filterText: str
    textEdit: CompletionEdit
    additionalTextEdits: list[TextEdit]
    data: CompletionData


class CompletionList(TypedDict):
    """The answer to `textDocument/completion`."""

    isIncomplete: bool
    items: list[CompletionItem]


class InlineCompletionItem(TypedDict, total=False):
    """Ghost text."""

    insertText: str
    range: Range
    command: Command
    filterText: str


class InlineCompletionList(TypedDict):
    """The answer to `textDocument/inlineCompletion`."""

    items: list[InlineCompletionItem]


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


class NextEditAnswer(TypedDict, total=False):
    """The answer to `editahead/nextEdit`; `reason` and `detail` only where `edits` is empty."""

    edits: list[NextEditItem]
    reason: str
    detail: str


class QueuedEditItem(TypedDict):
    """One remaining place of a repeated edit."""

    id: str
    uri: str
    version: int
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


class DocumentEdits(TypedDict):
    """`TextDocumentEdit`."""

    textDocument: VersionedDocument
    edits: list[TextEdit]


class WorkspaceEdit(TypedDict, total=False):
    """Edits of several documents: versioned where the client can check the version."""

    changes: dict[str, list[TextEdit]]
    documentChanges: list[DocumentEdits]


class CodeAction(TypedDict, total=False):
    """One entry of the menu of code actions."""

    title: str
    kind: str
    edit: WorkspaceEdit
    command: Command
    diagnostics: list[Mapping[str, JsonValue]]


class ExplainedGate(TypedDict):
    """The reading of one gate at the time of an answer."""

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
    """Ghost text with the tokens that it is made of."""

    insertText: str
    tokens: list[ExplainedToken]


class ExplainedSurface(TypedDict, total=False):
    """The answer of one surface: a summary of the suggestion, or the reason for none."""

    shown: bool
    probability: float
    value: list[ExplainedCompletion] | ExplainedGhostText | str
    reason: str
    detail: str


class ExplainAnswer(TypedDict):
    """The answer to `editahead/explain`."""

    languageId: str
    models: list[str]
    gates: list[ExplainedGate]
    surfaces: dict[str, ExplainedSurface]


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
    """Memory in bytes; null where the system does not report it."""

    resident: int | None
    limit: int | None
    documents: int
    models: dict[str, int]
    states: int


SurfaceCounts = Mapping[str, int | Mapping[str, int] | Mapping[str, Mapping[str, int]]]


class Statistics(TypedDict, total=False):
    """The answer to `editahead/stats`."""

    surfaces: Mapping[str, SurfaceCounts]
    milliseconds: Mapping[str, Percentiles]
    memory: MemoryUse
    index: IndexSummary


class Watcher(TypedDict):
    """A glob pattern of files whose changes the client reports."""

    globPattern: str


class RegisterOptions(TypedDict, total=False):
    """Options of a registration, by its method."""

    section: str
    watchers: Sequence[Watcher]


class Registration(TypedDict):
    """A request for notifications of one method."""

    id: str
    method: str
    registerOptions: RegisterOptions
