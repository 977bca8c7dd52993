"""Every message that the server understands, in one table. docs/protocol.md has a row for each (tested)."""

from __future__ import annotations

from lsprotocol import types as lsp

from editahead.lsp import configure, events, lifecycle, next_edit, requests, sync
from editahead.lsp.protocol import Handler

ROUTES: dict[str, Handler] = {
    lsp.INITIALIZE: lifecycle.initialize,
    lsp.INITIALIZED: lifecycle.initialized,
    lsp.SHUTDOWN: lifecycle.shutdown,
    lsp.SET_TRACE: lifecycle.ignore,
    lsp.TEXT_DOCUMENT_DID_OPEN: sync.did_open,
    lsp.TEXT_DOCUMENT_DID_CHANGE: sync.did_change,
    lsp.TEXT_DOCUMENT_DID_CLOSE: sync.did_close,
    lsp.TEXT_DOCUMENT_DID_SAVE: sync.did_save,
    lsp.TEXT_DOCUMENT_COMPLETION: requests.completion,
    lsp.COMPLETION_ITEM_RESOLVE: requests.resolve,
    lsp.TEXT_DOCUMENT_INLINE_COMPLETION: requests.inline_completion,
    "editahead/nextEdit": next_edit.next_edit,
    "textDocument/copilotInlineEdit": next_edit.copilot_inline_edit,
    "editahead/explain": requests.explain,
    "editahead/stats": events.stats,
    lsp.WORKSPACE_EXECUTE_COMMAND: events.execute_command,
    "textDocument/didFocus": events.did_focus,
    "textDocument/didShowInlineEdit": events.did_show,
    "textDocument/didShowCompletion": events.did_show,
    "textDocument/didPartiallyAcceptCompletion": events.did_partially_accept,
    "editahead/didReject": events.did_reject,
    lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: configure.did_change_configuration,
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: lifecycle.did_change_workspace_folders,
    lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL: lifecycle.ignore,
    "checkStatus": lifecycle.check_status,
    "signIn": lifecycle.sign_in,
    "setEditorInfo": lifecycle.set_editor_info,
}
