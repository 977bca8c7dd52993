"""What an editor waits for before its first completion is imported at the start, and nothing else."""

from __future__ import annotations

import subprocess
import sys

from editahead.lsp.inference.engine_startup import prime
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine

from tests.suggest.documents import document

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


def test_they_are_there_before_the_first_next_edit() -> None:
    """Once a document is open, while nobody waits: the first request took 100 ms for the imports."""
    engine = Engine.load(find_bundles(), "cpu", lambda text, part: None)
    assert "_next" not in vars(engine)
    prime(engine, document("x = 1\n")[0], Cancel())
    assert "_next" in vars(engine)
