"""Stop training for as long as something is measured: caches and memory bandwidth are shared, whatever the priority."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from editahead_models.queue.store import QueueStore

LONGEST_PAUSE = 3600.0  # seconds; a pause whose owner forgot it does not hold the queue for good


def is_paused(store: QueueStore) -> bool:
    """True while a pause holds."""
    try:
        return time.time() - (store.root / "paused").stat().st_mtime < LONGEST_PAUSE
    except FileNotFoundError:
        return False


def pause(store: QueueStore) -> int:
    """Stop all stages now and start none until `resume`; the number of stages stopped."""
    store.root.mkdir(parents=True, exist_ok=True)
    (store.root / "paused").touch()
    stages = stages_of_runner(store)
    for pid in stages:
        stop_group(pid)
    return len(stages)


def resume(store: QueueStore) -> None:
    """Let the stages go on."""
    (store.root / "paused").unlink(missing_ok=True)
    for pid in stages_of_runner(store):
        continue_group(pid)


@contextmanager
def paused(store: QueueStore | None = None) -> Iterator[None]:
    """Hold the queue while something is measured. A pause that was there before stays."""
    store = store or QueueStore.default()
    before = is_paused(store)
    pause(store)
    try:
        yield
    finally:
        if not before:
            resume(store)


def stop_group(pid: int) -> None:
    """SIGSTOP a stage with all of its processes."""
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGSTOP)


def continue_group(pid: int) -> None:
    """SIGCONT a stage with all of its processes."""
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGCONT)


def stages_of_runner(store: QueueStore) -> list[int]:
    """Process groups of the stages under way; numbers that another program has by now are left out."""
    try:
        pids = json.loads((store.root / "runner.json").read_text(encoding="utf-8"))["stages"]
    except (FileNotFoundError, json.JSONDecodeError, KeyError):
        return []
    return [pid for pid in pids if _is_stage(pid, store)]


def _is_stage(pid: int, store: QueueStore) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return b"stage" in words and str(store.root).encode() in words
