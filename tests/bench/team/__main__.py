"""Measure a team server on a Ray cluster of two nodes of this machine: `python -m tests.bench.team`.

Needs the extra `team`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.__main__ import machine

from . import corpora
from .measure import Measured, capacity, carried, faults, most_carried
from .page import DATA, PARTS, ROOT, publish


def main() -> None:
    """Measure what is chosen, and print or publish it."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.team", description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0, help="length of each trial (default 15)")
    parser.add_argument("--clients", type=int, help="typists of the runs with a fault (default: half of those carried)")
    parser.add_argument("--runs", type=int, default=3, help="searches for the number of typists; the middle one counts")
    parser.add_argument("--only", choices=PARTS, help="measure one part; --publish keeps the others")
    parser.add_argument("--mirror", type=Path, help="for the part corpora: git repositories, OWNER+NAME/repo")
    parser.add_argument("--projects", type=int, default=8, help="for the part corpora: so many of them (default 8)")
    parser.add_argument("--publish", action="store_true", help="store the figures and write the page")
    args = parser.parse_args()
    if args.only == "corpora" and args.mirror is None:
        parser.error("the part corpora needs --mirror")
    import ray

    stored = ROOT / DATA
    found: dict[str, Any] = json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {}
    where = {**machine(), "ray": ray.__version__}

    def keep(part: str, rows: Sequence[Mapping[str, Any]], **more: Any) -> None:
        found[part] = {"machine": where, "rows": rows, **more}
        print(json.dumps(found[part], indent=1), flush=True)
        if args.publish:
            publish(ROOT, found)

    if args.only == "corpora" or (args.only is None and args.mirror):
        measured = corpora.measure(args.mirror, args.projects, args.runs)
        keep("corpora", measured.pop("rows"), **measured)
    if args.only == "corpora":
        return
    server = Measured.start()
    try:
        if args.only in (None, "capacity"):
            searches = sorted((capacity(server, args.seconds) for _ in range(max(1, args.runs))), key=most_carried)
            keep("capacity", searches[(len(searches) - 1) // 2], carried=[most_carried(each) for each in searches])
        if args.only in (None, "faults"):
            best = carried(found["capacity"]["rows"]) if "capacity" in found else None
            keep("faults", faults(server, args.clients or max(1, (best["clients"] if best else 1) // 2)))
    finally:
        server.stop()


if __name__ == "__main__":
    main()
