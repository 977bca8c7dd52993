"""Sessions for a bundle's graphs: their self-test on golden values, and the faster device by measurement."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from editahead.runtime.bundle import Bundle
from editahead.runtime.manifest import BundleError
from editahead.runtime.ort import CPU, Array, GraphSession, InferenceError, Selection, max_difference

GOLDEN = "golden.npz"
SECONDS = 2.0  # for both devices together, with opening the graphs
_WARM_UP = 3  # the first runs on a GPU allocate and choose kernels


def open_sessions(
    bundle: Bundle,
    selection: Selection,
    threads: int = 1,
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
            session = GraphSession(path, selection, threads, arena=name in arena, shared=shared)
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
    bundle: Bundle, selection: Selection, needed: Sequence[str], *, arena: Collection[str] = (), check: bool = True
) -> dict[str, GraphSession]:
    """Open the sessions of the graphs `needed`, with a self-test on the golden values. Raises BundleError."""
    sessions = open_sessions(bundle, selection, arena=arena)
    missing = [name for name in needed if name not in sessions]
    if missing:
        raise BundleError(bundle.path / "manifest.json", f"the graphs {', '.join(needed)}", f"no {missing[0]}")
    if check:
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


Open = Callable[[Bundle, Selection], Mapping[str, GraphSession]]


def faster_device(
    wanted: Selection,
    bundles: Sequence[Bundle],
    *,
    clock: Callable[[], float] = time.perf_counter,
    open_graphs: Open = open_sessions,
) -> Selection:
    """The device of `wanted` or the CPU, whichever runs the golden inputs of the first bundle faster.

    The two take turns until SECONDS are over. A device that fails is not chosen; without a bundle `wanted` stays.
    """
    bundle = next((candidate for candidate in bundles if GOLDEN in candidate.manifest.files), None)
    if wanted.used == CPU or bundle is None:
        return wanted
    on_cpu = Selection(wanted.requested, CPU, "")
    end = clock() + SECONDS
    try:
        inputs = golden_inputs(bundle)
        opened = {selection.used: open_graphs(bundle, selection) for selection in (wanted, on_cpu)}
        times: dict[str, list[float]] = {used: [] for used in opened}
        turn = 0
        while turn <= _WARM_UP or clock() < end:
            for used, sessions in opened.items():
                took = _seconds(sessions, inputs, clock)
                if turn >= _WARM_UP:
                    times[used].append(took)
            turn += 1
    except (BundleError, InferenceError) as error:
        return Selection(wanted.requested, CPU, f"{_name(wanted.used)} fails on {bundle.manifest.name}: {error}")
    from statistics import median  # most machines have a single device, and need not wait for this import

    fast, slow = sorted(times, key=lambda used: median(times[used]))
    figures = ", ".join(f"{1000 * median(times[used]):.2f} ms on {_name(used)}" for used in (fast, slow))
    return Selection(wanted.requested, fast, f"measured on {bundle.manifest.name}: {figures}")


def _seconds(
    sessions: Mapping[str, GraphSession], inputs: Mapping[str, Mapping[str, Array]], clock: Callable[[], float]
) -> float:
    begin = clock()
    for name, session in sessions.items():
        if name in inputs:
            session.run(None, inputs[name])
    return clock() - begin


def _name(provider: str) -> str:
    return provider.removesuffix("ExecutionProvider")
