"""Install the Visual Studio Code that `make e2e` tests: `python scripts/install_vscode.py [FOLDER]`.

FOLDER/vscode/bin/code-server is the editor, served to a browser: code-server and the Node that it wants, both from the
npm registry (about 700 MB). The extension's own tools are installed beside its sources (`npm ci`), and Chromium by this
machine's apt where it is missing and we are root. FOLDER is EDITAHEAD_EDITORS, or `editahead-editors` in the user's
cache folder. What works already is left alone; what the network refuses is tried three times.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from install_neovim import InstallError, again, folder_wanted, install_each, run

CODE_SERVER = "4.139.1"  # VS Code 1.139
NODE = "24.21.0"
EXTENSION = Path(__file__).resolve().parents[1] / "editors" / "vscode"
CHROMIUM = ("fonts-dejavu-core", "chromium")  # the packages of Debian
PATIENCE = 120  # seconds that a program may take to say its version
NPM = {
    "npm_config_ignore_scripts": "true",  # they compile what tests do not need (log files), or reach further hosts
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_update_notifier": "false",
    "npm_config_loglevel": "error",
}
# Read in place of the one that code-server would write into the user's home.
CONFIG = "auth: none\ncert: false\ndisable-telemetry: true\ndisable-update-check: true\n"


def says(program: Path | str, words: Sequence[str] = ("--version",)) -> str:
    """What a program prints, or nothing when it does not run."""
    try:
        done = subprocess.run([str(program), *words], capture_output=True, text=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def npm(where: Path, *words: str) -> None:
    """Run npm in a folder, with the packages' own scripts off."""
    again(lambda: run("npm", *words, cwd=where, env={**os.environ, **NPM}))


def processor() -> str:
    """The processor's name in packages of Node."""
    name = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine().lower())
    if name is None or sys.platform != "linux":
        raise InstallError(f"there is no build for {sys.platform} on {platform.machine()}")
    return name


def make(root: Path) -> None:
    """Put all of it into a folder. Raises InstallError."""
    arch = processor()
    (root / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    npm(root, "install", f"node-linux-{arch}@{NODE}", f"code-server@{CODE_SERVER}")
    code = root / "node_modules" / "code-server" / "lib" / "vscode"
    node = root / "node_modules" / f"node-linux-{arch}"
    npm(code, "install", "--omit=dev")
    npm(code / "extensions", "install", "--omit=dev")
    shutil.rmtree(node / "include", ignore_errors=True)
    (root / "config.yaml").write_text(CONFIG, encoding="utf-8")
    starter = root / "bin" / "code-server"
    starter.parent.mkdir()
    starter.write_text(
        '#!/bin/sh\nhere="$(dirname "$(readlink -f "$0")")/.."\nexport CODE_SERVER_CONFIG="$here/config.yaml"\n'
        f'exec "$here/node_modules/node-linux-{arch}/bin/node" '
        '"$here/node_modules/code-server/out/node/entry.js" "$@"\n',
        encoding="utf-8",
    )
    starter.chmod(0o755)


def install_code(folder: Path) -> None:
    """Visual Studio Code in `folder`, unless it works there already. Raises InstallError."""
    target = folder / "vscode"
    if says(target / "bin" / "code-server").startswith(f"{CODE_SERVER} "):
        return
    if shutil.which("npm") is None:
        raise InstallError("npm is not there: install Node 20 or newer")
    scratch = Path(tempfile.mkdtemp(prefix="vscode-", dir=folder))
    try:
        scratch.chmod(0o755)
        make(scratch)
        if not says(scratch / "bin" / "code-server").startswith(f"{CODE_SERVER} "):
            raise InstallError("it was installed, but does not start")
        shutil.rmtree(target, ignore_errors=True)
        scratch.rename(target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def install_tools() -> None:
    """What builds, tests and drives the extension, as its lockfile says. Raises InstallError."""
    lock, done = EXTENSION / "package-lock.json", EXTENSION / "node_modules" / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
        npm(EXTENSION, "ci")


def install_packages(packages: Sequence[str], otherwise: str) -> None:
    """Install packages of Debian. Raises InstallError, with what the user can do otherwise, where we may not."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise InstallError(otherwise)
    options = ("-q", "-y", "-oDPkg::Lock::Timeout=300", "--no-install-recommends")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}

    def install() -> None:
        run("apt-get", "-q", "update", env=env)
        run("apt-get", *options, "install", *packages, env=env)

    again(install)


def install_chromium() -> None:
    """The browser. Raises InstallError where it is missing and we may not install it."""
    if not says(os.environ.get("CHROMIUM", "/usr/bin/chromium")):
        install_packages(CHROMIUM, "there is none: install the package chromium, or name one in CHROMIUM")


def main() -> int:
    """Install the editor and its browser; 1 if a part could not be installed."""
    folder = folder_wanted("Install Visual Studio Code and a browser for the editor tests.")
    return install_each(
        {
            "Visual Studio Code": lambda: install_code(folder),
            "the extension's tools": install_tools,
            "Chromium": install_chromium,
        }
    )


if __name__ == "__main__":
    sys.exit(main())
