"""The manifest of a bundle: what `manifest.json` must say, and the one-line errors when it does not."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from editahead.runtime.calibration import Calibration

SCHEMA = 1
MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_MANIFEST_BYTES = 4 * 1024 * 1024

_SHA256 = re.compile(r"[0-9a-f]{64}")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


class BundleError(Exception):
    """A bundle that must not be used; the text is one line: the file, what was expected, what was found."""

    def __init__(self, file: Path | str, expected: str, found: str) -> None:
        self.file = str(file)
        self.expected = expected
        self.found = found
        super().__init__(f"{self.file}: expected {expected}, found {found}")


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file: its path inside the bundle (forward slashes), its size in bytes and its SHA-256."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class GraphEntry:
    """One ONNX graph: its file, and the axes of each input and output (a name for an axis of any length).

    `shared`: initialisers that the graph leaves open, each with the `.npz` file and the array that it takes.
    """

    name: str
    file: str
    inputs: Mapping[str, tuple[int | str, ...]]
    outputs: Mapping[str, tuple[int | str, ...]]
    opset: int | None = None
    shared: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Manifest(Mapping[str, Any]):
    """A checked, frozen manifest: read it as a mapping of JSON values, or through its typed fields.

    `optional` names the files without which the bundle still serves: who uses them checks them.
    """

    raw: Mapping[str, Any]
    family: str
    flavour: str
    language: str
    version: str
    files: Mapping[str, FileEntry]
    graphs: Mapping[str, GraphEntry]
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    normaliser_version: int | str | None = None
    tolerance: float = 1e-3
    optional: frozenset[str] = frozenset()

    def __getitem__(self, key: str) -> Any:
        return self.raw[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)

    @property
    def name(self) -> str:
        """`<family>-<language>-<version>`, the name of the bundle's directory."""
        return f"{self.family}-{self.language}-{self.version}"

    @property
    def limits(self) -> Mapping[str, Any]:
        """What the graphs were made for (lengths, vocabulary sizes); free-form, empty when absent."""
        return _mapping(self.raw.get("limits"))

    @property
    def metrics(self) -> Mapping[str, Any]:
        """Numbers on the held-out split; free-form, empty when absent."""
        return _mapping(self.raw.get("metrics"))


def safe_relative(path: str) -> bool:
    """Whether `path` is a plain relative path of ordinary names: no drive, no parent folder, no backslash."""
    return bool(path) and all(_PART.fullmatch(part) for part in path.split("/"))


def read_manifest(file: Path) -> Manifest:
    """The checked manifest in `file`. Raises BundleError for all that is not a manifest of this schema."""
    try:
        status = file.stat()
        size = status.st_size
        if not stat.S_ISREG(status.st_mode):  # reading a pipe would wait for good
            raise BundleError(file, "a regular file", "something else")
        if size > MAX_MANIFEST_BYTES:
            raise BundleError(file, f"at most {MAX_MANIFEST_BYTES} bytes", f"{size} bytes")
        text = file.read_bytes().decode("utf-8")
    except OSError as error:
        raise BundleError(file, "a readable file", error.strerror or type(error).__name__) from error
    except UnicodeDecodeError as error:
        raise BundleError(file, "UTF-8 text", f"an invalid byte at offset {error.start}") from error
    try:
        raw = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BundleError(file, "valid JSON", str(error).splitlines()[0]) from error
    return parse_manifest(raw, file)


def parse_manifest(raw: object, file: Path) -> Manifest:
    """Check parsed JSON against the schema; `file` is only named in errors. Raises BundleError."""
    top = _object(raw, file, "the manifest")
    if top.get("schema") != SCHEMA or isinstance(top.get("schema"), bool):
        raise BundleError(file, f"schema {SCHEMA}", f"schema {top.get('schema')!r}")
    files = _files(top.get("files"), file)
    calibrations = {}
    for surface, entry in _object(top.get("calibration", {}), file, "calibration").items():
        try:
            calibrations[surface] = Calibration.from_manifest(_object(entry, file, f"calibration.{surface}"))
        except ValueError as error:
            raise BundleError(file, f"a usable calibration.{surface}", str(error)) from error
    tolerance = top.get("tolerance", 1e-3)
    if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float)) or not 0 <= tolerance < 1e6:
        raise BundleError(file, "tolerance as a number of at least 0", repr(tolerance))
    normaliser = top.get("normaliser_version")
    if normaliser is not None and (isinstance(normaliser, bool) or not isinstance(normaliser, (int, str))):
        raise BundleError(file, "normaliser_version as a number or a string", repr(normaliser))
    return Manifest(
        raw=_freeze(top),
        family=_name(top, "family", file),
        flavour=_string(top.get("flavour", ""), file, "flavour"),
        language=_name(top, "language", file),
        version=_name(top, "version", file),
        files=MappingProxyType(files),
        graphs=MappingProxyType(_graphs(top.get("graphs"), files, file)),
        calibrations=MappingProxyType(calibrations),
        normaliser_version=normaliser,
        tolerance=float(tolerance),
        optional=_optional(top.get("optional", []), files, file),
    )


def _optional(value: object, files: Mapping[str, FileEntry], file: Path) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) and name in files for name in value):
        raise BundleError(file, "optional as a list of names in files", repr(value))
    return frozenset(value)


def _files(value: object, file: Path) -> dict[str, FileEntry]:
    if not isinstance(value, list) or not value:
        raise BundleError(file, "files as a list with at least one entry", _kind(value))
    out: dict[str, FileEntry] = {}
    for index, item in enumerate(value):
        where = f"files[{index}]"
        entry = _object(item, file, where)
        path, size, digest = (
            _string(entry.get("path"), file, f"{where}.path"),
            entry.get("bytes"),
            entry.get("sha256"),
        )
        if not safe_relative(path):
            raise BundleError(file, f"{where}.path inside the bundle", repr(path))
        if path in out:
            raise BundleError(file, "each path once in files", f"{path!r} twice")
        if isinstance(size, bool) or not isinstance(size, int) or not 0 <= size <= MAX_FILE_BYTES:
            raise BundleError(file, f"{where}.bytes between 0 and {MAX_FILE_BYTES}", repr(size))
        if not isinstance(digest, str) or not _SHA256.fullmatch(digest):
            raise BundleError(file, f"{where}.sha256 as 64 hexadecimal digits", repr(digest))
        out[path] = FileEntry(path, size, digest)
    return out


def _graphs(value: object, files: Mapping[str, FileEntry], file: Path) -> dict[str, GraphEntry]:
    out: dict[str, GraphEntry] = {}
    for name, item in _object(value, file, "graphs").items():
        entry = _object(item, file, f"graphs.{name}")
        graph_file = _string(entry.get("file"), file, f"graphs.{name}.file")
        if graph_file not in files:
            raise BundleError(file, f"graphs.{name}.file listed in files", repr(graph_file))
        opset = entry.get("opset")
        if opset is not None and (isinstance(opset, bool) or not isinstance(opset, int)):
            raise BundleError(file, f"graphs.{name}.opset as a number", repr(opset))
        out[name] = GraphEntry(
            name,
            graph_file,
            _axes(entry.get("inputs"), file, f"graphs.{name}.inputs"),
            _axes(entry.get("outputs"), file, f"graphs.{name}.outputs"),
            opset,
            _shared(entry.get("shared", {}), files, file, f"graphs.{name}.shared"),
        )
    return out


def _shared(value: object, files: Mapping[str, FileEntry], file: Path, where: str) -> Mapping[str, tuple[str, str]]:
    out = {}
    for name, source in _object(value, file, where).items():
        held, _, array = str(source).partition(":")
        if held not in files or not array:
            raise BundleError(file, f"{where}.{name} as FILE:ARRAY with a listed file", repr(source))
        out[name] = (held, array)
    return MappingProxyType(out)


def _axes(value: object, file: Path, where: str) -> Mapping[str, tuple[int | str, ...]]:
    out = {}
    for name, dims in _object(value, file, where).items():
        if not isinstance(dims, list) or not all(isinstance(d, (int, str)) and not isinstance(d, bool) for d in dims):
            raise BundleError(file, f"{where}.{name} as a list of axis sizes or names", repr(dims))
        out[name] = tuple(dims)
    return MappingProxyType(out)


def _name(top: Mapping[str, Any], key: str, file: Path) -> str:
    value = top.get(key)
    if not isinstance(value, str) or not _PART.fullmatch(value):
        raise BundleError(file, f"{key} as a name of letters, digits, dots, dashes", repr(value))
    return value


def _string(value: object, file: Path, where: str) -> str:
    if not isinstance(value, str):
        raise BundleError(file, f"{where} as a string", _kind(value))
    return value


def _object(value: object, file: Path, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BundleError(file, f"{where} as a JSON object", _kind(value))
    return value


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean"}
    return names.get(type(value), "a number") if value != [] else "an empty list"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else MappingProxyType({})


def _refuse_constant(text: str) -> float:
    raise ValueError(f"{text} is not a number of JSON")


def _freeze(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _freeze(item) for key, item in value.items()})
    if isinstance(value, list):
        return tuple(_freeze(item) for item in value)
    return value


def thaw(value: Any) -> Any:
    """A frozen manifest value as plain dicts and lists, for writing JSON."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [thaw(item) for item in value]
    return value
