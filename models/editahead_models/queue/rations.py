"""Core-hours that each part of the work may spend, from `models/data/rations.toml`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from editahead_models.queue.store import RunState

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DEFAULT_FILE = Path(__file__).parents[2] / "data" / "rations.toml"


class RationExceededError(ValueError):
    """A run asks for more than its ration has left."""


def read_rations(path: Path = DEFAULT_FILE) -> dict[str, float]:
    """Core-hours by ration."""
    return {name: float(hours) for name, hours in tomllib.loads(path.read_text(encoding="utf-8"))["core_hours"].items()}


def committed(ration: str, states: Iterable[RunState]) -> float:
    """Core-hours of a ration that are spent, or promised to runs that have not ended."""
    return sum(
        state.core_hours_spent if state.ended else max(state.core_hours_spent, state.spec.core_hours)
        for state in states
        if state.spec.ration == ration
    )


def check(name: str, ration: str, core_hours: float, states: Iterable[RunState], rations: Mapping[str, float]) -> None:
    """RationExceededError, one line, when a run does not fit beside the others. ValueError for an unknown ration."""
    if ration not in rations:
        raise ValueError(f"{name}: no ration {ration!r}; rations are {', '.join(rations)}")
    others = [state for state in states if state.spec.name != name]
    left = rations[ration] - committed(ration, others)
    if core_hours > left + 1e-9:
        raise RationExceededError(f"{name} asks for {core_hours:.2f} core-hours, {ration} has {max(left, 0):.2f} left")
