"""The tests here run Node: the extension's unit tests, and scripts that type in a real Visual Studio Code.

What is missing is named in the reason of a skip; the environment variable EDITAHEAD_NEED_EDITORS makes that a failure.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXTENSION = ROOT / "editors" / "vscode"
NEEDED = "EDITAHEAD_NEED_EDITORS"
INSTALL = "python scripts/install_vscode.py"
BUILD_PATIENCE = 300  # seconds


def missing(reason: str) -> None:
    """Skip the test, or fail it where editors must be there."""
    if os.environ.get(NEEDED):
        pytest.fail(reason)
    pytest.skip(reason)


def editors() -> Path:
    """Where `scripts/install_vscode.py` puts the editor."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("EDITAHEAD_EDITORS") or Path(base) / "editahead-editors")


@pytest.fixture(scope="session")
def node() -> str:
    """Node, with the extension's tools installed."""
    found = shutil.which("node")
    if found is None:
        missing("no node on PATH")
    if not (EXTENSION / "node_modules" / "esbuild").exists():
        missing(f"the extension's tools are not installed: {INSTALL}")
    return str(found)


@pytest.fixture(scope="session")
def environment(node: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The editor, the browser and the packaged extension, as the scripts are told of them."""
    if not os.environ.get(NEEDED):
        pytest.skip(f"typing in a real editor takes minutes: make e2e does it ({NEEDED}=1 here)")
    server = editors() / "vscode" / "bin" / "code-server"
    if not server.exists():
        missing(f"no Visual Studio Code: {INSTALL}")
    browser = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    if not Path(browser).exists():
        missing(f"no Chromium at {browser}: {INSTALL} installs it as root, or name one in CHROMIUM")
    vsix = tmp_path_factory.mktemp("vsix") / "editahead.vsix"
    with (EXTENSION / "package.json").open() as lock:  # test processes beside this one build in the same folder
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = {**os.environ, "OUT": str(vsix), "WHEEL": ""}
        command = [node, "scripts/package.mjs"]
        subprocess.run(command, cwd=EXTENSION, env=built, check=True, capture_output=True, timeout=BUILD_PATIENCE)
    told = {"EDITAHEAD_CODE_SERVER": server, "EDITAHEAD_VSIX": vsix, "EDITAHEAD_PYTHON": sys.executable}
    return {**os.environ, "CHROMIUM": browser, **{name: str(path) for name, path in told.items()}}
