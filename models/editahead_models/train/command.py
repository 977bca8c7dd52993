"""`editahead-models train`: the runs of a recipe. Stopped runs go on from their checkpoint."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from editahead_models.run_folder import STATE
from editahead_models.train.rows import COMMAND, EDIT_MODEL, TrainedRow, trained_rows, with_folders

FINISHED, SPENT, STOPPED = "finished", "spent", "stopped"


class CoreLimit:
    """Tells a trainer to write its checkpoint and return: after some processor time, or on a signal."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds
        self._stopped = False

    def stop(self, *_: object) -> None:
        """Ask the trainer to return. A signal handler."""
        self._stopped = True

    def spent(self) -> bool:
        """Whether the processor time is used up."""
        return time.process_time() >= self._end

    def over(self) -> bool:
        """Whether the trainer should return."""
        return self._stopped or self.spent()


def main(
    recipe: Annotated[Path, typer.Argument(help="A recipe file.")],
    data: Annotated[Path, typer.Option(help="What `prepare` or `mine` wrote; for commands, the folder DATA.")],
    out: Annotated[Path, typer.Option(help="The run's folder; of a recipe with rows, a folder for all runs.")],
    row: Annotated[list[str] | None, typer.Option(help="Only these rows; may be repeated.")] = None,
    threads: Annotated[int, typer.Option(help="CPU threads.")] = 1,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
) -> None:
    """Train a recipe, or its rows one after the other, each until its budget or its core-hours are used up.

    Progress goes to `log.jsonl` in the run's folder and, as a bar, to the screen. Ctrl+C writes a checkpoint; run
    again to continue.
    """
    try:
        for one in trained_rows(recipe, row or ()):
            folder = out / one.name.replace("/", "--") if "/" in one.name else out
            state = train_row(one, data, folder, threads, device)
            print(json.dumps({key: state[key] for key in ("run", "status", "core_hours", "metrics")}))
            if state["status"] == STOPPED:
                return
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def train_row(row: TrainedRow, data: Path, folder: Path, threads: int = 1, device: str = "cpu") -> dict[str, Any]:
    """Go on with a run until its end, and write what it came to into its folder; a run that ended is left as it is.

    ValueError, one line, when the folder holds a run with other settings.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / STATE
    state: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if state and state["recipe_hash"] != row.recipe_hash:
        raise ValueError(f"{folder}: holds a run with other settings; choose another folder")
    before = float(state.get("core_hours", 0.0))
    ended = state.get("status") == FINISHED and state["tokens"] >= row.tokens
    if ended or before >= row.core_hours:
        return state
    left = 3600 * (row.core_hours - before)
    trained = _run_command if row.family == COMMAND else _train_network
    status, tokens, metrics, seconds = trained(row, data, folder, left, threads, device)
    state = {
        "run": row.name, "family": row.family, "recipe_hash": row.recipe_hash, "model": row.model,
        "training": row.training, "budget_tokens": row.tokens, "tokens": tokens, **_last_line(folder),
        "core_hours": round(before + seconds / 3600, 3), "status": status, "at_its_end": status == FINISHED,
        "metrics": metrics,
    }  # fmt: skip
    path.write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
    return state


Outcome = tuple[str, int, dict[str, Any] | None, float]
"""Status, tokens read in all, dev figures, and processor seconds of this call."""


def _train_network(row: TrainedRow, data: Path, folder: Path, left: float, threads: int, device: str) -> Outcome:
    limit, began = CoreLimit(left), time.process_time()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, limit.stop)
    found: Any
    if row.family == EDIT_MODEL:
        from editahead_models.train.edits import edit_recipe
        from editahead_models.train.edits import train as train_edits

        settings = edit_recipe({**row.model, **row.training, "threads": threads})
        found = train_edits(data, folder, settings, limit=limit, device=device)
    else:
        from editahead_models.train.lm import LmRecipe
        from editahead_models.train.lm import train as train_lm

        recipe = LmRecipe(**row.training, threads=threads)
        found = train_lm(data, folder, recipe, row.model, row.family, limit=limit, device=device)
    status = FINISHED if found.finished else SPENT if limit.spent() else STOPPED
    return status, found.tokens, found.metrics, time.process_time() - began


def _run_command(row: TrainedRow, data: Path, folder: Path, left: float, threads: int, device: str) -> Outcome:
    """A verb of `editahead-models` that keeps its own checkpoints below RUN, ended when the time is used up."""
    words = with_folders(row.command, folder, data)
    most = max(1, int(left))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = subprocess.run(
        [sys.executable, "-m", "editahead_models", *words], check=False, stdin=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most + 60)),
    ).returncode  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if code not in (0, -signal.SIGXCPU):
        raise SystemExit(f"{' '.join(words)}: exit {code}")
    return FINISHED if code == 0 else SPENT, 0, None, seconds


def _last_line(folder: Path) -> dict[str, Any]:
    """Updates, passes and data of the last line of the run's log that tells a loss or a dev figure."""
    log = folder / "log.jsonl"
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
    last: dict[str, Any] = next((line for line in reversed(lines) if "loss" in line or "dev" in line), {})
    return {"updates": last.get("step"), "passes": last.get("passes"), "data_hash": last.get("data_hash")}
