"""The server through a public LSP client that checks every message against recorded editors' capabilities."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

COMMAND = [sys.executable, str(Path(__file__).parents[1] / "serve_fake.py")]
LOOP = "for item in basket:\n    print(item)\nfor item in shelf:\n    pr"

pytestmark = pytest.mark.asyncio(loop_scope="module")


def editor() -> LanguageClient:
    """The public client, and the one request of ours that it does not know and the editors do."""
    made = make_test_lsp_client()
    known = {"workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"}

    @made.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def register(ls: LanguageClient, params: lsp.RegistrationParams) -> None:
        assert {item.method for item in params.registrations} < known

    @made.feature("didChangeStatus")
    def status(ls: LanguageClient, params: object) -> None:
        pass

    return made


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=COMMAND, client_factory=editor),
    params=["neovim", "visual_studio_code"],
    scope="module",
)
async def client(lsp_client: LanguageClient, request: pytest.FixtureRequest) -> AsyncIterator[None]:
    capabilities = client_capabilities(request.param)
    options = {"precision": 0.6}
    lsp_client.set_configuration({"editahead": options})
    await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=capabilities, root_uri="file:///w", initialization_options=options)
    )
    yield
    await lsp_client.shutdown_session()


def opened(client: LanguageClient, name: str, text: str) -> lsp.TextDocumentIdentifier:
    uri = f"file:///w/{name}.py"
    document = lsp.TextDocumentItem(uri=uri, language_id="python", version=0, text=text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
    return lsp.TextDocumentIdentifier(uri)


@pytest.mark.slow
async def test_completion_and_resolve(client: LanguageClient) -> None:
    document = opened(client, "words", "alpha = 1\nalphabet = 2\nal")
    answer = await client.text_document_completion_async(lsp.CompletionParams(document, lsp.Position(2, 2)))
    assert isinstance(answer, lsp.CompletionList)
    assert [item.label for item in answer.items] == ["alpha", "alphabet"]
    resolved = await client.completion_item_resolve_async(answer.items[0])
    assert isinstance(resolved.documentation, lsp.MarkupContent)
    assert "alpha = 1" in resolved.documentation.value
    assert client.messages == []


async def test_ghost_text_is_typed_shown_and_accepted(client: LanguageClient) -> None:
    document = opened(client, "loop", LOOP[:-1])
    changed = lsp.DidChangeTextDocumentParams(
        lsp.VersionedTextDocumentIdentifier(1, document.uri),
        [lsp.TextDocumentContentChangePartial(range=lsp.Range(lsp.Position(3, 5), lsp.Position(3, 5)), text="r")],
    )
    client.text_document_did_change(changed)
    answer = await client.text_document_inline_completion_async(
        lsp.InlineCompletionParams(
            lsp.InlineCompletionContext(lsp.InlineCompletionTriggerKind.Automatic),
            document,
            lsp.Position(3, 6),
        )
    )
    assert isinstance(answer, lsp.InlineCompletionList)
    (item,) = answer.items
    assert item.insert_text == "int(item)"
    assert item.command is not None
    done = await client.workspace_execute_command_async(
        lsp.ExecuteCommandParams(item.command.command, item.command.arguments)
    )
    assert done is None


async def test_next_edit(client: LanguageClient) -> None:
    document = opened(client, "rename", "old = 1\nprint(old)\n")
    rename = lsp.TextDocumentContentChangePartial(range=lsp.Range(lsp.Position(0, 0), lsp.Position(0, 3)), text="new")
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(1, document.uri), [rename])
    )
    params = {"textDocument": {"uri": document.uri, "version": 1}, "position": {"line": 0, "character": 3}}
    answer = await client.protocol.send_request_async("textDocument/copilotInlineEdit", params)
    (edit,) = answer.edits
    assert edit.text == "print(new)\n"
    assert edit.textDocument.version == 1


async def test_progress_is_shown_to_the_end(client: LanguageClient) -> None:
    """Both editors can show progress; what was begun is ended, and tokens were announced."""
    await client.workspace_execute_command_async(lsp.ExecuteCommandParams("editahead.restart-models"))
    document = opened(client, "progress", "x = 1\n")
    await client.text_document_completion_async(lsp.CompletionParams(document, lsp.Position(0, 0)))
    for reports in client.progress_reports.values():
        assert not reports or isinstance(reports[-1], lsp.WorkDoneProgressEnd)
