"""`editahead serve`: hand over to the language server."""

from __future__ import annotations

import os

from editahead.cli.serve_arguments import ServeArguments


def start(arguments: ServeArguments) -> int:
    """Serve until the client leaves; the exit code that LSP asks for."""
    for library in ("OPENBLAS", "MKL", "OMP"):  # of numpy, which would start a thread for every core of the user's
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    from editahead.lsp.server import serve_stdio, serve_tcp

    if arguments.port is None:
        return serve_stdio(arguments.options)
    return serve_tcp(arguments.port, arguments.options)
