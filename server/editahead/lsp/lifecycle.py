"""Handlers of the lifecycle (`initialize`, `initialized`, `shutdown`) and of the first requests of Copilot clients."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from editahead import __version__
from editahead.lsp.capabilities import read_capabilities, server_capabilities
from editahead.lsp.commands import commands
from editahead.lsp.context import ServerContext
from editahead.lsp.process.logs import log
from editahead.lsp.process.parent_process import is_alive
from editahead.lsp.recording_commands import record_from_the_start
from editahead.lsp.rpc import params
from editahead.lsp.rpc.json_rpc import method_not_found
from editahead.lsp.rpc.params import JsonValue, Raw
from editahead.lsp.rpc.uris import path_of
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
    context.begin_sending()


def shutdown(context: ServerContext, raw: Raw) -> None:
    """Answer `shutdown`: open requests are cancelled, and only `exit` is accepted from now on."""
    context.begin_shutdown()


def ignore(context: ServerContext, raw: Raw) -> None:
    """Accept a message that has no effect."""


# -- what clients written for GitHub's Copilot server ask first


def _only_compatible(context: ServerContext, method: str) -> None:
    if not context.session.compatible:
        raise method_not_found(method)


def check_status(context: ServerContext, raw: Raw) -> dict[str, str]:
    """Answer `checkStatus`: there is no account, so the user is always signed in."""
    _only_compatible(context, "checkStatus")
    return {"status": "OK", "user": "local"}


def sign_in(context: ServerContext, raw: Raw) -> dict[str, str]:
    """Answer `signIn`, as `checkStatus`."""
    _only_compatible(context, "signIn")
    return {"status": "OK", "user": "local"}


def set_editor_info(context: ServerContext, raw: Raw) -> str:
    """Answer `setEditorInfo`, which has no effect."""
    _only_compatible(context, "setEditorInfo")
    return "OK"
