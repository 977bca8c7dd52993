"""What an editor waits for before its first completion is imported at the start, and nothing else."""

from __future__ import annotations

import subprocess
import sys

LATER = ("next_edit", "fixes", "function_bodies")


def test_surfaces_that_are_asked_later_are_imported_later() -> None:
    """Next edits alone took 150 of 360 ms of processor time that the imports of the engine cost."""
    program = (
        "import sys\n"
        "import editahead.suggest.engine\n"
        "print([name for name in sys.modules if name.startswith('editahead.suggest.')])\n"
    )
    found = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert "editahead.suggest.completion.completions" in found
    assert [room for room in LATER if f"editahead.suggest.{room}" in found] == []
