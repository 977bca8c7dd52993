"""The index of a folder: what it knows, that it keeps up, and that it stays within its bounds."""

from __future__ import annotations

import shutil
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from editahead.index import project
from editahead.index.project import ProjectIndex
from editahead.index.sliced_work import finish
from editahead.index.table import PAIRS_PER_NAME
from editahead.index.types import PROJECT, IndexState, NameOrigin
from editahead.index.walk import walk
from editahead.settings import Settings
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.index.trees import built, content, names, plant

SHOP = "class Shop:\n    def sell(self, item):\n        return item.price\n"
MAIN = "from shop import Shop\n\nShop().sell(1)\n"


def test_a_name_comes_from_where_it_is_declared_with_its_counts(tmp_path: Path) -> None:
    index = built(plant(tmp_path, {"main.py": MAIN, "pkg/shop.py": SHOP}))
    view = index.view("python")
    assert view.find("Shop") == NameOrigin(PROJECT, "pkg/shop.py", 0, 3, 2)
    assert view.find("sell") == NameOrigin(PROJECT, "pkg/shop.py", 1, 2, 2)
    assert view.find("item") == NameOrigin(PROJECT, "pkg/shop.py", 1, 2, 1)
    assert view.find("nothing") is None
    assert index.state == IndexState(2, len(view), None, 0, False)


def test_families_are_kept_apart_and_kin_together(tmp_path: Path) -> None:
    files = {"a.py": "python_name = 1\n", "A.java": "class JavaName {}\n", "a.ts": "let oneName = 1", "b.js": "let two"}
    index = built(plant(tmp_path, files))
    assert names(index) == {"python_name"}
    assert names(index, "java") == {"JavaName"}
    assert names(index, "javascript") in ({"oneName", "two"}, set())  # where the grammars are installed


def test_nothing_that_is_ignored_or_may_be_secret_is_in_it(tmp_path: Path) -> None:
    files = {
        ".gitignore": "build/\nlocal_settings.py\n",
        "app.py": "open_name = 1\n",
        "build/app.py": "hidden_one = 1\n",
        "local_settings.py": "hidden_two = 1\n",
        "credentials.py": "hidden_three = 1\n",
        "private/mine.py": "hidden_four = 1\n",
        "deep/.gitignore": "*\n",
        "deep/app.py": "hidden_five = 1\n",
    }
    index = built(plant(tmp_path, files), Settings(exclude=("private/",)))
    assert names(index) == {"open_name"}
    assert not any("hidden" in word for word in index._table._words)  # not in memory either
    finish(index.update([*files, "build", "deep", "private"]))
    assert not any("hidden" in word for word in index._table._words)


def test_changes_are_taken_in(tmp_path: Path) -> None:
    index = built(plant(tmp_path, {"a.py": "old_name = 1\n", "b.py": "stays = 1\n", "pkg/c.py": "inner = 1\n"}))
    plant(tmp_path, {"a.py": "new_name = 1\n", "d.py": "added = 1\n"})
    finish(index.update(["a.py", "d.py"]))
    assert names(index) == {"new_name", "stays", "inner", "added"}
    (tmp_path / "b.py").unlink()
    shutil.rmtree(tmp_path / "pkg")
    finish(index.update(["b.py"]))
    assert names(index) == {"new_name", "added"}  # of the folder nobody told


def test_changed_ignore_rules_are_obeyed(tmp_path: Path) -> None:
    index = built(plant(tmp_path, {"a.py": "aa = 1\n", "pkg/b.py": "bb = 1\n", "pkg/c.py": "cc = 1\n"}))
    plant(tmp_path, {"pkg/.gitignore": "b.py\n"})
    finish(index.update(["pkg/.gitignore"]))
    assert names(index) == {"aa", "cc"}
    plant(tmp_path, {".gitignore": "pkg/\n"})
    finish(index.update([".gitignore"]))
    assert names(index) == {"aa"}
    (tmp_path / ".gitignore").unlink()
    finish(index.update([".gitignore"]))
    assert names(index) == {"aa", "cc"}


def test_a_file_that_is_as_it_was_makes_no_new_view(tmp_path: Path) -> None:
    index = built(plant(tmp_path, {"a.py": "aa = 1\n"}))
    before = index.view("python")
    finish(index.update(["a.py", "nowhere.py", "a.py/inner.py", "x" * 5000]))
    assert index.view("python") is before


FILES = st.sampled_from(["a.py", "b.py", "pkg/a.py", "pkg/b.py", "pkg/deep/a.py", "out/a.py"])
TEXTS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "def delta", "class Eps"]), max_size=4).map("\n".join)
CHANGES = st.one_of(
    st.tuples(st.just("write"), FILES, TEXTS),
    st.tuples(st.just("delete"), FILES, st.just("")),
    st.tuples(st.just("delete folder"), st.sampled_from(["pkg", "pkg/deep", "out"]), st.just("")),
    st.tuples(st.just("move"), st.sampled_from(["pkg", "out"]), st.sampled_from(["pkg", "moved"])),
    st.tuples(
        st.just("write"),
        st.sampled_from([".gitignore", "pkg/.gitignore"]),
        st.sampled_from(["", "a.py", "deep/", "!b.py"]),
    ),
)


def change(root: Path, what: str, where: str, more: str) -> list[str]:
    """Do it, and tell which paths an editor would name."""
    path = root / where
    if what == "write":
        plant(root, {where: more})
    elif what == "delete":
        path.unlink(missing_ok=True)
    elif what == "delete folder":
        shutil.rmtree(path, ignore_errors=True)
    elif path.exists() and not (root / more).exists():
        path.rename(root / more)
        return [where, more]
    return [where]


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.lists(CHANGES, min_size=1, max_size=4), max_size=6))
def test_an_index_that_was_kept_up_equals_one_built_anew(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[tuple[str, str, str]]]
) -> None:
    root = plant(tmp_path_factory.mktemp("root"), {"a.py": "alpha = beta\n", "pkg/a.py": "def beta(): gamma\n"})
    index = built(root)
    for batch in batches:
        touched = [where for step in batch for where in change(root, *step)]
        finish(index.update(touched))
        fresh = built(root)
        assert content(index) == content(fresh)
        assert index.state.files == fresh.state.files


# -- bounds


def many(root: Path, count: int, texts: Any) -> Path:
    return plant(root, {f"f{n:05}.py": texts(n) for n in range(count)})


def test_the_most_useful_names_stay_when_there_is_no_room_for_all(tmp_path: Path) -> None:
    root = many(tmp_path, 40, lambda n: "common = often = often\n" + "\n".join(f"rare_{n}_{k} = 1" for k in range(20)))
    index = built(root, Settings(index_max_names=100))
    view = index.view("python")
    assert len(view) == 100
    assert index.state.full
    assert [word for word, _ in view.best("")][:2] == ["often", "common"]
    common = view.find("common")
    assert common is not None
    assert common.files == 40
    assert not built(root).state.full


def test_the_most_files(tmp_path: Path) -> None:
    root = many(tmp_path, 30, lambda n: f"name_{n} = 1\n")
    index = built(root, Settings(index_max_files=10))
    assert index.state.files == 10
    assert index.state.full
    assert "name_9" in names(index)
    plant(root, {"new.py": "late = 1\n", "f00003.py": "changed = 1\n"})
    finish(index.update(["new.py", "f00003.py"]))
    assert index.state.files == 10
    assert "late" not in names(index)
    assert "changed" in names(index)


@pytest.mark.slow
def test_memory_is_bounded_whatever_the_tree(tmp_path: Path) -> None:
    """Four times the files, all of new names: the same memory, once the bound is met."""
    held = []
    for count in (50, 200):
        root = many(tmp_path / str(count), count, lambda n: " ".join(f"n{n}_{k}" for k in range(100)))
        tracemalloc.start()
        index = built(root, Settings(index_max_names=1000))
        held.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        assert index._table.names <= 1000
        assert index.state.full
    per_file = 1500  # bytes: its path and a few small objects
    assert held[1] < held[0] + 150 * per_file


def test_files_that_share_all_their_names_fill_it_too(tmp_path: Path) -> None:
    text = " ".join(f"name_{k}" for k in range(100))
    index = built(many(tmp_path, 2 * PAIRS_PER_NAME, lambda n: text), Settings(index_max_names=100))
    assert index.state.files == PAIRS_PER_NAME
    assert index.state.full


@pytest.mark.slow
def test_a_hostile_tree_of_very_many_files(tmp_path: Path) -> None:
    """Tens of thousands of entries in one folder, none of them of use, and the few that are."""
    folder = tmp_path / "many"
    folder.mkdir()
    for n in range(300):
        (folder / f"{n}.py").touch()
    first = folder / "0.dat"
    first.touch()
    for n in range(1, 20_000):
        try:
            (folder / f"{n}.dat").hardlink_to(first)  # a second name is cheaper than a second file
        except OSError:
            (folder / f"{n}.dat").touch()
    plant(tmp_path, {"a.py": "found = 1\n", "deep/" + "d/" * 100 + "b.py": "deep_name = 1\n"})
    index = built(tmp_path)
    assert names(index) == {"found", "deep_name"}
    assert index.state.files == 302


# -- the build as others see it


def test_a_build_comes_in_steps_and_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[IndexState] = []
    monkeypatch.setattr(project, "_FIRST_VIEW", 10)
    root = many(tmp_path, 50, lambda n: f"name_{n} = 1\n")
    index = ProjectIndex(root, Settings(), told.append)
    seen = []
    for _ in index.build():
        seen.append(len(index.view("python")))
    assert len(seen) > 100
    shares = [state.share for state in told]
    assert shares[0] == 0.0
    assert shares[-1] is None
    assert shares[:-1] == sorted(shares[:-1])  # type: ignore[type-var]
    assert told[-2].to_read == 50
    assert {*seen} >= {0, 10, 40}  # of use before the end
    assert told[-1] == replace(told[-1], files=50, share=None)


def test_finding_files_comes_in_steps_too(tmp_path: Path) -> None:
    root = many(tmp_path, 60, lambda n: f"name_{n} = 1\n")
    found = [candidate for candidate in walk(root, Settings()) if candidate]
    assert len(found) == 60
    steps = sum(1 for _ in ProjectIndex(root, Settings())._reread(""))
    assert steps >= 4 * len(found)  # to look at it, to open it, to find its names, to take them in


def test_a_build_that_is_cancelled_keeps_what_it_has_and_follows_single_files(tmp_path: Path) -> None:
    root = many(tmp_path, 50, lambda n: f"name_{n} = 1\n")
    index: ProjectIndex
    index = ProjectIndex(root, Settings(), lambda state: index.cancel() if (state.share or 0) >= 0.5 else None)
    finish(index.build())
    assert index.state.files == 25
    assert index.state.share is None
    assert len(index.view("python")) == 25
    plant(root, {"f00049.py": "changed = 1\n"})
    finish(index.update(["f00049.py"]))
    assert "changed" in names(index)


def test_nothing_is_written(tmp_path: Path) -> None:
    root = plant(tmp_path, {"a.py": "aa = 1\n", "pkg/b.py": "bb = 1\n"})
    before = {path: path.stat().st_mtime_ns for path in [root, *root.rglob("*")]}
    index = built(root)
    finish(index.update(["a.py"]))
    assert {path: path.stat().st_mtime_ns for path in [root, *root.rglob("*")]} == before


def test_an_ignore_file_that_changed_without_a_word_is_noticed_with_the_next_change(tmp_path: Path) -> None:
    root = plant(tmp_path, {"pkg/lib.py": "hidden_name = 1\n", "main.py": "open_name = 1\n"})
    index = built(root)
    assert names(index) == {"hidden_name", "open_name"}
    plant(root, {"pkg/.gitignore": "lib.py\n", "main.py": "other_name = 1\n"})
    finish(index.update(["main.py"]))
    assert names(index) == {"other_name"}
    (root / "pkg" / ".gitignore").unlink()
    finish(index.update(["main.py"]))
    assert names(index) == {"other_name"}  # nothing of that folder is known, so nobody looks at it until told
    finish(index.update(["pkg/.gitignore"]))
    assert names(index) == {"hidden_name", "other_name"}


def test_a_new_folder_does_not_get_past_the_most_files(tmp_path: Path) -> None:
    index = built(many(tmp_path, 5, lambda n: f"name_{n} = 1\n"), Settings(index_max_files=5))
    for n in range(3):
        plant(tmp_path, {f"new{n}/a.py": "late = 1\n"})
        finish(index.update([f"new{n}"]))
    assert index.state.files == 5
