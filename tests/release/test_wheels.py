"""What the matrix of ci.yml relies on: every dependency has a wheel for its systems, oldest and newest Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

tomllib = pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")
yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install -e '.[dev]'")
pytestmark = pytest.mark.skipif(
    not os.environ.get("EDITAHEAD_INSTALL_TEST"), reason="asks a package index: make release does it"
)

ROOT = Path(__file__).parents[2]
PLATFORMS = {
    "ubuntu-24.04": "x86_64-manylinux_2_39",
    "macos-15": "aarch64-apple-darwin",
    "windows-2025": "x86_64-pc-windows-msvc",
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
WANTED = [*PROJECT["dependencies"], *EXTRAS["dev"], *EXTRAS["languages"], *EXTRAS["release"]]
CI = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
MATRIX = CI["jobs"]["platforms"]["strategy"]["matrix"]


@pytest.mark.parametrize("python", [MATRIX["python"][0], MATRIX["python"][-1]])
@pytest.mark.parametrize("system", MATRIX["os"])
def test_every_dependency_has_a_wheel(system: str, python: str) -> None:
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "-", "--only-binary", ":all:", "--no-header"]
    command += ["--python-version", python, "--python-platform", PLATFORMS[system]]
    env = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": "15.0"}
    done = subprocess.run(command, input="\n".join(WANTED), env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "\nonnxruntime==" in done.stdout
