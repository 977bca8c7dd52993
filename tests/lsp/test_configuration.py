"""Settings on their way from the client to the surfaces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import Client

Start = Callable[..., Client]
COMPLETION = "textDocument/completion"
INLINE = "textDocument/inlineCompletion"
CHANGED = "workspace/didChangeConfiguration"
PULLS = {"workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}}
TEXT = "alpha = 1\nal"


def labels(client: Client, uri: str) -> list[str]:
    return [item["label"] for item in client.request(COMPLETION, client.at(uri, 1, 2))["items"]]


def test_initialization_options_are_settings(start: Start) -> None:
    client = start(initializationOptions={"completion": False})
    uri = client.open(TEXT)
    assert labels(client, uri) == []
    assert client.request(INLINE, client.at(uri, 1, 2, context={"triggerKind": 1}))["items"]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"enabled": False}, "disabled"),
        ({"languages": {"python": False}}, "disabled"),
        ({"languages": {"*": False}}, "disabled"),
        ({"languages": {"*": False, "python": True}}, None),
        ({"nextEdit": False}, "disabled"),
        ({"exclude": ["*.py"]}, "excluded"),
        ({"maxFileBytes": 1000}, None),
    ],
)
def test_pushed_settings_hold_at_once(start: Start, settings: Any, reason: str | None) -> None:
    client = start()
    uri = client.open("old = 1\nprint(old)\n")
    client.change(uri, 1, ((0, 0, 0, 3), "new"))
    client.notify(CHANGED, {"settings": {"editahead": settings}})
    assert client.request("editahead/nextEdit", client.at(uri, 0, 0)).get("reason") == reason
    client.notify(CHANGED, {"settings": {"editahead": {}}})
    assert len(client.request("editahead/nextEdit", client.at(uri, 0, 0))["edits"]) == 1


def test_settings_of_others_are_not_ours(start: Start) -> None:
    client = start()
    uri = client.open(TEXT)
    for settings in ({"github": {"copilot": {}}}, {}, None, [], {"enabled": False}):
        client.notify(CHANGED, {"settings": settings})
    assert labels(client, uri) == ["alpha"]
    assert client.told("window/showMessage") == []


def test_configuration_is_pulled_from_clients_that_can_be_asked(start: Start) -> None:
    client = start(hello=False)
    client.configuration = {"completion": False}
    client.hello(capabilities=PULLS)
    uri = client.open(TEXT)
    client.until(lambda: len(client.requests) >= 2, "requests of the server")
    assert sorted(method for method, _ in client.requests) == [
        "client/registerCapability", "workspace/configuration",
    ]  # fmt: skip
    assert labels(client, uri) == []
    client.configuration = {"completion": True}
    client.notify(CHANGED, {"settings": None})
    client.until(lambda: len(client.requests) >= 3, "a second pull")
    client.settle()
    assert labels(client, uri) == ["alpha"]


def test_a_wrong_value_is_one_message_and_the_default(start: Start) -> None:
    client = start(initializationOptions={"precision": "high", "maxCompletions": 0})
    (message,) = client.told("window/showMessage")
    assert message["message"] == (
        'editahead: editahead.precision: expected a number from 0 to 1, or null, got "high"; using the default; '
        "editahead.maxCompletions: expected a whole number from 1 to 200, got 0; using 20"
    )
    for _ in range(3):
        client.notify(CHANGED, {"settings": {"editahead": {"inStrings": True}}})
    client.settle()
    assert len(client.told("window/showMessage")) == 1
    assert labels(client, client.open(TEXT)) == ["alpha"]


@pytest.mark.slow
def test_an_unknown_key_is_one_log_line(stdio: Start) -> None:
    client = stdio("--log-level", "info", initializationOptions={"maxCompletion": 3})
    client.leave()
    assert b"editahead.maxCompletion (did you mean editahead.maxCompletions?) is ignored" in client.stderr
    assert client.told("window/showMessage") == []


def test_another_device_loads_the_models_again(start: Start) -> None:
    client = start()
    client.notify(CHANGED, {"settings": {"editahead": {"precision": 0.9}}})
    client.settle()
    assert len(client.told("didChangeStatus")) == 2
    client.notify(CHANGED, {"settings": {"editahead": {"device": "cpu"}}})
    client.until(lambda: len(client.told("didChangeStatus")) == 4, "models loaded again")
    assert labels(client, client.open(TEXT)) == ["alpha"]


def test_progress_is_shown_while_models_load(start: Start) -> None:
    client = start(capabilities={"window": {"workDoneProgress": True}})
    assert "window/workDoneProgress/create" in [method for method, _ in client.requests]
    client.request("workspace/executeCommand", {"command": "editahead.restart-models"})
    client.settle()

    def kinds() -> list[str]:
        return [params["value"]["kind"] for params in client.told("$/progress")]

    client.until(lambda: kinds().count("begin") == kinds().count("end"), "every progress ends")
    assert kinds() == [] or (kinds()[0], kinds()[-1]) == ("begin", "end")


def test_precision_is_the_dial_for_ghost_text(start: Start) -> None:
    client = start()
    uri = client.open(TEXT)
    automatic, invoked = {"triggerKind": 2}, {"triggerKind": 1}

    def shows(context: Any) -> bool:
        return bool(client.request(INLINE, client.at(uri, 1, 2, context=context))["items"])

    assert (shows(automatic), shows(invoked)) == (False, True)  # 0.7 against 0.8, and against 0.5 by hand
    client.notify(CHANGED, {"settings": {"editahead": {"precision": 0.7}}})
    assert (shows(automatic), shows(invoked)) == (True, True)
    client.notify(CHANGED, {"settings": {"editahead": {"precision": 0.9, "invokedPrecision": 0.95}}})
    assert (shows(automatic), shows(invoked)) == (False, False)


def test_secrets_and_ignored_files_never_reach_the_engine(start: Start, engine: Any, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("generated/\n")
    client = start(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    for name in ("secret_keys.py", "generated/a.py", "credentials.py"):
        uri = client.open(TEXT, (tmp_path / name).as_uri())
        assert labels(client, uri) == []
        assert client.request("editahead/explain", client.at(uri, 1, 2))["gates"][0]["reason"] == "excluded"
    assert engine.seen == []
    assert labels(client, client.open(TEXT, (tmp_path / "a.py").as_uri())) == ["alpha"]


def test_the_innermost_workspace_folder_is_the_root(start: Start, engine: Any, tmp_path: Path) -> None:
    client = start(rootUri=tmp_path.as_uri())
    inner = tmp_path / "inner"
    added = {"added": [{"uri": inner.as_uri(), "name": "inner"}], "removed": []}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": added})
    labels(client, client.open(TEXT, (inner / "a.py").as_uri()))
    labels(client, client.open(TEXT, (tmp_path / "b.py").as_uri()))
    removed = {"removed": [{"uri": tmp_path.as_uri(), "name": "outer"}]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": removed})
    labels(client, client.open(TEXT, (tmp_path / "c.py").as_uri()))
    labels(client, client.open(TEXT, "untitled:Untitled-1"))
    assert [document.root for document in engine.seen] == [inner, tmp_path, None, None]
    assert [document.path and document.path.name for document in engine.seen] == ["a.py", "b.py", "c.py", None]


def test_a_client_that_refuses_our_requests_is_served(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    client = start(hello=False)
    client.refused = {"workspace/configuration", "client/registerCapability", "window/workDoneProgress/create"}
    with caplog.at_level("INFO", logger="editahead.lsp"):
        client.hello(capabilities=PULLS)
        uri = client.open("alpha = 1\n\n")
        assert client.request("textDocument/completion", client.at(uri, 1, 0))["items"]
        assert client.request("editahead/stats", {})["surfaces"]["completion"]["offered"] == 1
    assert "the client refused workspace/configuration: not here" in caplog.messages
