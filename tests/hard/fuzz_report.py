"""Runs the fuzz targets for some time each and keeps what they did beside the soaks.

    pip install atheris && python -m tests.hard.fuzz_report [--seconds 600] [--out docs/results]

Exit code 1 when a target failed; the input that did it is then named by the fuzzer's last lines.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.hard.soak_page import keep

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ("door", "bundle")
GRACE = 120  # seconds beyond those that were asked for


def fuzzed(target: str, seconds: int, folder: str) -> tuple[dict[str, Any], str]:
    """Runs and edges reached, and the fuzzer's last lines where it stopped early (else nothing)."""
    options = [f"-max_total_time={seconds}", f"-artifact_prefix={folder}/", "-timeout=60"]
    command = [sys.executable, "-m", "tests.hard.fuzz", target, *options]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False, timeout=seconds + GRACE
    )
    runs = re.findall(r"Done (\d+) runs", done.stderr)
    reached = re.findall(r"cov: (\d+)", done.stderr)
    failed = "" if done.returncode == 0 and runs else "\n".join(done.stderr.splitlines()[-30:])
    return {"runs": int(runs[-1]) if runs else 0, "edges": int(reached[-1]) if reached else 0}, failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=600, help="of each target (default 600)")
    parser.add_argument("--out", type=Path, help="folder of results: soak.json, soak.md")
    args = parser.parse_args()
    found: dict[str, Any] = {"seconds": args.seconds}
    code = 0
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            found[target], failed = fuzzed(target, args.seconds, folder)
            print(f"{target}: {found[target]['runs']:,} runs, {found[target]['edges']:,} edges", flush=True)
            if failed:
                print(failed, file=sys.stderr)
                code = 1
    if args.out and not code:
        keep(args.out, "fuzz", found)
    return code


if __name__ == "__main__":
    sys.exit(main())
