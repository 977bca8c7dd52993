"""`editahead serve`: hand over to the language server."""

from __future__ import annotations

from editahead.cli.serve_arguments import ServeArguments


def start(arguments: ServeArguments) -> int:
    """Serve until the client leaves; the exit code that LSP asks for."""
    from editahead.lsp.server import serve_stdio, serve_tcp

    if arguments.port is None:
        return serve_stdio(arguments.options)
    return serve_tcp(arguments.port, arguments.options)
