"""Types of the JSON objects that the server sends, with the field names of LSP and docs/protocol.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from editahead.lsp.rpc.params import JsonValue


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
    version: int | None


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
    """Where a predicted name comes from, if that is certain; the line counts from 0."""

    line: int
    where: str


class CompletionData(OriginFields, total=False):
    """The data of an item that `completionItem/resolve` needs."""

    uri: str
    version: int
    probability: str  # a number with four decimals
    source: str


class CompletionItem(TypedDict, total=False):
    """One entry of the completion menu."""

    label: str
    labelDetails: LabelDetails
    kind: int
    detail: str
    sortText: str
    filterText: str
    insertTextFormat: int
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


class Watcher(TypedDict):
    """A glob pattern of files whose changes the client reports."""

    globPattern: str


class RegisterOptions(TypedDict, total=False):
    """Options of a registration, by its method."""

    section: str
    watchers: Sequence[Watcher]


class Registration(TypedDict):
    """A request for notifications of a method."""

    id: str
    method: str
    registerOptions: RegisterOptions
