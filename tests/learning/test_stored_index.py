"""The index on disk: permissions, bounds, damage, versions, other servers, and what is not in it."""

from __future__ import annotations

import logging
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from editahead.index.stored_files import Fingerprint, StoredFile
from editahead.learning import stored_index
from editahead.learning.stored_index import StoredIndex, StoredProject

ROOT = Path("/home/zoe/okapi")


@pytest.fixture
def index(tmp_path: Path) -> StoredIndex:
    return StoredIndex(tmp_path / "data" / "memory")


def file(data: bytes = b"names", modified: int = 1) -> StoredFile:
    return StoredFile(Fingerprint(modified, 2, 3, b"digest"), data)


class Session:
    """A session in a project, with what the user is told."""

    def __init__(self, index: StoredIndex, root: Path = ROOT) -> None:
        self.told: list[str] = []
        self.project = StoredProject(root, self.told.append, StoredIndex(index.folder))
        self.project.load()

    def store(self, *files: str, data: bytes = b"names") -> None:
        for where in files:
            self.project.put(where, file(data))
        self.project.flush()


def test_files_survive_are_replaced_and_removed(index: StoredIndex) -> None:
    Session(index).store("a.py", "pkg/b.py")
    again = Session(index)
    assert again.project.take("a.py") == file()
    assert again.project.take("a.py") is None, "once"
    again.project.put("a.py", file(b"others", 7))
    again.project.flush()
    last = Session(index)
    assert last.project.take("a.py") == file(b"others", 7)
    assert last.project.take("pkg/b.py") is None
    assert Session(index, Path("/home/zoe/other")).project.take("a.py") is None
    assert last.told == []


def test_nothing_is_written_where_nothing_is_stored(index: StoredIndex) -> None:
    Session(index).store()
    assert not index.folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_user_can_read_it(index: StoredIndex) -> None:
    old = os.umask(0)
    try:
        Session(index).store("a.py")
    finally:
        os.umask(old)
    assert stat.S_IMODE(index.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(index.path.stat().st_mode) == 0o600


def test_neither_projects_nor_paths_are_in_it(index: StoredIndex) -> None:
    Session(index).store("quagga/zebra.py")
    data = index.path.read_bytes()
    for word in (b"okapi", b"zoe", b"quagga", b"zebra"):
        assert word not in data


def test_what_is_removed_is_not_in_the_file_any_more(index: StoredIndex) -> None:
    session = Session(index)
    for where, data in {"a.py": b"zebra" * 2000, "b.py": b"okapi"}.items():
        session.project.put(where, file(data))
    session.project.flush()
    assert b"zebra" in index.path.read_bytes()
    session.project.put("a.py", None)
    session.project.flush()
    assert b"zebra" not in index.path.read_bytes()
    assert b"okapi" in index.path.read_bytes()
    assert index.forget_project(str(ROOT)) == 1
    assert b"okapi" not in index.path.read_bytes()
    assert index.forget_project(str(ROOT)) == 0


def test_a_project_and_all_projects_are_bounded(index: StoredIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_index, "MAX_PROJECT_BYTES", 10_000)
    monkeypatch.setattr(stored_index, "MAX_STORED_BYTES", 25_000)
    for number in range(4):
        Session(index, Path(f"/p{number}")).store(*(f"{each}.py" for each in range(7)), data=os.urandom(2000))
        if number == 1:
            Session(index, Path("/p0"))  # is used again
    assert sorted((files, size) for _, files, size in index.sizes()) == [(5, 10_000), (5, 10_000)]
    kept = [number for number in range(4) if Session(index, Path(f"/p{number}")).project.take("0.py")]
    assert kept == [2, 3]


def test_the_project_used_last_stays(index: StoredIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_index, "MAX_STORED_BYTES", 5_000)
    for root in ("/p0", "/p1"):
        Session(index, Path(root)).store("a.py", data=bytes(2000))
    Session(index, Path("/p0"))
    Session(index, Path("/p2")).store("a.py", data=bytes(2000))
    assert [bool(Session(index, Path(f"/p{n}")).project.take("a.py")) for n in range(3)] == [True, False, True]


def test_a_file_that_grew_beyond_the_limit_is_not_kept_as_it_was(
    index: StoredIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(index)
    session.store("a.py", data=b"zebra")
    monkeypatch.setattr(stored_index, "MAX_PROJECT_BYTES", 100)
    session.store("a.py", data=bytes(2000))
    assert Session(index).project.take("a.py") is None
    assert b"zebra" not in index.path.read_bytes()


@pytest.mark.parametrize("damage", ["text", "middle", "truncated", "empty of meta", "types"])
def test_a_damaged_file_is_renamed_aside_and_a_new_one_begins(index: StoredIndex, damage: str) -> None:
    Session(index).store(*(f"{number}.py" for number in range(300)), data=os.urandom(500))
    data = index.path.read_bytes()
    if damage == "text":
        index.path.write_bytes(b"no database at all " * 400)
    elif damage == "middle":
        index.path.write_bytes(data[:4096] + os.urandom(len(data) - 4096))
    elif damage == "truncated":
        index.path.write_bytes(data[: len(data) // 2])
    else:
        with sqlite3.connect(index.path) as db:
            wrong = "UPDATE files SET data = 'text'"
            db.execute({"empty of meta": "DELETE FROM meta", "types": wrong}[damage])
        db.close()
    session = Session(index)
    session.store("a.py")
    assert Session(index).project.take("a.py") == file()
    (line,) = session.told
    assert line.startswith("the stored index was damaged: it is kept as ")
    assert "\n" not in line
    assert (index.folder / index.damaged).exists()
    index.forget_all()
    assert list(index.folder.iterdir()) == []


def test_the_file_of_another_version_is_deleted_with_a_line_in_the_log(
    index: StoredIndex, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    Session(index).store("a.py", data=b"zebra")
    monkeypatch.setattr(StoredIndex, "format", StoredIndex.format + 1)
    monkeypatch.setattr(
        StoredIndex, "schema", StoredIndex.schema.replace(str(StoredIndex.format - 1), str(StoredIndex.format))
    )
    with caplog.at_level(logging.INFO):
        session = Session(index)
    assert session.project.take("a.py") is None
    session.store("b.py")
    assert session.told == []
    assert [path.name for path in index.folder.iterdir()] == [index.file]
    assert caplog.messages == [
        "the stored index is of another version of editahead: it is deleted, and files are read again"
    ]
    assert b"zebra" not in index.path.read_bytes()


def test_a_full_disk_is_told_once_and_loses_nothing_that_was_written(
    index: StoredIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    Session(index).store("a.py")
    monkeypatch.setattr(StoredIndex, "max_bytes", 12 * 4096)
    session = Session(index)
    session.project.take("a.py")
    for number in range(500):
        session.project.put(f"{number}.py", file(os.urandom(2000)))
    session.project.flush()
    (line,) = session.told
    assert "full" in line
    assert Session(index).project.take("a.py") == file()


def test_a_folder_that_cannot_be_used_is_told_once(index: StoredIndex) -> None:
    index.folder.parent.mkdir()
    index.folder.write_text("a file")
    session = Session(index)
    session.store("a.py")
    session.store("b.py")
    assert len(session.told) == 1


@pytest.mark.parametrize("what", ["all", "project"])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_server_stores_nothing_of_a_project_that_was_forgotten_until_it_starts_again(
    index: StoredIndex, what: str, is_first: bool
) -> None:
    session = Session(index)
    session.store("a.py")
    if not is_first:
        session = Session(index)
        session.project.take("a.py")
    Session(index, Path("/other")).store("c.py")
    if what == "all":
        index.forget_all()
        Session(index, Path("/other")).store("c.py")
    else:
        index.forget_project(str(ROOT))
    for _ in range(2):
        session.project.put("b.py", file())
        session.project.flush()
    assert [files for _, files, _ in index.sizes()] == [1], "of the other project"
    assert session.told == []
    Session(index).store("b.py")
    assert Session(index).project.take("b.py") == file()


def test_what_was_not_taken_is_removed(index: StoredIndex) -> None:
    Session(index).store("a.py", "b.py", "c.py")
    session = Session(index)
    assert session.project.take("a.py")
    assert session.project.take("b.py")
    session.project.put("b.py", None)
    session.project.flush()
    last = Session(index)
    assert [bool(last.project.take(where)) for where in ("a.py", "b.py", "c.py")] == [True, False, False]


_PROGRAM = (
    "import sys; from pathlib import Path\n"
    "from editahead.index.stored_files import Fingerprint, StoredFile\n"
    "from editahead.learning.stored_index import StoredIndex, StoredProject\n"
    "project = StoredProject(Path(sys.argv[2]), print, StoredIndex(Path(sys.argv[1])))\n"
    "project.load()\n"
)


def test_two_servers_on_a_folder(index: StoredIndex) -> None:
    program = _PROGRAM + (
        "names = [f'{number}.py' for number in range(250)]\n"
        "for name in names: project.put(name, StoredFile(Fingerprint(1, 2, 3, b'digest'), b'names'))\n"
        "project.flush()\n"
    )
    roots = ("/p", "/p", "/q")
    running = [subprocess.Popen([sys.executable, "-c", program, str(index.folder), root]) for root in roots]
    assert [each.wait(120) for each in running] == [0, 0, 0]
    assert [(files, size) for _, files, size in index.sizes()] == [(250, 1250), (250, 1250)]


@pytest.mark.slow
def test_a_server_that_is_killed_at_any_moment_leaves_whole_transactions(index: StoredIndex) -> None:
    program = _PROGRAM + (
        "for turn in range(10**6):\n"
        "    for each in range(100):\n"
        "        project.put(f'{each}.py', StoredFile(Fingerprint(turn, 2, 3, b'digest'), b'%d' % turn))\n"
        "    print('written', flush=True)\n"
    )
    chance = random.Random(3)
    for _ in range(3):
        running = subprocess.Popen(
            [sys.executable, "-c", program, str(index.folder), str(ROOT)], stdout=subprocess.PIPE
        )
        assert running.stdout is not None
        running.stdout.readline()
        time.sleep(chance.random() * 0.05)
        running.send_signal(signal.SIGKILL)
        running.wait()
        running.stdout.close()
        session = Session(index)
        files = [session.project.take(f"{each}.py") for each in range(100)]
        assert len({stored.fingerprint.modified for stored in files if stored is not None}) == 1
        assert None not in files
        assert session.told == []
    assert not (index.folder / index.damaged).exists()
