"""models/results/runs.json: what every run of `train` came to."""

from __future__ import annotations

import json
import time
from pathlib import Path

STATE_FILES = "*/state.json"  # what `train` says of each run


def take_in(runs: Path, data: Path) -> int:
    """Take the place of stored runs of the same names; how many the folders below `runs` hold."""
    file = data / "runs.json"
    stored = json.loads(file.read_text(encoding="utf-8"))["runs"] if file.exists() else []
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(runs.glob(STATE_FILES))]
    by_name = {run["run"]: run for run in (*stored, *found)}
    rows = [by_name[name] for name in sorted(by_name)]
    file.write_text(json.dumps({"written": time.strftime("%Y-%m-%d"), "runs": rows}, indent=1) + "\n", encoding="utf-8")
    return len(found)
