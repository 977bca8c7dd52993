"""Runs the queue: the most urgent run first, one stage at a time on each core, in processes of idle priority."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from editahead_models.queue.pause import continue_group, is_paused, stages_of_runner, stop_group
from editahead_models.queue.store import (
    FAILED,
    FINISHED,
    RUNNING,
    SPENT,
    WAITING,
    QueueStore,
    RunState,
    append_line,
    read_lines,
    write_json,
)

STAGE_SECONDS = 2 * 3600.0
MOST_FAILURES = 3
POLL_SECONDS = 0.5
_GRACE_SECONDS = 20.0  # for a stage to write its checkpoint when the runner is asked to stop


@dataclass
class Stage:
    """A stage under way: its process and its run."""

    process: subprocess.Popen[bytes]
    state: RunState
    began: float
    stopped: bool = False


@dataclass
class Runner:
    """Works on a queue until nothing is waiting, or `stop` is called.

    `device` is passed on to the trainers; without `idle` stages run at the priority of the caller.
    """

    store: QueueStore
    workers: int
    device: str = "cpu"
    stage_seconds: float = STAGE_SECONDS
    idle: bool = True
    environment: Mapping[str, str] = field(default_factory=dict)
    _stages: list[Stage] = field(default_factory=list)
    _stopping: bool = False

    def run(self, *, wait: bool = False) -> None:
        """Work until every run has ended, with `wait` for good. QueueLockedError when another runner works."""
        with self.store.lock(), self._announced():
            self._recover()
            while not self._stopping:
                self._pause_or_continue()
                self._collect()
                if not is_paused(self.store):
                    self._start_stages()
                if not self._stages and not wait and not self._waiting():
                    break
                time.sleep(POLL_SECONDS)
            self._end_stages()

    def stop(self, *_: object) -> None:
        """Ask the stages to write a checkpoint, and return. A signal handler."""
        self._stopping = True

    def _waiting(self) -> list[RunState]:
        running = {stage.state.spec.name for stage in self._stages}
        return [state for state in self.store.states() if not state.ended and state.spec.name not in running]

    def _start_stages(self) -> None:
        for state in self._waiting()[: self.workers - len(self._stages)]:
            self._stages.append(self._start(state))
            self._announce()

    def _start(self, state: RunState) -> Stage:
        state = replace(state, status=RUNNING)
        self.store.write(state)
        folder = self.store.folder(state.spec.name)
        command = [sys.executable, "-m", "editahead_models", "queue", "stage", state.spec.name]
        command += ["--queue", str(self.store.root), "--seconds", f"{self.stage_seconds:g}", "--device", self.device]
        command += [] if self.idle else ["--no-idle"]
        with (folder / "output.txt").open("ab") as output:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                env={**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", **self.environment},
            )  # fmt: skip
        return Stage(process, state, time.monotonic())

    def _collect(self) -> None:
        """Take in the stages that have ended."""
        for stage in list(self._stages):
            pid, status, usage = os.wait4(stage.process.pid, os.WNOHANG)
            if pid:
                stage.process.returncode = os.waitstatus_to_exitcode(status)
                self._stages.remove(stage)
                self._finish(stage, usage.ru_utime + usage.ru_stime)
                self._announce()

    def _finish(self, stage: Stage, core_seconds: float) -> None:
        spec = stage.state.spec
        folder = self.store.folder(spec.name)
        state = self.store.read(spec.name)  # the budget may have grown meanwhile
        result = _result(self.store, spec.name) if stage.process.returncode == 0 else None
        if result is None:  # a stage that was killed has not waited for its command
            core_seconds = max(core_seconds, logged_core_seconds(folder))
        hours = state.core_hours_spent + core_seconds / 3600
        line: dict[str, Any] = {"time": time.time(), "core_seconds": round(core_seconds, 1)}
        append_line(folder / "stages.jsonl", line | {"exit": stage.process.returncode, **(result or {})})
        state = replace(state, core_hours_spent=hours, stages=state.stages + 1)
        if result is None:
            killed = self._stopping or stage.process.returncode < 0
            failures = state.failures + (not killed)
            status = FAILED if failures >= MOST_FAILURES else WAITING
            self.store.write(replace(state, status=status, failures=failures))
            return
        finished = bool(result["finished"]) and int(result["tokens"]) >= state.spec.tokens
        status = FINISHED if finished else SPENT if hours >= state.spec.core_hours else WAITING
        tokens, metrics = int(result["tokens"]), result.get("metrics") or state.metrics
        self.store.write(replace(state, status=status, failures=0, tokens_done=tokens, metrics=metrics))

    def _pause_or_continue(self) -> None:
        paused = is_paused(self.store)
        for stage in self._stages:
            if paused != stage.stopped:
                (stop_group if paused else continue_group)(stage.process.pid)
                stage.stopped = paused

    def _recover(self) -> None:
        """After a runner that was killed: end its stages, and let their runs go on from their checkpoints."""
        for pid in stages_of_runner(self.store):
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
        for state in self.store.states():
            if state.status == RUNNING:
                spent = state.core_hours_spent + logged_core_seconds(self.store.folder(state.spec.name)) / 3600
                self.store.write(replace(state, status=WAITING, core_hours_spent=spent))

    def _end_stages(self) -> None:
        for stage in self._stages:
            continue_group(stage.process.pid)
            with contextlib.suppress(OSError):
                os.killpg(stage.process.pid, signal.SIGTERM)
        until = time.monotonic() + _GRACE_SECONDS
        while self._stages and time.monotonic() < until:
            self._collect()
            time.sleep(0.1)
        for stage in self._stages:
            with contextlib.suppress(OSError):
                os.killpg(stage.process.pid, signal.SIGKILL)
            stage.process.wait()
            self.store.write(replace(self.store.read(stage.state.spec.name), status=WAITING))
        self._stages.clear()

    @contextmanager
    def _announced(self) -> Iterator[None]:
        try:
            yield
        finally:
            (self.store.root / "runner.json").unlink(missing_ok=True)

    def _announce(self) -> None:
        pids = [stage.process.pid for stage in self._stages]
        write_json(self.store.root / "runner.json", {"runner": os.getpid(), "stages": pids})


def _result(store: QueueStore, name: str) -> dict[str, Any] | None:
    """What the last stage wrote, taken away so that a later one cannot be mistaken for it."""
    path = store.folder(name) / "result.json"
    try:
        value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    path.unlink()
    return value


def logged_core_seconds(folder: Path) -> float:
    """Processor seconds of the last stage of a run, as far as its log tells; looks of a command stand between them."""
    lines = (line["stage_core_s"] for line in reversed(read_lines(folder / "log.jsonl")) if "stage_core_s" in line)
    return float(next(lines, 0.0))
