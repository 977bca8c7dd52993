"""`editahead serve`: its arguments and the start.

They are read by hand: a parsing library would cost a tenth of a second at every start.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editahead.cli.errors import CliError
from editahead.lsp.inference.garbage import pause_collections
from editahead.lsp.options import LOG_LEVELS, ServeOptions
from editahead.lsp.rpc.uris import expand_user

if TYPE_CHECKING:
    from editahead.lsp.inference.engine_startup import EngineStartup

DEVICES = ("auto", "cpu", "cuda")
# Clients add these by habit; they carry nothing that is needed here.
IGNORED_OPTIONS = ("--clientProcessId", "--node-ipc")


def is_server(arguments: list[str]) -> bool:
    """Whether these arguments start a server (and do not ask for help with it)."""
    if not arguments or "--help" in arguments or "-h" in arguments:
        return False
    first = arguments[0]
    names = {argument.partition("=")[0] for argument in arguments}
    return first == "serve" or (first.startswith("-") and "--stdio" in names)


def parse(arguments: list[str]) -> ServeOptions:
    """Read the arguments of `editahead [serve]`. Raises CliError for the first that is wrong."""
    values: dict[str, Any] = {}
    stdio = False
    rest = list(arguments[1:] if arguments[:1] == ["serve"] else arguments)
    while rest:
        name, _, inline = rest.pop(0).partition("=")
        if name == "--stdio":
            stdio = True
        elif name == "--copilot":
            values["compat"] = True
        elif name == "--deterministic":
            values["deterministic"] = True
        elif name in IGNORED_OPTIONS:
            continue
        elif name in _READERS:
            if not inline and not rest:
                raise CliError(f"{name} needs a value: see editahead serve --help")
            value = _READERS[name](name, inline or rest.pop(0))
            if name == "--bundle":
                values["bundles"] = (*values.get("bundles", ()), value)
            else:
                values[name[2:].replace("-", "_")] = value
        else:
            raise CliError(f"unknown argument {name!r}: see editahead serve --help")
    options = ServeOptions(**values)
    _check_streams(options, stdio=stdio)
    if options.remote is None and options.remote_token is not None:
        raise CliError("--remote-token belongs to --remote URL")
    if options.remote is not None and options.deterministic:
        raise CliError("--remote and --deterministic exclude each other: answers of a server depend on time")
    return options


def _check_streams(options: ServeOptions, *, stdio: bool) -> None:
    """Raise CliError unless the options name either standard input and output or an address, and fit it."""
    if options.http is None:
        if not stdio:
            raise CliError("the server needs --stdio, to speak on standard input and output, or --http ADDRESS:PORT")
        if options.token_file is not None or options.settings is not None:
            raise CliError("--token-file and --settings belong to --http ADDRESS:PORT")
    elif stdio or options.compat or options.deterministic or options.record or options.remote:
        raise CliError("--http excludes --stdio, --copilot, --deterministic, --record and --remote")


def _path(name: str, value: str) -> Path:
    try:
        return expand_user(value)
    except ValueError as error:
        raise CliError(f"{name}: {error}") from None


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise CliError(f"{name} {value!r} is not known: choose one of {', '.join(choices)}")
    return value


def loopback_address(name: str, value: str) -> tuple[str, int]:
    """The loopback host and the port of `HOST:PORT`; port 0 stands for any free port. Raises CliError."""
    host, _, port = value.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if host not in ("127.0.0.1", "::1", "localhost"):
        raise CliError(f"{name} {value!r} is no loopback address: write 127.0.0.1:PORT, localhost:PORT or [::1]:PORT")
    if not (port.isascii() and port.isdigit() and len(port) <= 5) or int(port) > 65_535:
        raise CliError(f"{name} {value!r} has no port from 0 to 65535: write {host}:8767, or port 0 for any free port")
    return host, int(port)


_READERS: dict[str, Callable[[str, str], object]] = {
    "--device": lambda name, value: _one_of(name, value, DEVICES),
    "--log-level": lambda name, value: _one_of(name, value.lower(), LOG_LEVELS),
    "--log-file": _path,
    "--bundle": _path,
    "--record": _path,
    "--remote": lambda name, value: value,
    "--remote-token": _path,
    "--http": loopback_address,
    "--token-file": _path,
    "--settings": _path,
}


def start(options: ServeOptions) -> int:
    """Serve until the client leaves; the exit code that LSP asks for. Raises CliError for wrong values of options."""
    for library in ("OPENBLAS", "MKL", "OMP"):  # of numpy, which would start a thread for every core of the user's
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    pause_collections()
    from editahead.runtime.memory import share_heap

    share_heap()
    if options.http is not None:
        from editahead.cli.commands.serve_http import start_endpoint

        return start_endpoint(options)
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
