"""The version of the project: `server/editahead/__init__.py` holds it, every other mention is written from there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from scripts.release.tree import ReleaseError, tracked_files

SOURCE = "server/editahead/__init__.py"
_ASSIGNMENT = re.compile(r'^__version__ = "([^"]*)"$', re.MULTILINE)
_RELEASE = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
# The name of a file that is built: in documents it carries the current version.
_ARTEFACT = re.compile(
    r"(editahead(?:\.nvim)?-)\d+\.\d+\.\d+[\w.]*?(?=-py3-none-any\.whl|\.vsix|\.tar\.gz|\.cdx\.json)"
)
_MANIFESTS = ("editors/vscode/package.json", "editors/vscode/package-lock.json")
_DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "editors/vscode/README.md", "docs/")


def version_of(root: Path) -> str:
    """The version. Raises ReleaseError."""
    found = _ASSIGNMENT.findall((root / SOURCE).read_text(encoding="utf-8"))
    if len(found) != 1 or not _RELEASE.fullmatch(found[0]):
        raise ReleaseError(f'{SOURCE} needs one line __version__ = "1.2.3" (or 1.2.3rc1)')
    return str(found[0])


def npm_version(version: str) -> str:
    """The version as npm writes it: 1.2.3rc1 is 1.2.3-rc.1."""
    return re.sub(r"(a|b|rc)(\d+)$", r"-\1.\2", version)


def outdated(root: Path) -> dict[str, str]:
    """Path -> contents with the current version, of the files that mention another one. Raises ReleaseError."""
    version = version_of(root)
    files = {name: (root / name).read_text(encoding="utf-8") for name in _mentioning(root)}
    wanted = {
        name: _manifest(text, npm_version(version)) if name in _MANIFESTS else _ARTEFACT.sub(rf"\g<1>{version}", text)
        for name, text in files.items()
    }
    return {name: text for name, text in wanted.items() if text != files[name]}


def write(root: Path, version: str | None = None) -> list[str]:
    """Set the version if one is given, then bring every mention in line; the files that changed.

    Raises ReleaseError.
    """
    changed = []
    if version is not None:
        if not _RELEASE.fullmatch(version):
            raise ReleaseError(f"{version} is no version: write 1.2.3 or 1.2.3rc1")
        version_of(root)
        source = root / SOURCE
        text = source.read_text(encoding="utf-8")
        renewed = _ASSIGNMENT.sub(f'__version__ = "{version}"', text)
        if renewed != text:
            source.write_text(renewed, encoding="utf-8")
            changed.append(SOURCE)
    for name, text in outdated(root).items():
        (root / name).write_text(text, encoding="utf-8")
        changed.append(name)
    return changed


def _mentioning(root: Path) -> Iterator[str]:
    for name in tracked_files(root):
        document = name.startswith(_DOCUMENTS) and name.endswith((".md", ".txt"))
        if name in _MANIFESTS or document:
            yield name


def _manifest(text: str, version: str) -> str:
    """A package.json or package-lock.json with the version of its own package replaced."""
    manifest = json.loads(text)
    manifest["version"] = version
    if "lockfileVersion" in manifest:
        manifest["packages"][""]["version"] = version
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
