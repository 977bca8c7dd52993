"""What ONNX Runtime's own settings cost: graphs optimised ahead of time, threads inside an operator, spinning."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnxruntime as ort
from editahead.runtime.bundle import Bundle, find_bundles, load_bundle
from editahead.runtime.manifest import GraphEntry
from editahead.runtime.selftest import GOLDEN

Arrays = dict[str, np.ndarray[Any, Any]]


class Setting(NamedTuple):
    """Threads inside an operator, and whether they wait for more work in a loop rather than asleep."""

    threads: int
    spinning: bool


SETTINGS = (Setting(1, False), Setting(2, False), Setting(2, True))


def _session(path: Path, level: Any, setting: Setting, shared: Arrays, save: Path | None = None) -> Any:
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = setting.threads, 1
    options.graph_optimization_level, options.log_severity_level = level, 4
    options.add_session_config_entry("session.intra_op.allow_spinning", str(int(setting.spinning)))
    if save is not None:
        options.optimized_model_filepath = str(save)
    values = [ort.OrtValue.ortvalue_from_numpy(array) for array in shared.values()]
    if values:
        options.add_external_initializers(list(shared), values)
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _shared(bundle: Bundle, graph: GraphEntry) -> Arrays:
    """The arrays of the initialisers that the graph leaves open."""
    return {initialiser: bundle.arrays(file)[array] for initialiser, (file, array) in graph.shared.items()}


def _bundles() -> list[Bundle]:
    return [load_bundle(path, verify=False) for path in find_bundles()]


def opening(rounds: int) -> list[tuple[str, float, float, float]]:
    """(graph, ms to open as it is, ms to open when optimised ahead of time, MB of that file), processor time."""
    rows = []
    levels = ort.GraphOptimizationLevel

    def opened(path: Path, level: Any, shared: Arrays, save: Path | None = None) -> float:
        began = time.process_time()
        _session(path, level, SETTINGS[0], shared, save)
        return (time.process_time() - began) * 1000

    with tempfile.TemporaryDirectory() as folder:
        for bundle in _bundles():
            for name, graph in bundle.manifest.graphs.items():
                ready = Path(folder) / f"{bundle.path.name}-{name}.onnx"
                source, shared = bundle.file(graph.file), _shared(bundle, graph)
                opened(source, levels.ORT_ENABLE_ALL, shared, ready)
                plain = [opened(source, levels.ORT_ENABLE_ALL, shared) for _ in range(rounds)]
                ahead = [opened(ready, levels.ORT_DISABLE_ALL, {}) for _ in range(rounds)]
                size = ready.stat().st_size / 1e6
                rows.append((f"{bundle.path.name}: {name}", statistics.median(plain), statistics.median(ahead), size))
    return rows


def threads(rounds: int, pause: float = 0.02) -> list[tuple[str, list[tuple[float, float]]]]:
    """Median times of each graph on the bundles' golden inputs.

    (graph, [(milliseconds by the clock, of the processor) for each of SETTINGS]). Between runs nothing happens for
    `pause` seconds, as between keys; what threads spend then counts too.
    """
    rows = []
    for bundle in _bundles():
        if GOLDEN not in bundle.manifest.files:
            continue
        golden = bundle.arrays(GOLDEN)
        for name, graph in bundle.manifest.graphs.items():
            prefix = f"in/{name}/"
            feeds = {key[len(prefix) :]: value for key, value in golden.items() if key.startswith(prefix)}
            path, shared = bundle.file(graph.file), _shared(bundle, graph)
            found = [_timed(path, setting, shared, feeds, rounds, pause) for setting in SETTINGS]
            rows.append((f"{bundle.path.name}: {name}", found))
    return rows


def _timed(
    path: Path, setting: Setting, shared: Arrays, feeds: Arrays, rounds: int, pause: float
) -> tuple[float, float]:
    session = _session(path, ort.GraphOptimizationLevel.ORT_ENABLE_ALL, setting, shared)
    session.run(None, feeds)
    time.sleep(pause)
    walls, spends = [], []
    for _ in range(rounds):
        wall, spent = time.perf_counter(), time.process_time()
        session.run(None, feeds)
        walls.append((time.perf_counter() - wall) * 1000)
        time.sleep(pause)
        spends.append((time.process_time() - spent) * 1000)
    return statistics.median(walls), statistics.median(spends)
