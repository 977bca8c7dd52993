"""A language's model is opened when it is first used, quickly, and takes little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

MOST_MB = 30.0
MOST_SECONDS = 0.2
"""Of the processor, for the first completion."""
FIRST = "python"
"""Opened before the others are measured: what it loads besides its model serves all languages."""
OPENINGS = {
    "python": "def area(width):\n    return ‸",
    "java": "class Box { int area(int width) { return ‸",
    "typescript": "function area(width: number) { return ‸",
    "rust": "fn area(width: i32) -> i32 { return ‸",
    "cpp": "int area(int width) { return ‸",
    "c_sharp": "class Box { int Area(int width) { return ‸",
    "go": "package box\nfunc area(width int) int { return ‸",
}
MEASURE = """
import json, os, sys, time
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from tests.suggest.documents import document

def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
found = {}
for language, text in json.loads(sys.argv[1]).items():
    made, at = document(text, language)
    memory, began = resident_mb(), time.process_time()
    engine.complete(made, at, Cancel())
    found[language] = (time.process_time() - began, resident_mb() - memory)
print(json.dumps(found))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_a_model_opens_on_first_use_in_little_time_and_memory() -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", MEASURE, json.dumps(OPENINGS)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    del found[FIRST]
    assert found.keys() == OPENINGS.keys() - {FIRST}
    for language, (seconds, megabytes) in found.items():
        assert seconds <= MOST_SECONDS, language
        assert megabytes <= MOST_MB, language
        assert megabytes > 1, f"{language} was open before"
