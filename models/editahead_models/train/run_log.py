"""The log of a training run, one JSON line at a time, and a progress bar for people."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import Progress, TextColumn


class RunLog:
    """Losses and dev figures with tokens, updates, passes over the data and processor seconds of this stage."""

    def __init__(self, path: Path, data_hash: str | None, pass_tokens: int, tokens: int) -> None:
        self._earlier = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self._file = path.open("a", encoding="utf-8")
        self._about = {"stage": f"{os.getpid()}-{int(time.time())}", "data_hash": data_hash}
        self._pass_tokens = max(1, pass_tokens)
        self._began, self._at_start, self._not_training = time.process_time(), tokens, 0.0
        self._sum, self.pending = 0.0, 0

    def add(self, loss: float, n: int) -> None:
        """Count the mean loss of `n` targets."""
        self._sum, self.pending = self._sum + loss * n, self.pending + n

    def write_loss(self, step: int, tokens: int) -> None:
        """A line with the mean loss since the last one and the speed of this stage, evaluation left out."""
        core = time.process_time() - self._began
        speed = (tokens - self._at_start) / max(1e-9, core - self._not_training)
        self._line(step, tokens, {"loss": self._sum / max(1, self.pending), "tokens_per_cpu_s": speed})
        self._sum, self.pending = 0.0, 0

    def write_dev(self, step: int, tokens: int, metrics: dict[str, float]) -> None:
        """A line with the figures on the dev split."""
        self._line(step, tokens, {"dev": metrics})

    def last_metrics(self) -> dict[str, float]:
        """The latest dev figures of earlier stages; empty where there are none."""
        for line in reversed(self._earlier):
            if '"dev"' in line:
                return dict(json.loads(line)["dev"])
        return {}

    @contextmanager
    def clock_stopped(self) -> Iterator[None]:
        """What is done inside does not count as training."""
        began = time.process_time()
        yield
        self._not_training += time.process_time() - began

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _line(self, step: int, tokens: int, values: dict[str, Any]) -> None:
        core = {"stage_core_s": round(time.process_time() - self._began, 1)}
        passes = {"passes": round(tokens / self._pass_tokens, 4)}
        line = {"time": time.time(), "step": step, "tokens": tokens, **passes, **core, **values, **self._about}
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


@contextmanager
def training_bar(total: int, done: int) -> Iterator[Callable[[int, float], None]]:
    """A progress bar where a person watches; elsewhere nothing. Yields what to call with tokens and loss."""
    if not sys.stderr.isatty():
        yield lambda tokens, loss: None
        return
    with Progress(*Progress.get_default_columns(), TextColumn("{task.fields[note]}")) as bar:
        task = bar.add_task("training", total=total, completed=done, note="")
        yield lambda tokens, loss: bar.update(task, completed=tokens, note=f"loss {loss:.3f}")
