"""Emacs with Eglot, a stock client: it runs the recipe of docs/editors/emacs.md with the shipped models."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.editors.stock_project import OTHER, TEXT

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "editors" / "emacs.md"
PATIENCE = 600  # seconds for the whole script; each of its waits is bounded by itself


@pytest.fixture
def seen(tmp_path: Path, environment_with_server: dict[str, str], missing: Callable[[str], None]) -> dict[str, Any]:
    """What the script saw in Emacs."""
    emacs = shutil.which("emacs")
    packages = "(progn (package-initialize) (require 'eglot))"
    if emacs is None or subprocess.run([emacs, "--batch", "-q", "--eval", packages], capture_output=True).returncode:
        missing("no Emacs with Eglot: python scripts/install_terminal_editors.py")
    recipe = re.findall(r"```elisp\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    (tmp_path / "recipe.el").write_text(recipe, encoding="utf-8")
    project = tmp_path / "project"
    subprocess.run(["git", "init", "--quiet", str(project)], check=True)  # Eglot lists the project's files with it
    (project / "orders.py").write_bytes(TEXT.replace("\n", "\r\n").encode())
    (project / "report.py").write_text(OTHER, encoding="utf-8")
    files = {"EDITAHEAD_FILE": str(project / "orders.py"), "EDITAHEAD_SEEN": str(tmp_path / "seen.json")}
    command = [str(emacs), "--batch", "-q", "--eval", packages, "-l", "../recipe.el", "-l", str(HERE / "eglot.el")]
    done = subprocess.run(
        command,
        cwd=project,
        env={**environment_with_server, **files},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads((tmp_path / "seen.json").read_text(encoding="utf-8"))
    return {**found, "project": project, "said": done.stderr}


def test_eglot_completes_and_renames_with_utf_16_and_crlf_and_no_error(seen: dict[str, Any]) -> None:
    assert seen["coding"] == "utf-8-dos"
    assert seen["completed"] == 'result = len("🎉🎉") + quantities'
    assert seen["actions"] == ["Rename `total` to `amount` in 3 more places in 2 files"]
    expected = TEXT.replace("total", "amount") + 'result = len("🎉🎉") + quantities\n'
    assert (seen["project"] / "orders.py").read_bytes() == expected.replace("\n", "\r\n").encode()
    assert (seen["project"] / "report.py").read_text(encoding="utf-8") == OTHER.replace("total", "amount")
    assert not re.search(r"-reply\] \S+ ERROR|window/showMessage", seen["events"]), seen["events"]
    assert "error" not in seen["said"].lower()
