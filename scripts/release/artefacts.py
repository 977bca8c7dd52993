"""The files of a release, each built from an exported copy of the repository (`tree.export`)."""

from __future__ import annotations

import gzip
import io
import shutil
import sys
import tarfile
from pathlib import Path

from scripts.release.tree import ReleaseError, run

EXTENSION = "editors/vscode"
PLUGIN = "editors/nvim"
WITHOUT_NODE = "Node 20 or newer and npm build the extension: install them, or leave it out with --without-vscode"


def python_packages(source: Path, target: Path, epoch: int) -> tuple[Path, Path]:
    """The wheel and the sdist, by the build back end that pyproject.toml names. Raises ReleaseError."""
    build = (sys.executable, "-m", "hatchling", "build", "-d", target, "-t")
    for kind in ("wheel", "sdist"):
        run(*build, kind, cwd=source, env={"SOURCE_DATE_EPOCH": str(epoch)})
    return next(target.glob("*.whl")), next(target.glob("*.tar.gz"))


def node_modules(root: Path) -> Path:
    """What builds the extension, installed beside its sources as the lock file says. Raises ReleaseError."""
    folder = root / EXTENSION
    installed, lock = folder / "node_modules" / ".package-lock.json", folder / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        if shutil.which("npm") is None:
            raise ReleaseError(WITHOUT_NODE)
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=folder)
    return folder / "node_modules"


def vscode_extension(source: Path, modules: Path, wheel: Path, target: Path, epoch: int) -> Path:
    """The .vsix with the wheel inside; `modules` is the folder of `node_modules`. Raises ReleaseError."""
    node = shutil.which("node")
    if node is None:
        raise ReleaseError(WITHOUT_NODE)
    folder = source / EXTENSION
    (folder / "node_modules").symlink_to(modules, target_is_directory=True)
    try:
        vsix = target / f"editahead-{wheel.name.split('-')[1]}.vsix"
        told = {"WHEEL": str(wheel), "OUT": str(vsix), "SOURCE_DATE_EPOCH": str(epoch)}
        run(node, "scripts/package.mjs", cwd=folder, env=told)
    finally:
        (folder / "node_modules").unlink()
    return vsix


def neovim_plugin(source: Path, target: Path, version: str, epoch: int) -> Path:
    """The plugin as a .tar.gz with one folder at its top, ready for a package folder of Neovim."""
    top = f"editahead.nvim-{version}"
    files = {path.relative_to(source / PLUGIN).as_posix(): path for path in (source / PLUGIN).rglob("*")}
    files = {name: path for name, path in files.items() if path.is_file()} | {"LICENSE": source / "LICENSE"}
    archive = target / f"{top}.tar.gz"
    with (
        archive.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=epoch) as packed,  # no name: it would be part of the bytes
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name, path in sorted(files.items()):
            content = path.read_bytes()
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size, member.mtime, member.mode = len(content), epoch, 0o644
            tar.addfile(member, io.BytesIO(content))
    return archive
