"""Ignored is what git says: compared with `git check-ignore --no-index` on generated repositories."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from editahead.exclusion import exclusion
from editahead.gitignore.rules import reason_ignored
from editahead.index.sliced_work import finish
from editahead.settings import Settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.gitignore.git_trees import git, ignored_by_git, put
from tests.index.trees import built, names, walked

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="no git on this machine")

SEGMENTS = ["a", "b", "ab", "a.py", "B.py", "foo", "foobar", "x y", "\u00e9.py", "[a]", "-"]
SEGMENTS += ["a\\b"] if os.name == "posix" else []
PATHS = st.lists(st.sampled_from(SEGMENTS), min_size=1, max_size=4).map("/".join)
PIECES = [
    "a", "b", "ab", "foo", "bar", "B", ".py", "*", "**", "?", "/", "/**/", "**/", "/*/", "[ab]", "[!a]", "[^b]",
    "[a-c]", "[A-Z]", "[[:alpha:]]", "[[:upper:]]", "[]a]", "[a", "[", "]", "[a/b]", "[[:nope:]]", "[\\]]", "[a-]",
    "[--0]", "\\*", "\\", "\\a", "\\ ", " ", "!", "#", "\u00e9", "-", "x y", "***", "*.py",
]  # fmt: skip
LINES = st.builds(
    lambda start, pieces, end: start + "".join(pieces) + end,
    st.sampled_from(["", "", "", "!", "/", "**/", "!/", "\\!", "#"]),
    st.lists(st.sampled_from(PIECES), max_size=5),
    st.sampled_from(["", "", "", "/", "/**", "/*", " ", "\t", "\\ ", "\r", "//"]),
)
PATTERNS = st.lists(LINES, max_size=6).map("\n".join)
ENDS = st.sampled_from(["", "\n"])


def ours(top: Path, paths: list[str], root: Path | None = None) -> set[str]:
    return {where for where in paths if reason_ignored(top / where, root, folder=(top / where).is_dir())}


def everything(top: Path) -> list[str]:
    found = []
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name != ".git"]
        base = Path(folder).relative_to(top)
        found += [(base / name).as_posix() for name in (*folders, *files)]
    return sorted(found)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    st.lists(PATHS, max_size=10),
    st.dictionaries(st.sampled_from(["", "a/", "a/b/", "foo/", "ab/foo/"]), st.tuples(PATTERNS, ENDS), max_size=3),
    st.tuples(PATTERNS, PATTERNS, st.booleans(), st.booleans()),
)
def test_every_path_is_ignored_where_git_ignores_it(
    tmp_path_factory: pytest.TempPathFactory,
    home: Path,
    paths: list[str],
    files: dict[str, tuple[str, str]],
    more: tuple[str, str, bool, bool],
) -> None:
    top = tmp_path_factory.mktemp("top")
    git(top, "init", "-q")
    exclude, everywhere, mark, fold = more
    git(top, "config", "core.ignoreCase", "true" if fold else "false")
    put(top, dict.fromkeys(paths, b""))
    put(top, {f"{where}.gitignore": f"{lines}{end}".encode() for where, (lines, end) in files.items()})
    put(top, {".git/info/exclude": (b"\xef\xbb\xbf" if mark else b"") + exclude.encode()})
    put(home, {".config/git/ignore": everywhere.encode()})
    known = everything(top)
    assert ours(top, known, top) == ignored_by_git(top, known)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=250, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=40), PATHS)
def test_paths_that_are_not_there_are_judged_as_files(repository: Path, lines: list[str], where: str) -> None:
    (repository / ".gitignore").write_bytes("\n".join(lines).encode())
    assert ours(repository, [where]) == ignored_by_git(repository, [where])


def test_what_is_let_in_below_an_ignored_folder_stays_ignored(repository: Path) -> None:
    put(repository, {".gitignore": b"out/\n", "out/.gitignore": b"!a.py\n", "out/a.py": b"", "b.py": b""})
    assert ours(repository, ["out", "out/a.py", "b.py"], repository) == {"out", "out/a.py"}
    assert exclusion(Settings(), repository / "out" / "a.py", repository) == "named in a .gitignore"
    assert exclusion(Settings(respect_gitignore=False), repository / "out" / "a.py", repository) is None


def test_the_patterns_of_the_whole_repository_count_and_say_so(repository: Path, home: Path) -> None:
    put(repository, {".git/info/exclude": b"private.py\n", ".gitignore": b"!kept.py\n"})
    put(home, {"mine": b"*.mine.py\nkept.py\n", "more": b'[core]\n  excludesFile = "~/mine" ; the user\'s\n'})
    put(home, {".gitconfig": b"[include]\n\tpath = more\n"})
    settings = Settings()
    assert exclusion(settings, repository / "private.py", repository) == "named in .git/info/exclude"
    assert exclusion(settings, repository / "a.mine.py", repository) == "named in git's core.excludesFile"
    assert exclusion(settings, repository / "kept.py", repository) is None
    known = ["private.py", "a.mine.py", "kept.py", "x.py"]
    assert ours(repository, known) == ignored_by_git(repository, known) == {"private.py", "a.mine.py"}


def test_a_condition_that_is_not_decided_here_counts(repository: Path, home: Path) -> None:
    put(home, {"mine": b"*.mine.py\n", "more": b"[core]\n excludesFile = ~/mine\n", ".config/git/ignore": b"b.py\n"})
    put(home, {".gitconfig": b'[includeIf "onbranch:rare"]\n path = ~/more\n'})
    assert ours(repository, ["a.mine.py", "b.py", "c.py"]) == {"a.mine.py", "b.py"}


def test_patterns_above_the_workspace_folder_count_up_to_the_top_of_the_repository(repository: Path) -> None:
    put(repository.parent, {".gitignore": b"*\n"})  # outside the repository
    put(repository, {".gitignore": b"/deep/inner/a.py\nmade/\n", "deep/.gitignore": b"b.py\n"})
    inner = repository / "deep" / "inner"
    put(inner, {"a.py": b"aa = 1\n", "b.py": b"bb = 1\n", "c.py": b"cc = 1\n", "made/d.py": b"dd = 1\n"})
    assert walked(inner) == ["c.py"]
    assert names(built(inner)) == {"cc"}
    assert ours(inner, ["a.py", "b.py", "c.py"]) == {"a.py", "b.py"}, "a single file is judged so without a workspace"


def test_a_change_above_the_workspace_folder_is_noticed_with_the_next_change(repository: Path) -> None:
    inner = put(repository / "inner", {"a.py": b"aa = 1\n", "b.py": b"bb = 1\n"})
    index = built(inner)
    assert names(index) == {"aa", "bb"}
    put(repository, {".git/info/exclude": b"a.py\n"})
    finish(index.update(["b.py"]))
    assert names(index) == {"bb"}
    put(repository, {".gitignore": b"b.py\n", ".git/info/exclude": b""})
    finish(index.update(["b.py"]))
    assert names(index) == {"aa"}


def test_a_byte_order_mark_carriage_returns_and_line_separators(repository: Path) -> None:
    put(repository, {".gitignore": "\ufeffa.py\r\nb.py\r\nc\u2028d.py\n".encode()})
    known = ["a.py", "b.py", "d.py", "c\u2028d.py"]
    assert ours(repository, known) == ignored_by_git(repository, known) == {"a.py", "b.py", "c\u2028d.py"}


def test_a_file_of_more_than_a_megabyte_counts(repository: Path) -> None:
    lines = "".join(f"/made/number{number}.py\n" for number in range(60_000))
    put(repository, {".gitignore": f"{lines}secret_plan.py\n".encode()})
    assert (repository / ".gitignore").stat().st_size > 1_000_000
    assert ours(repository, ["secret_plan.py", "made/number7.py", "a.py"]) == {"secret_plan.py", "made/number7.py"}


def test_a_repository_within_a_repository_has_its_own_rules_and_those_of_the_outer_one(repository: Path) -> None:
    put(repository, {".gitignore": b"a.py\nvendor/gone/\n"})
    for name in ("kept", "gone"):
        inner = put(repository / "vendor" / name, {".gitignore": b"b.py\n"})
        git(inner, "init", "-q")
    inner = repository / "vendor" / "kept"
    assert (
        ours(inner, ["a.py", "b.py", "c.py"], repository) == ignored_by_git(inner, ["a.py", "b.py", "c.py"]) == {"b.py"}
    )
    assert ours(repository / "vendor" / "gone", ["c.py"], repository) == {"c.py"}


def test_a_linked_working_tree_shares_the_patterns_of_its_repository(repository: Path, tmp_path: Path) -> None:
    put(repository, {".gitignore": b"a.py\n", "x.py": b""})
    git(repository, "add", ".")
    git(repository, "-c", "user.name=n", "-c", "user.email=e@e", "commit", "-q", "-m", "first")
    linked = tmp_path / "linked"
    git(repository, "worktree", "add", "-q", str(linked))
    put(repository, {".git/info/exclude": b"b.py\n"})
    known = ["a.py", "b.py", "c.py"]
    assert ours(linked, known, linked) == ignored_by_git(linked, known) == {"a.py", "b.py"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_workspace_that_is_a_link_into_a_repository(repository: Path, tmp_path: Path) -> None:
    put(repository, {".gitignore": b"a.py\n", "inner/b.py": b""})
    (tmp_path / "workspace").symlink_to(repository / "inner")
    assert ours(tmp_path / "workspace", ["a.py", "b.py"], tmp_path / "workspace") == {"a.py"}


def test_without_a_repository_the_files_of_the_workspace_count(tmp_path: Path, home: Path) -> None:
    put(home, {".config/git/ignore": b"b.py\n"})
    put(tmp_path, {".gitignore": b"a.py\n", "c/.gitignore": b"!a.py\n"})
    assert ours(tmp_path, ["a.py", "b.py", "c/a.py"], tmp_path) == {"a.py"}
