"""The queue's folder: one folder a run with its state, checkpoints and log; a lock so that two queues do not fight.

QUEUE/lock              held while a runner works
QUEUE/paused            exists while training is stopped
QUEUE/runner.json       the process numbers of the runner and of its stages
QUEUE/runs/NAME/state.json, stages.jsonl, log.jsonl, output.txt, and the trainer's own files
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from editahead_models.queue.spec import RunSpec

WAITING, RUNNING, FINISHED, SPENT, FAILED = "waiting", "running", "finished", "spent", "failed"
ENDED = (FINISHED, SPENT, FAILED)
ROOT_VARIABLE = "EDITAHEAD_QUEUE"


class QueueLockedError(RuntimeError):
    """Another runner holds the lock."""


@dataclass(frozen=True)
class RunState:
    """Where a run stands. `core_hours_spent` counts processor time of all stages; `failures` those in a row."""

    spec: RunSpec
    status: str = WAITING
    core_hours_spent: float = 0.0
    stages: int = 0
    failures: int = 0
    tokens_done: int = 0
    metrics: dict[str, Any] | None = None

    @property
    def ended(self) -> bool:
        """True when no further stage will run."""
        return self.status in ENDED

    def to_json(self) -> dict[str, Any]:
        """A JSON value."""
        return {**vars(self), "spec": self.spec.to_json()}


@dataclass(frozen=True)
class QueueStore:
    """The files of a queue."""

    root: Path

    @classmethod
    def default(cls) -> QueueStore:
        """The user's queue, in the cache folder or where EDITAHEAD_QUEUE says."""
        return cls(Path(os.environ.get(ROOT_VARIABLE) or user_cache_path("editahead") / "queue"))

    def folder(self, name: str) -> Path:
        """The folder of a run."""
        return self.root / "runs" / name.replace("/", "--")

    def states(self) -> list[RunState]:
        """All runs, the most urgent first; equal ones in the order of their names."""
        found = [self.read(path.parent.name) for path in sorted((self.root / "runs").glob("*/state.json"))]
        return sorted(found, key=lambda state: (-state.spec.priority, state.spec.name))

    def read(self, name: str) -> RunState:
        """The state of a run. ValueError, one line, when the queue has no such run."""
        try:
            value = json.loads((self.folder(name) / "state.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ValueError(f"{self.root}: no run {name!r}") from None
        return RunState(**{**value, "spec": RunSpec.from_json(value["spec"])})

    def write(self, state: RunState) -> None:
        """Replace a run's state, never half-written."""
        folder = self.folder(state.spec.name)
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "state.json", state.to_json())

    def add(self, spec: RunSpec) -> RunState:
        """A new run, or an old one with a larger budget, another priority or the same recipe again.

        ValueError, one line, when a run of the name exists with another recipe.
        """
        if not (self.folder(spec.name) / "state.json").exists():
            state = RunState(spec)
        else:
            old = self.read(spec.name)
            if old.spec.recipe_hash != spec.recipe_hash:
                raise ValueError(f"{spec.name}: a run with other settings exists; remove {self.folder(spec.name)}")
            more = spec.tokens > old.tokens_done or old.status == FAILED or spec.core_hours > old.spec.core_hours
            status = WAITING if old.ended and more else old.status
            state = replace(old, spec=spec, status=status, failures=0)
        self.write(state)
        return state

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the queue. QueueLockedError when another runner does."""
        self.root.mkdir(parents=True, exist_ok=True)
        with (self.root / "lock").open("a") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise QueueLockedError(f"{self.root}: another runner works on this queue") from None
            yield


def append_line(path: Path, value: dict[str, Any]) -> None:
    """Add one JSON line to a log."""
    with path.open("a", encoding="utf-8") as log:
        log.write(json.dumps(value) + "\n")


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The JSON lines of a log; a last line that was cut off is left out."""
    if not path.exists():
        return []
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return found


def write_json(path: Path, value: object) -> None:
    """Replace a file by a JSON value, never half-written."""
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    fresh.replace(path)
