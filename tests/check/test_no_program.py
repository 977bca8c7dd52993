"""A check and a replay run no program but git, whatever settings, attributes, hooks and folders there are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from editahead.bench.sources import ReplayedRepository as BenchRepository
from editahead.check.git import CheckedRepository, CheckError
from editahead.git import DRIVER_SETTINGS, FIXED_SETTINGS, GitError, ask_git, find_git

from tests.check.repos import Repo, checked, places

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the spies are shell scripts")
FILE = "def load(n):\n    return n\n\n\nload(1)\nload(2)\nload(3)\nload(4)\n"
TWO = (("load(1)", "read(1)"), ("load(2)", "read(2)"))

# Settings of `git help --config` whose names sound like programs, and that nothing we ask of git comes near.
_HARMLESS = {
    "advice.ignoredHook", "advice.waitingForEditor", "color.pager", "completion.commands", "commit.cleanup",
    "column.clean", "clean.requireForce", "core.fsmonitorHookVersion", "diff.<driver>.binary",
    "diff.<driver>.cachetextconv", "diff.<driver>.wordRegex", "diff.<driver>.xfuncname",
    "fsmonitor.allowRemote", "fsmonitor.socketDir", "gitcvs.dbDriver", "merge.<driver>.name",
    "merge.<driver>.recursive", "notes.rewrite.<command>", "rebase.abbreviateCommands", "rebase.rescheduleFailedExec",
}  # fmt: skip
_NEVER_REACHED = {
    "difftool, mergetool, gui and help are commands of their own": r"(difftool|mergetool|guitool|browser|man|web|help|"
    r"instaweb)\..*|diff\.(gui)?tool|merge\.(gui)?tool",
    "--no-pager is given": r"pager\.<cmd>",
    "no mail is sent": r"sendemail\..*",
    "no transport is allowed": r"remote\.<name>\..*|http\..*|credential\.useHttpPath|uploadpack\..*|receive\..*",
}
_PROGRAM = re.compile(
    r"command|cmd|program|helper|hook|tool\b|pager|editor|driver|textconv|process|clean|smudge|proxy|askpass|fsmonitor|"
    r"external|browser|exec|vcs|(upload|receive)pack$|difffilter",
    re.IGNORECASE,
)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.put("a.py", FILE)
    made.commit()
    return made


def test_every_setting_that_gits_documentation_knows_to_run_something_is_overridden() -> None:
    listed = subprocess.run(["git", "help", "--config"], capture_output=True, check=True, text=True).stdout.split()
    programs = {name for name in listed if _PROGRAM.search(name) and name not in _HARMLESS}
    assert len(programs) > 40, "the documentation was not read"
    fixed = {name.lower() for name in FIXED_SETTINGS}
    drivers = {f"{section}.<driver>.{key}" for section, key in DRIVER_SETTINGS}
    formats = (
        {"gpg.<format>.program"} if {f"gpg.{kind}.program" for kind in ("openpgp", "x509", "ssh")} <= fixed else set()
    )
    left = {name for name in programs if name.lower() not in fixed and name not in drivers | formats}
    left = {name for name in left if not any(re.fullmatch(known, name) for known in _NEVER_REACHED.values())}
    assert left == set()
    assert ("filter", "process") in DRIVER_SETTINGS, "it is documented with attributes, not with settings"


class Spy:
    """A program that leaves a trace when it runs."""

    def __init__(self, folder: Path) -> None:
        self._trace = folder / "ran"
        self.path = folder / "spy"
        self.path.write_text(f'#!/bin/sh\necho "$0 $@" >> "{self._trace}"\ncat\n')
        self.path.chmod(0o755)

    @property
    def runs(self) -> str:
        return self._trace.read_text() if self._trace.exists() else ""


@pytest.fixture
def spy(tmp_path: Path) -> Spy:
    return Spy(tmp_path)


def armed(repo: Repo, spy: Spy) -> None:
    """Every setting, driver and hook names the spy."""
    (repo.root / ".git" / "info").mkdir(exist_ok=True)
    drivers = "filter=spy diff=spy merge=spy"
    (repo.root / ".git" / "info" / "attributes").write_text(f"*.py {drivers}\nb.py filter=odd.name\n")
    for key in FIXED_SETTINGS:
        if key.lower() not in (
            "core.quotepath",
            "color.ui",
            "submodule.recurse",
            "safe.barerepository",
            "log.showsignature",
        ):
            repo.git("config", key, str(spy.path))
    repo.git("config", "log.showSignature", "true")
    repo.git("config", "core.hooksPath", str(repo.root / "hooks"))
    for name in ("spy", "odd.name", "ODD"):
        for section, key in DRIVER_SETTINGS:
            repo.git("config", f"{section}.{name}.{key}", "true" if key == "required" else str(spy.path))
    for hook in ("post-index-change", "fsmonitor-watchman", "query-watchman", "reference-transaction", "pre-auto-gc"):
        for folder in ("hooks", ".git/hooks"):
            path = repo.root / folder / hook
            path.parent.mkdir(exist_ok=True)
            shutil.copy(spy.path, path)


@pytest.mark.parametrize("process", [False, True])
def test_no_setting_runs_a_program(repo: Repo, spy: Spy, process: bool) -> None:
    repo.put("b.py", FILE).commit()
    repo.put("b.py", FILE + "\n").put("c.py", FILE)
    repo.change("a.py", *TWO)
    armed(repo, spy)
    if process:  # else `clean` goes before it
        repo.git("config", "--unset", "filter.spy.clean")
        repo.git("config", "--unset", "filter.odd.name.clean")
    subprocess.run(["git", "-C", str(repo.root), "diff", "--stat"], capture_output=True, timeout=60, check=False)
    assert spy.runs, "a plain git runs it, so that the trap is one"
    (spy.path.parent / "ran").unlink()
    os.utime(repo.root / "a.py", (1, 1))  # git must look at the text again
    found = places(checked(repo))
    assert [place for place in found if place[0] == "a.py"], "the check itself works"
    commit = CheckedRepository.around(repo.root).span("HEAD").old
    replayed = BenchRepository(repo.root)
    assert replayed.commits(commit, 10) is not None
    assert replayed.blobs(replayed.files(replayed.commit("HEAD")).values())
    assert spy.runs == ""


def test_a_driver_that_cannot_be_overridden_stops_the_check(repo: Repo, spy: Spy) -> None:
    repo.git("config", "filter.a=b.clean", str(spy.path))
    with pytest.raises(GitError, match="a name with '=' in it"):
        ask_git(repo.root, "diff")
    assert spy.runs == ""


def test_a_repository_inside_a_clone_is_not_taken_for_one(repo: Repo, spy: Spy, tmp_path: Path) -> None:
    """A clone brings its files along: a folder with HEAD, objects, refs and a config that names programs."""
    inner = repo.root / "docs"
    for folder in ("objects", "refs"):
        (inner / folder).mkdir(parents=True)
        repo.put(f"docs/{folder}/keep", "x")
    (inner / "HEAD").write_text("ref: refs/heads/main\n")
    config = (
        f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = {repo.root}\n\tfsmonitor = {spy.path}\n"
    )
    (inner / "config").write_text(config)
    repo.commit()
    clone = tmp_path / "clone"
    repo.git("clone", "-q", str(repo.root), str(clone))
    for folder in (clone / "docs", clone / "docs" / "objects"):
        with pytest.raises(CheckError, match="has no working tree") as caught:
            CheckedRepository.around(folder)
        assert "\n" not in str(caught.value)
        with pytest.raises(GitError):
            ask_git(folder, "status")
    assert spy.runs == ""
    assert CheckedRepository.around(clone).root == clone.resolve()


def test_git_is_looked_for_on_the_path_and_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, installed = tmp_path / "here", tmp_path / "installed"
    for folder in (here, installed):
        folder.mkdir()
        for name in ("git", "git.exe"):
            (folder / name).write_text("#!/bin/sh\n")
            (folder / name).chmod(0o755)
    monkeypatch.chdir(here)
    for windows, name in ((True, "git.exe"), (False, "git")):
        for path in ("", ".", os.pathsep, f"{os.pathsep}.{os.pathsep}relative", "here", ".."):
            assert find_git({"PATH": path}, windows) is None, path
        path = os.pathsep.join((".", "", str(installed), str(here)))
        assert find_git({"PATH": path}, windows) == str(installed / name)
    monkeypatch.setenv("PATH", ".")
    with pytest.raises(GitError, match="git was not found"):
        ask_git(tmp_path, "version")
