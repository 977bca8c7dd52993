"""While models load, when they do not, and when they are loaded again."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from editahead.lsp.inference.engine_startup import EngineStartup, load_engine
from editahead.lsp.inference.jobs import Progress
from editahead.lsp.options import ServeOptions
from fake_engine import FakeEngine
from raw_client import Client, in_process

COMPLETION = "textDocument/completion"
PROGRESS = {"window": {"workDoneProgress": True}}


class Loads:
    """A loader whose every step a test can hold."""

    def __init__(self, fails: int = 0) -> None:
        self.begun = threading.Semaphore(0)
        self.go_on = threading.Semaphore(0)
        self.asked: list[tuple[tuple[Path, ...], str]] = []
        self.fails = fails

    def load(self, bundles: Sequence[Path], device: str, progress: Progress) -> FakeEngine:
        self.asked.append((tuple(bundles), device))
        self.begun.release()
        assert self.go_on.acquire(timeout=10)
        if len(self.asked) <= self.fails:
            raise RuntimeError("no models\nat all")
        progress("half of it", 0.5)
        return FakeEngine()

    @property
    def loader(self) -> EngineStartup:
        return EngineStartup(lambda: None, self.load)


def connected(loads: Loads, say: Callable[[Client], None], options: ServeOptions | None = None) -> None:
    """A session with a server whose loading is held, as far as `say` goes."""
    client = in_process(loads.loader, options)
    try:
        client.hello(ready=False, capabilities=PROGRESS)
        say(client)
    finally:
        for _ in range(5):
            loads.go_on.release()
        client.leave()
    assert client.faults == []


def test_progress_begins_reports_and_ends() -> None:
    loads = Loads()

    def say(client: Client) -> None:
        begin = client.wait_told("$/progress")
        assert (begin["value"]["kind"], begin["value"]["percentage"]) == ("begin", 0)
        assert client.requests == [("window/workDoneProgress/create", {"token": begin["token"]})]
        assert client.told("didChangeStatus") == [{"busy": True, "kind": "Normal", "message": ""}]
        loads.go_on.release()
        client.wait_told("$/progress", lambda params: params["value"]["kind"] == "end")
        report = client.told("$/progress")[1]["value"]
        assert report == {"kind": "report", "message": "half of it", "percentage": 50}
        assert {params["token"] for params in client.told("$/progress")} == {begin["token"]}

    connected(loads, say)


def test_what_is_asked_while_loading_is_answered_once_loaded() -> None:
    loads = Loads()

    def say(client: Client) -> None:
        assert loads.begun.acquire(timeout=10)
        uri = client.open("alpha = 1\nal")
        asked = client.ask(COMPLETION, client.at(uri, 1, 2))
        assert client.settle()["surfaces"] == {}  # the rest of the server does not wait
        loads.go_on.release()
        assert [item["label"] for item in client.wait(asked)["result"]["items"]] == ["alpha"]

    connected(loads, say)


def test_without_models_the_server_says_so_once_and_stays() -> None:
    loads = Loads(fails=1)

    def say(client: Client) -> None:
        loads.go_on.release()
        status = client.wait_told("didChangeStatus", lambda status: status["kind"] == "Error")
        assert status == {"busy": False, "kind": "Error", "message": "no models: RuntimeError: no models"}
        uri = client.open("alpha = 1\nal")
        for _ in range(4):
            assert client.request(COMPLETION, client.at(uri, 1, 2))["items"] == []
        assert client.request("editahead/nextEdit", client.at(uri, 1, 2))["reason"] == "no-model"
        (message,) = client.told("window/showMessage")
        expected = "editahead: no models, so no suggestions: RuntimeError: no models. Try: editahead doctor"
        assert message["message"] == expected
        loads.go_on.release()
        client.request("workspace/executeCommand", {"command": "editahead.restart-models"})
        assert [i["label"] for i in client.request(COMPLETION, client.at(uri, 1, 2))["items"]] == ["alpha"]
        assert client.told("didChangeStatus")[-1] == {"busy": False, "kind": "Normal", "message": ""}

    connected(loads, say)


def test_command_line_and_settings_decide_bundles_and_device() -> None:
    loads = Loads()

    def say(client: Client) -> None:
        loads.go_on.release()
        client.wait_told("didChangeStatus", lambda status: not status["busy"])
        settings = {"device": "cuda", "bundles": ["/users/own"]}
        client.notify("workspace/didChangeConfiguration", {"settings": {"editahead": settings}})
        loads.go_on.release()
        client.until(lambda: len(loads.asked) == 2, "second loading")

    connected(loads, say, ServeOptions(device="cpu", bundles=(Path("/command/line"),)))
    assert loads.asked == [
        ((Path("/command/line"),), "cpu"),
        ((Path("/command/line"), Path("/users/own")), "cuda"),
    ]


def test_loading_twice_at_once_serves_the_last() -> None:
    loads = Loads()

    def say(client: Client) -> None:
        assert loads.begun.acquire(timeout=10)
        client.request("workspace/executeCommand", {"command": "editahead.restart-models"})
        loads.go_on.release()
        assert loads.begun.acquire(timeout=10)
        client.wait_told("didChangeStatus", lambda status: bool(status["busy"]))
        loads.go_on.release()
        client.wait_told("didChangeStatus", lambda status: not status["busy"])

    connected(loads, say)


def test_a_bundle_of_an_unknown_user_costs_one_message_and_no_other_model() -> None:
    loads = Loads()
    client = in_process(loads.loader)
    options = {"bundles": ["~nosuchuser/x", "/some/bundle"]}
    loads.go_on.release()
    client.hello(initializationOptions=options)
    assert loads.asked == [((Path("/some/bundle"),), "auto")]
    (message,) = [params["message"] for params in client.told("window/showMessage")]
    assert "~nosuchuser" in message
    client.leave()
    assert client.faults == []


READY = "editahead/ready"


def test_ready_comes_once_models_and_project_are_there(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"m{number}.py").write_text(f"name_{number} = 1\n", encoding="utf-8")
    loads = Loads()
    client = in_process(loads.loader)
    client.hello(ready=False, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    try:
        assert loads.begun.acquire(timeout=10)
        assert client.settle()["surfaces"] == {}
        assert client.told(READY) == []
        loads.go_on.release()
        told = client.wait_told(READY)
        assert (told["models"], told["leftOut"]) == (True, [])
        assert (told["index"]["files"], told["index"]["building"]) == (3, None)
        client.settle()
        assert len(client.told(READY)) == 1
        loads.go_on.release()
        client.request("workspace/executeCommand", {"command": "editahead.restart-models"})
        client.until(lambda: len(client.told(READY)) == 2, "ready again")
    finally:
        loads.go_on.release()
        client.leave()
    assert client.faults == []


def test_ready_says_that_there_are_no_models() -> None:
    loads = Loads(fails=1)

    def say(client: Client) -> None:
        loads.go_on.release()
        assert client.wait_told(READY) == {"models": False, "leftOut": [], "index": None}

    connected(loads, say)


def damaged_bundle(tmp_path: Path, file: str) -> Path:
    """A copy of the shipped Python model with one file cut short."""
    from editahead.runtime.bundle import find_bundles

    shipped = next(path for path in find_bundles() if path.name.startswith("spn-python"))
    bundle = Path(shutil.copytree(shipped, tmp_path / "bundle"))
    whole = (bundle / file).read_bytes()
    (bundle / file).write_bytes(whole[: len(whole) // 2])
    return bundle


@pytest.mark.parametrize("file", ["manifest.json", "head.onnx", "vocab.json"])
def test_a_damaged_bundle_is_named_once_in_status_and_message(tmp_path: Path, file: str) -> None:
    """Also where the damage shows only when a file of its language is opened."""
    bundle = damaged_bundle(tmp_path, file)
    client = in_process(EngineStartup(lambda: None, load_engine), ServeOptions(bundles=(bundle,)))
    try:
        client.hello()
        client.open("alpha = 1\nal")
        told = client.wait_told("didChangeStatus", lambda status: "damaged" in status["message"])
        assert told == {"busy": False, "kind": "Normal", "message": "1 damaged bundle left out"}
        client.settle()
        (message,) = [m["message"] for m in client.told("window/showMessage")]
        assert str(bundle) in message
        assert "editahead doctor" in message
    finally:
        client.leave()
