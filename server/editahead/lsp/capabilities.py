"""Capabilities of the client that change what is sent, and those of the server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from editahead.lsp.rpc import params
from editahead.lsp.rpc.params import JsonValue
from editahead.syntax.embedded import hosts
from editahead.syntax.language import all_languages
from editahead.text.positions import PositionEncoding

INCREMENTAL = 2  # TextDocumentSyncKind


@dataclass(frozen=True, slots=True)
class ClientCapabilities:
    """The capabilities of the client that change what the server sends."""

    insert_replace: bool = False
    label_details: bool = False
    snippets: bool = False
    progress: bool = False
    pull_configuration: bool = False
    register_configuration: bool = False
    code_action_literals: bool = False
    document_changes: bool = False
    register_watching: bool = False
    next_edit_elsewhere: bool = False  # shows a next edit that stands in another open file
    next_edit_unopened: bool = False  # opens the file of a next edit
    next_edit_places: bool = False  # leads to places for which no text is sure
    filters_completions: bool = False  # narrows a list by the letters that follow and must not request it again
    encodings: tuple[str, ...] = ("utf-16",)


def read_capabilities(raw: JsonValue) -> ClientCapabilities:
    """Read the capabilities of the client from the parameters of `initialize`; invalid values count as missing."""

    def supports(path: str) -> bool:
        return params.field(raw, f"capabilities.{path}") is True

    encodings = params.field(raw, "capabilities.general.positionEncodings")
    valid_encodings = tuple(e for e in encodings if isinstance(e, str)) if isinstance(encodings, list) else ()
    return ClientCapabilities(
        insert_replace=supports("textDocument.completion.completionItem.insertReplaceSupport"),
        label_details=supports("textDocument.completion.completionItem.labelDetailsSupport"),
        snippets=supports("textDocument.completion.completionItem.snippetSupport"),
        progress=supports("window.workDoneProgress"),
        pull_configuration=supports("workspace.configuration"),
        register_configuration=supports("workspace.didChangeConfiguration.dynamicRegistration"),
        code_action_literals=isinstance(
            params.field(raw, "capabilities.textDocument.codeAction.codeActionLiteralSupport"), Mapping
        ),
        document_changes=supports("workspace.workspaceEdit.documentChanges"),
        register_watching=supports("workspace.didChangeWatchedFiles.dynamicRegistration"),
        next_edit_elsewhere=supports("experimental.editahead.nextEditElsewhere"),
        next_edit_unopened=supports("experimental.editahead.nextEditUnopened"),
        next_edit_places=supports("experimental.editahead.nextEditPlaces"),
        filters_completions=supports("experimental.editahead.filtersCompletions"),
        encodings=valid_encodings or ("utf-16",),
    )


def _cell_languages() -> list[str]:
    """The language ids of the cells that are synchronised with their notebook; other cells are documents."""
    names = dict.fromkeys(name for each in all_languages() for name in (each.id, *each.aliases))
    return [name for name in names if name not in hosts()]


def server_capabilities(
    encoding: PositionEncoding,
    commands: Iterable[str],
    providers: Iterable[Mapping[str, JsonValue]],
    experimental: Iterable[str],
) -> dict[str, JsonValue]:
    """Return the server capabilities for `initialize`; the surfaces add `providers` and `experimental`."""
    capabilities: dict[str, JsonValue] = {
        "positionEncoding": encoding.value,
        "textDocumentSync": {"openClose": True, "change": INCREMENTAL, "save": {"includeText": False}},
        "notebookDocumentSync": {
            "notebookSelector": [{"notebook": "*", "cells": [{"language": name} for name in _cell_languages()]}],
            "save": True,
        },
        "executeCommandProvider": {"commands": list(commands)},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        "experimental": {"editahead": dict.fromkeys((*experimental, "stats"), True)},
    }
    for provider in providers:
        capabilities |= provider
    return capabilities
