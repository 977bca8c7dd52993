"""Names of the project and of other documents, from the editor's side: progress, changes, switching off, no delay."""

from __future__ import annotations

import gc
import statistics
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from editahead.index import background
from editahead.index.types import OPEN, PROJECT, NameOrigin
from editahead.lsp.documents import indexing
from editahead.lsp.rpc.uris import path_of
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
COMPLETION = "textDocument/completion"
CHANGED = "workspace/didChangeConfiguration"
WATCHED = "workspace/didChangeWatchedFiles"
BARS: dict[str, Any] = {"window": {"workDoneProgress": True}}
WATCHES: dict[str, Any] = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a file of each kind that matters."""
    for where, text in {
        "shop.py": "def sell_everything():\n    pass\n",
        "pkg/stock.py": "class StockRoom:\n    pass\n",
        "A.java": "class JavaOnly {}\n",
        ".gitignore": "build/\n",
        "build/made.py": "ignored_name = 1\n",
        "credentials.py": "secret_name = 1\n",
    }.items():
        (tmp_path / where).parent.mkdir(exist_ok=True)
        (tmp_path / where).write_text(text, encoding="utf-8")
    return tmp_path


def folders(root: Path) -> dict[str, Any]:
    return {"workspaceFolders": [{"uri": root.as_uri(), "name": root.name}]}


def built(client: Client, files: int) -> Any:
    """Wait until so many files are in the index."""

    def fits(status: Any) -> bool:
        index = status.get("index")
        return index is not None and index["building"] is None and index["files"] == files

    return client.wait_told("didChangeStatus", fits)["index"]


def elsewhere(client: Client, engine: FakeEngine, uri: str, prefix: str = "") -> Mapping[str, NameOrigin]:
    """What the engine is told of the surroundings of a document."""
    client.request(COMPLETION, client.at(uri, 0, 0))
    document = engine.seen[-1]
    assert document.uri == uri
    assert document.elsewhere is not None
    return document.elsewhere.names(prefix)


def test_the_engine_hears_of_the_projects_names(start: Start, engine: FakeEngine, root: Path) -> None:
    client = start(**folders(root))
    index = built(client, 3)
    assert index == {"files": 3, "names": 3, "building": None, "full": False}
    assert client.settle()["index"] == index
    uri = client.open("\n", (root / "new.py").as_uri())
    assert dict(elsewhere(client, engine, uri)) == {
        "StockRoom": NameOrigin(PROJECT, "pkg/stock.py", 0, 1, 1),
        "sell_everything": NameOrigin(PROJECT, "shop.py", 0, 1, 1),
    }
    assert list(elsewhere(client, engine, uri, "St")) == ["StockRoom"]
    java = client.open("\n", (root / "B.java").as_uri(), "java")
    assert list(elsewhere(client, engine, java)) == ["JavaOnly"]
    outside = client.open("\n", "file:///elsewhere/a.py")
    assert dict(elsewhere(client, engine, outside)) == {}


def test_a_files_own_names_are_not_elsewhere(start: Start, engine: FakeEngine, root: Path) -> None:
    client = start(**folders(root))
    built(client, 3)
    uri = client.open("\n", (root / "shop.py").as_uri())
    assert list(elsewhere(client, engine, uri)) == ["StockRoom"]


def test_other_open_documents_count_as_they_are_typed(start: Start, engine: FakeEngine) -> None:
    client = start()
    one = client.open("typed_first = 1\n", "file:///w/one.py")
    two = client.open("\n", "file:///w/two.py")
    client.change(one, 1, ((0, 0, 0, 11), "typed_later"))
    client.settle()
    server = client.server
    assert server is not None
    documents = server.indexing._background.documents
    elsewhere(client, engine, two)  # the user turns to it: the other can be read
    deadline = time.monotonic() + 20
    while documents.waiting() is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert dict(elsewhere(client, engine, two)) == {"typed_later": NameOrigin(OPEN, one, 0, 1, 1)}
    client.notify("textDocument/didClose", {"textDocument": {"uri": one}})
    assert dict(elsewhere(client, engine, two)) == {}


def test_saving_watching_and_closing_bring_the_index_up_to_date(start: Start, engine: FakeEngine, root: Path) -> None:
    client = start(**folders(root))
    built(client, 3)
    uri = client.open("\n", (root / "here.py").as_uri())
    (root / "here.py").write_text("saved_name = 1\n", encoding="utf-8")
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    built(client, 4)
    (root / "seen.py").write_text("seen_name = 1\n", encoding="utf-8")
    (root / "closed.py").write_text("closed_name = 1\n", encoding="utf-8")
    client.notify(WATCHED, {"changes": [{"uri": (root / "seen.py").as_uri(), "type": 1}]})
    built(client, 5)
    other = client.open("", (root / "closed.py").as_uri())
    client.notify("textDocument/didClose", {"textDocument": {"uri": other}})
    built(client, 6)
    (root / "shop.py").unlink()
    (root / "seen.py").unlink()
    client.notify(WATCHED, {"changes": [{"uri": (root / "shop.py").as_uri(), "type": 3}]})
    client.until(lambda: client.told("didChangeStatus")[-1]["index"]["files"] == 4, "files forgotten")
    found = elsewhere(client, engine, uri)
    assert set(found) == {"StockRoom", "closed_name"}


@pytest.mark.parametrize(
    "changes", [None, {}, [], [None], [{"uri": 1}], [{"uri": "untitled:1"}], [{"uri": "file:///\0"}]]
)
def test_a_strange_list_of_changes_is_harmless(start: Start, root: Path, changes: Any) -> None:
    client = start(**folders(root))
    client.notify(WATCHED, {"changes": changes})
    built(client, 3)
    assert client.settle()


def test_nothing_ignored_or_secret_ever_enters(start: Start, engine: FakeEngine, root: Path) -> None:
    client = start(**folders(root))
    built(client, 3)
    for where in ("build/made.py", "credentials.py"):
        uri = client.open("typed_secret = 1\n", (root / where).as_uri())
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        client.notify(WATCHED, {"changes": [{"uri": uri, "type": 2}]})
    (root / "shop.py").write_text("sell_more = 1\nsell_less = 1\n", encoding="utf-8")
    client.notify(WATCHED, {"changes": [{"uri": (root / "shop.py").as_uri(), "type": 2}]})
    client.until(lambda: client.told("didChangeStatus")[-1]["index"]["names"] == 4, "the change of a file that counts")
    uri = client.open("\n", (root / "new.py").as_uri())
    assert set(elsewhere(client, engine, uri)) == {"StockRoom", "sell_more", "sell_less"}


def test_it_can_be_switched_off_and_on(start: Start, engine: FakeEngine, root: Path) -> None:
    client = start(initializationOptions={"index": {"enabled": False}}, **folders(root))
    uri = client.open("\n", (root / "new.py").as_uri())
    assert dict(elsewhere(client, engine, uri)) == {}
    assert "index" not in client.settle()
    assert all("index" not in status for status in client.told("didChangeStatus"))
    client.notify(CHANGED, {"settings": {"editahead": {"index": {"enabled": True}, "exclude": ["pkg/"]}}})
    built(client, 2)
    assert set(elsewhere(client, engine, uri)) == {"sell_everything"}
    client.notify(CHANGED, {"settings": {"editahead": {"index.enabled": False}}})
    assert dict(elsewhere(client, engine, uri)) == {}


def test_what_is_loaded_is_not_looked_through_at_every_collection(start: Start) -> None:
    gc.unfreeze()
    start().settle()
    assert gc.get_freeze_count() > 10_000


def test_folders_come_and_go(start: Start, engine: FakeEngine, root: Path, tmp_path_factory: Any) -> None:
    client = start(**folders(root))
    built(client, 3)
    other = tmp_path_factory.mktemp("other")
    (other / "a.py").write_text("other_name = 1\n", encoding="utf-8")
    event = {"added": folders(other)["workspaceFolders"], "removed": folders(root)["workspaceFolders"]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    built(client, 1)
    assert list(elsewhere(client, engine, client.open("\n", (other / "b.py").as_uri()))) == ["other_name"]
    assert dict(elsewhere(client, engine, client.open("\n", (root / "b.py").as_uri()))) == {}


def many(root: Path, files: int, kilobytes: int) -> None:
    line = "some_name = other_name(third_name, fourth_name)  # and a comment\n"
    for n in range(files):
        (root / f"f{n}.py").write_text(f"name_{n} = 1\n" + line * (1024 * kilobytes // len(line)), encoding="utf-8")


def bar(client: Client) -> list[Any]:
    """What the client was told of the reading of files, apart from other progress."""
    told = client.told("$/progress")
    begins = [params for params in told if params["value"].get("title") == "editahead: reading names"]
    return [params["value"] for params in told if begins and params["token"] == begins[0]["token"]]


@pytest.mark.slow
def test_progress_is_shown_for_a_long_reading(start: Start, root: Path) -> None:
    many(root, 400, 4)
    client = start(capabilities=BARS, **folders(root))
    built(client, 403)
    values = bar(client)
    assert [values[0]["kind"], values[-1]["kind"]] == ["begin", "end"]
    assert values[0]["cancellable"] is True
    parts = [value["percentage"] for value in values[1:-1]]
    assert len(parts) > 10
    assert parts == sorted(parts)
    shares = [status["index"]["building"] for status in client.told("didChangeStatus") if "index" in status]
    assert len([share for share in shares if share is not None]) <= 5
    assert shares[-1] is None


def test_a_short_reading_shows_no_bar(start: Start, root: Path) -> None:
    client = start(capabilities=BARS, **folders(root))
    built(client, 3)
    assert bar(client) == []


def test_the_bar_can_be_closed(start: Start, root: Path) -> None:
    many(root, 400, 4)
    client = start(capabilities=BARS, **folders(root))
    begin = client.wait_told("$/progress", lambda params: params["value"].get("cancellable") is True)
    client.notify("window/workDoneProgress/cancel", {"token": "not that one"})
    client.notify("window/workDoneProgress/cancel", {"token": begin["token"]})
    client.wait_told("didChangeStatus", lambda s: s.get("index", {}).get("building") == 0.0)
    client.until(lambda: client.told("didChangeStatus")[-1]["index"]["building"] is None, "end of the reading")
    assert client.settle()["index"]["files"] < 403
    assert bar(client)[-1]["kind"] == "end"


def test_files_are_watched_where_the_client_can(start: Start, root: Path) -> None:
    client = start(capabilities=WATCHES, **folders(root))
    built(client, 3)
    (asked,) = (params for method, params in client.requests if method == "client/registerCapability")
    (registration,) = asked["registrations"]
    patterns = [watcher["globPattern"] for watcher in registration["registerOptions"]["watchers"]]
    assert registration["method"] == WATCHED
    assert patterns[1] == "**/.gitignore"
    assert {"py", "java"} <= set(patterns[0].removeprefix("**/*.{").rstrip("}").split(","))


def keystrokes(client: Client, uri: str, version: int, count: int) -> list[float]:
    """Seconds from each key to its completions, typed at a pace that lets the index work in between."""
    taken = []
    for n in range(count):
        time.sleep(0.07)
        began = time.perf_counter()
        client.change(uri, version + n, ((1, n, 1, n), "a"))
        client.request(COMPLETION, client.at(uri, 1, n + 1))
        taken.append(time.perf_counter() - began)
    return taken


@pytest.mark.slow
def test_a_keystroke_is_answered_as_fast_while_the_project_is_read(start: Start, tmp_path: Path) -> None:
    many(tmp_path, 1200, 100)
    client = start(**folders(tmp_path))
    uri = client.open("a" * 100 + " = 1\n\n", (tmp_path / "new.py").as_uri())
    until = time.monotonic() + 30
    while not client.settle()["index"]["files"]:  # while nobody types it gets on
        assert time.monotonic() < until, "it did not get on"
        time.sleep(0.2)  # asking keeps it waiting
    during = keystrokes(client, uri, 1, 25)
    state = client.settle()["index"]
    assert state["building"] is not None, "it was over before the keys were: this says nothing"
    client.notify(CHANGED, {"settings": {"editahead": {"index": {"enabled": False}}}})
    client.change(uri, 100, ((1, 0, 1, 25), ""))
    without = keystrokes(client, uri, 101, 25)
    assert "index" not in client.settle()
    # About 2.1 for a thread that never rests. The faster quarter, since others use the machine as well.
    assert statistics.quantiles(during)[0] < 1.8 * statistics.quantiles(without)[0]


@pytest.mark.slow
def test_many_changed_files_are_sorted_out_by_the_index_thread(
    start: Start, root: Path, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A branch is changed: 20,000 paths took half a second of the loop."""
    client = start(**folders(root))
    uri = client.open("x = 1\n", (root / "open.py").as_uri())
    built(client, 3)
    threads: set[str] = set()

    def noted(uri: str) -> Path | None:
        threads.add(threading.current_thread().name)
        return path_of(uri)

    monkeypatch.setattr(indexing, "path_of", noted)
    (root / "late.py").write_text("arrived_late = 1\n", encoding="utf-8")
    names = [*(f"gone{number}.py" for number in range(1_000)), "late.py"]
    client.notify(WATCHED, {"changes": [{"uri": (root / name).as_uri(), "type": 2} for name in names]})
    client.settle()
    built(client, 4)
    assert threads == {"index"}
    assert "arrived_late" in elsewhere(client, engine, uri)


def test_more_reports_than_anybody_can_follow_make_it_look_through_everything_once(
    start: Start, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = start(**folders(root))
    built(client, 3)
    monkeypatch.setattr(background, "MAX_REPORTED", 0)
    (root / "late.py").write_text("arrived_late = 1\n", encoding="utf-8")
    client.notify(WATCHED, {"changes": []})
    built(client, 4)
