"""Recording a session: what reaches the file, what never does, and that nothing else is disturbed."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from editahead.recording.recorder import Recorder
from editahead.recording.session_file import Close, Open, RecordedChange, SessionError, read_session
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
TEXT = "def total(items):\n    return sum(items)\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder.resolve()


def run(client: Client, command: str, *arguments: Any) -> Any:
    return client.request("workspace/executeCommand", {"command": f"editahead.{command}", "arguments": [*arguments]})


def refused(client: Client, *arguments: Any) -> str:
    params = {"command": "editahead.record", "arguments": [*arguments]}
    return str(client.wait(client.ask("workspace/executeCommand", params))["error"]["message"])


def begin(start: Start, root: Path, *arguments: str, **more: Any) -> Client:
    return start(*arguments, workspaceFolders=[{"uri": root.as_uri(), "name": "w"}], **more)


def texts(path: Path) -> dict[str, str]:
    """Each document of a recording as its events leave it, by path."""
    buffers: dict[int, Buffer] = {}
    paths: dict[int, str] = {}
    for event in read_session(path):
        if isinstance(event, Open):
            buffers[event.document], paths[event.document] = Buffer(event.text), event.path
        elif isinstance(event, RecordedChange):
            for edit in event.edits:
                buffers[event.document] = buffers[event.document].apply(edit)
    return {paths[number]: buffer.text for number, buffer in buffers.items()}


def test_a_session_is_recorded_from_the_middle_of_it_on(start: Start, root: Path, tmp_path: Path) -> None:
    client = begin(start, root)
    first = client.open(TEXT, (root / "src" / "a.py").as_uri(), version=1)
    client.change(first, 2, ((0, 0, 0, 0), "# before\n"))
    out = tmp_path / "s.jsonl"
    assert run(client, "record", str(out)) == {"path": str(out), "anonymised": False, "documents": 1}
    client.change(first, 3, ((3, 0, 3, 0), "é"), ((3, 1, 3, 1), "x\r\n"))
    second = client.open("y = 1\n", (root / "b.java").as_uri(), "java", 1)
    client.change(second, 2, (None, "class B {}\n"))
    client.notify("textDocument/didClose", {"textDocument": {"uri": first}})
    assert run(client, "stop-recording") == {"path": str(out), "events": 5}
    client.change(second, 3, ((0, 0, 0, 0), "never seen"))
    assert run(client, "stop-recording") is None
    assert texts(out) == {"src/a.py": "# before\n" + TEXT + "éx\r\n", "b.java": "class B {}\n"}
    kinds = [type(event) for event in read_session(out)]
    assert kinds == [Open, RecordedChange, Open, RecordedChange, Close]
    assert json.loads(out.read_text(encoding="utf-8").splitlines()[0])["anonymised"] is False


def test_secret_excluded_ignored_and_foreign_files_are_never_recorded(start: Start, root: Path, tmp_path: Path) -> None:
    (root / ".gitignore").write_text("build/\n", encoding="utf-8")
    client = begin(start, root, initializationOptions={"exclude": ["private*"]})
    hidden = [root / "credentials.py", root / "build" / "made.py", root / "private.py", tmp_path / "outside.py"]
    opened = [client.open("planted = 1\n", path.as_uri(), version=1) for path in hidden]
    opened.append(client.open("planted = 1\n", "untitled:Untitled-1", version=1))
    opened.append(client.open("planted = 1\n", (root / "notes.txt").as_uri(), "plaintext", 1))
    out = tmp_path / "s.jsonl"
    run(client, "record", str(out))
    for uri in opened:
        client.change(uri, 2, ((0, 0, 0, 0), "planted"))
    late = client.open("planted = 2\n", (root / "id_rsa.py").as_uri(), version=1)
    client.change(late, 2, ((0, 0, 0, 0), "planted"))
    good = client.open("good = 1\n", (root / "good.py").as_uri(), version=1)
    settings = {"editahead": {"exclude": ["good*"]}}
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    client.change(good, 2, ((0, 0, 0, 0), "planted"))
    assert run(client, "stop-recording")["events"] == 2  # opened, and closed when it was excluded
    assert texts(out) == {"good.py": "good = 1\n"}
    assert "planted" not in out.read_text(encoding="utf-8")


def test_a_recording_without_code_holds_none_and_has_its_shape(start: Start, root: Path, tmp_path: Path) -> None:
    client = begin(start, root)
    uri = client.open(TEXT, (root / "inner_plan.py").as_uri(), version=1)
    out = tmp_path / "s.jsonl"
    run(client, "record", str(out), True)
    text, draw = TEXT, random.Random(3)
    pieces = ["hunter2", "é", "日本", "\n", "\r\n", "_x", "a", " ", "😀", '"planted"', "return", ""]
    for version in range(2, 120):
        lines = text.replace("\r\n", "\n").split("\n")
        row = draw.randrange(len(lines))
        column = draw.randrange(len(lines[row]) + 1)
        end = min(len(lines[row]), column + draw.choice((0, 0, 0, 1, 4)))
        units = [len(lines[row][:at].encode("utf-16-le")) // 2 for at in (column, end)]
        client.change(uri, version, ((row, units[0], row, units[1]), draw.choice(pieces)))
        text = run_text(client, uri)
    run(client, "stop-recording")
    (shape,) = texts(out).values()
    assert [len(line.encode("utf-16-le")) for line in shape.splitlines()] == [
        len(line.encode("utf-16-le")) for line in text.splitlines()
    ]
    assert [char for char in shape if char in '"()=:'] == [char for char in text if char in '"()=:']
    written = out.read_text(encoding="utf-8")
    for word in ("hunter", "planted", "items", "total", "inner", "plan", "日", "é"):
        assert word not in written


def run_text(client: Client, uri: str) -> str:
    client.settle()
    assert client.server is not None
    return str(client.server.session.documents[uri].buffer.text)


def test_several_folders_and_none(start: Start, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    folders = [{"uri": folder.as_uri(), "name": "w"} for folder in (root, other)]
    client = start(workspaceFolders=folders)
    for folder in (root, other):
        client.open(f"x = '{folder.name}'\n", (folder / "a.py").as_uri(), version=1)
    run(client, "record", str(tmp_path / "two.jsonl"))
    assert texts(tmp_path / "two.jsonl") == {"project/a.py": "x = 'project'\n", "other/a.py": "x = 'other'\n"}
    alone = start()
    alone.open("x = 1\n", (tmp_path / "a.py").as_uri(), version=1)
    alone.open("x = 1\n", (tmp_path / "credentials.py").as_uri(), version=1)
    run(alone, "record", str(tmp_path / "one.jsonl"))
    assert texts(tmp_path / "one.jsonl") == {"a.py": "x = 1\n"}


def test_a_file_is_never_overwritten_and_bad_arguments_are_refused_in_one_line(
    start: Start, root: Path, tmp_path: Path
) -> None:
    client = begin(start, root)
    precious = tmp_path / "precious.py"
    precious.write_text("mine\n", encoding="utf-8")
    assert "is there already" in refused(client, str(precious))
    assert precious.read_text(encoding="utf-8") == "mine\n"
    assert "cannot write" in refused(client, str(tmp_path / "no" / "such" / "folder.jsonl"))
    for arguments in ([], [7], [""], [str(tmp_path / "a.jsonl"), "yes"], ["\0"]):
        assert "\n" not in refused(client, *arguments)
    assert run(client, "record", "inside.jsonl")["path"] == str(root / "inside.jsonl")
    assert "already" in refused(client, str(tmp_path / "second.jsonl"))
    assert not (tmp_path / "second.jsonl").exists()


def test_a_disk_that_is_full_ends_the_recording_and_nothing_else(
    start: Start, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("editahead.recording.recorder.MAX_FILE_BYTES", 2_000)
    client = begin(start, root)
    uri = client.open(TEXT, (root / "a.py").as_uri(), version=1)
    out = tmp_path / "s.jsonl"
    run(client, "record", str(out))
    for version in range(2, 60):
        client.change(uri, version, ((0, 0, 0, 0), "word "))
    assert run(client, "stop-recording") is None
    assert run_text(client, uri).count("word") == 58
    assert out.stat().st_size <= 2_000
    (kept,) = texts(out).values()
    assert 0 < kept.count("word") < 58
    assert sum("the recording has ended" in str(m) for m in client.told("window/showMessage")) == 1


@pytest.mark.slow
def test_the_server_can_record_every_session_that_it_serves(stdio: Start, root: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    for number in range(2):
        client = stdio("--record", str(out), workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
        client.open(f"x = {number}\n", (root / "a.py").as_uri(), version=1)
        client.leave()  # what still waits for the disk is written before the end
    assert texts(out) == {"a.py": "x = 0\n"}
    assert texts(tmp_path / "s-2.jsonl") == {"a.py": "x = 1\n"}


def test_answers_are_the_same_while_it_records(start: Start, root: Path, tmp_path: Path, engine: FakeEngine) -> None:
    client = begin(start, root)
    uri = client.open(TEXT, (root / "a.py").as_uri(), version=1)
    before = client.request("textDocument/completion", client.at(uri, 1, 4))
    run(client, "record", str(tmp_path / "s.jsonl"))
    assert client.request("textDocument/completion", client.at(uri, 1, 4)) == before


@pytest.mark.skipif(sys.platform == "win32", reason="the size of files is limited on POSIX only")
@pytest.mark.parametrize("room", [700, 701, 750, 803])
def test_a_line_that_the_disk_takes_in_part_is_cut_off(tmp_path: Path, room: int) -> None:
    import resource

    out = tmp_path / "s.jsonl"
    recorder = Recorder(out, False, lambda: 0.0)
    buffer = Buffer(b"x = 1\n")
    recorder.open("u", "a.py", "python", buffer)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))

    def fill() -> None:
        for _ in range(20):
            recorder.change("u", buffer, [ByteEdit(0, 0, "é\n".encode())])

    try:
        with pytest.raises(SessionError, match="cannot write"):
            fill()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert len(read_session(out)) == recorder.events
    assert out.read_bytes().endswith(b"}\n")


def test_a_recording_that_was_cut_off_is_read_up_to_its_last_whole_line(tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    recorder = Recorder(out, False, lambda: 0.0)
    buffer = Buffer(b"")
    recorder.open("u", "a.py", "python", buffer)
    recorder.change("u", buffer, [ByteEdit(0, 0, "日本\n".encode())])
    recorder.end()
    whole = out.read_bytes()
    begun = len(whole.split(b"\n")[0]) + 1
    ends = [at + 1 for at in range(begun, len(whole)) if whole[at] == 10]
    for length in range(ends[0], len(whole) + 1):
        out.write_bytes(whole[:length])
        read = read_session(out)
        assert len(read) == sum(end <= length + (length == len(whole) - 1) for end in ends), length


def test_a_stop_where_nothing_is_recorded_does_not_hold_the_next_recording(
    start: Start, root: Path, tmp_path: Path
) -> None:
    client = begin(start, root)
    client.open(TEXT, (root / "a.py").as_uri(), version=1)
    for number in range(3):
        assert run(client, "stop-recording") is None
        out = tmp_path / f"s{number}.jsonl"
        assert run(client, "record", str(out))["documents"] == 1
        run(client, "stop-recording")
        assert texts(out) == {"a.py": TEXT}
