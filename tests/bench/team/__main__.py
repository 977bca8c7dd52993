"""Measure a team server on a Ray cluster of two nodes of this machine: `python -m tests.bench.team`.

Needs the extra `team`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tests.bench.__main__ import machine

from .measure import Measured, capacity, carried, faults
from .page import DATA, ROOT, publish


def main() -> None:
    """Measure what is chosen, and print or publish it."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.team", description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0, help="length of each trial (default 15)")
    parser.add_argument("--clients", type=int, help="typists of the runs with a fault (default: half of those carried)")
    parser.add_argument("--only", choices=["capacity", "faults"], help="measure one part; --publish keeps the other")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    parser.add_argument("--publish", action="store_true", help="store them and write the page")
    args = parser.parse_args()
    import ray

    stored = ROOT / DATA
    found: dict[str, Any] = json.loads(stored.read_text(encoding="utf-8")) if args.only and stored.exists() else {}
    found["machine"] = {**machine(), "ray": ray.__version__}
    measured = Measured.start()
    try:
        if args.only != "faults":
            found["capacity"] = capacity(measured, args.seconds)
            print(json.dumps(found["capacity"], indent=1), flush=True)
        if args.only != "capacity":
            best = carried(found.get("capacity", []))
            clients = args.clients or max(1, (best["clients"] if best else 1) // 2)
            found["faults"] = faults(measured, clients)
            print(json.dumps(found["faults"], indent=1), flush=True)
    finally:
        measured.stop()
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if args.publish:
        publish(ROOT, found)


if __name__ == "__main__":
    main()
