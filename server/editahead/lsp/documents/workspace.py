"""Handlers of workspace notifications: configuration, folders, files on disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from editahead.lsp.context import ServerContext
from editahead.lsp.rpc import params
from editahead.lsp.rpc.params import Raw
from editahead.lsp.rpc.uris import path_of


def did_change_configuration(context: ServerContext, raw: Raw) -> None:
    """Handle `workspace/didChangeConfiguration`; without a section `editahead` in it, request the configuration."""
    pushed = params.field(raw, "settings")
    ours = (
        {key: value for key, value in pushed.items() if key == "editahead" or str(key).startswith("editahead.")}
        if isinstance(pushed, Mapping)
        else {}
    )
    only_null = isinstance(pushed, Mapping) and dict(pushed) == {"editahead": None}
    if ours and not only_null:
        context.configuration.update(ours)
    else:
        context.configuration.pull()


def did_change_workspace_folders(context: ServerContext, raw: Raw) -> None:
    """Handle `workspace/didChangeWorkspaceFolders`."""
    event = params.mapping(raw, "event")

    def paths(key: str) -> list[Path]:
        entries = event.get(key)
        uris = [params.optional_text(entry, "uri") for entry in entries] if isinstance(entries, list) else []
        return [path for uri in uris if uri and (path := path_of(uri)) is not None]

    removed = paths("removed")
    kept = [root for root in context.session.roots if root not in removed]
    context.session.roots = [*kept, *(path for path in paths("added") if path not in kept)]
    context.indexing.configure()
    context.status.send()


def did_change_watched_files(context: ServerContext, raw: Raw) -> None:
    """Handle `workspace/didChangeWatchedFiles`."""
    changes = params.field(raw, "changes")
    if isinstance(changes, list):
        uris = (params.optional_text(change, "uri") for change in changes)
        context.indexing.files_changed(uri for uri in uris if uri is not None)


def cancel_progress(context: ServerContext, raw: Raw) -> None:
    """Handle `window/workDoneProgress/cancel`: indexing can be cancelled, loading models cannot."""
    token = params.optional_text(raw, "token")
    if token is not None:
        context.indexing.cancel(token)
