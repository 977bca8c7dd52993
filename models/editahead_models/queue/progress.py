"""Where every run stands, for people and as files that result pages are made from."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from editahead_models.queue.rations import committed
from editahead_models.queue.store import FINISHED, RUNNING, QueueStore, RunState, read_lines, write_json

_RECENT = 20  # lines of the log that the speed is taken from


def losses(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines of a log that tell a loss or a dev figure."""
    return [line for line in lines if "loss" in line or "dev" in line]


def speed(lines: Sequence[dict[str, Any]]) -> float | None:
    """Tokens a second of wall clock over the latest lines of one stage; None where too few tell."""
    told = [line for line in lines if {"loss", "time", "tokens"} <= line.keys()][-_RECENT:]
    steps = [
        (later["tokens"] - earlier["tokens"], later["time"] - earlier["time"])
        for earlier, later in pairwise(told)
        if later.get("stage") == earlier.get("stage") and later["time"] > earlier["time"]
    ]
    seconds = sum(step[1] for step in steps)
    return sum(step[0] for step in steps) / seconds if seconds else None


def status_rows(store: QueueStore) -> list[dict[str, Any]]:
    """One row a run: what a person wants to know of it."""
    rows = []
    for state in store.states():
        lines = read_lines(store.folder(state.spec.name) / "log.jsonl")
        told = [line for line in lines if "loss" in line]
        tokens = max(state.tokens_done, int(told[-1].get("tokens", 0)) if told else 0)
        pace = speed(lines) if state.status == RUNNING else None
        left = state.spec.tokens - tokens
        rows.append({
            "run": state.spec.name, "status": state.status, "priority": state.spec.priority,
            "tokens": tokens, "budget": state.spec.tokens,
            "loss": told[-1]["loss"] if told else None,
            "core_hours": round(state.core_hours_spent, 3), "ration": state.spec.ration,
            "eta_minutes": round(left / pace / 60, 1) if pace and left > 0 else None,
        })  # fmt: skip
    return rows


def ration_rows(store: QueueStore, rations: dict[str, float]) -> list[dict[str, Any]]:
    """Spent, promised and allowed core-hours of each ration."""
    states = store.states()
    return [
        {
            "ration": name, "allowed": hours, "committed": round(committed(name, states), 2),
            "spent": round(sum(s.core_hours_spent for s in states if s.spec.ration == name), 2),
        }
        for name, hours in rations.items()
    ]  # fmt: skip


def write_report(store: QueueStore, out: Path) -> Path:
    """Write `out`/runs.json, the summary of every run.

    Runs that stand there already and that this queue does not know stay: they were trained on another machine.
    """
    out.mkdir(parents=True, exist_ok=True)
    summary = _known_elsewhere(out / "runs.json", store)
    for state in store.states():
        lines = losses(read_lines(store.folder(state.spec.name) / "log.jsonl"))
        if lines:
            summary.append(_summary(state, lines))
    summary.sort(key=lambda run: str(run["run"]))
    write_json(out / "runs.json", {"written": time.strftime("%Y-%m-%d"), "runs": summary})
    return out / "runs.json"


def _known_elsewhere(path: Path, store: QueueStore) -> list[dict[str, Any]]:
    """The runs of a summary that the queue does not hold."""
    if not path.exists():
        return []
    here = {state.spec.name for state in store.states()}
    return [run for run in json.loads(path.read_text(encoding="utf-8"))["runs"] if run["run"] not in here]


def _summary(state: RunState, lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    last = lines[-1]
    return {
        "run": state.spec.name, "family": state.spec.family, "recipe_hash": state.spec.recipe_hash,
        "model": state.spec.model, "training": state.spec.training, "data": state.spec.data,
        "data_hash": last.get("data_hash"), "budget_tokens": state.spec.tokens,
        "tokens": max((line.get("tokens", 0) for line in lines), default=0),
        "updates": last.get("step"), "passes": last.get("passes"), "core_hours": round(state.core_hours_spent, 3),
        "status": state.status, "at_its_end": state.status == FINISHED, "metrics": state.metrics,
    }  # fmt: skip
