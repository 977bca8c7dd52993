"""The hook of .pre-commit-hooks.yaml: its entry under pre-commit, at real commits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.check.repos import Repo

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install -e '.[dev]'")

ROOT = Path(__file__).parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
CALLS = "".join(f"total_{n} = price(item_{n}, day)\n" for n in range(6))
SOME = CALLS.replace("price(", "net_price(").replace("net_price(item_5", "price(item_5")
ALL = CALLS.replace("price(", "net_price(")
FOLDERS = os.pathsep.join(dict.fromkeys([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))

pytestmark = pytest.mark.skipif(
    shutil.which("pre-commit", path=FOLDERS) is None or shutil.which("editahead", path=FOLDERS) is None,
    reason="pre-commit or editahead is not installed: pip install -e '.[dev]'",
)


@pytest.fixture(autouse=True)
def _environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", FOLDERS)
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "cache"))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A new repository with the hook installed; its environment is this one, so that nothing is downloaded."""
    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    repo = Repo(tmp_path / "project")
    config = {"repos": [{"repo": "local", "hooks": [{**hook, "language": "system"}]}]}
    repo.put(".pre-commit-config.yaml", yaml.safe_dump(config))
    done = subprocess.run(["pre-commit", "install"], cwd=repo.root, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return repo


def commit(repo: Repo, *arguments: str, folder: Path | None = None) -> tuple[bool, str]:
    """Whether `git commit` made a commit, and what it and the hook said."""
    person = {f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    fixed = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", "commit", "-m", "more", *arguments],
        cwd=folder or repo.root,
        env={**os.environ, **person, **fixed},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode == 0, done.stdout + done.stderr


def test_the_manifest_is_one() -> None:
    done = subprocess.run(
        [str(shutil.which("pre-commit", path=FOLDERS)), "validate-manifest", str(HOOKS)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_commit_with_a_missed_place_is_stopped_and_a_whole_one_is_not(repo: Repo) -> None:
    repo.put("a.py", CALLS).git("add", "-A")
    made, said = commit(repo)
    assert made, said  # the first commit: there is nothing to compare it with
    repo.put("a.py", SOME).git("add", "-A")
    made, said = commit(repo)
    assert not made
    assert "a.py:6:" in said
    assert "changed at 5 of 6 places, not here" in said
    repo.put("a.py", ALL).git("add", "-A")
    made, said = commit(repo)
    assert made, said


@pytest.mark.slow
def test_what_is_staged_counts_and_not_the_rest(repo: Repo) -> None:
    repo.put("a.py", CALLS).put("b.py", "x = 1\n").git("add", "-A")
    assert commit(repo)[0]
    repo.put("b.py", "x = 2\n").git("add", "b.py")
    repo.put("a.py", SOME)
    made, said = commit(repo)
    assert made, said
    assert (repo.root / "a.py").read_text(encoding="utf-8") == SOME
    made, said = commit(repo, "--all")
    assert not made
    assert "a.py:6:" in said


@pytest.mark.slow
def test_it_works_in_another_working_tree(repo: Repo) -> None:
    repo.put("a.py", CALLS).git("add", "-A")
    assert commit(repo)[0]
    other = repo.root.parent / "other"
    repo.git("worktree", "add", "-q", str(other))
    (other / "a.py").write_text(SOME, encoding="utf-8")
    made, said = commit(repo, "--all", folder=other)
    assert not made
    assert "a.py:6:" in said


@pytest.mark.skipif(not os.environ.get("EDITAHEAD_INSTALL_TEST"), reason="installs packages: make release does it")
def test_pre_commit_installs_it_from_this_repository(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "project")
    repo.put("a.py", CALLS).commit()
    repo.put("a.py", SOME)
    command = ["pre-commit", "try-repo", str(ROOT), "editahead-check", "--all-files", "--verbose"]
    done = subprocess.run(command, cwd=repo.root, capture_output=True, text=True, timeout=600)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "a.py:6:" in done.stdout, done.stdout + done.stderr
    assert "changed at 5 of 6 places, not here" in done.stdout
