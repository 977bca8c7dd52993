"""Table of the handlers of all messages; docs/protocol.md has a row for each (tested)."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.lsp import commands, handlers
from editahead.lsp.context import Handler
from editahead.lsp.documents import notebook_sync, text_sync
from editahead.lsp.surfaces.surface_context import SurfaceSpec
from editahead.lsp.surfaces.table import SURFACES

# Methods that belong to no surface; those of the surfaces are in surfaces.py.
ROUTES: dict[str, Handler] = {
    "initialize": handlers.initialize,
    "initialized": handlers.initialized,
    "shutdown": handlers.shutdown,
    "$/setTrace": handlers.ignore,
    "textDocument/didOpen": text_sync.did_open,
    "textDocument/didChange": text_sync.did_change,
    "textDocument/didClose": text_sync.did_close,
    "textDocument/didSave": text_sync.did_save,
    "notebookDocument/didOpen": notebook_sync.did_open,
    "notebookDocument/didChange": notebook_sync.did_change,
    "notebookDocument/didSave": notebook_sync.did_save,
    "notebookDocument/didClose": notebook_sync.did_close,
    "editahead/stats": handlers.stats,
    "workspace/executeCommand": commands.execute_command,
    "textDocument/didFocus": handlers.ignore,  # nothing depends on it yet
    "textDocument/didShowInlineEdit": handlers.did_show,
    "textDocument/didShowCompletion": handlers.did_show,
    "textDocument/didPartiallyAcceptCompletion": handlers.did_partially_accept,
    "editahead/didReject": handlers.did_reject,
    "workspace/didChangeConfiguration": handlers.did_change_configuration,
    "workspace/didChangeWorkspaceFolders": handlers.did_change_workspace_folders,
    "workspace/didChangeWatchedFiles": handlers.did_change_watched_files,
    "window/workDoneProgress/cancel": handlers.cancel_progress,
    "checkStatus": handlers.for_compatible("checkStatus", handlers.SIGNED_IN),
    "signIn": handlers.for_compatible("signIn", handlers.SIGNED_IN),
    "setEditorInfo": handlers.for_compatible("setEditorInfo", "OK"),
}


def methods(surfaces: Sequence[SurfaceSpec] = SURFACES) -> list[str]:
    """Return the names of all methods that have a handler."""
    return [*ROUTES, *(method for surface in surfaces for method in surface.methods)]
