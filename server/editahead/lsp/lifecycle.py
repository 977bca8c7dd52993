"""The lifecycle: `initialize`, `initialized`, `shutdown`, and what clients of Copilot's server ask first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from editahead import __version__
from editahead.lsp import params
from editahead.lsp.capabilities import abilities_of, server_capabilities
from editahead.lsp.commands import commands
from editahead.lsp.context import Context
from editahead.lsp.json_rpc import method_not_found
from editahead.lsp.logs import log
from editahead.lsp.params import JsonValue, Raw
from editahead.lsp.parent_process import is_alive
from editahead.lsp.recording_commands import record_from_the_start
from editahead.lsp.uris import path_of
from editahead.text.positions import PositionEncoding


def initialize(context: Context, raw: Raw) -> dict[str, JsonValue]:
    """`initialize`: answered at once; models are loaded after `initialized`."""
    options = params.field(raw, "initializationOptions")
    context.client.abilities = abilities_of(raw)
    context.configuration.initialize(options)
    context.session.compatible = context.options.compat or context.session.settings.copilot_compatible
    context.session.encoding = encoding_of(context)
    context.session.roots = _roots(raw)
    warn_about_copilot_clients(options)
    process = params.maybe_integer(raw, "processId")
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


def encoding_of(context: Context) -> PositionEncoding:
    """The position encoding: utf-16, which several plugins assume whatever is agreed, or the one that the user sets."""
    wanted = context.session.settings.position_encoding
    if wanted == "auto" or context.session.compatible:
        return PositionEncoding.UTF16
    if wanted in context.client.abilities.encodings:
        return PositionEncoding(wanted)
    log.warning("the client does not offer %s positions: utf-16 it is", wanted)
    return PositionEncoding.UTF16


def _roots(raw: Raw) -> list[Path]:
    folders = raw.get("workspaceFolders") if isinstance(raw, Mapping) else None
    uris = [params.maybe_text(folder, "uri") for folder in folders] if isinstance(folders, list) else []
    uris = uris or [params.maybe_text(raw, "rootUri")]
    paths = [path for uri in uris if uri and (path := path_of(uri)) is not None]
    if not paths and (root := params.maybe_text(raw, "rootPath")):
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


def initialized(context: Context, raw: Raw) -> None:
    """`initialized`: ask for the configuration and load the models."""
    context.configuration.register()
    context.configuration.pull()
    context.indexing.register()
    record_from_the_start(context)
    context.models.load()


def shutdown(context: Context, raw: Raw) -> None:
    """`shutdown`: open requests are cancelled; only `exit` is obeyed from now on."""
    context.begin_shutdown()


def ignore(context: Context, raw: Raw) -> None:
    """A message that is understood and changes nothing."""


# -- what clients written for GitHub's Copilot server ask first


def _only_compatible(context: Context, method: str) -> None:
    if not context.session.compatible:
        raise method_not_found(method)


def check_status(context: Context, raw: Raw) -> dict[str, str]:
    """`checkStatus`: there is no account, so the user is always signed in."""
    _only_compatible(context, "checkStatus")
    return {"status": "OK", "user": "local"}


def sign_in(context: Context, raw: Raw) -> dict[str, str]:
    """`signIn`: as `checkStatus`."""
    _only_compatible(context, "signIn")
    return {"status": "OK", "user": "local"}


def set_editor_info(context: Context, raw: Raw) -> str:
    """`setEditorInfo`: understood; changes nothing."""
    _only_compatible(context, "setEditorInfo")
    return "OK"
