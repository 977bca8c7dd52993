"""Completions of names: `textDocument/completion` and `completionItem/resolve`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from editahead.lsp.documents.notebook import in_cell
from editahead.lsp.documents.rebasing import rebase_completions
from editahead.lsp.inference.engine_startup import call_if_supported
from editahead.lsp.inference.jobs import EngineLike
from editahead.lsp.rpc import params
from editahead.lsp.rpc.params import BadParams, JsonValue, Raw
from editahead.lsp.rpc.protocol_types import CompletionData, CompletionList
from editahead.lsp.session import OpenDocument, Snapshot
from editahead.lsp.surfaces import convert
from editahead.lsp.surfaces.surface import WINDOW
from editahead.lsp.surfaces.surface_context import SurfaceContext
from editahead.runtime.ort import Cancel
from editahead.suggest.types import Completion, Completions, Decision, Reason, Shown, Suppressed
from editahead.text.percent import percent

PATH_TRIGGERS = ('"', "'", "/", "<")
"""Characters that begin or divide the path of an import or begin an element; elsewhere no list opens behind them."""
SOURCES = {
    "pointer": "copied from this file",
    "vocabulary": "from the model's vocabulary",
    "cache": "from this file's words",
    "open": "from another open file",
    "project": "from the project",
    "scope": "can be used here",
}


def completion(context: SurfaceContext, raw: Raw) -> object:
    """Answer `textDocument/completion`."""
    snapshot = context.snapshot(params.document_position(raw))
    if isinstance(snapshot, Suppressed):
        return context.empty(snapshot)
    opened = snapshot.opened
    document = replace(
        snapshot.document,
        filtered_by_client=context.client.capabilities.filters_completions,
        reads_nearest_first=not context.session.is_deterministic,
    )

    def read_window(engine: EngineLike, cancel: Cancel) -> None:
        call_if_supported(engine, "read_window", document, snapshot.byte, cancel)

    def answer(decision: Shown[Completions]) -> CompletionList | Suppressed:
        if decision.value.has_unread:
            seconds = WINDOW.seconds(context.session.settings)
            context.worker.submit(opened.uri, WINDOW, seconds, read_window)
        completions = rebase_completions(decision.value, context.session.edits_since(snapshot))
        if completions is None:
            return Suppressed(Reason.STALE, "the text moved on")
        completions = in_cell(opened, completions)
        if completions is None:
            return Suppressed(Reason.COMMENT_OR_STRING, "no code of the cell")
        items = tuple(_possible(snapshot, item) for item in completions.items)
        complete = completions.complete or document.filtered_by_client
        completions = replace(completions, items=items, complete=complete)

        def data(item: Completion) -> CompletionData:
            return {
                "uri": opened.uri,
                "version": opened.version,
                "probability": f"{item.probability:.4f}",
                "source": item.source,
                **convert.origin_fields(item),
            }

        context.session.feedback.count_list(context.surface.name)
        encoding, capabilities = context.session.encoding, context.client.capabilities
        return convert.completion_list(opened.buffer, completions, encoding, capabilities, data)

    quoted = params.optional_text(raw, "context.triggerCharacter") in PATH_TRIGGERS

    def complete(engine: EngineLike, cancel: Cancel) -> Decision[Completions]:
        if quoted or snapshot.has_no_grammar:
            from editahead.suggest.completion.import_paths.complete import place_of
            from editahead.suggest.completion.markup.complete import element_site

            in_element = element_site(snapshot.document, snapshot.byte) is not None
            if not in_element and snapshot.has_no_grammar:
                return Suppressed(Reason.LANGUAGE, opened.no_syntax_reason)
            if not in_element and place_of(snapshot.document, snapshot.byte) is None:
                return Suppressed(Reason.COMMENT_OR_STRING, "no list opens by itself behind this character")
        return engine.complete(document, snapshot.byte, cancel)

    return context.ask(snapshot, complete, answer)


def _possible(snapshot: Snapshot, item: Completion) -> Completion:
    """Return the item, without its import where that would fall into text around embedded code."""
    if item.import_edit is None or snapshot.can_apply(item.import_edit):
        return item
    return replace(item, import_edit=None, import_from="")


def resolve(context: SurfaceContext, raw: Raw) -> dict[str, JsonValue]:
    """Answer `completionItem/resolve`: add where the name comes from; items of other servers are returned unchanged.

    Raises BadParams.
    """
    item = dict(params.mapping(raw))
    probability = params.field(raw, "data.probability")
    if isinstance(probability, str):
        with suppress(ValueError):
            probability = float(probability)
    if not isinstance(probability, (int, float)):
        return item
    if not 0 <= probability <= 1:  # NaN among others
        raise BadParams("data.probability must be a number from 0 to 1, or its text")
    source = params.optional_text(raw, "data.source") or "vocabulary"
    value = f"{percent(float(probability))}, {SOURCES.get(source, source)}"
    where, line = params.optional_text(raw, "data.where"), params.optional_integer(raw, "data.line")
    opened = context.session.find(where or params.optional_text(raw, "data.uri") or "")
    if where is not None:
        name = "/".join(where.split("/")[-3:]) if opened else where
        value += f"\n\n{name}" if line is None else f"\n\n{name}, line {line + 1}"
    elif opened is not None and opened.version != params.optional_integer(raw, "data.version"):
        opened = None  # the line number belongs to an older text
    if opened is not None and line is not None and 0 <= line < opened.buffer.line_count:
        value += _origin_line(opened, line, where, str(item.get("label")))
    item["documentation"] = {"kind": "markdown", "value": value}
    return item


def _origin_line(opened: OpenDocument, line: int, where: str | None, label: str) -> str:
    """Return the line that a name comes from, as markdown; empty where the line no longer contains the name."""
    text = opened.buffer.line_text(line).strip()
    quoted = "" if where is not None else f"\n\nline {line + 1}"
    if where is None or label in text:
        quoted += f"\n```{opened.language_id}\n{text}\n```"
    return quoted
