"""The server with the fake engine, as the extension starts a server: `--version` answers, `--stdio` serves."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

if "--version" in sys.argv:
    print("editahead 0.0.0")
elif "doctor" in sys.argv:
    print("everything works")
else:
    sys.argv = [sys.argv[0]]  # the fake engine serves on standard input and output of itself
    script = Path(__file__).resolve().parents[2] / "lsp" / "serve_fake.py"
    sys.path.insert(0, str(script.parent))
    runpy.run_path(str(script), run_name="__main__")
