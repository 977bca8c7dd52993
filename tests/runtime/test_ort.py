"""The interface to ONNX Runtime: the choice of a provider says why, and a run in flight can be stopped."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from editahead.runtime import ort
from editahead.runtime.ort import (
    CPU,
    CUDA,
    Cancel,
    Cancelled,
    GraphSession,
    InferenceError,
    max_difference,
    select_providers,
)

from .conftest import DATA


@pytest.fixture(scope="module")
def loop() -> GraphSession:
    return GraphSession(DATA / "loop.onnx", select_providers("cpu"))


def feeds(trips: int) -> dict[str, np.ndarray]:
    return {"trips": np.array(trips, np.int64), "x": np.full((64, 64), 0.01, np.float32)}


def test_run(loop: GraphSession) -> None:
    x = feeds(2)["x"]
    once = np.tanh(x @ x)
    (y,) = loop.run(["y"], feeds(2))
    assert max_difference(y, np.tanh(once @ once)) < 1e-6
    (also_y,) = loop.run(None, feeds(2), Cancel())
    assert (also_y == y).all()
    assert loop.input_names == ("trips", "x")
    assert loop.output_names == ("y",)
    assert loop.outputs == {"y": (64, 64)}
    assert loop.providers == (CPU,)


def test_cancel_before_a_run(loop: GraphSession) -> None:
    cancel = Cancel()
    cancel.check()
    cancel.cancel()
    assert cancel.is_cancelled
    with pytest.raises(Cancelled):
        cancel.check()
    with pytest.raises(Cancelled):
        loop.run(None, feeds(1), cancel)


def test_cancel_ends_a_run_in_flight(loop: GraphSession) -> None:
    def seconds(trips: int) -> float:
        began = time.perf_counter()
        loop.run(None, feeds(trips))
        return time.perf_counter() - began

    trips = int(20_000 * max(1.0, 20.0 / seconds(20_000)))  # would run for about 20 s
    cancel = Cancel()
    timer = threading.Timer(0.1, cancel.cancel)
    timer.start()
    began = time.perf_counter()
    with pytest.raises(Cancelled):
        loop.run(None, feeds(trips), cancel)
    assert time.perf_counter() - began < 8
    timer.join()
    assert loop.run(None, feeds(1), Cancel())  # the session is as good as before


def test_a_cancel_serves_many_runs(loop: GraphSession) -> None:
    cancel = Cancel()
    loop.run(None, feeds(1), cancel)
    loop.run(None, feeds(1), cancel)
    cancel.cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        loop.run(None, feeds(1), cancel)


@pytest.mark.parametrize("cancel", [None, Cancel()])
def test_wrong_feeds_are_one_line(loop: GraphSession, cancel: Cancel | None) -> None:
    with pytest.raises(InferenceError) as caught:
        loop.run(None, {"x": np.zeros((3, 3), np.float32)}, cancel)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("model", [b"", b"not a graph", DATA / "nowhere.onnx", str(DATA / "nowhere.onnx")])
def test_a_graph_that_does_not_open(model: object) -> None:
    with pytest.raises(InferenceError, match="cannot be opened") as caught:
        GraphSession(model, select_providers("cpu"))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_select_the_cpu() -> None:
    selection = select_providers("cpu")
    assert (selection.requested, selection.used, selection.providers) == ("cpu", CPU, (CPU,))


def test_select_by_what_really_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ort, "cuda_problem", lambda: None)
    assert select_providers("auto").providers == (CUDA, CPU)
    monkeypatch.setattr(ort, "cuda_problem", lambda: "the driver is too old")
    for device in ("auto", "cuda"):
        selection = select_providers(device)
        assert selection.used == CPU
        assert "the driver is too old; using the CPU" in selection.reason
        assert "\n" not in selection.reason


def test_the_probe_opens_and_the_answer_agrees_with_onnxruntime() -> None:
    assert GraphSession(ort._PROBE, select_providers("cpu")).run(None, {"x": np.ones(1, np.float32)})[0] == 1
    if CUDA not in ort.available_providers():
        assert "has no CUDA" in (ort.cuda_problem() or "")
    elif ort.cuda_problem() is None:
        assert GraphSession(ort._PROBE, select_providers("cuda")).providers[0] == CUDA


def test_unknown_device() -> None:
    with pytest.raises(ValueError, match="unknown device 'tpu': choose one of auto, cpu, cuda"):
        select_providers("tpu")


@pytest.mark.parametrize(
    ("actual", "expected", "gap"),
    [
        ([1.0, 2.0], [1.0, 2.5], 0.5),
        ([], [], 0.0),
        ([1], [1.0], 0.0),
        ([np.nan, np.inf], [np.nan, np.inf], 0.0),
        ([np.nan], [0.0], np.inf),
        ([np.inf], [-np.inf], np.inf),
        ([1.0], [1.0, 1.0], np.inf),
        ([True, False], [True, True], 1.0),
    ],
)
def test_max_difference(actual: list[float], expected: list[float], gap: float) -> None:
    assert max_difference(np.array(actual), np.array(expected)) == gap


def test_importing_the_door_does_not_import_onnxruntime() -> None:
    code = "import sys, editahead.runtime.bundle; sys.exit('onnxruntime' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
