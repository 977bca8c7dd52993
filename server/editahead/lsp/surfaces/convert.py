"""Conversion of suggestions to LSP: byte offsets become ranges, decisions become items."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import unquote

from editahead.lsp.capabilities import ClientCapabilities
from editahead.lsp.rpc.extension_types import (
    ExplainAnswer,
    ExplainedCompletion,
    ExplainedGhostText,
    ExplainedSurface,
    ExplainedToken,
    SourceCounts,
)
from editahead.lsp.rpc.protocol_types import (
    CompletionData,
    CompletionEdit,
    CompletionItem,
    CompletionList,
    OriginFields,
    Position,
    Range,
)
from editahead.suggest.types import (
    Completion,
    Completions,
    Decision,
    Explanation,
    GhostToken,
    InlineSuggestion,
    NextEdit,
    NextEdits,
    RequestedEdits,
    Shown,
    Suppressed,
)
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.percent import percent
from editahead.text.positions import PositionEncoding, position_at

# CompletionItemKind
CLASS, FUNCTION, VARIABLE, FIELD, KEYWORD, TEXT, MODULE, PROPERTY = 7, 3, 6, 5, 14, 1, 9, 10
SNIPPET = 2  # InsertTextFormat
_KINDS = {
    "class": CLASS,
    "function": FUNCTION,
    "parameter": VARIABLE,
    "argument": VARIABLE,
    "variable": VARIABLE,
    "attribute": FIELD,
    "keyword": KEYWORD,
    "name": VARIABLE,
    "text": TEXT,
    "module": MODULE,
    "element": PROPERTY,
}


def lsp_range(buffer: Buffer, start: int, end: int, encoding: PositionEncoding) -> Range:
    """Return the LSP range of bytes [start, end)."""
    first = _position(buffer, start, encoding)
    return {"start": first, "end": first if start == end else _position(buffer, end, encoding)}


def _position(buffer: Buffer, byte: int, encoding: PositionEncoding) -> Position:
    line, character = position_at(buffer, byte, encoding)
    return {"line": line, "character": character}


def completion_list(
    buffer: Buffer,
    completions: Completions,
    encoding: PositionEncoding,
    capabilities: ClientCapabilities,
    data: Callable[[Completion], CompletionData],
) -> CompletionList:
    """Return completions as LSP items, most probable first; `data` returns what resolve needs."""
    insert = lsp_range(buffer, completions.start, completions.end, encoding)
    word_end = completions.end + _word_length(buffer.data[completions.end : completions.end + 256])
    replace = insert if word_end == completions.end else lsp_range(buffer, completions.start, word_end, encoding)
    items: list[CompletionItem] = []
    for rank, item in enumerate(completions.items):
        edit: CompletionEdit = {"newText": item.label}
        if capabilities.insert_replace and replace is not insert:
            edit["insert"], edit["replace"] = insert, replace
        else:
            edit["range"] = insert
        where = origin(item)
        lsp_item: CompletionItem = {
            "label": item.label,
            "kind": _KINDS.get(item.kind, TEXT),
            "detail": detail(item),
            "sortText": f"{rank:04d}",
            "filterText": item.label,
            "textEdit": edit,
            "data": data(item),
        }
        if capabilities.snippets and item.arguments is not None:
            edit["newText"] = call_snippet(item.label, item.arguments)
            lsp_item["insertTextFormat"] = SNIPPET
        if item.import_edit is not None:
            added = item.import_edit
            import_range = lsp_range(buffer, added.start, added.old_end, encoding)
            lsp_item["additionalTextEdits"] = [{"range": import_range, "newText": added.new.decode("utf-8")}]
            where = f"import from {item.import_from}"
        if capabilities.label_details and where:
            lsp_item["labelDetails"] = {"description": where}
        items.append(lsp_item)
    return {"isIncomplete": not completions.complete, "items": items}


def call_snippet(label: str, arguments: Sequence[str]) -> str:
    """Return a call as an LSP snippet with a placeholder for each argument."""
    fields = []
    for number, argument in enumerate(arguments, 1):
        key, sign, name = argument.rpartition("=")
        fields.append(f"{_escaped(key)}{sign}${{{number}:{_escaped(name)}}}")
    return f"{_escaped(label)}({', '.join(fields)})$0"


def _escaped(text: str) -> str:
    """Escape what has a meaning in snippets."""
    return re.sub(r"([\\$}])", r"\\\1", text)


def detail(item: Completion) -> str:
    """Return the probability of an item and its origin: `62 %`, `62 %, from line 5`, `62 %, from util.py:5`."""
    shown, where = percent(item.probability), origin(item)
    if item.import_edit is not None:
        return f"{shown}, adds an import from {item.import_from}"
    return f"{shown}, from {where}" if where else shown


def origin(item: Completion) -> str:
    """Return the line (from 1) that a name comes from, with its file when it is another; empty when unknown."""
    if item.origin_line is None:
        return file_name(item.origin_where) if item.origin_where else ""
    line = item.origin_line + 1
    return f"{file_name(item.origin_where)}:{line}" if item.origin_where else f"line {line}"


def file_name(where: str) -> str:
    """Return the name of a file, from its URI or its path below the workspace folder."""
    if "://" not in where:
        return where.rpartition("/")[2]
    return unquote(where.partition("#")[0].rstrip("/").rpartition("/")[2])  # a notebook has its language behind `#`


def _word_length(after: bytes) -> int:
    """Return the number of bytes of the word behind the cursor."""
    return len(re.split(r"\W", after.decode("utf-8", "ignore"), maxsplit=1)[0].encode("utf-8"))


def ghost_edit(buffer: Buffer, edit: ByteEdit, cursor: int) -> ByteEdit | None:
    """Return ghost text as an edit at the cursor that clients can draw; None where they could not.

    Text that is there already, before the cursor and behind the insertion, is excluded: an edit of no
    width is drawn between the existing text, any other hides what follows. Otherwise the edit must at least
    keep the text behind the cursor, and its range must stay on a single line.
    """
    before = buffer.data[edit.start : cursor]
    if edit.start > cursor or edit.old_end < cursor or not edit.new.startswith(before):
        return None
    new, after = edit.new[len(before) :], buffer.data[cursor : edit.old_end]
    if not new or new == after or b"\n" in after or b"\r" in after:
        return None
    if after and new.endswith(after):
        new, after = new[: -len(after)], b""
    if not after:
        return ByteEdit(cursor, cursor, new)
    rest = iter(new)
    return ByteEdit(cursor, edit.old_end, new) if all(byte in rest for byte in after) else None


def explanation(result: Explanation, sources: SourceCounts) -> ExplainAnswer:
    """Return the answer to `editahead/explain`; `sources` counts the outcomes of next edits in this session."""
    return {
        "languageId": result.language_id,
        "models": list(result.models),
        "gates": [{"reason": gate.reason.value, "passed": gate.passed, "value": gate.value} for gate in result.gates],
        "surfaces": {name: _outcome(decision) for name, decision in result.surfaces.items()},
        "sources": sources,
    }


def _outcome(decision: Decision[object]) -> ExplainedSurface:
    if isinstance(decision, Shown):
        shown: ExplainedSurface = {
            "shown": True, "probability": decision.probability, "value": _summary(decision.value)
        }  # fmt: skip
        if isinstance(decision.value, NextEdit) and decision.value.source:
            shown["source"] = decision.value.source
        return shown
    if isinstance(decision, Suppressed):
        return {"shown": False, "reason": decision.reason.value, "detail": decision.detail}
    return {"shown": False, "reason": "empty", "detail": ""}


def _summary(value: object) -> list[ExplainedCompletion] | ExplainedGhostText | str:
    """Return the text of a suggestion, with the probability of each part where it has several."""
    if isinstance(value, Completions):
        return [
            {"label": item.label, "probability": item.probability, "source": item.source, **origin_fields(item)}
            for item in value.items
        ]
    if isinstance(value, InlineSuggestion):
        tokens: list[ExplainedToken] = [
            {"text": token.text, "probability": token.probability, "source": token.source, **origin_fields(token)}
            for token in value.tokens
        ]
        return {"insertText": value.insert, "tokens": tokens}
    edits = value.items if isinstance(value, (NextEdits, RequestedEdits)) else (value,)
    texts = [edit.new for edit in (getattr(item, "edit", None) for item in edits) if isinstance(edit, ByteEdit)]
    return "\n".join(text.decode("utf-8", "replace") for text in texts)


def origin_fields(item: Completion | GhostToken) -> OriginFields:
    """Return the available fields of a name's origin; lines count from 0, as everywhere in the protocol."""
    fields = OriginFields()
    if item.origin_line is not None:
        fields["line"] = item.origin_line
    if item.origin_where is not None:
        fields["where"] = item.origin_where
    return fields
