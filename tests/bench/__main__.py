"""`make bench`: latency, start-up and memory of the real server over stdio, against the project's aims."""

from __future__ import annotations

import argparse
import json
import platform
import shlex
import sys
import tempfile
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path

from editahead.bench.stdio_client import ServerError
from editahead_models.commit import short_head
from editahead_models.queue.pause import paused
from rich.console import Console
from rich.progress import Progress

from .aims import judge
from .compiled import compiled_modules
from .load import run_loaded
from .measure import Measured, default_command, percentile, run, start_to_first_completion
from .publish import ROOT, publish
from .report import print_report, ratios
from .sources import DIALECTS, session

SIZES = (500, 5_000, 50_000)
LOADED = 5_000  # lines of the file that is typed in while the server has other work


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure to FILE as well")
    parser.add_argument("--publish", action="store_true", help="renew the tables in README.md and docs/figures.md")
    parser.add_argument("--quick", action="store_true", help="500 and 5,000 lines, one round each")
    parser.add_argument("--language", choices=sorted(DIALECTS), action="append", help="default: all")
    parser.add_argument("--rounds", type=int, default=3, help="typed sessions for each file (default 3)")
    parser.add_argument("--pace", type=float, default=0.0, metavar="MS", help="pause before each key (0)")
    parser.add_argument("--command", metavar="CMD", help="another server to drive (default: this one)")
    parser.add_argument("--beside", metavar="NAME=CMD", help="a server of an earlier release, measured in turn with it")
    args = parser.parse_args()
    if args.beside and not args.beside.partition("=")[2]:
        parser.error("--beside needs NAME=CMD, such as 0.1.0='/opt/editahead-0.1.0/bin/editahead --stdio'")
    if args.publish and (args.quick or args.language or args.command):
        parser.error("--publish needs all sizes and languages of this server")
    return args


def machine() -> dict[str, str | int | None]:
    """Where the figures were measured: processor, cores, system, interpreter, commit."""
    import os

    processor = platform.processor() or platform.machine()
    try:
        rows = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(row.split(":", 1)[1].strip() for row in rows if row.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "load": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else None,
        "system": platform.system(),
        "python": platform.python_version(),
        "commit": short_head(Path(__file__).parent, "."),
        "date": datetime.now(timezone.utc).date().isoformat(),
    }


def summary(measured: Measured) -> dict[str, object]:
    """A row of the JSON file: percentiles instead of the raw times."""
    row = asdict(measured)
    row["times"] = {
        surface: {
            "n": len(times),
            "shown": measured.answered.get(surface, 0),
            **{f"p{share}": round(percentile(times, share / 100), 3) for share in (50, 95, 99)},
            **{f"cpu_p{share}": round(percentile(measured.cpu.get(surface, []), share / 100), 3) for share in (50, 99)},
        }
        for surface, times in measured.times.items()
    }
    del row["answered"], row["cpu"]
    return row


def main() -> int:
    args = arguments()
    console = Console()
    sizes = SIZES[:2] if args.quick else SIZES
    rounds = 1 if args.quick else args.rounds
    languages = args.language or sorted(DIALECTS, reverse=True)
    command = shlex.split(args.command) if args.command else default_command()
    name, _, other = (args.beside or "").partition("=")
    where, results, starts, beside = machine(), list[Measured](), dict[str, float](), list[Measured]()
    try:
        # Training shares caches and memory bandwidth, whatever its priority: it stands still meanwhile.
        with (
            paused(),
            tempfile.TemporaryDirectory() as folder,
            tempfile.TemporaryDirectory() as compiled,
            compiled_modules(Path(compiled)),
            Progress(console=Console(stderr=True)) as progress,
        ):
            task = progress.add_task("measuring", total=len(languages) * (len(sizes) + 2))
            for language in languages:
                root = Path(folder)
                starts[language] = start_to_first_completion(
                    command, session(language, 500), root, 1 if args.quick else 5
                )
                progress.advance(task)
                for size in sizes:
                    results.append(run(command, session(language, size), size, root, rounds, args.pace))
                    if other:
                        beside.append(run(shlex.split(other), session(language, size), size, root, rounds, args.pace))
                    progress.advance(task)
                results.append(run_loaded(command, session(language, LOADED), LOADED, root, rounds, args.pace))
                progress.advance(task)
    except ServerError as error:
        print(f"make bench: {error}", file=sys.stderr)
        return 1
    aims = judge(results, starts)
    print_report(console, where, results, starts, aims)
    if other:
        console.print(ratios(name, results, beside))
    content = {
        "machine": where,
        "start_ms": starts,
        "results": [summary(measured) for measured in results],
        "aims": [asdict(aim) for aim in aims],
        **({"beside": {"name": name, "results": [summary(measured) for measured in beside]}} if other else {}),
    }
    if args.publish:
        publish(ROOT, content)
    if args.json:
        args.json.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
