"""The version stands in one file; everything else that names it agrees."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import editahead
import pytest

from scripts.release import changelog, version
from scripts.release.tree import ReleaseError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project at version 1.2.3, in a git repository."""
    files = {
        version.SOURCE: '"""Doc."""\n\n__version__ = "1.2.3"\n',
        "README.md": "Take editahead-1.2.3.vsix, editahead.nvim-1.2.3.tar.gz or the model copyspan-java-0.1.0.\n",
        "editors/vscode/package.json": json.dumps({"name": "editahead", "version": "1.2.3"}, indent=2) + "\n",
        "editors/vscode/package-lock.json": json.dumps(
            {
                "version": "1.2.3",
                "lockfileVersion": 3,
                "packages": {"": {"version": "1.2.3"}, "x": {"version": "9.0.0"}},
            },
            indent=2,
        )
        + "\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "add", "-A"], check=True)
    return tmp_path


def test_every_mention_has_the_version_of_the_package() -> None:
    assert version.version_of(ROOT) == editahead.__version__
    assert list(version.outdated(ROOT)) == [], "run python -m scripts.release version"


def test_pyproject_reads_the_version_and_repeats_it_nowhere() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^dynamic = \["version"\]$', text, re.MULTILINE)
    assert f'path = "{version.SOURCE}"' in text
    assert not re.search(r"^version\s*=", text, re.MULTILINE)


def test_a_new_version_reaches_every_mention_and_nothing_else(project: Path) -> None:
    assert version.outdated(project) == {}
    changed = version.write(project, "1.3.0rc1")
    assert sorted(changed) == sorted(
        [version.SOURCE, "README.md", "editors/vscode/package.json", "editors/vscode/package-lock.json"]
    )
    readme = (project / "README.md").read_text(encoding="utf-8")
    assert readme == "Take editahead-1.3.0rc1.vsix, editahead.nvim-1.3.0rc1.tar.gz or the model copyspan-java-0.1.0.\n"
    lock = json.loads((project / "editors/vscode/package-lock.json").read_text(encoding="utf-8"))
    assert lock["version"] == lock["packages"][""]["version"] == "1.3.0-rc.1"
    assert lock["packages"]["x"]["version"] == "9.0.0"
    assert version.write(project) == []


@pytest.mark.parametrize("name", ["README.md", "editors/vscode/package.json", "editors/vscode/package-lock.json"])
def test_a_mention_of_another_version_is_noticed(project: Path, name: str) -> None:
    path = project / name
    path.write_text(path.read_text(encoding="utf-8").replace("1.2.3", "1.2.2"), encoding="utf-8")
    assert list(version.outdated(project)) == [name]


@pytest.mark.parametrize("text", ["1.2", "v1.2.3", "1.2.3-rc1", "one"])
def test_what_is_no_version_is_refused_and_nothing_written(project: Path, text: str) -> None:
    with pytest.raises(ReleaseError, match="is no version"):
        version.write(project, text)
    assert version.version_of(project) == "1.2.3"


NOTES = "# Changelog\n\n## [Unreleased]\n\n## [1.3.0] - 2027-01-01\n\n### Added\n- More.\n\n## [1.2.3]\n- Less.\n"


def test_the_notes_of_a_release_are_its_section_of_the_changelog() -> None:
    assert changelog.notes(NOTES, "1.3.0") == "### Added\n- More.\n"
    assert changelog.notes(NOTES, "1.2.3") == "- Less.\n"


@pytest.mark.parametrize("wanted", ["1.3", "1.4.0", "Unreleased"])
def test_a_version_without_notes_is_no_release(wanted: str) -> None:
    with pytest.raises(ReleaseError, match=re.escape(f"nothing under [{wanted}]")):
        changelog.notes(NOTES, wanted)


@pytest.mark.parametrize("tag", ["1.3.0", "v1.3.1", "v1.3.0rc1"])
def test_a_tag_of_another_version_is_no_release(tag: str) -> None:
    changelog.check_tag("v1.3.0", "1.3.0")
    with pytest.raises(ReleaseError, match=f"the tag {tag} is not v1.3.0"):
        changelog.check_tag(tag, "1.3.0")
