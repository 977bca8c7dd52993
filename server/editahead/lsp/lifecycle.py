"""From `initialize` to `exit`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editahead import __version__
from editahead.lsp import params as door
from editahead.lsp.capabilities import abilities_of, server_capabilities
from editahead.lsp.events import commands
from editahead.lsp.logs import log
from editahead.lsp.params import Raw
from editahead.lsp.parent import watch
from editahead.lsp.protocol import method_not_found
from editahead.lsp.recording import record_from_the_start
from editahead.lsp.uris import path_of
from editahead.text.positions import PositionEncoding

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer


def initialize(server: EditaheadServer, raw: Raw) -> dict[str, Any]:
    """`initialize`: answered at once; models are loaded after `initialized`."""
    options = door.field(raw, "initializationOptions")
    server.abilities = abilities_of(raw)
    server.configuration.initialize(options)
    server.session.compatible = server.options.compat or server.session.settings.copilot_compatible
    server.session.encoding = encoding_of(server)
    server.session.roots = _roots(raw)
    warn_of_rivals(options)
    process = door.maybe_whole(raw, "processId")
    if process is not None:
        watch(server.loop, process, server.parent_gone)
    server.protocol.initialized = True
    return {
        "capabilities": server_capabilities(server.session.encoding, commands(server.session.compatible)),
        "serverInfo": {"name": "editahead", "version": __version__},
    }


def encoding_of(server: EditaheadServer) -> PositionEncoding:
    """utf-16, which several plugins take for granted whatever is agreed; another only where asked for."""
    wanted = server.session.settings.position_encoding
    if wanted == "auto" or server.session.compatible:
        return PositionEncoding.UTF16
    if wanted in server.abilities.encodings:
        return PositionEncoding(wanted)
    log.warning("the client does not offer %s positions: utf-16 it is", wanted)
    return PositionEncoding.UTF16


def _roots(raw: Raw) -> list[Path]:
    folders = raw.get("workspaceFolders") if isinstance(raw, Mapping) else None
    uris = [door.maybe_text(folder, "uri") for folder in folders] if isinstance(folders, list) else []
    uris = uris or [door.maybe_text(raw, "rootUri")]
    paths = [path for uri in uris if uri and (path := path_of(uri)) is not None]
    if not paths and (root := door.maybe_text(raw, "rootPath")):
        paths = [Path(root)]
    return paths


def warn_of_rivals(options: object) -> None:
    """One line when the client says that a Copilot client is attached beside us.

    A server cannot see its neighbours; our editor plugins name them in `attachedClients`. Next-edit plugins
    talk to the first client whose name holds "copilot", so two of them do not work side by side.
    """
    names = options.get("attachedClients") if isinstance(options, Mapping) else None
    rivals = [name for name in names or [] if isinstance(name, str) and "copilot" in name.lower()]
    if rivals:
        log.warning("%r is attached too: next-edit plugins talk to only one of the two, stop one", rivals[0])


def initialized(server: EditaheadServer, raw: Raw) -> None:
    """`initialized`: ask for the configuration and load the models."""
    server.configuration.register()
    server.configuration.pull()
    server.indexing.register()
    record_from_the_start(server)
    server.load_models()


def shutdown(server: EditaheadServer, raw: Raw) -> None:
    """`shutdown`: open questions end; only `exit` is obeyed from now on."""
    server.protocol.begin_shutdown()


def did_change_workspace_folders(server: EditaheadServer, raw: Raw) -> None:
    """`workspace/didChangeWorkspaceFolders`."""
    event = door.mapping(raw, "event")

    def paths(key: str) -> list[Path]:
        entries: Any = event.get(key)
        uris = [door.maybe_text(entry, "uri") for entry in entries] if isinstance(entries, list) else []
        return [path for uri in uris if uri and (path := path_of(uri)) is not None]

    removed = paths("removed")
    kept = [root for root in server.session.roots if root not in removed]
    server.session.roots = [*kept, *(path for path in paths("added") if path not in kept)]
    server.indexing.configure()
    server.status.tell()


def ignore(server: EditaheadServer, raw: Raw) -> None:
    """A message that is understood and changes nothing."""


# -- what clients written for GitHub's Copilot server ask before they begin


def _only_compatible(server: EditaheadServer, method: str) -> None:
    if not server.session.compatible:
        raise method_not_found(method)


def check_status(server: EditaheadServer, raw: Raw) -> dict[str, str]:
    """`checkStatus`: there is no account, so the user is always signed in."""
    _only_compatible(server, "checkStatus")
    return {"status": "OK", "user": "local"}


def sign_in(server: EditaheadServer, raw: Raw) -> dict[str, str]:
    """`signIn`: as `checkStatus`."""
    _only_compatible(server, "signIn")
    return {"status": "OK", "user": "local"}


def set_editor_info(server: EditaheadServer, raw: Raw) -> str:
    """`setEditorInfo`: taken note of by nobody."""
    _only_compatible(server, "setEditorInfo")
    return "OK"
