"""What the two sides can do: the client's capabilities as far as they matter here, and ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from editahead.lsp import params as door
from editahead.text.positions import PositionEncoding

INCREMENTAL = 2  # TextDocumentSyncKind
REPEAT_KIND = "refactor.rewrite"  # of the code action that goes on with a repeated edit
FIX_KIND = "quickfix"  # of a suggested fix
BODY_KIND = "refactor.rewrite.body"  # of a function that is written from its description


@dataclass(frozen=True, slots=True)
class ClientAbilities:
    """What of the client's capabilities changes what we send."""

    insert_replace: bool = False
    label_details: bool = False
    progress: bool = False
    pull_configuration: bool = False
    register_configuration: bool = False
    code_action_literals: bool = False
    document_changes: bool = False
    register_watching: bool = False
    encodings: tuple[str, ...] = ("utf-16",)


def abilities_of(raw: object) -> ClientAbilities:
    """From the parameters of `initialize`; what cannot be read counts as not there."""

    def can(path: str) -> bool:
        return door.field(raw, f"capabilities.{path}") is True

    encodings = door.field(raw, "capabilities.general.positionEncodings")
    known = tuple(e for e in encodings if isinstance(e, str)) if isinstance(encodings, list) else ()
    return ClientAbilities(
        insert_replace=can("textDocument.completion.completionItem.insertReplaceSupport"),
        label_details=can("textDocument.completion.completionItem.labelDetailsSupport"),
        progress=can("window.workDoneProgress"),
        pull_configuration=can("workspace.configuration"),
        register_configuration=can("workspace.didChangeConfiguration.dynamicRegistration"),
        code_action_literals=isinstance(
            door.field(raw, "capabilities.textDocument.codeAction.codeActionLiteralSupport"), Mapping
        ),
        document_changes=can("workspace.workspaceEdit.documentChanges"),
        register_watching=can("workspace.didChangeWatchedFiles.dynamicRegistration"),
        encodings=known or ("utf-16",),
    )


def server_capabilities(encoding: PositionEncoding, commands: Iterable[str]) -> dict[str, Any]:
    """What `initialize` answers."""
    return {
        "positionEncoding": encoding.value,
        "textDocumentSync": {"openClose": True, "change": INCREMENTAL, "save": {"includeText": False}},
        "completionProvider": {"triggerCharacters": ["."], "resolveProvider": True},
        "inlineCompletionProvider": {},
        "codeActionProvider": {"codeActionKinds": [REPEAT_KIND, FIX_KIND, BODY_KIND]},
        "executeCommandProvider": {"commands": list(commands)},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        "experimental": {"editahead": dict.fromkeys(("nextEdit", "nextEdits", "explain", "stats", "rank"), True)},
    }
