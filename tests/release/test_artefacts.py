"""The artefacts of this repository: built twice in different places they are the same bytes, and hold what they may."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from scripts.release import artefacts, contents, sbom, tree
from scripts.release.version import version_of

ROOT = Path(__file__).parents[2]
EPOCH = 1_700_000_000


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tracked files of this repository."""
    try:
        tree.run("git", "ls-files", "--error-unmatch", "pyproject.toml", cwd=ROOT)
    except tree.ReleaseError as error:
        pytest.skip(f"a release is built from a git repository: {error}")
    folder = tmp_path_factory.mktemp("source")
    tree.export(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def built(source: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Wheel, sdist and Neovim plugin, as a release builds them."""
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed: pip install -e '.[dev]'")
    return build(source, tmp_path_factory.mktemp("made"))


def build(source: Path, target: Path) -> list[Path]:
    packages = artefacts.python_packages(source, target, EPOCH)
    return [*packages, artefacts.neovim_plugin(source, target, version_of(source), EPOCH)]


@pytest.mark.slow
def test_they_hold_tracked_files_and_their_licences(source: Path, built: list[Path]) -> None:
    tracked = tree.tracked_files(ROOT)
    assert len(built) == 3
    for path in built:
        assert contents.problems(path, source, tracked, [str(ROOT), str(source), str(Path.home())]) == []


@pytest.mark.slow
def test_another_place_and_another_time_make_the_same_bytes(
    source: Path, built: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = tmp_path / "a" / "deeper" / "place"
    shutil.copytree(source, again)
    for path in again.rglob("*"):
        path.touch()
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    for old, new in zip(built, build(again, tmp_path / "made"), strict=True):
        assert old.name == new.name
        assert old.read_bytes() == new.read_bytes(), old.name


def test_the_neovim_plugin_unpacks_into_a_package_folder(built: list[Path], tmp_path: Path) -> None:
    with tarfile.open(built[2]) as archive:
        archive.extractall(tmp_path, filter="data")
    (top,) = tmp_path.iterdir()
    assert top.name == f"editahead.nvim-{version_of(ROOT)}"
    for name in ("plugin/editahead.lua", "lua/editahead/init.lua", "lsp/editahead.lua", "doc/editahead.txt", "LICENSE"):
        assert (top / name).is_file(), name


def test_the_export_leaves_out_what_git_does_not_track(tmp_path: Path) -> None:
    repository, target = tmp_path / "repository", tmp_path / "target"
    repository.mkdir()
    for name in ("tracked.py", "new.py", "run.sh"):
        (repository / name).write_text(name, encoding="utf-8")
    (repository / "run.sh").chmod(0o775)
    (repository / "tracked.py").chmod(0o600)
    subprocess.run(["git", "init", "-q", "."], cwd=repository, check=True)
    subprocess.run(["git", "add", "tracked.py", "run.sh"], cwd=repository, check=True)
    assert tree.export(repository, target) == ["run.sh", "tracked.py"]
    modes = {path.name: path.stat().st_mode & 0o777 for path in target.iterdir()}
    assert modes == {"run.sh": 0o755, "tracked.py": 0o644}
    assert tree.uncommitted(repository) == ["run.sh", "tracked.py", "new.py"]


def test_git_converts_no_line_ends() -> None:
    """A clone on Windows would have other bytes than the checksums of the models say."""
    names = "\0".join(tree.tracked_files(ROOT))
    command = ["git", "check-attr", "-z", "--stdin", "text"]
    done = subprocess.run(command, cwd=ROOT, input=names, capture_output=True, text=True, timeout=60)
    values = done.stdout.split("\0")[2::3]
    assert len(values) > 1000
    assert set(values) == {"unset"}


@pytest.mark.slow
def test_the_sbom_names_packages_models_and_files(source: Path, tmp_path: Path) -> None:
    pytest.importorskip("cyclonedx", reason="cyclonedx-bom is not installed: pip install -e '.[release]'")
    bundle = min((source / "models" / "editahead_bundles").glob("*/manifest.json")).parent
    model = sbom.model_component(bundle)
    package = sbom.npm_component({"name": "@scope/part", "version": "1.0.0", "license": "MIT"})
    assert package["purl"] == "pkg:npm/%40scope/part@1.0.0"
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": sbom.SPECIFICATION,
        "version": 1,
        "components": [model, package, sbom.file_component(source / "LICENSE")],
    }
    assert sbom.schema_errors(json.dumps(bill)) == ""
    assert sbom.schema_errors(json.dumps({**bill, "components": [{"name": "no type"}]})) != ""
