"""`editahead-models queue add | run | pause | resume | status | report`."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_cache_path

from editahead_models.queue import pause as pausing
from editahead_models.queue import rations
from editahead_models.queue.progress import ration_rows, status_rows, write_report
from editahead_models.queue.runner import STAGE_SECONDS, Runner
from editahead_models.queue.spec import specs_of
from editahead_models.queue.stage import run_stage
from editahead_models.queue.store import QueueLockedError, QueueStore

QueueOption = Annotated[Path | None, typer.Option("--queue", help="The queue's folder; default: the user's cache.")]
DataOption = Annotated[Path | None, typer.Option("--data-root", help="Where prepared corpora lie, a folder each.")]
IdleOption = Annotated[bool, typer.Option("--idle/--no-idle", help="At idle priority, or at that of the caller.")]
RationsOption = Annotated[Path, typer.Option("--rations", help="A TOML file with core-hours by ration.")]

app = typer.Typer(help="Runs with budgets, at idle priority, that go on where they stopped.", no_args_is_help=True)


def _store(queue: Path | None) -> QueueStore:
    return QueueStore(queue.resolve()) if queue else QueueStore.default()


def _data_root(given: Path | None) -> Path:
    return given or Path(os.environ.get("EDITAHEAD_DATA") or user_cache_path("editahead") / "data")


@app.command()
def add(
    recipes: Annotated[list[Path], typer.Argument(help="Recipe files with a section [queue].")],
    rows: Annotated[str, typer.Option(help="Rows of the recipe, separated by commas; default: all.")] = "",
    tokens: Annotated[int | None, typer.Option(help="Another budget in tokens.")] = None,
    core_hours: Annotated[float | None, typer.Option(help="Another bound in core-hours.")] = None,
    priority: Annotated[int | None, typer.Option(help="Another priority; higher runs first.")] = None,
    queue: QueueOption = None,
    rations_file: RationsOption = rations.DEFAULT_FILE,
) -> None:
    """Add runs, or give runs that are there a larger budget; what exceeds its ration is refused."""
    from dataclasses import replace

    store, limits = _store(queue), rations.read_rations(rations_file)
    try:
        for path in recipes:
            for spec in specs_of(path, tuple(filter(None, rows.split(",")))):
                spec = replace(
                    spec,
                    tokens=spec.tokens if tokens is None else tokens,
                    core_hours=spec.core_hours if core_hours is None else core_hours,
                    priority=spec.priority if priority is None else priority,
                )
                rations.check(spec.name, spec.ration, spec.core_hours, store.states(), limits)
                state = store.add(spec)
                print(f"{spec.name}: {state.status}, {spec.tokens:,} tokens, {spec.core_hours:g} core-hours")
    except ValueError as error:
        raise SystemExit(f"editahead-models queue add: {error}") from None


@app.command()
def run(
    workers: Annotated[int, typer.Option(help="Stages at a time, one thread each; 0: one a core.", min=0)] = 0,
    wait: Annotated[bool, typer.Option(help="When all runs have ended, wait for new ones.")] = False,
    stage_minutes: Annotated[float, typer.Option(help="Longest stage.")] = STAGE_SECONDS / 60,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    idle: IdleOption = True,
    queue: QueueOption = None,
    data_root: DataOption = None,
) -> None:
    """Work on the queue until every run has ended. Ctrl+C writes checkpoints and ends."""
    environment = {"EDITAHEAD_DATA": str(_data_root(data_root).resolve())}
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    runner = Runner(_store(queue), workers or cores, device, 60 * stage_minutes, idle, environment)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, runner.stop)
    try:
        runner.run(wait=wait)
    except QueueLockedError as error:
        raise SystemExit(f"editahead-models queue run: {error}") from None


@app.command()
def pause(queue: QueueOption = None) -> None:
    """Stop training at once (SIGSTOP), until `resume` or for an hour."""
    print(f"paused; {pausing.pause(_store(queue))} stages stopped")


@app.command()
def resume(queue: QueueOption = None) -> None:
    """Let training go on."""
    pausing.resume(_store(queue))


@app.command()
def status(
    queue: QueueOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
    rations_file: RationsOption = rations.DEFAULT_FILE,
) -> None:
    """Every run with its progress and its expected end, and what is left of the rations."""
    store = _store(queue)
    rows, spent = status_rows(store), ration_rows(store, rations.read_rations(rations_file))
    if as_json:
        print(json.dumps({"paused": pausing.is_paused(store), "runs": rows, "rations": spent}, indent=1))
        return
    _print_tables(rows, spent, paused=pausing.is_paused(store))


@app.command()
def report(
    out: Annotated[Path, typer.Option(help="Folder of the data behind the result pages.")] = Path("models/results"),
    queue: QueueOption = None,
) -> None:
    """Write a summary of every run."""
    print(write_report(_store(queue), out))


@app.command(hidden=True)
def stage(
    name: str,
    seconds: Annotated[float, typer.Option()] = STAGE_SECONDS,
    device: Annotated[str, typer.Option()] = "cpu",
    idle: IdleOption = True,
    queue: QueueOption = None,
    data_root: DataOption = None,
) -> None:
    """Run one stage in this process (what the runner starts)."""
    run_stage(_store(queue), name, seconds=seconds, device=device, data_root=_data_root(data_root), idle=idle)


def _print_tables(rows: list[dict[str, object]], spent: list[dict[str, object]], *, paused: bool) -> None:
    if paused:
        print("The queue is paused: `editahead-models queue resume` lets it go on.")
    for listed in (rows, [row for row in spent if row["committed"]]):
        if listed:
            print("\n".join(aligned(listed)), end="\n\n")
    if not rows:
        print("The queue is empty: `editahead-models queue add RECIPE` adds a run.")


def aligned(rows: list[dict[str, object]]) -> list[str]:
    """A table as lines of text, headings first: texts to the left, numbers to the right, nothing cut."""
    cells = [[name.replace("_", " ") for name in rows[0]], *([_shown(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    to_the_left = [isinstance(value, str) for value in rows[0].values()]
    return [
        "  ".join(
            text.ljust(width) if left else text.rjust(width)
            for text, width, left in zip(row, widths, to_the_left, strict=True)
        ).rstrip()
        for row in cells
    ]


def _shown(value: object) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}" if isinstance(value, float) else str(value)


def main() -> None:
    """The verb `queue`; typer reads the arguments."""
