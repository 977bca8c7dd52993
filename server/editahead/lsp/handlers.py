"""Handlers of the messages that belong to no surface: lifecycle, configuration, folders, feedback, statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

from editahead import __version__
from editahead.learning.scoreboard import NOT_REMEMBERED, of_all_projects, page, rows
from editahead.lsp.capabilities import read_capabilities, server_capabilities
from editahead.lsp.commands import commands, record_from_the_start
from editahead.lsp.context import Handler, ServerContext
from editahead.lsp.process.ending import is_alive
from editahead.lsp.process.logs import log
from editahead.lsp.rpc import params
from editahead.lsp.rpc.extension_types import MemoryUse, Percentiles, Scoreboard, Statistics
from editahead.lsp.rpc.json_rpc import method_not_found
from editahead.lsp.rpc.params import JsonValue, Raw
from editahead.lsp.rpc.uris import path_of
from editahead.lsp.session import Session
from editahead.lsp.status import Status
from editahead.lsp.surfaces.feedback import Feedback
from editahead.text.positions import PositionEncoding


def initialize(context: ServerContext, raw: Raw) -> dict[str, JsonValue]:
    """Answer `initialize` at once; models are loaded after `initialized`."""
    options = params.field(raw, "initializationOptions")
    context.client.capabilities = read_capabilities(raw)
    context.configuration.initialize(options)
    context.session.compatible = context.options.compat or context.session.settings.copilot_compatible
    context.session.encoding = encoding_of(context)
    context.session.roots = _roots(raw)
    warn_about_copilot_clients(options)
    process = params.optional_integer(raw, "processId")
    if process is not None and is_alive(process):
        context.watch_parent(process)
    elif process is not None:  # a number of another namespace: the server runs in a container
        log.info("process %d does not run here: the end of the input is what ends the server", process)
    surfaces = context.surfaces
    return {
        "capabilities": server_capabilities(
            context.session.encoding,
            commands(context.session.compatible),
            [surface.capabilities for surface in surfaces],
            [name for surface in surfaces for name in surface.experimental],
        ),
        "serverInfo": {"name": "editahead", "version": __version__},
    }


def encoding_of(context: ServerContext) -> PositionEncoding:
    """Return the position encoding: that of the settings, else utf-16, which several plugins assume in any case."""
    wanted = context.session.settings.position_encoding
    if wanted == "auto" or context.session.compatible:
        return PositionEncoding.UTF16
    if wanted in context.client.capabilities.encodings:
        return PositionEncoding(wanted)
    log.warning("the client does not offer %s positions: utf-16 it is", wanted)
    return PositionEncoding.UTF16


def _roots(raw: Raw) -> list[Path]:
    folders = raw.get("workspaceFolders") if isinstance(raw, Mapping) else None
    uris = [params.optional_text(folder, "uri") for folder in folders] if isinstance(folders, list) else []
    uris = uris or [params.optional_text(raw, "rootUri")]
    paths = [path for uri in uris if uri and (path := path_of(uri)) is not None]
    if not paths and (root := params.optional_text(raw, "rootPath")):
        paths = [Path(root)]
    return paths


def warn_about_copilot_clients(options: JsonValue) -> None:
    """Log a warning when the client says that a Copilot client is attached to the same buffers.

    A server cannot see other servers; our editor plugins name them in `attachedClients`. Next-edit plugins
    talk to the first client whose name holds "copilot", so two of them do not work side by side.
    """
    names = params.field(options, "attachedClients")
    clients = names if isinstance(names, list) else []
    others = [name for name in clients if isinstance(name, str) and "copilot" in name.lower()]
    if others:
        log.warning("%r is attached too: next-edit plugins talk to only one of the two, stop one", others[0])


def initialized(context: ServerContext, raw: Raw) -> None:
    """Handle `initialized`: request the configuration, load the models, and begin to send messages."""
    context.configuration.register()
    context.configuration.pull()
    context.indexing.register()
    record_from_the_start(context)
    context.models.load()
    context.configuration.on_change()
    context.begin_sending()


def shutdown(context: ServerContext, raw: Raw) -> None:
    """Answer `shutdown`: open requests are cancelled, and only `exit` is accepted from now on."""
    context.begin_shutdown()


def ignore(context: ServerContext, raw: Raw) -> None:
    """Accept a message that has no effect."""


# -- what clients written for GitHub's Copilot server ask first


def for_compatible(method: str, answer: JsonValue) -> Handler:
    """A handler that answers clients of Copilot's server, and knows no such method for others."""

    def handle(context: ServerContext, raw: Raw) -> JsonValue:
        if not context.session.compatible:
            raise method_not_found(method)
        return answer

    return handle


SIGNED_IN: JsonValue = {"status": "OK", "user": "local"}  # there is no account


def did_show(context: ServerContext, raw: Raw) -> None:
    """Handle `textDocument/didShowInlineEdit` and `textDocument/didShowCompletion`."""
    context.session.feedback.count_shown(params.item_id(raw))


def did_partially_accept(context: ServerContext, raw: Raw) -> None:
    """Handle `textDocument/didPartiallyAcceptCompletion`."""
    context.session.feedback.count_partly_accepted(params.item_id(raw))


def did_reject(context: ServerContext, raw: Raw) -> None:
    """Handle `editahead/didReject`: `{"id": ...}`, or an item as in the other notifications."""
    context.session.feedback.count_rejected(params.item_id(raw))


def stats(context: ServerContext, raw: Raw) -> Statistics:
    """Answer `editahead/stats`: statistics by surface since the server started."""
    statistics: Statistics = {
        "surfaces": context.session.feedback.report(),
        "milliseconds": {name: percentiles(seconds) for name, seconds in context.worker.seconds.items() if seconds},
        "memory": memory_use(context.session, context.status),
    }
    if refused := context.status.refused():
        statistics["refused"] = refused
    if (answered_by := context.status.answered_by()) is not None:
        statistics["remote"] = answered_by
    if (index := context.indexing.summary()) is not None:
        statistics["index"] = index
    statistics["scoreboard"] = scoreboard(context.session.feedback)
    return statistics


def scoreboard(feedback: Feedback) -> Scoreboard:
    """Return what became of suggestions, in this session and, if they are remembered, in all."""
    remembered, counts = feedback.earlier is not None, of_all_projects(feedback.counts)
    title = "This session and those before it" if remembered else f"This session; {NOT_REMEMBERED}"
    kinds = feedback.rejected_kinds.kinds
    counted = counts + (feedback.earlier or Counter())
    text = page(title, counted, kinds, feedback.today(), feedback.budget.offsets())
    return {"remembered": remembered, "text": text, "session": rows(counts)}


def percentiles(seconds: Collection[float]) -> Percentiles:
    """Return the median and the 95th percentile, in milliseconds, of times in seconds."""
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return {"p50": round(1000 * ordered[int(0.5 * last)], 2), "p95": round(1000 * ordered[int(0.95 * last)], 2)}


def memory_use(session: Session, status: Status) -> MemoryUse:
    """Return the memory in bytes of the process, its limit, open documents, models and their states, and the caches."""
    from editahead.runtime.memory import current_limit, resident_memory

    opened = (*session.documents.values(), *session.cells.values())
    documents = sum(len(document.buffer.data) for document in opened)
    models, states, cached = status.models()
    return {
        "resident": resident_memory(),
        "limit": current_limit(),
        "documents": documents,
        "models": dict(models),
        "states": states,
        "cached": dict(cached),
    }


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
