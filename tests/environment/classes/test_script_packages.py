"""Packages of a repository, found by their names and listed once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from editahead.environment.classes import class_files, script_modules
from editahead.environment.classes.class_files import FileFactsCache
from editahead.environment.classes.script_modules import ScriptPackages

# The packages of a repository, by folder.
PACKAGES = {"packages/shapes": "@draw/shapes", "packages/web": "@draw/client", "libs/other": "draw-core"}


def repository(root: Path) -> Path:
    for folder, name in PACKAGES.items():
        (root / folder).mkdir(parents=True)
        (root / folder / "package.json").write_text(json.dumps({"name": name}))
    return root


def facts_of(root: Path) -> FileFactsCache:
    facts = FileFactsCache(root, lambda path: True)
    facts.begin()
    return facts


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("@draw/shapes", "packages/shapes/src/index"),
        ("@draw/client", "packages/web/src/index"),
        ("draw-core/lists", "libs/other/src/lists"),
        ("@draw/other", None),
        ("react", None),
        ("@draw", None),
        ("@draw/shapes/../../outside", None),
        ("", None),
    ],
)
def test_a_name_leads_to_the_files_of_its_package(tmp_path: Path, written: str, first: str | None) -> None:
    root = repository(tmp_path)
    found = next(ScriptPackages(facts_of(root)).paths(root, written), None)
    assert found == (root / first if first else None)


def test_names_of_other_packages_do_not_read_the_repository_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, asked = repository(tmp_path), list[Path]()
    facts = facts_of(root)
    get = facts.get
    monkeypatch.setattr(facts, "get", lambda path, read: asked.append(path) or get(path, read))
    packages = ScriptPackages(facts)
    list(packages.paths(root, "react"))
    assert {root / folder / "package.json" for folder in PACKAGES} < set(asked)
    asked.clear()
    for name in ("react", "vue", "lodash/merge"):
        list(packages.paths(root, name))
    assert all(path.parent.name in ("react", "vue", "lodash") for path in asked)


def test_new_packages_are_found_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path)
    packages = ScriptPackages(facts_of(root))
    assert not list(packages.paths(root, "@draw/server"))
    (root / "packages/web/package.json").write_text('{"name": "@draw/server"}')
    assert not list(packages.paths(root, "@draw/client"))  # its folder has another name now
    monkeypatch.setattr(script_modules, "_KEPT_FOR", -1.0)
    assert next(packages.paths(root, "@draw/server")) == root / "packages/web/src/index"


def test_a_listing_that_was_cut_short_goes_on_with_the_next_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path)
    monkeypatch.setattr(class_files, "MAX_READ_BYTES", 30)
    facts = facts_of(root)
    packages = ScriptPackages(facts)
    for _ in range(len(PACKAGES)):
        facts.begin()
        list(packages.paths(root, "react"))
    assert next(packages.paths(root, "@draw/client")) == root / "packages/web/src/index"


def test_of_many_packages_so_many_are_read_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_modules, "_MAX_PACKAGES", 2)
    for number in range(5):
        (tmp_path / f"packages/p{number}").mkdir(parents=True)
        (tmp_path / f"packages/p{number}/package.json").write_text(json.dumps({"name": f"name-{number}"}))
    facts = facts_of(tmp_path)
    found = [name for name in range(5) if list(ScriptPackages(facts).paths(tmp_path, f"name-{name}"))]
    assert len(found) == 2
