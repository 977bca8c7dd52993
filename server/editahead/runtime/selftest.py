"""Sessions for a bundle's graphs, and their self-test on the golden values of the bundle."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from editahead.runtime.bundle import Bundle
from editahead.runtime.manifest import BundleError
from editahead.runtime.ort import Array, GraphSession, InferenceError, Selection, max_difference

GOLDEN = "golden.npz"


def open_sessions(
    bundle: Bundle,
    selection: Selection,
    *,
    graphs: Collection[str] | None = None,
    arena: Collection[str] = (),
    arrays: Mapping[str, Mapping[str, Array]] | None = None,
) -> dict[str, GraphSession]:
    """Open a session for every graph (of `graphs`), by its name; inputs and outputs must match the manifest.

    Those of `arena` keep their memory between runs: right for small graphs that run often. `arrays` are the contents
    of files that the caller has already read, by name. Raises BundleError.
    """
    files = dict(arrays or {})
    sessions = {}
    for name, graph in bundle.manifest.graphs.items():
        if graphs is not None and name not in graphs:
            continue
        path = bundle.file(graph.file)
        shared = {initialiser: _array(bundle, files, *source) for initialiser, source in graph.shared.items()}
        try:
            session = GraphSession(path, selection, arena=name in arena, shared=shared)
        except InferenceError as error:
            raise BundleError(path, "an ONNX graph that opens", str(error)) from error
        for what, declared, real in (
            ("inputs", graph.inputs, session.inputs),
            ("outputs", graph.outputs, session.outputs),
        ):
            if set(declared) != set(real):
                raise BundleError(path, f"{what} {', '.join(sorted(declared))}", ", ".join(sorted(real)) or "none")
        sessions[name] = session
    return sessions


def _array(bundle: Bundle, files: dict[str, Mapping[str, Array]], file: str, name: str) -> Array:
    if file not in files:
        files[file] = bundle.arrays(file)
    if name not in files[file]:
        raise BundleError(bundle.file(file), f"an array called {name}", ", ".join(sorted(files[file])) or "none")
    return files[file][name]


def open_model(
    bundle: Bundle, selection: Selection, needed: Sequence[str], *, arena: Collection[str] = ()
) -> dict[str, GraphSession]:
    """Open the sessions of the graphs `needed`, with a self-test on the golden values. Raises BundleError."""
    sessions = open_sessions(bundle, selection, arena=arena)
    missing = [name for name in needed if name not in sessions]
    if missing:
        raise BundleError(bundle.path / "manifest.json", f"the graphs {', '.join(needed)}", f"no {missing[0]}")
    self_test(bundle, sessions)
    return sessions


def self_test(bundle: Bundle, sessions: Mapping[str, GraphSession]) -> float:
    """Run every graph on its golden inputs and return the largest absolute difference from the golden outputs.

    `golden.npz` holds `in/<graph>/<name>` and `out/<graph>/<name>`. Raises BundleError when the difference
    exceeds the tolerance in the manifest or a graph fails; 0 for a bundle that lists no golden file.
    """
    if GOLDEN not in bundle.manifest.files:
        return 0.0
    golden, worst = bundle.arrays(GOLDEN), 0.0
    for name, session in sessions.items():
        feeds = _with_prefix(golden, f"in/{name}/")
        wanted = _with_prefix(golden, f"out/{name}/")
        if not wanted:
            continue
        missing = set(session.input_names) ^ set(feeds) | set(wanted) - set(session.output_names)
        if missing:
            raise BundleError(
                bundle.file(GOLDEN), f"the inputs and outputs of graph {name}", f"a mismatch in {sorted(missing)}"
            )
        try:
            values = session.run(list(wanted), feeds)
        except InferenceError as error:
            raise BundleError(bundle.file(GOLDEN), f"graph {name} to run on its golden inputs", str(error)) from error
        for key, value in zip(wanted, values, strict=True):
            gap = max_difference(np.asarray(value), wanted[key])
            if not gap <= bundle.manifest.tolerance:
                raise BundleError(
                    bundle.file(GOLDEN),
                    f"output {key} of graph {name} within {bundle.manifest.tolerance:g}",
                    f"a difference of {gap:.3g}",
                )
            worst = max(worst, gap)
    return worst


def golden_inputs(bundle: Bundle) -> dict[str, dict[str, Array]]:
    """The golden inputs of each graph of a bundle. Raises BundleError."""
    golden = bundle.arrays(GOLDEN)
    return {name: _with_prefix(golden, f"in/{name}/") for name in bundle.manifest.graphs}


def _with_prefix(arrays: Mapping[str, Array], prefix: str) -> dict[str, Array]:
    return {key[len(prefix) :]: value for key, value in arrays.items() if key.startswith(prefix)}
