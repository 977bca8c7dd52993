"""Write a bundle: files, manifest and card, checked before the folder gets its name."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from editahead.runtime.bundle import CARD, MANIFEST, Bundle, load_bundle
from editahead.runtime.manifest import MAX_FILE_BYTES, SCHEMA, BundleError, parse_manifest, thaw
from editahead.runtime.ort import Array, GraphSession, InferenceError, Selection

from editahead_models.export.card import card_text


def write_bundle(
    path: Path | str,
    *,
    family: str,
    language: str,
    files: Mapping[str, Path | bytes],
    manifest: Mapping[str, Any],
) -> Bundle:
    """Write a bundle with its manifest and card, checked before it gets its name, and return it loaded.

    `files` maps names inside the bundle to contents. `manifest` gives the rest (`version`, `graphs`,
    `calibration`, ...); schema, family, language and files are filled in, and so are the inputs and outputs
    of a graph that names only its file. An existing bundle at `path` is replaced. Raises BundleError for a
    manifest that would not load.
    """
    target = Path(path)
    contents = {name: item if isinstance(item, bytes) else item.read_bytes() for name, item in sorted(files.items())}
    for name, data in contents.items():
        if len(data) > MAX_FILE_BYTES:
            raise BundleError(target / name, f"at most {MAX_FILE_BYTES} bytes", f"{len(data)} bytes")
    raw: dict[str, Any] = {
        **thaw(manifest),
        "schema": SCHEMA,
        "family": family,
        "language": language,
        "files": [
            {"path": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in contents.items()
        ],
        "graphs": {
            name: _described(target, thaw(graph), contents) for name, graph in manifest.get("graphs", {}).items()
        },
    }
    checked = parse_manifest(raw, target / MANIFEST)
    if target.name != checked.name:
        raise BundleError(target, f"a directory called {checked.name}", target.name)
    text = json.dumps(raw, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
        fresh = Path(scratch) / "new"
        fresh.mkdir()
        for name, data in contents.items():
            file = fresh.joinpath(*name.split("/"))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        (fresh / MANIFEST).write_text(text, encoding="utf-8")
        (fresh / CARD).write_text(card_text(checked), encoding="utf-8")
        load_bundle(fresh)
        if target.exists():
            os.replace(target, Path(scratch) / "old")
        os.replace(fresh, target)
    return load_bundle(target)


def _described(target: Path, graph: dict[str, Any], contents: Mapping[str, bytes]) -> dict[str, Any]:
    """The entry of a graph, with inputs and outputs read from the graph itself unless they are given."""
    if ("inputs" in graph and "outputs" in graph) or graph.get("file") not in contents:
        return graph
    on_cpu = Selection("cpu", "CPUExecutionProvider", "describing a graph")
    try:
        session = GraphSession(contents[graph["file"]], on_cpu, shared=_shared(graph.get("shared", {}), contents))
    except InferenceError as error:
        raise BundleError(target / graph["file"], "an ONNX graph that opens", str(error)) from error
    axes = {"inputs": session.inputs, "outputs": session.outputs}
    return {
        **{key: {name: list(dims) for name, dims in value.items()} for key, value in axes.items()},
        **graph,
    }


def _shared(sources: Mapping[str, str], contents: Mapping[str, bytes]) -> dict[str, Array]:
    """The arrays FILE:ARRAY of the bundle that a graph leaves open, by initialiser."""
    arrays = {}
    for initialiser, source in sources.items():
        file, _, array = source.partition(":")
        with np.load(io.BytesIO(contents[file]), allow_pickle=False) as held:
            arrays[initialiser] = held[array]
    return arrays


def packed(arrays: Mapping[str, Array]) -> bytes:
    """Arrays as the contents of an `.npz` file."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **cast("dict[str, Any]", dict(arrays)))
    return buffer.getvalue()
