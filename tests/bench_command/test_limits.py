"""Limits of what `editahead bench` replays: sessions and commits beyond them are refused or passed over."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.bench import sources
from editahead.bench.sources import MAX_FILES, ReplayedRepository
from editahead.recording import session_file
from editahead.recording.session_file import SessionError, read_session

from tests.bench_command.test_bench_command import git
from tests.bench_command.test_bench_events import HEAD


@pytest.mark.parametrize(("limit", "most"), [("MAX_FILE_BYTES", 100), ("MAX_EVENTS", 3)])
def test_a_session_file_beyond_its_limits_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    opened = '{"event": "open", "document": %d, "path": "a%d.py", "languageId": "python", "text": "x"}\n'
    path = tmp_path / "s.jsonl"
    path.write_text(HEAD + "".join(opened % (number, number) for number in range(5)), encoding="utf-8")
    assert len(read_session(path)) == 5
    monkeypatch.setattr(session_file, limit, most)
    with pytest.raises(SessionError, match="record a shorter session") as caught:
        read_session(path)
    assert "\n" not in str(caught.value)


def test_a_commit_of_too_many_hunks_or_files_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    files = {f"m{number}.py": [f"x_{line} = {line}\n\n\n" for line in range(20)] for number in range(MAX_FILES + 1)}

    def commit(changed: int, hunks: int, word: str) -> None:
        for name in list(files)[:changed]:
            files[name][:hunks] = [f"{word}_{line} = {line}\n\n\n" for line in range(hunks)]
        for name, rows in files.items():
            (tmp_path / name).write_text("".join(rows), encoding="utf-8")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", word)

    commit(0, 0, "first")
    commit(1, sources.MAX_HUNKS, "enough")
    commit(1, sources.MAX_HUNKS + 1, "hunks")
    commit(MAX_FILES + 1, 3, "files")
    repository = ReplayedRepository(tmp_path)
    (session,) = sources.commit_sessions(repository, "HEAD", 9, 0)
    wanted = repository.commit("HEAD~2")
    assert session.name.endswith(wanted[:10])
    monkeypatch.setattr(sources, "MAX_HUNKS", 100)
    assert len(sources.commit_sessions(repository, "HEAD", 9, 0)) == 2
