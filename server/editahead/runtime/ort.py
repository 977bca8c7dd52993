"""The interface to ONNX Runtime: selection of a provider, sessions, and runs that can be cancelled.

onnxruntime is imported on first use: the import alone takes about a tenth of a second.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

AUTO = "auto"
DEVICES = (AUTO, "cpu", "cuda")
CPU = "CPUExecutionProvider"
CUDA = "CUDAExecutionProvider"
Array = npt.NDArray[Any]

# One Identity node over float[1], opset 13: opening it on a provider shows whether that provider loads.
_PROBE = (
    b'\x08\x08:7\n\x10\n\x01x\x12\x01y"\x08Identity\x12\x01pZ\x0f\n\x01x\x12\n\n\x08\x08\x01\x12\x04\n\x02\x08\x01'
    b"b\x0f\n\x01y\x12\n\n\x08\x08\x01\x12\x04\n\x02\x08\x01B\x04\n\x00\x10\r"
)


class Cancelled(Exception):  # noqa: N818 (an outcome, not an error)
    """The job was cancelled."""

    is_out_of_time = False


class DeadlineExceeded(Cancelled):
    """The job ran out of time."""

    is_out_of_time = True


class InferenceError(Exception):
    """A graph could not be opened or run; the message is a single line."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The requested device ("auto", "cpu", "cuda"), the provider that is used, and the reason, in a line."""

    requested: str
    used: str
    reason: str

    @property
    def providers(self) -> tuple[str, ...]:
        """The providers for ONNX Runtime, best first, always with the CPU last."""
        return (self.used,) if self.used == CPU else (self.used, CPU)


def select_providers(device: str = AUTO) -> Selection:
    """Select a provider; CUDA only if a session opens on it. Raises ValueError for an unknown device."""
    if device not in DEVICES:
        raise ValueError(f"unknown device {device!r}: choose one of {', '.join(DEVICES)}")
    if device == "cpu":
        return Selection(device, CPU, "the CPU was requested")
    problem = cuda_problem()
    if problem is None:
        return Selection(device, CUDA, "CUDA loads")
    if device == "cuda":
        return Selection(device, CPU, f"CUDA was requested, but {problem}; using the CPU")
    return Selection(device, CPU, f"{problem}; using the CPU")


@lru_cache(maxsize=1)
def cuda_problem() -> str | None:
    """Return why no session opens on CUDA, in a line; None if it opens."""
    ort = _onnxruntime()
    if CUDA not in ort.get_available_providers():
        return f"this onnxruntime {ort.__version__} has no CUDA (the package onnxruntime-gpu has)"
    try:
        if hasattr(ort, "preload_dlls"):
            ort.preload_dlls()  # finds the CUDA libraries of the nvidia-* wheels
        options = ort.SessionOptions()
        options.log_severity_level = 4
        used = ort.InferenceSession(_PROBE, options, providers=[CUDA]).get_providers()
    except Exception as error:
        return f"CUDA does not load ({_one_line(error)})"
    return None if CUDA in used else "CUDA does not load (a driver or a CUDA or cuDNN library is missing)"


class Cancel:
    """A cancellation flag between threads, which also ends a running ONNX Runtime session.

    `late_at`: the second of `time.monotonic` from which a cheap answer is preferred; `last_at`: that from
    which only the cheapest answer is in time.
    """

    def __init__(self, late_at: float = math.inf, last_at: float = math.inf) -> None:
        self.late_at = late_at
        self.last_at = last_at
        self._is_expired = False
        self._lock = threading.Lock()
        self._cancelled = False
        self._run_options: Any = None

    def cancel(self) -> None:
        """Cancel the job. Safe from any thread, any number of times."""
        with self._lock:
            self._cancelled = True
            if self._run_options is not None:
                self._run_options.terminate = True

    def expire(self) -> None:
        """Cancel the job because its time is over."""
        self._is_expired = True
        self.cancel()

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def check(self) -> None:
        """Raise Cancelled if `cancel` was called, DeadlineExceeded if its time is over."""
        if self._cancelled:
            raise DeadlineExceeded if self._is_expired else Cancelled

    def run_options(self) -> Any:
        """Return this job's `onnxruntime.RunOptions`; terminated if the job is cancelled."""
        with self._lock:
            if self._run_options is None:
                ort = _onnxruntime()
                self._run_options = ort.RunOptions()
                self._run_options.terminate = self._cancelled
            return self._run_options


class CancelWhenLate(Cancel):
    """The flag of a job that counts as set from a second of `time.monotonic`: a dearer way to its answer ends there."""

    def __init__(self, job: Cancel, at: float) -> None:
        super().__init__(at, job.last_at)
        self._job = job

    def cancel(self) -> None:
        """Cancel the job."""
        self._job.cancel()

    @property
    def is_cancelled(self) -> bool:
        """Whether the job was cancelled or is late."""
        return self._job.is_cancelled or time.monotonic() >= self.late_at

    def check(self) -> None:
        """Raise Cancelled if the job was cancelled, DeadlineExceeded if it is late."""
        self._job.check()
        if time.monotonic() >= self.late_at:
            raise DeadlineExceeded

    def run_options(self) -> Any:
        """Return the job's `onnxruntime.RunOptions`: being late ends no running session, but the next."""
        return self._job.run_options()


class GraphSession:
    """A session of a graph on the selected provider.

    `arena=False` gives memory back after every run, at a little cost in time: with the arena, the longest input ever
    seen stays allocated. `shared`: arrays for the
    initialisers that the graph leaves open. Raises InferenceError when the graph cannot be opened.
    """

    def __init__(
        self,
        model: Path | str | bytes,
        selection: Selection,
        *,
        arena: bool = False,
        shared: Mapping[str, Array] | None = None,
    ) -> None:
        ort = _onnxruntime()
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
        options.enable_cpu_mem_arena = arena
        options.enable_mem_pattern = arena
        options.log_severity_level = 4
        source = model if isinstance(model, bytes) else str(model)
        self._shared = [ort.OrtValue.ortvalue_from_numpy(array) for array in (shared or {}).values()]  # lent
        try:
            if shared:
                options.add_external_initializers(list(shared), self._shared)
            self._session = ort.InferenceSession(source, options, providers=list(selection.providers))
        except Exception as error:
            raise InferenceError(f"the graph cannot be opened: {_one_line(error)}") from error
        self.inputs: Mapping[str, tuple[int | str, ...]] = _axes(self._session.get_inputs())
        self.outputs: Mapping[str, tuple[int | str, ...]] = _axes(self._session.get_outputs())
        self.input_names: tuple[str, ...] = tuple(self.inputs)
        self.output_names: tuple[str, ...] = tuple(self.outputs)
        self.providers: tuple[str, ...] = tuple(self._session.get_providers())

    def run(
        self, outputs: Sequence[str] | None, feeds: Mapping[str, Array], cancel: Cancel | None = None
    ) -> list[Array]:
        """Run the graph; `outputs` None means all. Raises Cancelled, or InferenceError with a single line.

        Shapes are those of the graph, e.g. (B, T, D).
        """
        names = self.output_names if outputs is None else outputs
        if cancel is None:
            try:
                return list(self._session.run(names, feeds))
            except Exception as error:
                raise InferenceError(_one_line(error)) from error
        cancel.check()
        try:
            values = self._session.run(names, feeds, cancel.run_options())
        except Exception as error:
            cancel.check()
            raise InferenceError(_one_line(error)) from error
        cancel.check()
        return list(values)


def runtime_version() -> str:
    """Return the version of onnxruntime."""
    return str(_onnxruntime().__version__)


def available_providers() -> tuple[str, ...]:
    """Return the providers that this build of onnxruntime lists; they may still fail to load."""
    return tuple(_onnxruntime().get_available_providers())


def max_difference(actual: Array, expected: Array) -> float:
    """Return the largest absolute difference; infinity where shapes differ or only either value is finite.

    Arrays of any shape (N, ...).
    """
    if actual.shape != expected.shape:
        return float("inf")
    if actual.size == 0:
        return 0.0
    a, b = np.asarray(actual, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        gap = np.where(same, 0.0, np.abs(a - b))
    return float("inf") if not np.isfinite(gap).all() else float(gap.max())


def _onnxruntime() -> Any:
    # Recent builds (seen in 1.31 for Linux) collect usage, keep it in the user's cache folder and send it to their
    # maker. The variable is read when the library is loaded; `disable_telemetry_events` comes too late.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # type: ignore[import-untyped]

    onnxruntime.set_default_logger_severity(4)  # it writes to standard error what is logged in a line, or not at all
    return onnxruntime


def _axes(arguments: Sequence[Any]) -> dict[str, tuple[int | str, ...]]:
    return {a.name: tuple("?" if d is None else d for d in a.shape) for a in arguments}


def _one_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__
