"""What the server imports before its first completion: each module delays the start of every session.

Modules are counted, not seconds, which depend on the machine.
"""

from __future__ import annotations

import subprocess
import sys

LIBRARIES = {"numpy", "onnxruntime", "msgspec", "typing_extensions", "tree_sitter"}
MOST = 508  # modules in all, on Python 3.11


def test_only_what_a_completion_needs_is_imported_at_the_start() -> None:
    """Each further library is a decision: pygls with lsprotocol would take 0.24 of 0.64 s of processor time."""
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "import editahead.cli.main, editahead.lsp.server\n"
        "from editahead.lsp.inference.engine_startup import warm_up\n"
        "warm_up()\n"
        "print(*(set(sys.modules) - before))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=120)
    modules = ran.stdout.split()
    libraries = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"editahead"}
    assert {name for name in libraries if not name.startswith("_")} == LIBRARIES
    assert len(modules) <= MOST
