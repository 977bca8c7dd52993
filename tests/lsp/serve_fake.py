"""The server with the fake engine: over stdio, with the arguments of `editahead serve`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from editahead.cli.serve_arguments import parse
from editahead.lsp.server import serve_stdio, serve_tcp
from fake_engine import FakeEngine, loader

if __name__ == "__main__":
    arguments = parse(["serve", *(sys.argv[1:] if "--tcp" in sys.argv else ["--stdio", *sys.argv[1:]])])
    if arguments.port is None:
        sys.exit(serve_stdio(arguments.options, loader(FakeEngine())))
    sys.exit(serve_tcp(arguments.port, arguments.options, loader(FakeEngine())))
