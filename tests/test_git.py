"""Questions to git, whatever the folder and its environment are like."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead import git
from editahead.git import MAX_BLOB, GitError, RawChange, ask_git, modified_files, read_blobs, tree_files
from editahead_models.commit import short_head

from tests.check.repos import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


def blob(repo: Repo, where: str) -> str:
    return repo.git("rev-parse", f"HEAD:{where}")


def test_blobs_come_byte_for_byte_and_only_small_ones_that_exist(repo: Repo) -> None:
    large = b"x" * (MAX_BLOB + 1)
    contents = {"empty.py": b"", "lines.py": b"a\r\nb\n\n", "bytes.bin": bytes(range(256)), "large.py": large}
    for where, data in contents.items():
        repo.put(where, data)
    repo.commit()
    names = {where: blob(repo, where) for where in contents}
    found = read_blobs(repo.root, [*names.values(), "0" * 40, repo.git("rev-parse", "HEAD")])
    assert found == {names[where]: data for where, data in contents.items() if where != "large.py"}
    assert read_blobs(repo.root, []) == {}


def test_a_failed_question_says_what_git_said_in_one_line(repo: Repo, tmp_path: Path) -> None:
    with pytest.raises(GitError, match=r"^git rev-parse failed: ") as raised:
        ask_git(repo.root, "rev-parse", "--verify", "no-such-branch")
    assert "\n" not in str(raised.value)
    with pytest.raises(GitError) as outside:
        ask_git(tmp_path, "log")
    assert any("not a git repository" in line for line in outside.value.lines)


def test_an_exit_code_may_stand_for_nothing(repo: Repo) -> None:
    assert ask_git(repo.root, "config", "--get", "no.such", nothing=1) == b""
    with pytest.raises(GitError):
        ask_git(repo.root, "config", "--get", "no.such")


def test_without_git_it_says_so(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitError, match="git was not found: install it"):
        ask_git(repo.root, "log")


def test_a_question_that_takes_too_long_is_given_up(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "SECONDS", 0.0)
    with pytest.raises(GitError, match="git log took longer than 0 s"):
        ask_git(repo.root, "log")


def test_the_files_of_a_commit_are_those_that_git_keeps_as_text(repo: Repo) -> None:
    repo.put("b/\u00e9.py", "1\n").put("a.py", "2\n")
    (repo.root / "link.py").symlink_to("a.py")
    commit = repo.commit()
    assert list(tree_files(repo.root, commit)) == [
        ("a.py", blob(repo, "a.py")),
        ("b/\u00e9.py", blob(repo, "b/\u00e9.py")),
    ]
    repo.git("clone", "-q", "--bare", str(repo.root), str(repo.root / "bare.git"))
    assert list(tree_files(repo.root / "bare.git", "HEAD", bare=True)) == list(tree_files(repo.root, commit))


def test_commits_come_with_the_files_that_they_modify(repo: Repo) -> None:
    repo.put("a b.py", "1\n").put("c.txt", "1\n").commit()
    first = blob(repo, "a b.py")
    commit = repo.put("a b.py", "2\n").put("c.txt", "2\n").put("new.py", "1\n").commit()
    ((name, files), (_, added)) = modified_files(repo.root, 10, paths=["*.py"])
    assert (name, added) == (commit, [])
    assert files == [RawChange("M", "a b.py", "a b.py", first, blob(repo, "a b.py"))]
    assert [name for name, _ in modified_files(repo.root, 1)] == [commit]


def test_the_commit_that_is_checked_out_has_a_short_name(repo: Repo, tmp_path: Path) -> None:
    commit = repo.put("a.py", "1\n").commit()
    assert commit.startswith(short_head(repo.root, "a.py"))
    repo.put("a.py", "2\n")
    assert short_head(repo.root, "a.py") == f"{short_head(repo.root)}-dirty"
    assert short_head(repo.root, "b.py") == short_head(repo.root)
    (tmp_path / "elsewhere").mkdir()
    assert short_head(tmp_path / "elsewhere") == "unknown"
