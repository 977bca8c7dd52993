"""From `initialize` to `exit`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cattrs.errors import BaseValidationError
from lsprotocol import types as lsp
from pygls.capabilities import ServerCapabilitiesBuilder

from editahead.lsp import params as door
from editahead.lsp.convert import ClientAbilities
from editahead.lsp.events import commands
from editahead.lsp.logs import log
from editahead.lsp.params import Raw
from editahead.lsp.parent import watch
from editahead.lsp.session import path_of
from editahead.text.positions import PositionEncoding

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer

OPTIONS = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=["."], resolve_provider=True),
    lsp.TEXT_DOCUMENT_INLINE_COMPLETION: lsp.InlineCompletionOptions(),
    lsp.TEXT_DOCUMENT_DID_SAVE: lsp.SaveOptions(include_text=False),
}
EXPERIMENTAL = {"editahead": {"nextEdit": True, "explain": True, "stats": True}}


def initialize(server: EditaheadServer, raw: Raw) -> lsp.InitializeResult:
    """`initialize`: answered at once; models are loaded after `initialized`."""
    capabilities = _capabilities(server, raw)
    options = raw.get("initializationOptions") if isinstance(raw, Mapping) else None
    server.abilities = abilities_of(capabilities)
    server.configuration.initialize(options)
    server.session.compatible = server.options.compat or server.session.settings.copilot_compatible
    server.session.encoding = encoding_of(server, capabilities)
    server.session.roots = _roots(raw)
    warn_of_rivals(options)
    process = door.maybe_whole(raw, "processId")
    if process is not None:
        watch(server.loop, process, server.parent_gone)
    builder = ServerCapabilitiesBuilder(
        capabilities,
        set(server.protocol.routes),
        OPTIONS,
        list(commands(server.session.compatible)),
        lsp.TextDocumentSyncKind.Incremental,
        None,
        lsp.PositionEncodingKind(server.session.encoding.value),
    )
    built: lsp.ServerCapabilities = builder.build()  # type: ignore[no-untyped-call]
    built.experimental = EXPERIMENTAL
    server.protocol.initialized = True
    return lsp.InitializeResult(
        capabilities=built, server_info=lsp.ServerInfo(name=server.name, version=server.version)
    )


def _capabilities(server: EditaheadServer, raw: Raw) -> lsp.ClientCapabilities:
    """The client's capabilities; none at all when they cannot be read, rather than no server."""
    value = raw.get("capabilities") if isinstance(raw, Mapping) else None
    try:
        return server.structure(value or {}, lsp.ClientCapabilities)
    except (BaseValidationError, TypeError, ValueError, KeyError, AttributeError) as error:
        log.warning("the client's capabilities cannot be read (%s) and are ignored", type(error).__name__)
        return lsp.ClientCapabilities()


def abilities_of(capabilities: lsp.ClientCapabilities) -> ClientAbilities:
    """What of the client's capabilities changes our answers."""
    documents, workspace, window = capabilities.text_document, capabilities.workspace, capabilities.window
    completion = documents.completion if documents else None
    item = completion.completion_item if completion else None
    configuration = workspace.did_change_configuration if workspace else None
    return ClientAbilities(
        insert_replace=bool(item and item.insert_replace_support),
        progress=bool(window and window.work_done_progress),
        pull_configuration=bool(workspace and workspace.configuration),
        register_configuration=bool(configuration and configuration.dynamic_registration),
    )


def encoding_of(server: EditaheadServer, capabilities: lsp.ClientCapabilities) -> PositionEncoding:
    """utf-16, which several plugins take for granted whatever is agreed; another only where asked for."""
    wanted = server.session.settings.position_encoding
    offered = (capabilities.general.position_encodings if capabilities.general else None) or ["utf-16"]
    if wanted == "auto" or server.session.compatible:
        return PositionEncoding.UTF16
    if wanted in [getattr(kind, "value", kind) for kind in offered]:
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
    server.load_models()


def shutdown(server: EditaheadServer, raw: Raw) -> None:
    """`shutdown`: open questions end; only `exit` is obeyed from now on."""
    server.protocol.begin_shutdown()
    server.protocol.cancel_all()


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


def ignore(server: EditaheadServer, raw: Raw) -> None:
    """A message that is understood and changes nothing."""


# -- what clients written for GitHub's Copilot server ask before they begin


def _only_compatible(server: EditaheadServer, method: str) -> None:
    from pygls.exceptions import JsonRpcMethodNotFound

    if not server.session.compatible:
        raise JsonRpcMethodNotFound.of(method)


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
