"""Bad input of every kind: the server says one line in its log and goes on with the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import tree_sitter
import tree_sitter_java
from editahead.syntax import grammars
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import Language
from raw_client import Client

Start = Callable[..., Client]
COMPLETION = "textDocument/completion"
INLINE = "textDocument/inlineCompletion"


def works(client: Client, uri: str = "file:///w/check.py") -> bool:
    """Whether an ordinary document still gets its completion."""
    client.open("alpha = 1\nal", uri)
    items = client.request(COMPLETION, client.at(uri, 1, 2))["items"]
    return [item["label"] for item in items] == ["alpha"]


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"not json", b"", b"[]", b"[1, 2]", b"null", b'"text"', b"{}", b'{"jsonrpc": "2.0"}',
        b'{"id": "five"}', b'{"id": null, "method": "shutdown"}', b'{"id": {}, "method": "shutdown"}',
        b'{"method": 7}', b'{"jsonrpc": "2.0", "id": "m", "method": ["x"]}', b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": "never-asked", "result": 1}', b'{"id": "x", "error": "bad"}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": [1]}', b"\xff\xfe\x00{",
    ],
)  # fmt: skip
def test_a_message_that_cannot_be_read_costs_nothing_else(start: Start, body: bytes) -> None:
    client = start()
    client.send_bytes(body)
    assert works(client)


@pytest.mark.slow
def test_malformed_json_is_one_line_in_the_log(stdio: Start) -> None:
    client = stdio()
    client.send_bytes(b'{"method": "textDocument/didOpen", "params": {"text": "the user\'s code"')
    assert works(client)
    client.leave()
    (line,) = client.stderr.splitlines()
    assert b"is not JSON" in line
    assert b"user's code" not in line


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        b"Content-Type: x\r\nCONTENT-LENGTH:%d\r\n\r\n",
        b"Content-Length: %d\n\n",
        b"garbage\r\n\r\nContent-Length: %d\r\n\r\n",
        b"\r\n\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: many\r\n\r\nContent-Length: %d\r\n\r\n",
    ],
)
def test_headers_are_read_as_clients_write_them(start: Start, header: bytes) -> None:
    client = start()
    body = json.dumps({"jsonrpc": "2.0", "id": "h", "method": "editahead/stats", "params": {}}).encode()
    client.send_bytes(body, header % len(body))
    assert "surfaces" in client.wait("h")["result"]


@pytest.mark.slow
def test_a_stream_that_cannot_be_followed_ends_the_server(stdio: Start) -> None:
    client = stdio()
    client.send_bytes(b"", b"Content-Length: -5\r\n\r\n")
    assert client.exit_code() == 1
    assert b"cannot be followed further: a message of -5 bytes" in client.stderr


WRONG: list[Any] = [
    None, [], {}, {"textDocument": None}, {"textDocument": {"uri": 1}, "position": {"line": 0, "character": 0}},
    {"textDocument": {"uri": "file:///w/a.py"}, "position": {"line": "0", "character": 0}},
    {"textDocument": {"uri": "file:///w/a.py"}, "position": {"line": 0.5, "character": 0}},
    {"textDocument": {"uri": "file:///w/a.py"}, "position": {"line": True, "character": 0}},
    {"textDocument": {"uri": "file:///w/a.py"}},
]  # fmt: skip


@pytest.mark.parametrize("method", [COMPLETION, INLINE, "editahead/nextEdit", "editahead/explain"])
def test_wrong_parameters_are_refused_in_one_line(start: Start, method: str) -> None:
    client = start()
    for params in WRONG:
        error = client.error(method, params)
        assert error["code"] == -32602
        assert error["message"]
        assert "\n" not in error["message"]
    assert client.told("window/showMessage") == []
    assert works(client)


@pytest.mark.parametrize(
    "method",
    [
        "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave",
        "textDocument/didFocus", "textDocument/didShowInlineEdit", "textDocument/didShowCompletion",
        "textDocument/didPartiallyAcceptCompletion", "editahead/didReject", "workspace/didChangeConfiguration",
        "workspace/didChangeWorkspaceFolders", "workspace/executeCommand", "$/cancelRequest", "$/setTrace",
        "window/workDoneProgress/cancel",
    ],
)  # fmt: skip
def test_wrong_parameters_of_notifications_never_pop_up(start: Start, method: str) -> None:
    client = start()
    for params in WRONG:
        client.send({"jsonrpc": "2.0", "method": method, "params": params})
    assert works(client)
    assert client.told("window/showMessage") == []


@pytest.mark.parametrize("line", [-1, 3, 10**12, -(10**12)])
def test_positions_outside_the_text_are_clamped(start: Start, line: int) -> None:
    client = start()
    uri = client.open("alpha = 1\nal")
    for method in (COMPLETION, INLINE, "editahead/nextEdit", "editahead/explain"):
        assert client.request(method, client.at(uri, line, 10**9)) is not None


def test_a_change_that_cannot_be_read_stops_predictions_until_the_whole_text_comes(start: Start) -> None:
    client = start()
    uri = client.open("alpha = 1\nal")
    entry = {"range": {"start": {"line": 0}}, "text": "x"}
    params = {"textDocument": {"uri": uri, "version": 1}, "contentChanges": [entry]}
    client.notify("textDocument/didChange", params)
    assert client.request("editahead/nextEdit", client.at(uri, 1, 2))["reason"] == "stale"
    client.change(uri, 2, ((1, 2, 1, 2), "p"))
    assert client.request(COMPLETION, client.at(uri, 1, 2))["items"] == []
    client.change(uri, 3, (None, "alphabet = 1\nal"))
    items = client.request(COMPLETION, client.at(uri, 1, 2))["items"]
    assert [item["label"] for item in items] == ["alphabet"]


def test_changes_and_requests_for_documents_that_are_not_open_are_harmless(start: Start) -> None:
    client = start()
    client.change("file:///w/never.py", 3, ((0, 0, 0, 0), "x"))
    client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///w/never.py"}})
    client.notify("textDocument/didSave", {"textDocument": {"uri": "file:///w/never.py"}, "text": "x"})
    assert client.request(COMPLETION, client.at("file:///w/never.py", 0, 0))["items"] == []
    assert works(client)


def test_a_saved_text_that_differs_is_believed(start: Start) -> None:
    client = start()
    uri = client.open("alpha = 1\nal")
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": "alphabet = 1\nal"})
    items = client.request(COMPLETION, client.at(uri, 1, 2))["items"]
    assert [item["label"] for item in items] == ["alphabet"]


@pytest.mark.parametrize("language", ["unheard-of", "", "plaintext2"])
def test_an_unknown_language_is_kept_in_step_and_quiet(start: Start, language: str) -> None:
    client = start()
    uri = client.open("alpha = 1\nal", "file:///w/file.unheard", language)
    client.change(uri, 1, ((0, 0, 0, 0), "x"))
    assert client.request(COMPLETION, client.at(uri, 1, 2))["items"] == []
    found = client.request("editahead/explain", client.at(uri, 1, 2))
    assert found["languageId"] == language
    assert [(gate["reason"], gate["passed"]) for gate in found["gates"]] == [("language", False)]
    assert works(client)


def test_the_path_tells_the_language_where_the_client_does_not(start: Start) -> None:
    client = start()
    uri = client.open("alpha = 1\nal", "file:///w/file.py", "who-knows")
    assert client.request("editahead/explain", client.at(uri, 1, 2))["languageId"] == "python"


def test_a_grammar_that_is_not_installed_is_named_and_breaks_nothing(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = Language.grammar

    def grammar(language: Language) -> Any:
        if language.id == "java":
            raise GrammarMissing("the grammar of java is missing: pip install .[languages]")
        return load(language)

    monkeypatch.setattr(Language, "grammar", grammar)
    client = start()
    uri = client.open("int alpha;\nal", "file:///w/A.java", "java")
    for _ in range(4):
        assert client.request(COMPLETION, client.at(uri, 1, 2))["items"] == []
    (gate,) = client.request("editahead/explain", client.at(uri, 1, 2))["gates"]
    assert gate["value"] == "the grammar of java is missing: pip install .[languages]"
    assert client.told("window/showMessage") == []
    assert works(client)


def test_a_grammar_of_another_version_is_named_and_breaks_nothing(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = tree_sitter.Parser

    def refuse(language: tree_sitter.Language) -> tree_sitter.Parser:
        if language == java:
            raise ValueError("Incompatible Language version 16. Must be between 13 and 15")
        return parser(language)

    java = tree_sitter.Language(tree_sitter_java.language())
    monkeypatch.setattr(tree_sitter, "Parser", refuse)
    grammars.load_grammar.cache_clear()
    client = start()
    uri = client.open("int alpha;\nal", "file:///w/A.java", "java")
    for version, method in enumerate((COMPLETION, INLINE, "editahead/nextEdit"), start=1):
        client.change(uri, version, ((1, 2, 1, 2), "p"))
        answer = client.request(method, client.at(uri, 1, 2))
        assert not answer.get("items", answer.get("edits"))
    (gate,) = client.request("editahead/explain", client.at(uri, 1, 2))["gates"]
    assert gate["value"].startswith("the grammar for java does not load (Incompatible Language version 16. Must be ")
    assert client.told("window/showMessage") == []
    assert works(client)
    grammars.load_grammar.cache_clear()


def test_a_file_of_20_mb_is_kept_in_step_without_predictions(start: Start) -> None:
    client = start()
    line = "value = some_function(argument)  # é\n"
    uri = client.open(line * (20_000_000 // len(line.encode()) + 1), "file:///w/big.py")
    client.change(uri, 1, ((3, 0, 3, 5), "other"))
    assert client.request(COMPLETION, client.at(uri, 3, 5)) == {"isIncomplete": True, "items": []}
    assert client.request("editahead/nextEdit", client.at(uri, 3, 5))["reason"] == "too-large"
    assert client.request("editahead/explain", client.at(uri, 3, 5))["gates"][0]["reason"] == "too-large"
    text = client.server.session.documents[uri].buffer.line_bytes(3)  # type: ignore[union-attr]
    assert text.decode() == line.replace("value", "other").rstrip("\n")
    assert works(client)


def test_bytes_that_are_not_utf_8_are_replaced_and_the_message_is_used(start: Start) -> None:
    client = start()
    document = {"uri": "file:///w/b.py", "languageId": "python", "version": 0, "text": "alpha = '@'\nal"}
    message = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}
    client.send_bytes(json.dumps(message).encode().replace(b"@", b"\xe9"))
    items = client.request(COMPLETION, client.at("file:///w/b.py", 1, 2))["items"]
    assert [item["label"] for item in items] == ["alpha"]


def test_half_a_surrogate_pair_is_one_unit_wide(start: Start) -> None:
    client = start()
    uri = client.open("alpha = '\ud83d'; al")
    (item,) = client.request(COMPLETION, client.at(uri, 0, 15))["items"]
    assert item["textEdit"]["range"]["start"] == {"line": 0, "character": 13}
    client.change(uri, 1, ((0, 10, 0, 10), "\ude00"))
    (item,) = client.request(COMPLETION, client.at(uri, 0, 16))["items"]
    assert item["textEdit"]["range"]["start"] == {"line": 0, "character": 14}


@pytest.mark.slow
def test_what_libraries_print_never_reaches_the_protocol(stdio: Start) -> None:
    client = stdio()
    uri = client.open("alpha = 1  # fake:print\nal")
    assert client.request(COMPLETION, client.at(uri, 1, 2))["items"]
    client.wait_logged("a stray line")
    client.wait_logged("another stray line")


def test_requests_before_initialize_are_refused(start: Start) -> None:
    client = start(hello=False)
    assert client.error(COMPLETION, client.at("file:///w/a.py", 0, 0))["code"] == -32002
    client.open("x = 1")
    client.hello()
    assert works(client)


@pytest.mark.parametrize("capabilities", [{"textDocument": 7}, {"general": []}, {"window": {"x": [[]]}}])
def test_capabilities_that_cannot_be_read_are_no_reason_not_to_serve(start: Start, capabilities: Any) -> None:
    client = start(capabilities=capabilities)
    assert works(client)


@pytest.mark.slow
def test_exit_after_shutdown_is_0_and_without_it_1(stdio: Start) -> None:
    assert stdio().leave() == 0
    client = stdio()
    client.notify("exit")
    assert client.exit_code() == 1


def test_exit_before_initialize_is_obeyed(stdio: Start) -> None:
    client = stdio(hello=False)
    client.notify("exit")
    assert client.exit_code() == 1


@pytest.mark.slow
def test_the_server_ends_when_its_input_ends(stdio: Start) -> None:
    client = stdio()
    client.hang_up()
    assert client.exit_code() == 1
    client = stdio()
    client.request("shutdown")
    client.hang_up()
    assert client.exit_code() == 0


@pytest.mark.slow
def test_the_server_ends_while_the_engine_is_at_work(stdio: Start) -> None:
    client = stdio()
    uri = client.open("# fake:block\nal")
    client.ask(COMPLETION, client.at(uri, 1, 2))
    assert client.leave() == 0


@pytest.mark.slow
def test_no_code_is_logged_even_at_level_debug(stdio: Start) -> None:
    client = stdio("--log-level", "debug")
    uri = client.open("very_private_name = 1\nvery")
    assert client.request(COMPLETION, client.at(uri, 1, 4))["items"]
    assert client.request("editahead/nextEdit", client.at(uri, 1, 4))["reason"] == "empty"
    client.change(uri, 1, ((0, 0, 0, 0), "very_private_name = 2\n"))
    client.leave()
    assert b"DEBUG" in client.stderr
    assert b"very_private" not in client.stderr


@pytest.mark.slow
def test_a_failure_is_one_line_in_the_log(stdio: Start) -> None:
    client = stdio()
    uri = client.open("# fake:fail\nal")
    client.request(COMPLETION, client.at(uri, 1, 2))
    client.leave()
    (line,) = client.stderr.splitlines()
    assert b"completion failed: RuntimeError: the runner fell over" in line
    assert b"Traceback" not in line


@pytest.mark.slow
def test_a_log_file_takes_what_standard_error_would(stdio: Start, tmp_path: Any) -> None:
    path = tmp_path / "logs" / "editahead.log"
    client = stdio("--log-file", str(path))
    client.send_bytes(b"{")
    client.leave()
    assert client.stderr == b""
    assert "is not JSON" in path.read_text()


def test_a_cut_list_is_incomplete(start: Start) -> None:
    client = start(initializationOptions={"maxCompletions": 200})
    uri = client.open("".join(f"name{number} = {number}\n" for number in range(300)) + "na")
    answer = client.request(COMPLETION, client.at(uri, 300, 2))
    assert (len(answer["items"]), answer["isIncomplete"]) == (200, True)
    ranks = [item["sortText"] for item in answer["items"]]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == 200


def test_a_client_that_narrows_lists_gets_more_and_no_incomplete_one(start: Start) -> None:
    """VS Code keeps a list open while it requests the next one, and an Enter then replaces all that was typed since."""
    client = start(capabilities={"experimental": {"editahead": {"filtersCompletions": True}}})
    uri = client.open("".join(f"name{number} = {number}\n" for number in range(400)) + "na")
    answer = client.request(COMPLETION, client.at(uri, 400, 2))
    assert (len(answer["items"]), answer["isIncomplete"]) == (300, False)
