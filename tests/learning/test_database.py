"""The memory on disk: permissions, bounds, damage, other servers, clocks, and what is not in it."""

from __future__ import annotations

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
from editahead.learning import database as database_module
from editahead.learning.database import DAMAGED, FILE, KindChange, MemoryDatabase
from editahead.learning.rejected_kinds import DAY, RejectedKind
from editahead.learning.scoreboard import CountKey
from editahead.learning.sqlite_file import MemoryStoreError

KEY = CountKey("/home/zoe/okapi", "python", "inline", 8, "shown")
KIND = RejectedKind("/home/zoe/okapi", "0123456789abcdef", "python", "next_edit", "rename", "return")
TODAY = 20_000


@pytest.fixture
def database(tmp_path: Path) -> MemoryDatabase:
    return MemoryDatabase(tmp_path / "data" / "memory", lambda: TODAY * DAY + 5.0)


def total(database: MemoryDatabase) -> int:
    return sum(database.read().counts.values())


def test_counts_and_rejections_survive(database: MemoryDatabase) -> None:
    database.add({KEY: 3}, [KindChange(KIND, True), KindChange(KIND, True)])
    database.add({KEY: 4}, [KindChange(KIND, True)])
    contents = MemoryDatabase(database.folder, lambda: TODAY * DAY).read()
    assert list(contents.counts.values()) == [7]
    (kind,) = contents.kinds
    assert (kind.weight, kind.count, kind.day) == (3.0, 3, TODAY)
    database.add({}, [KindChange(KIND, False)])
    assert database.read().kinds == []


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_user_can_read_it_and_its_folder(database: MemoryDatabase) -> None:
    old = os.umask(0)
    try:
        database.add({KEY: 1}, [])
    finally:
        os.umask(old)
    assert stat.S_IMODE(database.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(database.path.stat().st_mode) == 0o600
    database.folder.chmod(0o755)
    database.add({KEY: 1}, [])
    assert stat.S_IMODE(database.folder.stat().st_mode) == 0o700


def test_no_word_of_a_project_is_in_it_and_its_hash_differs_between_folders(database: MemoryDatabase) -> None:
    other = MemoryDatabase(database.folder.parent / "other")
    for each in (database, other):
        each.begin_session([KEY.project])
        each.add({KEY: 1}, [KindChange(KIND, True)])
        data = each.path.read_bytes()
        assert b"okapi" not in data
        assert b"zoe" not in data
    assert set(database.read().sessions) != set(other.read().sessions)


@pytest.mark.parametrize("damage", ["text", "middle", "truncated", "format", "empty of meta", "types"])
def test_a_damaged_file_is_renamed_aside_and_a_new_one_begins(database: MemoryDatabase, damage: str) -> None:
    database.begin_session([f"/p{number}" for number in range(200)])
    database.add({KEY._replace(project=f"/p{number}"): 1 for number in range(2000)}, [])
    data = database.path.read_bytes()
    if damage == "text":
        database.path.write_bytes(b"no database at all " * 400)
    elif damage == "middle":
        database.path.write_bytes(data[:4096] + os.urandom(len(data) - 4096))
    elif damage == "truncated":
        database.path.write_bytes(data[: len(data) // 2])
    else:
        with sqlite3.connect(database.path) as db:
            wrong = "INSERT INTO rejected VALUES ('', 'x', '', '', '', '', 'heavy', 'x', 'today')"
            statements = {"format": "PRAGMA user_version = 77", "empty of meta": "DELETE FROM meta", "types": wrong}
            db.execute(statements[damage])
        db.close()
    again = MemoryDatabase(database.folder)
    again.begin_session(["/q"])
    again.add({KEY: 5}, [])
    assert total(again) == 5
    assert again.set_aside.startswith("the memory was damaged: it is kept as ")
    assert (database.folder / DAMAGED).exists()


def test_a_full_disk_is_an_error_of_one_line_and_loses_nothing_that_was_written(
    database: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.add({KEY: 7}, [])
    monkeypatch.setattr(MemoryDatabase, "max_bytes", 10 * 4096)
    with pytest.raises(MemoryStoreError, match="full") as caught:
        database.add({KEY._replace(project=f"/p{number}"): 1 for number in range(5000)}, [])
    assert "\n" not in str(caught.value)
    assert total(database) == 7


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
@pytest.mark.parametrize("what", ["file in place of the folder", "link", "folder", "pipe"])
def test_what_is_no_file_of_ours_is_an_error_of_one_line(database: MemoryDatabase, what: str, tmp_path: Path) -> None:
    target = tmp_path / "target"
    if what.startswith("file"):
        database.folder.parent.mkdir()
        database.folder.write_text("x")
    else:
        database.folder.mkdir(parents=True)
        if what == "link":
            target.write_text("mine")
            database.path.symlink_to(target)
        elif what == "folder":
            database.path.mkdir()
        else:
            os.mkfifo(database.path)
    with pytest.raises(MemoryStoreError, match="cannot use") as caught:
        database.add({KEY: 1}, [])
    assert "\n" not in str(caught.value)
    assert not target.exists() or target.read_text() == "mine"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_an_error_of_one_line(database: MemoryDatabase) -> None:
    database.folder.parent.mkdir(mode=0o500)
    with pytest.raises(MemoryStoreError, match="permission denied"):
        database.add({KEY: 1}, [])


def test_a_disk_that_is_mounted_read_only_is_an_error_of_one_line(
    database: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.add({KEY: 1}, [])
    connect = sqlite3.connect
    read_only = f"file:{database.path}?mode=ro"
    monkeypatch.setattr(sqlite3, "connect", lambda path, **more: connect(read_only, uri=True, **more))
    with pytest.raises(MemoryStoreError, match="readonly"):
        database.add({KEY: 1}, [])


def test_servers_on_the_same_folder_add_up(database: MemoryDatabase) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from editahead.learning.database import KindChange, MemoryDatabase\n"
        "from editahead.learning.rejected_kinds import RejectedKind\n"
        "from editahead.learning.scoreboard import CountKey\n"
        "database = MemoryDatabase(Path(sys.argv[1]))\n"
        "database.begin_session(['/p'])\n"
        "kind = RejectedKind('/p', '0123456789abcdef', 'python', 'inline', '', 'other')\n"
        "counts = {CountKey('/p', 'python', 'inline', 1, 'shown'): 1}\n"
        "for number in range(15): database.add(counts, [KindChange(kind, True)])\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(database.folder)]) for _ in range(2)]
    assert [each.wait(120) for each in running] == [0, 0]
    contents = database.read()
    assert list(contents.counts.values()) == [30]
    assert contents.kinds[0].count == 30
    assert list(contents.sessions.values()) == [2]


def test_a_server_that_is_killed_at_any_moment_leaves_whole_transactions(database: MemoryDatabase) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from editahead.learning.database import MemoryDatabase\n"
        "from editahead.learning.scoreboard import CountKey\n"
        "database = MemoryDatabase(Path(sys.argv[1]))\n"
        "pair = {CountKey(str(n), 'python', 'inline', 1, 'shown'): 1 for n in range(200)}\n"
        "while True:\n"
        "    database.add(pair, []); print('written', flush=True)\n"
    )
    chance, written = random.Random(3), 0
    for _ in range(3):
        running = subprocess.Popen([sys.executable, "-c", program, str(database.folder)], stdout=subprocess.PIPE)
        assert running.stdout is not None
        running.stdout.readline()
        time.sleep(chance.random() * 0.05)
        running.send_signal(signal.SIGKILL)
        written += 1 + running.stdout.read().count(b"written")
        running.wait()
        running.stdout.close()
        counts = set(database.read(by_project=True).counts.values())
        assert len(counts) == 1, "a part of a transaction"
        assert written <= counts.pop() <= written + 6
    assert not (database.folder / DAMAGED).exists()


def test_a_clock_that_jumps_does_no_harm(database: MemoryDatabase) -> None:
    future = MemoryDatabase(database.folder, lambda: (TODAY + 50_000) * DAY)
    future.begin_session(["/p"])
    future.add({KEY: 1}, [KindChange(KIND, True)])
    contents = database.begin_session(["/p"])
    assert contents.kinds[0].day == TODAY, "it decays from now on"
    assert contents.kinds[0].weight == 1.0
    past = MemoryDatabase(database.folder, lambda: -1e9)
    past.begin_session(["/p"])
    past.add({KEY: 1}, [KindChange(KIND, True)])
    assert past.read().kinds[0].count == 2


@pytest.mark.slow
def test_ten_thousand_sessions_fit_in_20_megabytes(database: MemoryDatabase) -> None:
    """1,500 projects with three languages, three kinds, five classes of probability, four events each."""
    keys = [
        CountKey("", language, kind, bucket, event)
        for language in ("python", "typescript", "rust")
        for kind in ("inline", "next_edit", "next_edit_place")
        for bucket in range(5, 10)
        for event in ("offered", "shown", "accepted", "rejected")
    ]
    for number in range(10):
        projects = [f"/home/zoe/project{number}/{each}" for each in range(150)]
        for _ in range(7 if number == 0 else 1):  # how often a project was used is a number
            database.begin_session(projects)
        database.add({key._replace(project=project): 500 for key in keys for project in projects}, [])
        assert database.path.stat().st_size < 20_000_000
    contents = database.begin_session([])
    assert sum(contents.counts.values()) == 10 * 150 * len(keys) * 500, "nothing is lost"
    contents = database.read(by_project=True)
    assert len(contents.counts) <= database_module.MAX_ROWS
    assert len(contents.sessions) <= database_module.MAX_PROJECTS


def test_projects_beyond_the_limit_are_added_together(
    database: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "MAX_PROJECTS", 3)
    for number in range(6):
        database.begin_session([f"/p{number}"])
        database.add({KEY._replace(project=f"/p{number}"): 1}, [KindChange(KIND, True)])
    contents = database.begin_session([])
    assert total(database) == 6
    assert len(contents.sessions) == 3
    assert database.read(by_project=True).counts[KEY._replace(project="")] == 3


def test_a_project_a_kind_and_all_can_be_removed(database: MemoryDatabase) -> None:
    database.begin_session(["/p", "/q"])
    for project in ("/p", "/q"):
        kind = RejectedKind(project, KIND.pattern, *database_module._columns(KIND)[2:6])  # type: ignore[arg-type]
        identity = database.add({KEY._replace(project=project): 1}, [KindChange(kind, True)])
    assert database.forget_project("/p") == 3
    assert database.forget_project("/p") == 0
    contents = database.read()
    assert (len(contents.counts), len(contents.kinds), len(contents.sessions)) == (1, 1, 1)
    assert contents.identity != identity
    assert database.forget_kind(KIND.pattern) == 1
    assert database.read().kinds == []
    database.forget_all()
    assert list(database.folder.iterdir()) == []
    assert not database.has_file
    assert database.add({KEY: 1}, [])[0] != identity[0], "another salt"


def test_what_was_removed_is_not_in_the_file_any_more(database: MemoryDatabase) -> None:
    database.begin_session(["/p"])
    database.add(
        {KEY._replace(project="/p"): 1}, [KindChange(RejectedKind("/p", *["f" * 16, "zebra", "", "", ""]), True)]
    )
    assert b"zebra" in (database.folder / FILE).read_bytes()
    database.forget_project("/p")
    assert b"zebra" not in (database.folder / FILE).read_bytes()
