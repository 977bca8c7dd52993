"""What every test shares: one hypothesis profile, and a plain word about tests that cannot run here."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# Two cores shared by xdist workers: a wall-clock deadline per example would only report the neighbours' load.
settings.register_profile("editahead", deadline=None, max_examples=100)
settings.load_profile("editahead")

# Tests start hundreds of processes: where the system forbids bytecode, each would compile all of its modules.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(Path(__file__).parents[1] / "build" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

_NEEDS_TORCH = re.compile(r"^\s*(?:from|import)\s+(?:torch|editahead_models)\b", re.MULTILINE)
_HAS_TORCH = importlib.util.find_spec("torch") is not None
_HAS_RAY = importlib.util.find_spec("ray") is not None
_left_out: set[str] = set()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out the files that need torch where there is none; `pytest_terminal_summary` names them."""
    if _HAS_TORCH or collection_path.suffix != ".py" or collection_path == Path(__file__):
        return None
    if _NEEDS_TORCH.search(collection_path.read_text(encoding="utf-8")):
        _left_out.add(collection_path.name)
        return True
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _HAS_RAY:
        terminalreporter.write_line("ray is not installed: tests/team/test_ray.py is left out (`make team` runs it)")
    if not _HAS_TORCH:
        terminalreporter.write_line(
            "torch is not installed: the files that import it were left out (`make test` says why)"
        )
    if terminalreporter.config.option.markexpr == "not slow":
        terminalreporter.write_line("left out: slow tests, editors, the team server (`make test-all` runs them)")
    for name in sorted(_left_out):
        terminalreporter.write_line(f"  left out: {name}")
