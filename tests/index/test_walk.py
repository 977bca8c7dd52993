"""Which files are read: ignore rules at every level, nothing outside the folder, nothing that is no code."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.exclusion import FolderExclusions, exclusion
from editahead.index import walk as walking
from editahead.index.walk import MAX_BYTES, candidate_at, read_candidate, reason_not_indexable, walk
from editahead.settings import Settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.gitignore.git_trees import git
from tests.index.trees import built, names, plant, walked


def test_files_near_the_root_come_first(tmp_path: Path) -> None:
    plant(tmp_path, {"b/c/d.py": "", "b/z.py": "", "a.py": "", "c.java": "", "b/a.py": "", "notes.txt": ""})
    assert walked(tmp_path) == ["a.py", "c.java", "b/a.py", "b/z.py", "b/c/d.py"]
    assert [c.where for c in walk(tmp_path, Settings(), most=3) if c] == ["a.py", "c.java", "b/a.py"]
    assert [c.where for c in walk(tmp_path, Settings(), "b/c") if c] == ["b/c/d.py"]


def test_ignore_files_count_at_every_level(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            ".gitignore": "build/\n*.gen.py\n/local.py\n",
            "pkg/.gitignore": "drafts/\n!wanted.gen.py\n",
            "local.py": "",
            "pkg/local.py": "",
            "pkg/a.gen.py": "",
            "pkg/wanted.gen.py": "",
            "pkg/drafts/b.py": "",
            "build/c.py": "",
            "pkg/build/d.py": "",
            "pkg/e.py": "",
        },
    )
    assert walked(tmp_path) == ["pkg/e.py", "pkg/local.py", "pkg/wanted.gen.py"]
    assert len(walked(tmp_path, Settings(respect_gitignore=False))) == 8


def test_an_ignored_folder_is_not_entered_even_where_a_pattern_inside_would_let_a_file_in(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "out/\n", "out/.gitignore": "!a.py\n", "out/a.py": ""})
    assert walked(tmp_path) == []
    assert candidate_at(tmp_path, "out/a.py", Settings()) is None


def test_all_but_one_of_a_folder(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "gen/*\n!gen/kept.py\n", "gen/kept.py": "", "gen/other.py": ""})
    assert walked(tmp_path) == ["gen/kept.py"]


def test_secrets_and_the_users_own_patterns(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "credentials.py": "", "my_SECRETS.py": "", ".aws/a.py": "", "Secret/b.py": "", "secret-santa/app.py": "",
            "vendor/c.py": "", "d.py": "",
        },
    )  # fmt: skip
    assert walked(tmp_path, Settings(exclude=("vendor/",))) == ["d.py", "Secret/b.py", "secret-santa/app.py"]
    assert "my_SECRETS.py" in walked(tmp_path, Settings(secrets=()))
    assert "Secret/b.py" not in walked(tmp_path, Settings(secrets=("secret/",)))


def test_what_is_not_the_projects_own_is_passed_over(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "node_modules/a.js": "", "env/pyvenv.cfg": "", "env/lib/b.py": "", ".hidden/c.py": "",
            "x/site-packages/d.py": "", "e.py": "", ".git": "gitdir: /somewhere/else\n",
        },
    )  # fmt: skip
    assert walked(tmp_path) == ["e.py"]


def test_languages_that_are_switched_off(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "", "b.java": ""})
    assert walked(tmp_path, Settings(languages=(("*", False), ("java", True)))) == ["b.java"]


def test_no_link_is_followed(tmp_path: Path) -> None:
    outside = plant(tmp_path / "outside", {"stolen.py": "stolen = 1\n"})
    root = plant(tmp_path / "root", {"pkg/a.py": "", "here.py": ""})
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "pkg" / "up").symlink_to("..", target_is_directory=True)
    (root / "out").symlink_to(outside, target_is_directory=True)
    (root / "file.py").symlink_to(outside / "stolen.py")
    (root / "broken.py").symlink_to("nowhere.py")
    assert walked(root) == ["here.py", "pkg/a.py"]
    ways = ("out/stolen.py", "file.py", "loop/here.py", "pkg/up/here.py", "pkg/../here.py", "../outside/stolen.py")
    for where in ways:
        assert candidate_at(root, where, Settings()) is None, where


def test_a_file_that_becomes_a_link_before_it_is_read_is_not_read(tmp_path: Path) -> None:
    root = plant(tmp_path / "root", {"a.py": "mine = 1\n"})
    plant(tmp_path, {"stolen.py": "stolen = 1\n"})
    candidate = candidate_at(root, "a.py", Settings())
    assert candidate is not None
    (root / "a.py").unlink()
    (root / "a.py").symlink_to(tmp_path / "stolen.py")
    assert read_candidate(root, candidate) is None


@pytest.mark.parametrize("name", ["line\nend.py", "bell\x07.py", "lone\udcff.py", "\u2028.py"])
def test_names_that_cannot_be_printed_are_passed_over(tmp_path: Path, name: str) -> None:
    try:
        plant(tmp_path, {name: "", f"{name[:-3]}/inner.py": "", "a.py": ""})
    except OSError:
        pytest.skip("this file system has no such names")
    assert walked(tmp_path) == ["a.py"]
    assert candidate_at(tmp_path, name, Settings()) is None


NO_CODE = {
    "too large": b"a = 1\n" * (MAX_BYTES // 6 + 1),
    "binary": b"good = 1\n\0\0",
    "generated": b"# Generated by the protocol buffer compiler.  DO NOT EDIT!\nbad = 1\n",
    "marked as generated": b"// @generated\nbad = 1\n",
    "minified": b"bad=1;" * 2000,
}


@pytest.mark.parametrize("case", NO_CODE)
def test_a_file_that_nobody_wrote_has_no_names(tmp_path: Path, case: str) -> None:
    plant(tmp_path, {"a.py": NO_CODE[case], "b.py": "good = 1\n"})
    assert names(built(tmp_path)) == {"good"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    plant(tmp_path, {"b.py": "good = 1\n"})
    os.mkfifo(tmp_path / "a.py")
    assert names(built(tmp_path)) == {"good"}
    candidate = candidate_at(tmp_path, "b.py", Settings())
    assert candidate is not None
    (tmp_path / "b.py").unlink()
    os.mkfifo(tmp_path / "b.py")
    assert read_candidate(tmp_path, candidate) is None


def test_what_cannot_be_read_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(
        tmp_path, {"a.py": "bad = 1\n", "b.py": "good = 1\n", "closed/c.py": "bad = 1\n", "folder.py/d.py": "dd = 1\n"}
    )
    opening, scanning = os.open, os.scandir

    def no_open(path: Path, *more: int) -> int:
        if Path(path).name == "a.py":
            raise PermissionError(13, "Permission denied")
        return opening(path, *more)

    def no_scan(path: Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied")
        return scanning(path)

    monkeypatch.setattr(walking.os, "open", no_open)
    monkeypatch.setattr(walking.os, "scandir", no_scan)
    assert names(built(tmp_path)) == {"good", "dd"}


def test_a_walk_ends_after_so_many_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, {f"d{n}/a.py": "" for n in range(10)})
    monkeypatch.setattr(walking, "MAX_ENTRIES", 14)
    assert len(walked(tmp_path)) == 3  # ten folders, then one entry in each


def test_a_walk_pauses_often(tmp_path: Path) -> None:
    plant(tmp_path, {f"note{n}.txt": "" for n in range(200)})
    assert sum(candidate is None for candidate in walk(tmp_path, Settings())) >= 10


def noted(function: Callable[..., object], calls: list[object]) -> Callable[..., object]:
    def call(*arguments: object, **more: object) -> object:
        calls.append(arguments)
        return function(*arguments, **more)

    return call


def test_a_walk_looks_at_each_file_once_and_at_no_folder_above_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look waits for Python's lock while a request is computed."""
    counts = []
    for depth, files in ((1, 50), (1, 100), (20, 50), (20, 100)):
        folder = "d/" * depth
        root = plant(tmp_path / f"{depth}-{files}", {f"{folder}f{n}.py": "" for n in range(files)})
        walked(root)  # which reads settings and grammars
        looks: list[object] = []
        with monkeypatch.context() as patched:
            for look in (os.stat, os.lstat):
                patched.setattr(os, look.__name__, noted(look, looks))
            assert len(walked(root)) == files
        counts.append(len(looks))
    assert counts[1] - counts[0] == counts[3] - counts[2] == 50
    assert counts[2] - counts[0] < 19 * 8


def test_the_whole_disk_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reason_not_indexable(Path(tmp_path.anchor)) == "the whole file system"
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    plant(tmp_path, {"a.py": "aa = 1\n"})
    assert reason_not_indexable(tmp_path) == "the home folder"
    assert names(built(tmp_path)) == set()
    assert reason_not_indexable(tmp_path / "project") is None


PARTS = st.sampled_from(["a.py", "b.py", "c.md", "pkg", "build", "secret", "x.java", ".hidden", "node_modules"])
PATHS = st.lists(PARTS, min_size=1, max_size=3).map("/".join)
PATTERNS = st.lists(st.sampled_from(["*.py", "/a.py", "build/", "!b.py", "pkg/*", "!pkg/a.py", "**/b.py"]), max_size=3)


FOLDERS = st.sampled_from(["", "pkg/", "build/", "pkg/build/"])


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    paths=st.lists(PATHS, max_size=12),
    ignored=st.dictionaries(FOLDERS, PATTERNS),
    repositories=st.sets(FOLDERS, max_size=2),
    has_link=st.booleans(),
)
def test_a_single_file_is_judged_as_a_walk_judges_it(
    tmp_path_factory: pytest.TempPathFactory,
    paths: list[str],
    ignored: dict[str, list[str]],
    repositories: set[str],
    has_link: bool,
) -> None:
    root = tmp_path_factory.mktemp("root")
    if has_link:
        (root / "link").symlink_to(tmp_path_factory.mktemp("secret"), target_is_directory=True)
        root = root / "link"
    for where in [*paths, *(f"{where}.git/config" for where in repositories), *(f"{top}.gitignore" for top in ignored)]:
        try:
            text = "\n".join(ignored.get(where.removesuffix(".gitignore"), ["aa = 1"]))
            plant(root, {where: text})
        except OSError:  # a file where a folder should be
            continue
    everything = {path.relative_to(root).as_posix() for path in root.rglob("*")} | set(paths)
    found = set(walked(root))
    assert found == {where for where in everything if candidate_at(root, where, Settings())}
    assert all(exclusion(Settings(), root / where, root) is None for where in found)
    for where in everything:
        is_folder, exclusions = (root / where).is_dir(), FolderExclusions(Settings(), root, where.rpartition("/")[0])
        expected = exclusion(Settings(), root / where, root, folder=is_folder)
        assert exclusions.reason(where, folder=is_folder) == expected, where


def test_a_repository_in_a_folder_has_rules_of_its_own(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    plant(
        tmp_path, {".gitignore": "made.py\n", "made.py": "a = 1\n", "own/made.py": "b = 1\n", "sub/made.py": "c = 1\n"}
    )
    plant(tmp_path, {"sub/.gitignore": "left.py\n", "sub/left.py": "c = 1\n", "sub/made.py": "d = 1\n"})
    git(tmp_path / "sub", "init", "-q")
    exclusions = FolderExclusions(Settings(), tmp_path, "")
    assert exclusions.reason("made.py") is not None
    assert exclusions.inside("own").reason("own/made.py") is not None
    assert exclusions.inside("sub").reason("sub/made.py") is None
    assert exclusions.inside("sub").reason("sub/left.py") is not None
    assert set(walked(tmp_path)) == {"sub/made.py"}
