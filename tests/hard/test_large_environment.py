"""An environment with 100,000 modules: completions of imports read a bounded part of it, in bounded time and memory."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from editahead.bench.drive import memory_mb

from tests.hard.test_storms import labels, put, start

MODULES = 100_000
MOST_MB = 15  # more than with ten modules; 2 measured, 27 if all names of a folder were kept
MOST_SECONDS = 5.0  # for one completion, on a busy machine


def peak_with(root: Path, modules: int) -> float:
    """The peak memory in MB of a server that completes imports beside so many modules, asserted to be quick."""
    packages = root / ".venv" / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (root / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
    for number in range(modules):  # empty files, by the cheapest call
        os.close(os.open(packages / f"module{number}.py", os.O_CREAT | os.O_WRONLY))
    text = "import os.path\nimport \nfrom module7 import \nos.path.\n"
    with start(root) as client:
        uri = put(client, (root / "a.py").as_uri(), text)
        labels(client, uri, 3, 8)  # loads the models
        for line, column in ((1, 7), (2, 20), (1, 7)):
            begun = time.perf_counter()
            labels(client, uri, line, column)
            assert time.perf_counter() - begun < MOST_SECONDS
        assert "join" in labels(client, uri, 3, 8)
        return settled_peak(client.pid)


def settled_peak(pid: int) -> float:
    """The peak memory in MB of a process once it stands still: a first list does not wait for the model to open."""
    deadline, (_, peak) = time.monotonic() + 20, memory_mb(pid)
    while time.monotonic() < deadline:
        time.sleep(1.5)
        before, (_, peak) = peak, memory_mb(pid)
        if peak == before:
            break
    return peak


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_completions_in_a_large_environment(tmp_path: Path) -> None:
    small, large = peak_with(tmp_path / "small", 10), peak_with(tmp_path / "large", MODULES)
    assert large - small < MOST_MB
