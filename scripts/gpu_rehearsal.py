"""Train what needs a GPU in calls of a few minutes, side by side; metrics and checkpoints come back.

    python -m scripts.gpu_rehearsal pack --real-edits DIR --cards DIR --into build/gpu
    python -m scripts.gpu_rehearsal run --data build/gpu --out BACK [--earlier BACK_OF_THE_LAST_CALL]
    python -m scripts.gpu_rehearsal unpack BACK --into RUNS

What comes back is a few files of a limited size: `metrics.json`, and parts of an archive with the runs' folders. A run
that did not end goes on from its checkpoint in the next call. With `--tiny` all of it takes seconds on a processor.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
KINDS = ("explicit-states", "real-edits", "treegen")
MEGABYTE = 1 << 20
PART_MEGABYTES = 15
"""Size of a part of the archive that comes back."""
END_SECONDS = 45.0
"""Seconds of a call that are left for packing."""
STORED = ROOT / "models" / "results" / "edit-models.json"
EDIT_FAMILIES = ("E", "IR", "IA-ag")
TREEGEN_SEEDS = (1, 2, 3)


class Job(NamedTuple):
    """A command of `editahead-models`, and the folder of its run below the folder of all runs."""

    folder: str
    arguments: tuple[str, ...]


def jobs_of(
    kinds: Sequence[str], data: Path, runs: Path, device: str, tasks: Sequence[str], *, tiny: bool
) -> list[Job]:
    """The jobs of some kinds, in the order in which they start."""
    jobs: list[Job] = []
    small: tuple[str, ...]
    options: tuple[str, ...]
    if "explicit-states" in kinds:
        small = ("--train-size", "48", "--held-out", "8", "--steps", "4", "--hidden", "16") if tiny else ()
        for task in tasks:
            folder = f"explicit-states/{task}"
            options = ("--families", "E", "--tasks", task, "--out", str(runs / folder), "--device", device)
            jobs.append(Job(folder, ("train", "synthetic", *options, *small)))
    if "real-edits" in kinds:
        small = ("--minutes", "0.02", "--hidden", "16", "--dev", "4", "--test", "4", "--rolled", "2") if tiny else ()
        for family in EDIT_FAMILIES:
            folder = f"real-edits/{family}"
            options = ("--data", str(data / "real-edits"), "--out", str(runs / folder), "--device", device)
            jobs.append(Job(folder, ("train", "mined", "--family", family, *options, *(small or ("--minutes", "60")))))
    if "treegen" in kinds:
        recipe = ROOT / "models" / "recipes" / ("treegen.toml" if tiny else "treegen-paper.toml")
        small = ("--epochs", "1", "--width", "16") if tiny else ()
        for seed in TREEGEN_SEEDS[: 1 if tiny else None]:
            folder = f"treegen/seed-{seed}"
            options = ("--data", str(data / "cards"), "--out", str(runs / folder), "--seed", str(seed))
            jobs.append(Job(folder, ("train", "treegen", str(recipe), *options, "--device", device, *small)))
    return jobs


def missing_tasks() -> list[str]:
    """The synthetic tasks for which no figure of explicit states is stored."""
    from editahead_models.data.synthetic.tasks import MAIN_TASKS

    cells = json.loads(STORED.read_text(encoding="utf-8"))["cells"]
    stored = {cell["task"] for cell in cells if cell["family"] == "E"}
    return [task for task in MAIN_TASKS if task not in stored]


def run_jobs(jobs: Sequence[Job], runs: Path, seconds: float, at_once: int) -> dict[str, str]:
    """Run jobs side by side until they end or the time is over; how each ended."""
    until, waiting, running = time.monotonic() + seconds, list(jobs), dict[Job, subprocess.Popen[bytes]]()
    states = {job.folder: "not begun" for job in jobs}
    while (waiting or running) and time.monotonic() < until:
        while waiting and len(running) < at_once:
            job = waiting.pop(0)
            (runs / job.folder).mkdir(parents=True, exist_ok=True)
            with (runs / job.folder / "output.txt").open("ab") as output:
                command = [sys.executable, "-m", "editahead_models", *job.arguments]
                running[job] = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=ROOT)
            states[job.folder] = "interrupted"
        for job, process in list(running.items()):
            if process.poll() is not None:
                states[job.folder] = "done" if process.returncode == 0 else f"failed with {process.returncode}"
                del running[job]
        time.sleep(0.2)
    for process in running.values():
        process.terminate()
    for process in running.values():
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return states


def bring_back(runs: Path, states: dict[str, str], out: Path, megabytes: int) -> list[str]:
    """Write metrics and the archive's parts to a folder; the files that found no room.

    Metrics and logs go first, then the checkpoints, the smallest first.
    """
    out.mkdir(parents=True, exist_ok=True)
    for part in out.glob("runs.tar.*"):
        part.unlink()
    metrics = {str(path.parent.relative_to(runs)): _read_json(path) for path in sorted(runs.rglob("metrics.json"))}
    text = json.dumps({"jobs": states, "metrics": metrics}, indent=1)
    (out / "metrics.json").write_text(text + "\n", encoding="utf-8")
    files = [path for path in runs.rglob("*") if path.is_file() and "data" not in path.relative_to(runs).parts]
    files.sort(key=lambda path: (path.suffix == ".pt", path.stat().st_size, str(path)))
    archive, left_out = io.BytesIO(), list[str]()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for path in files:
            if archive.tell() + path.stat().st_size > megabytes * MEGABYTE - len(text):
                left_out.append(str(path.relative_to(runs)))
            else:
                tar.add(path, str(path.relative_to(runs)))
    content = archive.getvalue()
    for number, start in enumerate(range(0, len(content), PART_MEGABYTES * MEGABYTE)):
        (out / f"runs.tar.{number}").write_bytes(content[start : start + PART_MEGABYTES * MEGABYTE])
    return left_out


def unpack(back: Path, runs: Path) -> None:
    """Put the runs of an earlier call in place. ValueError where there is no archive."""
    parts = sorted(back.glob("runs.tar.*"), key=lambda path: int(path.suffix[1:]))
    if not parts:
        raise ValueError(f"{back}: no runs came back (runs.tar.0 is missing)")
    with tarfile.open(fileobj=io.BytesIO(b"".join(part.read_bytes() for part in parts))) as tar:
        tar.extractall(runs, filter="data")


def pack(sources: Iterable[tuple[str, Path]], into: Path, megabytes: int) -> int:
    """Copy data sets to where `run` looks for them; their bytes. ValueError where they are too large."""
    size = 0
    for name, source in sources:
        for path in _files(source):
            size += path.stat().st_size
            if size > megabytes * MEGABYTE:
                raise ValueError(
                    f"{source}: with it the data exceeds {megabytes} MB; mine fewer edits or raise --megabytes"
                )
            target = into / name / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    return size


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _read_json(path: Path) -> object:
    return json.loads(path.read_text(encoding="utf-8"))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.gpu_rehearsal", description=(__doc__ or "").splitlines()[0]
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    packing = verbs.add_parser("pack", help="copy the data sets into one folder")
    packing.add_argument("--real-edits", type=Path, help="what `mine --repo` wrote: 100 edits, 1,000 sub-words")
    packing.add_argument("--cards", type=Path, help="the Hearthstone cards")
    packing.add_argument("--into", type=Path, required=True)
    packing.add_argument("--megabytes", type=int, default=60)
    running = verbs.add_parser("run", help="train until the minutes are over")
    running.add_argument("--data", type=Path, required=True, help="what `pack` wrote")
    running.add_argument("--out", type=Path, required=True, help="what is brought back")
    running.add_argument("--earlier", type=Path, help="what the call before brought back: its runs go on")
    running.add_argument("--runs", type=Path, default=ROOT / "build" / "gpu-runs", help="folder of the runs")
    running.add_argument("--minutes", type=float, default=10.0, help="of this call, packing included")
    running.add_argument("--megabytes", type=int, default=60, help="that may come back")
    running.add_argument("--jobs", type=int, default=12, help="at once")
    running.add_argument("--device", default="cuda")
    running.add_argument("--kinds", default=",".join(KINDS), help=f"of {', '.join(KINDS)}, with commas")
    running.add_argument("--tasks", help="of explicit states, with commas; by default those without a stored figure")
    running.add_argument("--tiny", action="store_true", help="sizes that a processor trains in seconds")
    opening = verbs.add_parser("unpack", help="put the runs that came back into a folder")
    opening.add_argument("back", type=Path)
    opening.add_argument("--into", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        if options.verb == "pack":
            sources = [("real-edits", options.real_edits), ("cards", options.cards)]
            size = pack([(name, path) for name, path in sources if path is not None], options.into, options.megabytes)
            print(f"{options.into}: {size / MEGABYTE:.1f} MB")
            return 0
        if options.verb == "unpack":
            unpack(options.back, options.into)
            return 0
        kinds = options.kinds.split(",")
        if unknown := [kind for kind in kinds if kind not in KINDS]:
            raise ValueError(f"unknown kind {', '.join(unknown)}: choose among {', '.join(KINDS)}")
        if options.earlier is not None:
            unpack(options.earlier, options.runs)
        tasks = options.tasks.split(",") if options.tasks else missing_tasks()
        jobs = jobs_of(kinds, options.data, options.runs, options.device, tasks, tiny=options.tiny)
        seconds = max(1.0, 60 * options.minutes - END_SECONDS)
        states = run_jobs(jobs, options.runs, seconds, options.jobs)
        left_out = bring_back(options.runs, states, options.out, options.megabytes)
    except (OSError, ValueError) as error:
        print(f"gpu_rehearsal: {error}", file=sys.stderr)
        return 2
    for folder, state in states.items():
        print(f"{folder}: {state}")
    if left_out:
        print(f"{len(left_out)} files found no room, {left_out[0]} among them: those runs begin anew")
    return 1 if any(state.startswith("failed") for state in states.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
