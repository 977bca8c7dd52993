"""The server with the fake engine: over stdio, with the arguments of `editahead serve`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from editahead.cli.commands.serve import parse
from editahead.lsp.server import serve_stdio
from fake_engine import FakeEngine, loader

if __name__ == "__main__":
    sys.exit(serve_stdio(parse(["serve", "--stdio", *sys.argv[1:]]), loader(FakeEngine())))
