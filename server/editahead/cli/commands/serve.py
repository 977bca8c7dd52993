"""`editahead serve`: hand over to the language server."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from editahead.cli.errors import CliError
from editahead.lsp.inference.garbage import pause_collections
from editahead.lsp.options import ServeOptions

if TYPE_CHECKING:
    from editahead.lsp.inference.engine_startup import EngineStartup


def start(options: ServeOptions) -> int:
    """Serve until the client leaves; the exit code that LSP asks for. Raises CliError for a wrong team server."""
    for library in ("OPENBLAS", "MKL", "OMP"):  # of numpy, which would start a thread for every core of the user's
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    pause_collections()
    from editahead.lsp.server import serve_stdio

    return serve_stdio(options, _with_team_server(options))


def _with_team_server(options: ServeOptions) -> EngineStartup | None:
    """How the engine is loaded if a team server is used; None otherwise. Raises CliError."""
    if options.remote is None:
        return None
    from editahead.lsp.inference.engine_startup import EngineStartup, load_limited, warm_up
    from editahead.team.remote.target import TargetError, remote_target

    try:
        target = remote_target(options.remote, options.remote_token)
    except TargetError as error:
        raise CliError(str(error)) from None
    from editahead.team.remote.startup import RemoteStartup

    return EngineStartup(warm_up, RemoteStartup(target, load_limited).load)
