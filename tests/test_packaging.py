"""What people install: the wheel holds the packages and the bundles, and the entry points start."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the sources, with the build back end that pyproject.toml names."""
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed: pip install -e '.[dev]'")
    source = tmp_path_factory.mktemp("source")
    for name in ("server", "models"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    target = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    run = subprocess.run(build, cwd=source, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return next(target.glob("*.whl"))


@pytest.mark.slow
def test_wheel_holds_every_module_and_nothing_beside(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for package in ("server/editahead", "models/editahead_models"):
        folder = ROOT / package
        modules = {str(path.relative_to(folder.parent)) for path in folder.rglob("*.py")}
        assert modules <= names, sorted(modules - names)
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"editahead", "editahead_models", "editahead_bundles"}
    assert "editahead/py.typed" in names


def test_wheel_holds_every_bundle_file(wheel: Path) -> None:
    bundles = ROOT / "models" / "editahead_bundles"
    wanted = {
        str(path.relative_to(bundles.parent))
        for manifest in bundles.glob("*/manifest.json")
        for path in manifest.parent.rglob("*")
        if path.is_file()
    }
    missing = wanted - set(zipfile.ZipFile(wheel).namelist())
    assert not missing, sorted(missing)


def test_shipped_bundles_stay_small() -> None:
    """All bundles together: at most 60 MB, so that the package stays a quick download."""
    files = (ROOT / "models" / "editahead_bundles").rglob("*")
    assert sum(path.stat().st_size for path in files if path.is_file()) <= 60_000_000


def test_wheel_declares_both_commands(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    entry = next(name for name in archive.namelist() if name.endswith("entry_points.txt"))
    text = archive.read(entry).decode()
    assert "editahead = editahead.cli.main:main" in text
    assert "editahead-models = editahead_models.__main__:main" in text


@pytest.mark.slow
@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_python_dash_m_editahead_answers(argument: str) -> None:
    run = subprocess.run([sys.executable, "-m", "editahead", argument], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert "editahead" in run.stdout


def docker_stages() -> dict[str, list[str]]:
    """Stage name -> its instructions, continuation lines joined."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    stages: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.splitlines():
        if match := re.fullmatch(r"FROM \S+ AS (\w+)", line):
            current = stages.setdefault(match[1], [])
        if line.strip() and not line.startswith("#"):
            current.append(line)
    return stages


@pytest.mark.parametrize("stage", ["runtime", "gpu", "train"])
def test_image_stage_runs_a_known_command_without_root(stage: str) -> None:
    lines = docker_stages()[stage]
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users, "the stage would run as root"
    assert users[-1] not in ("root", "0")
    entry = next(line for line in lines if line.startswith("ENTRYPOINT "))
    command = '"editahead-models"' if stage == "train" else '"editahead", "--stdio"'
    assert entry.startswith(f"ENTRYPOINT [{command}")


def test_image_copies_what_exists_and_what_the_ignore_file_lets_through() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        source
        for lines in docker_stages().values()
        for line in lines
        if line.startswith("COPY ")
        for source in (part.removeprefix("./") for part in line.split()[1:-1])
    }
    assert copied
    assert [source for source in copied if not (ROOT / source).exists()] == []
    assert copied <= allowed


def test_gpu_stage_swaps_the_runtime_instead_of_adding_one() -> None:
    steps = " ".join(docker_stages()["gpu"])
    assert steps.index("pip uninstall --yes onnxruntime ") < steps.index("onnxruntime-gpu")
    assert "torch" not in " ".join(docker_stages()["runtime"])
