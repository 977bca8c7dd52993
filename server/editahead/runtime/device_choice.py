"""The faster device, by measurement: a GPU is not always faster for a single keystroke."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from editahead.runtime.bundle import Bundle
from editahead.runtime.manifest import BundleError
from editahead.runtime.ort import CPU, Array, GraphSession, InferenceError, Selection
from editahead.runtime.selftest import GOLDEN, golden_inputs, open_sessions

SECONDS = 2.0  # for both devices together, with opening the graphs
_WARM_UP = 3  # the first runs on a GPU allocate and choose kernels
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
