"""Files of patterns that are no files: not followed, not waited for, not drained; what cannot be read counts."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest
from editahead.exclusion import exclusion
from editahead.gitignore import rules
from editahead.index.walk import walk
from editahead.regular_file import UnreadableFileError, read_regular
from editahead.settings import Settings

from tests.gitignore.git_trees import put

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and devices as POSIX has them")
DEADLINE = 5.0


def within_the_deadline(root: Path) -> str | None:
    """What is said of a file there; fails where the answer does not come."""
    answers: list[str | None] = []
    thread = threading.Thread(target=lambda: answers.append(exclusion(Settings(), root / "a.py", root)), daemon=True)
    thread.start()
    thread.join(DEADLINE)
    assert answers, "no answer"
    return answers[0]


def test_a_pipe_is_not_waited_for_and_not_drained(tmp_path: Path) -> None:
    put(tmp_path, {"a.py": b""})
    os.mkfifo(tmp_path / ".gitignore")
    assert within_the_deadline(tmp_path) is None
    handle = os.open(tmp_path / ".gitignore", os.O_RDWR)
    try:
        os.write(handle, b"a.py\n")
        assert within_the_deadline(tmp_path) is None
        assert os.read(handle, 100) == b"a.py\n", "somebody has read what was meant for another"
    finally:
        os.close(handle)


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/stdin", "/proc/self/fd/0", ".gitignore", "patterns"])
def test_a_link_is_not_followed(tmp_path: Path, target: str) -> None:
    put(tmp_path, {"a.py": b"", "patterns": b"a.py\n"})
    (tmp_path / ".gitignore").symlink_to(target)
    assert within_the_deadline(tmp_path) is None  # as git has it since 2.32
    assert [found.where for found in walk(tmp_path, Settings()) if found] == ["a.py"]


@pytest.mark.parametrize("where", [".git/info/exclude", ".git/config", ".git/commondir"])
def test_a_device_or_a_pipe_among_gits_own_files_is_not_read(tmp_path: Path, where: str) -> None:
    put(tmp_path, {"a.py": b"", ".git/HEAD": b"ref: refs/heads/main\n"})
    path = tmp_path / where
    path.parent.mkdir(exist_ok=True)
    path.symlink_to("/dev/zero")
    assert within_the_deadline(tmp_path) is None
    path.unlink()
    os.mkfifo(path)
    time.sleep(0)
    assert within_the_deadline(tmp_path) is None


def test_what_cannot_be_read_counts_as_naming_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"a.py": b"", ".gitignore": b"# nothing\n" * 100})
    assert exclusion(Settings(), tmp_path / "a.py", tmp_path) is None
    monkeypatch.setattr(rules, "MAX_BYTES", 999)
    put(tmp_path, {".gitignore": b"# nothing\n" * 101})
    why = exclusion(Settings(), tmp_path / "a.py", tmp_path)
    assert why == "git's patterns cannot be read (.gitignore: larger than 999 bytes)"
    assert exclusion(Settings(respect_gitignore=False), tmp_path / "a.py", tmp_path) is None


def test_a_file_that_grows_while_it_is_read_stays_within_the_limit(tmp_path: Path) -> None:
    put(tmp_path, {"a": b"x" * 10})
    assert read_regular(tmp_path / "a", 10) == b"x" * 10
    with pytest.raises(UnreadableFileError, match="larger"):
        read_regular(tmp_path / "a", 9)
    assert read_regular(tmp_path / "none", 9) is None
    assert read_regular(tmp_path / "a" / "b", 9) is None
    assert read_regular(tmp_path, 9) is None
    (tmp_path / "link").symlink_to("a")
    assert read_regular(tmp_path / "link", 10) is None
    assert read_regular(tmp_path / "link", 10, follow=True) == b"x" * 10
