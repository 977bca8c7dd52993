"""The archive of a release: unpacked into a package folder, it is a plugin."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

from scripts.release import artefacts

ROOT = Path(__file__).parents[3]
LUA = "require('editahead').setup(); io.stdout:write(require('editahead').status(), vim.fn.exists(':Editahead'))"


def test_an_unpacked_archive_is_a_plugin(binary: Path, tmp_path: Path) -> None:
    archive = artefacts.neovim_plugin(ROOT, tmp_path, "1.2.3", 1_700_000_000)
    start = tmp_path / "site" / "pack" / "editahead" / "start"
    start.mkdir(parents=True)
    with tarfile.open(archive) as tar:
        tar.extractall(start, filter="data")
    command = [str(binary), "--headless", "-u", "NONE", "-i", "NONE", "--cmd", f"set packpath^={tmp_path}/site"]
    command += [
        "-c",
        "packloadall",
        "-c",
        f"lua {LUA}",
        "-c",
        f"helptags {start}/editahead.nvim-1.2.3/doc",
        "-c",
        "qa!",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "2"), done.stderr
    assert (start / "editahead.nvim-1.2.3" / "doc" / "tags").stat().st_size > 0
