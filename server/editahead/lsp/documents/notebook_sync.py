"""Synchronisation of notebooks (`notebookDocument/*` of LSP 3.17)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from editahead.lsp.context import ServerContext
from editahead.lsp.documents import text_sync
from editahead.lsp.documents.notebook import Notebook, NotebookCell
from editahead.lsp.process.logs import log
from editahead.lsp.rpc import params
from editahead.lsp.rpc.params import BadParams, JsonValue, Raw


def did_open(context: ServerContext, raw: Raw) -> None:
    """Handle `notebookDocument/didOpen`."""
    uri = params.text(raw, "notebookDocument.uri")
    if uri in context.notebooks:
        log.info("%s was opened again", uri)
        _close(context, context.notebooks[uri])
    notebook = context.notebooks[uri] = Notebook(uri, context.session)
    texts = _texts(raw, "cellTextDocuments")
    _arrange(context, notebook, list(_cells(context, notebook, params.field(raw, "notebookDocument.cells"), texts)))


def did_change(context: ServerContext, raw: Raw) -> None:
    """Handle `notebookDocument/didChange`: first the cells that were added, removed or moved, then their texts."""
    notebook = context.notebooks.get(params.text(raw, "notebookDocument.uri"))
    if notebook is None:
        log.warning("a change of a notebook that is not open was ignored")
        return
    structure = params.field(raw, "change.cells.structure")
    if structure is not None:
        try:
            _change_structure(context, notebook, structure)
        except BadParams as error:
            log.error("a change of the cells could not be read (%s): close and open the notebook", error)
    for entry in _entries(raw, "change.cells.textContent"):
        cell = context.session.cells.get(params.optional_text(entry, "document.uri") or "")
        if cell is None or cell.analysed not in notebook.documents:
            log.warning("a change of a cell that is not open was ignored")
        else:
            version = params.optional_integer(entry, "document.version")
            text_sync.change_document(context, cell, version, entry, "changes")


def did_save(context: ServerContext, raw: Raw) -> None:
    """Handle `notebookDocument/didSave`, as the save of a document."""
    notebook = context.notebooks.get(params.text(raw, "notebookDocument.uri"))
    for document in notebook.documents if notebook is not None else ():
        text_sync.read_modules(context, document)
        if not document.damaged:
            document.history.absorb_formatting()


def did_close(context: ServerContext, raw: Raw) -> None:
    """Handle `notebookDocument/didClose`: as for a document; which cells the client names makes no difference."""
    notebook = context.notebooks.get(params.text(raw, "notebookDocument.uri"))
    if notebook is None:
        log.warning("a notebook that is not open was closed")
    else:
        _close(context, notebook)


def _close(context: ServerContext, notebook: Notebook) -> None:
    _arrange(context, notebook, [])
    del context.notebooks[notebook.uri]


def _change_structure(context: ServerContext, notebook: Notebook, structure: JsonValue) -> None:
    """Replace a part of the list of cells; a cell that is not in the list afterwards is closed. Raises BadParams."""
    start, count = params.integer(structure, "array.start"), params.integer(structure, "array.deleteCount")
    if not 0 <= start <= start + count <= len(notebook.cells):
        raise BadParams(f"cells {start} to {start + count} of {len(notebook.cells)}")
    for entry in _entries(structure, "didClose"):
        if params.optional_text(entry, "uri") not in context.session.cells:
            log.warning("a cell that is not open was closed")
    cells = list(notebook.cells)
    kept = cells[:start] + cells[start + count :]
    added = _cells(context, notebook, params.field(structure, "array.cells"), _texts(structure, "didOpen"), kept)
    cells[start : start + count] = added
    _arrange(context, notebook, cells)


def _arrange(context: ServerContext, notebook: Notebook, cells: list[NotebookCell]) -> None:
    """Give a notebook its cells, open and close what comes and goes with them."""
    session, before, documents = context.session, notebook.cells, notebook.documents
    notebook.arrange(cells)
    gone = {cell for cell in before if session.cells.get(cell.uri) is cell}.difference(cells)
    for cell in gone:
        del session.cells[cell.uri]
    session.feedback.forget(*(cell.uri for cell in gone))
    session.cells.update((cell.uri, cell) for cell in cells if cell.uri)
    now = notebook.documents
    for document in documents:
        if document not in now:
            text_sync.close_document(context, document.uri)
    for document in now:
        if document not in documents:
            text_sync.prepare_document(context, document)
        elif gone or len(cells) > len(before):
            context.indexing.document_active(document)


def _cells(
    context: ServerContext,
    notebook: Notebook,
    entries: JsonValue,
    texts: Mapping[str, JsonValue],
    kept: list[NotebookCell] | None = None,
) -> Iterator[NotebookCell]:
    """Yield the cells of a list, new or moved. What cannot be read is an empty cell, so that the others count right."""
    own = {cell.uri: cell for cell in notebook.cells}
    taken = {cell.uri for cell in kept or ()}
    for entry in entries if isinstance(entries, list) else ():
        uri = params.optional_text(entry, "document") or ""
        text = texts.get(uri)
        if uri in taken or (text is None and uri not in own):
            why = "stands twice in its notebook" if uri in taken else "has no text"
            log.warning("a cell %s: it gets no predictions", why)
            yield notebook.cell("", "", 0, "")
            continue
        taken.add(uri)
        if text is None:
            yield own[uri]
            continue
        other = context.session.cells.get(uri)
        if other is not None and uri not in own:
            log.warning("a cell of another notebook was opened again")
        language_id, version = params.optional_text(text, "languageId"), params.optional_integer(text, "version")
        yield notebook.cell(uri, language_id or "", version or 0, params.optional_text(text, "text") or "")


def _texts(raw: JsonValue, path: str) -> dict[str, JsonValue]:
    """The text documents of cells, by URI."""
    return {uri: entry for entry in _entries(raw, path) if (uri := params.optional_text(entry, "uri"))}


def _entries(raw: JsonValue, path: str) -> list[JsonValue]:
    entries = params.field(raw, path)
    return entries if isinstance(entries, list) else []
