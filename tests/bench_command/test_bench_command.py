"""`editahead bench` against small servers and a small repository: what it asks, what it counts, its exit codes."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from editahead.bench.drive import ServerUnderTest, run
from editahead.bench.sources import ReplayedRepository, commit_sessions, retyping_session
from editahead.bench.stdio_client import ServerError, StdioClient, server_command
from editahead.cli import main
from editahead.recording.session_file import Open, RecordedChange, RecordedSession

ECHO = str(Path(__file__).parent / "words_server.py")
WORDS = ["order", "customer", "total", "price", "count", "listener"]


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def module(seed: int, verb: str = "get") -> str:
    draw = random.Random(seed)
    rows = []
    for number in range(12):
        a, b = draw.choices(WORDS, k=2)
        rows.append(
            f"def {a}_{number}({b}, other):\n    value = {verb}_{a}({b})\n    return value.{b}(other, {a}_{number})\n"
        )
    return "\n".join(rows)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    git(root, "init", "-q", "-b", "main")
    for number in range(6):
        (root / f"m{number}.py").write_text(module(number), encoding="utf-8")
    (root / ".env.py").write_text(module(99), encoding="utf-8")
    (root / "link.py").symlink_to("m0.py")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    for number in range(3):
        (root / f"m{number}.py").write_text(module(number, "find"), encoding="utf-8")
        git(root, "commit", "-qam", f"two {number}")
    return root


def test_the_same_seed_takes_the_same_places_and_no_secret_or_link(repository: Path) -> None:
    one, two = (retyping_session(ReplayedRepository(repository), "HEAD", 4, 7) for _ in range(2))
    assert one == two
    assert one != retyping_session(ReplayedRepository(repository), "HEAD", 4, 8)
    assert set(one.files) == {f"m{number}.py" for number in range(6)}
    opened = [event for event in one.events if isinstance(event, Open)]
    assert len({event.path for event in opened}) == 4


def test_what_is_typed_again_makes_the_file_whole(repository: Path) -> None:
    session = retyping_session(ReplayedRepository(repository), "HEAD", 4, 1)
    texts: dict[int, bytes] = {}
    for event in session.events:
        if isinstance(event, Open):
            texts[event.document] = event.text
            assert session.files[event.path] == event.text  # the disk holds no more than the editor shows
        elif isinstance(event, RecordedChange):
            for edit in event.edits:
                texts[event.document] = edit.apply(texts[event.document])
    paths = {event.document: event.path for event in session.events if isinstance(event, Open)}
    for document, text in texts.items():
        assert text == (repository / paths[document]).read_bytes()


def test_commits_are_made_hunk_by_hunk(repository: Path) -> None:
    sessions = commit_sessions(ReplayedRepository(repository), "HEAD", 2, 0)
    assert len(sessions) == 2
    for session in sessions:
        (opened,) = [event for event in session.events if isinstance(event, Open)]
        text = opened.text
        changes = [event for event in session.events if isinstance(event, RecordedChange)]
        assert len(changes) == 12
        for event in changes:
            text = event.edits[0].apply(text)
        assert text == (repository / opened.path).read_bytes()


def test_a_server_is_typed_at_and_scored(repository: Path) -> None:
    session = retyping_session(ReplayedRepository(repository), "HEAD", 3, 1)
    ran = run(session, ServerUnderTest((sys.executable, ECHO, "words")))
    counts = {key: sum(place.counts[key] for place in ran.places) for key in ran.places[0].counts}
    assert ran.surfaces == ("completion",)
    assert counts["keys.menu"] == counts["keys.all"] < counts["keys.typed"]
    assert 0 < counts["bare.top5"] < counts["bare.names"]
    assert ran.start_ms > 0
    assert ran.rss_mb > 1 or not Path("/proc").exists()


def test_next_edits_are_asked_where_a_server_has_them(repository: Path) -> None:
    (session, *_) = commit_sessions(ReplayedRepository(repository), "HEAD", 1, 0)
    ran = run(session, ServerUnderTest((sys.executable, ECHO, "edits"), next_edit="textDocument/copilotInlineEdit"))
    (place,) = ran.places
    assert place.counts["edit.asked"] == place.counts["edit.shown"] == 12
    assert place.counts["edit.due"] == 11
    assert 0 < place.counts["edit.right"] < 12  # it replaces the first get_ with find_, also where none is left


def test_errors_and_silence_of_a_server_are_counted_and_its_end_is_an_error() -> None:
    text = b"value = 1\n"
    session = RecordedSession("s", "commits", (Open(1, "a.py", "python", text), RecordedChange(1, ())), {"a.py": text})
    ran = run(session, ServerUnderTest((sys.executable, ECHO, "errors")))
    assert ran.failed == {}
    with pytest.raises(ServerError):
        run(session, ServerUnderTest((sys.executable, "-c", "import sys; sys.exit('no such model')")))


def call(
    *arguments: object, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["editahead", "bench", *map(str, arguments)])
    monkeypatch.setenv("COLUMNS", "120")
    with pytest.raises(SystemExit) as caught:
        main.main()
    out, err = capfd.readouterr()
    assert isinstance(caught.value.code, int)
    return caught.value.code, out, err


@pytest.mark.slow
def test_the_command_reports_compares_and_guards(
    repository: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def bench(*arguments: object) -> tuple[int, str, str]:
        return call(*arguments, capfd=capfd, monkeypatch=monkeypatch)

    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    common = [repository, "--places", 6, "--commits", 0]
    server = f"{sys.executable} {ECHO}"
    code, out, _ = bench(*common, "--server", f"{server} words", "--json", good)
    assert code == 0
    assert "keystrokes saved" in out
    assert json.loads(good.read_text(encoding="utf-8"))["figures"]["keys_saved"] > 0
    code, out, _ = bench(*common, "--server", f"{server} words", "--baseline", good)
    assert (code, out.splitlines()[-1]) == (0, "nothing is worse beyond noise")
    code, out, _ = bench(*common, "--server", f"{server} silent", "--baseline", good, "--json", bad)
    assert code == 1
    assert "worse beyond noise: keystrokes saved" in out
    assert bench("--compare", bad, good)[0] == 0
    assert bench("--compare", good, bad)[0] == 1


@pytest.mark.slow
@pytest.mark.parametrize("anonymised", [False, True])
def test_what_the_server_records_is_replayed(
    anonymised: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the keys of an editor to the figures: our own server writes the file, and any server can be held to it."""
    root, out, report = tmp_path / "project", tmp_path / "s.jsonl", tmp_path / "report.json"
    root.mkdir()
    text = module(1)
    typed = "def customer_sum(order, total):\n    return order.customer + total\n"
    uri = (root / "m1.py").as_uri()
    with StdioClient(server_command(), timeout=60.0) as client:
        folder = {"uri": root.as_uri(), "name": "w"}
        client.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": [folder]})
        client.notify("initialized", {})
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": document})
        record = {"command": "editahead.record", "arguments": [str(out), anonymised]}
        assert client.request("workspace/executeCommand", record).result["documents"] == 1
        line, column = text.count("\n"), 0
        for version, key in enumerate(re.findall(r"\n *|.", typed), 2):
            at = {"line": line, "character": column}
            change = {"range": {"start": at, "end": at}, "text": key}
            changed = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}
            client.notify("textDocument/didChange", changed)
            line, column = (line + 1, len(key) - 1) if key[0] == "\n" else (line, column + 1)
        client.request("workspace/executeCommand", {"command": "editahead.stop-recording"})
    if anonymised:
        assert not any(word in out.read_text(encoding="utf-8") for word in WORDS)
    server = f"{sys.executable} {ECHO} words"
    arguments = ["--session", out, "--server", server, "--json", report]
    code, _, err = call(*arguments, capfd=capfd, monkeypatch=monkeypatch)
    assert code == 0, err
    counts = json.loads(report.read_text(encoding="utf-8"))["places"][0]["counts"]
    keys = len(re.findall(r"\n *|.", typed))
    # without code, a word changes as a whole when its letters become a keyword, or cease to be one
    assert counts["keys.typed"] == keys if not anonymised else 0.8 * keys < counts["keys.typed"] <= keys
    assert counts["keys.menu"] < counts["keys.typed"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["/nonexistent/repository"], "no git repository"),
        (["--compare", "/nonexistent.json", "/nonexistent.json"], "cannot read"),
        (["--compare", "m0.py", "m1.py"], "m0.py is not JSON: make one with editahead bench --json m0.py"),
        (["--language", "go"], "has no code file in go with 20 lines"),
        (["--session", "/nonexistent.jsonl"], "cannot read"),
        (["--server", "'open"], "quote it"),
        (["--revision", "nowhere"], "no revision nowhere"),
        (["--server", "/nonexistent/server"], "was not found"),
        (["--places", "0", "--commits", "0"], "nothing to replay"),
        (["--language", "klingon"], "--language 'klingon' is not known"),
        (["--json", "/nonexistent/a.json"], "cannot write /nonexistent/a.json: there is no folder /nonexistent"),
        (["--json", "."], "cannot write .: is a directory"),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(
    repository: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    said: str,
) -> None:
    if "not found" not in said:
        monkeypatch.setattr(
            "editahead.bench.drive.run", lambda *_: pytest.fail("nothing is measured before this is told")
        )
    monkeypatch.chdir(repository)
    code, _, err = call(*arguments, capfd=capfd, monkeypatch=monkeypatch)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err


def test_a_repository_without_a_commit_is_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "-q")
    code, _, err = call(tmp_path, capfd=capfd, monkeypatch=monkeypatch)
    assert (code, err) == (2, f"editahead: {tmp_path} has no commit: make one, or name another repository\n")


def test_a_deleted_folder_is_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    code, _, err = call(capfd=capfd, monkeypatch=monkeypatch)
    assert (code, err) == (2, "editahead: the current folder is gone: change to the repository\n")
