"""A bundle: a directory with a manifest, ONNX graphs, a vocabulary and golden values, checked before use.

Load order: schema, sizes, SHA-256, versions (`load_bundle`), then sessions (`open_sessions`) and the golden
self-test (`self_test`). Every failure is a BundleError of a single line. Nothing is ever unpickled.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from editahead.runtime.calibration import Calibration
from editahead.runtime.manifest import BundleError, FileEntry, GraphEntry, Manifest, read_manifest
from editahead.runtime.ort import Array

__all__ = [
    "Bundle", "BundleError", "FileEntry", "GraphEntry", "Manifest", "find_bundles", "load_bundle", "verify_files",
    "verify_optional",
]  # fmt: skip

MANIFEST, VOCAB, CARD = "manifest.json", "vocab.json", "CARD.md"
MAX_ARRAY_BYTES = 512 * 1024 * 1024  # of an .npz file, unpacked


@dataclass(frozen=True, eq=False)
class Bundle:
    """A bundle whose manifest and file sizes were checked (and, by default, its checksums)."""

    path: Path
    manifest: Manifest

    def file(self, name: str) -> Path:
        """Return the path of a listed file. Raises BundleError if the manifest does not list it."""
        if name not in self.manifest.files:
            raise BundleError(self.path / MANIFEST, f"{name} listed in files", "no such entry")
        return self.path.joinpath(*name.split("/"))

    def read(self, name: str) -> bytes:
        """Read the bytes of a listed file. Raises BundleError."""
        try:
            return self.file(name).read_bytes()
        except OSError as error:
            raise BundleError(self.path / name, "a readable file", error.strerror or type(error).__name__) from error

    def vocab(self) -> dict[str, Any]:
        """Return the parsed `vocab.json`, read at each call. Raises BundleError."""
        try:
            value = json.loads(self.read(VOCAB).decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise BundleError(self.path / VOCAB, "valid JSON in UTF-8", str(error).splitlines()[0]) from error
        if not isinstance(value, dict):
            raise BundleError(self.path / VOCAB, "a JSON object", type(value).__name__)
        return value

    def calibration(self, surface: str) -> Calibration:
        """Return the calibration of a surface ("completion", "inline", "next_edit"); identity if none was fitted."""
        return self.manifest.calibrations.get(surface, Calibration())

    def arrays(self, name: str) -> dict[str, Array]:
        """Read the arrays of a listed `.npz` file, without pickle. Raises BundleError."""
        path = self.file(name)
        try:
            with zipfile.ZipFile(path) as archive:  # the size is checked before anything is unpacked
                unpacked = sum(member.file_size for member in archive.infolist())
            if unpacked > MAX_ARRAY_BYTES:
                raise BundleError(path, f"at most {MAX_ARRAY_BYTES} bytes unpacked", f"{unpacked} bytes")
            with np.load(path, allow_pickle=False) as data:
                return {key: data[key] for key in data.files}
        except BundleError:
            raise
        except Exception as error:
            actual = (str(error).splitlines() or [type(error).__name__])[0]
            raise BundleError(path, "an .npz file of plain arrays", actual) from error


def load_bundle(path: Path | str, *, verify: bool = True, normaliser_version: int | str | None = None) -> Bundle:
    """Check a bundle and return it. Raises BundleError.

    `verify=False` skips the checksums (about 1 ms a megabyte) for a fast start: call `verify_files`
    later. `normaliser_version` is the version of the normaliser in use; bundles of another version are
    rejected. Optional files are checked only when `verify` is set.
    """
    root = Path(path)
    if not os.path.isdir(root):
        raise BundleError(root, "a bundle directory", "a file" if os.path.exists(root) else "nothing")
    bundle = Bundle(root, read_manifest(root / MANIFEST))
    _check_sizes(bundle, optional=verify)
    if verify:
        verify_files(bundle)
        verify_optional(bundle)
    made_with = bundle.manifest.normaliser_version
    if normaliser_version is not None and made_with is not None and made_with != normaliser_version:
        raise BundleError(root / MANIFEST, f"normaliser_version {normaliser_version}", str(made_with))
    return bundle


def verify_files(bundle: Bundle) -> None:
    """Compare the SHA-256 of every required file with the manifest. Raises BundleError."""
    optional = bundle.manifest.optional
    _verify(bundle, [entry for entry in bundle.manifest.files.values() if entry.path not in optional])


def verify_optional(bundle: Bundle) -> None:
    """Compare the SHA-256 of the optional files with the manifest. Raises BundleError."""
    _verify(bundle, [bundle.manifest.files[name] for name in sorted(bundle.manifest.optional)])


def find_bundles(extra: Sequence[Path] = ()) -> list[Path]:
    """Return bundle directories: `extra` (each a bundle or a folder of bundles), the user's own, those shipped.

    A directory without a manifest is listed too, so that it is reported as damaged.
    """
    folders: list[Path] = []
    for path in extra:
        is_folder = os.path.isdir(path) and not os.path.lexists(path / MANIFEST)  # which never raise
        folders.extend(_children(path) or [path] if is_folder else [path])
    folders.extend(_children(user_bundles()))
    spec = find_spec("editahead_bundles")
    for location in (spec.submodule_search_locations or ()) if spec else ():
        folders.extend(_children(Path(location)))
    return list(dict.fromkeys(folders))


def user_bundles() -> Path:
    """Return the folder of the user's own bundles."""
    from platformdirs import user_data_path

    return user_data_path("editahead", appauthor=False) / "bundles"


def _children(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
    except (OSError, ValueError):  # a path with a zero byte is no path
        return []
    return [entry for entry in entries if os.path.isdir(entry) and not entry.name.startswith((".", "_"))]


def _verify(bundle: Bundle, entries: Sequence[FileEntry]) -> None:
    for entry in entries:
        digest = hashlib.sha256(bundle.read(entry.path)).hexdigest()
        if digest != entry.sha256:
            raise BundleError(bundle.path / entry.path, f"SHA-256 {entry.sha256}", digest)


def _check_sizes(bundle: Bundle, *, optional: bool) -> None:
    """Compare the sizes of the files with the manifest. Raises BundleError."""
    root = bundle.path.resolve()
    for entry in bundle.manifest.files.values():
        if entry.path in bundle.manifest.optional and not optional:
            continue
        file = bundle.file(entry.path)
        try:
            inside = file.resolve(strict=True).is_relative_to(root)
            size = file.stat().st_size
        except (OSError, RuntimeError) as error:
            raise BundleError(file, f"a file of {entry.bytes} bytes", "no readable file") from error
        if not inside:
            raise BundleError(file, "a file inside the bundle", "a link that leaves it")
        if not file.is_file():
            raise BundleError(file, f"a file of {entry.bytes} bytes", "no regular file")
        if size != entry.bytes:
            raise BundleError(file, f"{entry.bytes} bytes", f"{size} bytes")
