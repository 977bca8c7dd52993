"""The manifest of a bundle: the schema of `manifest.json`, and its validation with single-line errors."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from editahead.checked_json import FieldError, checked, json_excerpt
from editahead.runtime.calibration import Calibration

SCHEMA = 1
MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_MANIFEST_BYTES = 4 * 1024 * 1024

_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
Name = Annotated[str, Meta(pattern=rf"^{_PART.pattern}$")]
Axes = Mapping[str, tuple[int | str, ...]]


class BundleError(Exception):
    """An invalid bundle; the text is a single line: the file, the expected and the actual value."""

    def __init__(self, file: Path | str, expected: str, actual: str) -> None:
        self.file = str(file)
        self.expected = expected
        self.actual = actual
        super().__init__(f"{self.file}: expected {expected}, found {actual}")


class FileEntry(msgspec.Struct, frozen=True):
    """One file: its path inside the bundle (forward slashes), its size in bytes and its SHA-256."""

    path: str
    bytes: Annotated[int, Meta(ge=0, le=MAX_FILE_BYTES)]
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True)
class GraphEntry:
    """One ONNX graph: its file, and the axes of each input and output (a name for an axis of any length).

    `shared`: initialisers that the graph leaves open, each with the `.npz` file and the array that it takes.
    """

    name: str
    file: str
    inputs: Axes
    outputs: Axes
    opset: int | None = None
    shared: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class _GraphJson(msgspec.Struct):
    """The schema of a graph in the manifest; a shared initialiser is `FILE:ARRAY`."""

    file: str
    inputs: dict[str, tuple[int | str, ...]]
    outputs: dict[str, tuple[int | str, ...]]
    opset: int | None = None
    shared: dict[str, str] = {}


class _ManifestJson(msgspec.Struct):
    """The schema of the manifest: required and optional keys; further keys are allowed."""

    schema: Literal[1]
    family: Name
    language: Name
    version: Name
    files: Annotated[tuple[FileEntry, ...], Meta(min_length=1)]
    graphs: dict[str, _GraphJson]
    flavour: str = ""
    calibration: dict[str, dict[str, Any]] = {}
    tolerance: Annotated[float, Meta(ge=0, lt=1e6)] = 1e-3
    normaliser_version: int | str | None = None
    optional: tuple[str, ...] = ()


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
        """The limits of the graphs (lengths, vocabulary sizes); free-form, empty when absent."""
        return _mapping(self.raw.get("limits"))

    @property
    def metrics(self) -> Mapping[str, Any]:
        """The metrics on the held-out split; free-form, empty when absent."""
        return _mapping(self.raw.get("metrics"))


def is_safe_relative(path: str) -> bool:
    """Whether `path` is a plain relative path of ordinary names: no drive, no parent folder, no backslash."""
    return bool(path) and all(_PART.fullmatch(part) for part in path.split("/"))


def read_manifest(file: Path) -> Manifest:
    """Read and validate the manifest in `file`. Raises BundleError for anything but a manifest of this schema."""
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
    if isinstance(raw, dict) and (raw.get("schema") != SCHEMA or isinstance(raw.get("schema"), bool)):
        raise BundleError(file, f"schema {SCHEMA}", f"schema {raw.get('schema')!r}")  # another schema may differ in all
    try:
        entry = checked(raw, _ManifestJson)
    except FieldError as error:
        subject = f"{error.field} as " if error.field else "the manifest as "
        raise BundleError(file, subject + error.expected, error.actual) from None
    files = _files(entry.files, file)
    calibrations = {}
    for surface, calibration in entry.calibration.items():
        try:
            calibrations[surface] = Calibration.from_manifest(calibration)
        except ValueError as error:
            raise BundleError(file, f"a usable calibration.{surface}", str(error)) from error
    absent = [name for name in entry.optional if name not in files]
    if absent:
        raise BundleError(file, "optional as a list of names in files", repr(absent[0]))
    return Manifest(
        raw=_freeze(raw),
        family=entry.family,
        flavour=entry.flavour,
        language=entry.language,
        version=entry.version,
        files=MappingProxyType(files),
        graphs=MappingProxyType({name: _graph(name, graph, files, file) for name, graph in entry.graphs.items()}),
        calibrations=MappingProxyType(calibrations),
        normaliser_version=entry.normaliser_version,
        tolerance=entry.tolerance,
        optional=frozenset(entry.optional),
    )


def _files(entries: tuple[FileEntry, ...], file: Path) -> dict[str, FileEntry]:
    out: dict[str, FileEntry] = {}
    for index, entry in enumerate(entries):
        if not is_safe_relative(entry.path):
            raise BundleError(file, f"files[{index}].path inside the bundle", repr(entry.path))
        if entry.path in out:
            raise BundleError(file, "each path once in files", f"{entry.path!r} twice")
        out[entry.path] = entry
    return out


def _graph(name: str, entry: _GraphJson, files: Mapping[str, FileEntry], file: Path) -> GraphEntry:
    """Validate a graph entry of the manifest. Raises BundleError."""
    if entry.file not in files:
        raise BundleError(file, f"graphs.{name}.file listed in files", repr(entry.file))
    shared = {}
    for initialiser, source in entry.shared.items():
        held, _, array = source.partition(":")
        if held not in files or not array:
            where = f"graphs.{name}.shared.{initialiser}"
            raise BundleError(file, f"{where} as FILE:ARRAY with a listed file", json_excerpt(source))
        shared[initialiser] = (held, array)
    inputs, outputs = MappingProxyType(entry.inputs), MappingProxyType(entry.outputs)
    return GraphEntry(name, entry.file, inputs, outputs, entry.opset, MappingProxyType(shared))


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
    """Convert a frozen manifest value to plain dicts and lists, for writing JSON."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [thaw(item) for item in value]
    return value
