"""Every message that the server understands, in one table. docs/protocol.md has a row for each (tested)."""

from __future__ import annotations

from editahead.lsp import code_actions, events, indexing, lifecycle, next_edit, next_edits, rank, requests
from editahead.lsp import configuration as configure
from editahead.lsp import text_sync as sync
from editahead.lsp.json_rpc import Handler

ROUTES: dict[str, Handler] = {
    "initialize": lifecycle.initialize,
    "initialized": lifecycle.initialized,
    "shutdown": lifecycle.shutdown,
    "$/setTrace": lifecycle.ignore,
    "textDocument/didOpen": sync.did_open,
    "textDocument/didChange": sync.did_change,
    "textDocument/didClose": sync.did_close,
    "textDocument/didSave": sync.did_save,
    "textDocument/completion": requests.completion,
    "completionItem/resolve": requests.resolve,
    "editahead/rank": rank.rank,
    "textDocument/inlineCompletion": requests.inline_completion,
    "editahead/nextEdit": next_edit.next_edit,
    "editahead/nextEdits": next_edits.next_edits,
    "textDocument/codeAction": code_actions.code_action,
    "textDocument/copilotInlineEdit": next_edit.copilot_inline_edit,
    "editahead/explain": requests.explain,
    "editahead/stats": events.stats,
    "workspace/executeCommand": events.execute_command,
    "textDocument/didFocus": events.did_focus,
    "textDocument/didShowInlineEdit": events.did_show,
    "textDocument/didShowCompletion": events.did_show,
    "textDocument/didPartiallyAcceptCompletion": events.did_partially_accept,
    "editahead/didReject": events.did_reject,
    "workspace/didChangeConfiguration": configure.did_change_configuration,
    "workspace/didChangeWorkspaceFolders": lifecycle.did_change_workspace_folders,
    "workspace/didChangeWatchedFiles": indexing.did_change_watched_files,
    "window/workDoneProgress/cancel": indexing.cancel_progress,
    "checkStatus": lifecycle.check_status,
    "signIn": lifecycle.sign_in,
    "setEditorInfo": lifecycle.set_editor_info,
}
