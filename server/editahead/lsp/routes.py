"""Table of the handlers of all messages; docs/protocol.md has a row for each (tested)."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.lsp import commands, lifecycle, stats
from editahead.lsp.context import Handler
from editahead.lsp.documents import text_sync, workspace
from editahead.lsp.surfaces import feedback_events
from editahead.lsp.surfaces.surface_context import SurfaceSpec
from editahead.lsp.surfaces.table import SURFACES

# Methods that belong to no surface; those of the surfaces are in surfaces.py.
ROUTES: dict[str, Handler] = {
    "initialize": lifecycle.initialize,
    "initialized": lifecycle.initialized,
    "shutdown": lifecycle.shutdown,
    "$/setTrace": lifecycle.ignore,
    "textDocument/didOpen": text_sync.did_open,
    "textDocument/didChange": text_sync.did_change,
    "textDocument/didClose": text_sync.did_close,
    "textDocument/didSave": text_sync.did_save,
    "editahead/stats": stats.stats,
    "workspace/executeCommand": commands.execute_command,
    "textDocument/didFocus": feedback_events.did_focus,
    "textDocument/didShowInlineEdit": feedback_events.did_show,
    "textDocument/didShowCompletion": feedback_events.did_show,
    "textDocument/didPartiallyAcceptCompletion": feedback_events.did_partially_accept,
    "editahead/didReject": feedback_events.did_reject,
    "workspace/didChangeConfiguration": workspace.did_change_configuration,
    "workspace/didChangeWorkspaceFolders": workspace.did_change_workspace_folders,
    "workspace/didChangeWatchedFiles": workspace.did_change_watched_files,
    "window/workDoneProgress/cancel": workspace.cancel_progress,
    "checkStatus": lifecycle.check_status,
    "signIn": lifecycle.sign_in,
    "setEditorInfo": lifecycle.set_editor_info,
}


def methods(surfaces: Sequence[SurfaceSpec] = SURFACES) -> list[str]:
    """Return the names of all methods that have a handler."""
    return [*ROUTES, *(method for surface in surfaces for method in surface.methods)]
