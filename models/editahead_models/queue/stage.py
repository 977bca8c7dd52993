"""One stage of one run, in a process of its own: idle priority, one thread, a result when it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editahead_models.queue.priority import lower_to_idle
from editahead_models.queue.spec import COMMAND, EDIT_MODEL, RunSpec
from editahead_models.queue.store import QueueStore, append_line, write_json

if TYPE_CHECKING:
    from editahead_models.train.lm import LmRecipe

CHECKPOINT_SECONDS = 240.0  # a kill loses at most five minutes


@dataclass
class StageLimit:
    """Tells a trainer when to write its checkpoint and return: after some time, some processor time, or on SIGTERM."""

    seconds: float
    core_seconds: float
    _began: float = field(default_factory=time.monotonic)
    _core_began: float = field(default_factory=time.process_time)
    _parent: int = field(default_factory=os.getppid)
    _asked: bool = False

    def stop(self, *_: object) -> None:
        """Ask the trainer to return. A signal handler."""
        self._asked = True

    def core_spent(self) -> float:
        """Processor seconds of this stage."""
        return time.process_time() - self._core_began

    def over(self) -> bool:
        """True when the trainer should return."""
        orphaned = os.getppid() != self._parent
        late = time.monotonic() - self._began >= self.seconds or self.core_spent() >= self.core_seconds
        return self._asked or orphaned or late


@dataclass(frozen=True)
class StageResult:
    """`finished`: the whole budget is used; `tokens` in all stages so far; `metrics` on the dev split."""

    finished: bool
    tokens: int
    metrics: dict[str, Any]


def run_stage(
    store: QueueStore,
    name: str,
    *,
    seconds: float,
    device: str,
    data_root: Path,
    idle: bool = True,
) -> StageResult:
    """Go on with a run until its budget or this stage is used up, and write `result.json` into its folder."""
    if idle:
        lower_to_idle()
    state = store.read(name)
    left = max(0.0, state.spec.core_hours - state.core_hours_spent) * 3600
    limit = StageLimit(seconds, left)
    signal.signal(signal.SIGTERM, limit.stop)
    folder = store.folder(name)
    if state.spec.kind == COMMAND:
        result = _run_command(state.spec, folder, data_root, limit)
    elif state.spec.kind == EDIT_MODEL:
        result = _train_edit_model(state.spec, folder, data_root, limit, device)
    else:
        result = _train_language_model(state.spec, folder, data_root, limit, device)
    write_json(folder / "result.json", vars(result))
    return result


def _recipe_of(spec: RunSpec) -> LmRecipe:
    from editahead_models.train.lm import LmRecipe

    return LmRecipe(tokens=spec.tokens, threads=1, checkpoint_every_s=CHECKPOINT_SECONDS, **spec.training)


def _train_language_model(spec: RunSpec, folder: Path, data_root: Path, limit: StageLimit, device: str) -> StageResult:
    from editahead_models.train.lm import train

    recipe = _recipe_of(spec)
    progress = train(data_root / spec.data, folder, recipe, spec.model, spec.family, limit=limit, device=device)
    return StageResult(progress.finished, progress.tokens, progress.metrics)


def _train_edit_model(spec: RunSpec, folder: Path, data_root: Path, limit: StageLimit, device: str) -> StageResult:
    from editahead_models.train.edits import edit_recipe, train

    settings = spec.training | spec.model
    recipe = edit_recipe({**settings, "tokens": spec.tokens, "checkpoint_every_s": CHECKPOINT_SECONDS})
    stage = train(data_root / spec.data, folder, recipe, limit=limit, device=device)
    return StageResult(stage.finished, stage.tokens, stage.metrics)


def _run_command(spec: RunSpec, folder: Path, data_root: Path, limit: StageLimit) -> StageResult:
    """A verb of `editahead-models` that keeps its own checkpoints below RUN.

    It is ended when the stage is over, or when the processor time of the run is used up.
    """

    def over() -> bool:
        return limit.over() or _core_seconds(process.pid) >= limit.core_seconds

    words = with_folders(spec.command, folder, data_root)
    process = subprocess.Popen([sys.executable, "-m", "editahead_models", *words], stdin=subprocess.DEVNULL)
    while process.poll() is None:
        if over():
            process.terminate()
            break
        append_line(folder / "log.jsonl", {"time": time.time(), "stage_core_s": round(_core_seconds(process.pid), 1)})
        for _ in range(60):
            if process.poll() is not None or over():
                break
            time.sleep(1)
    code = process.wait()
    if code > 0 and not limit.over():
        raise SystemExit(f"{' '.join(words)}: exit {code}")
    return StageResult(code == 0, 0, {})


def with_folders(command: Sequence[str], folder: Path, data_root: Path) -> list[str]:
    """The arguments of a command, with RUN or RUN/… in the run's folder and DATA or DATA/… in the data root."""
    places = {"RUN": folder, "DATA": data_root}
    words = []
    for word in command:
        first, *rest = word.split("/")
        words.append(str(places[first].joinpath(*rest)) if first in places else word)
    return words


def _core_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
