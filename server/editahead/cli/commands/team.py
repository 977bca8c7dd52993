"""`editahead team`: a shared server for many laptops, on Ray Serve."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Annotated

import typer

from editahead.cli.errors import CliError, ExitCode
from editahead.cli.options import BundleOption, DeviceOption
from editahead.cli.question.asking import require_options

team = typer.Typer(
    help="Run one server with the models for many laptops, on Ray Serve (pip install '.[team]').", add_completion=False
)
AddressOption = Annotated[
    str | None,
    typer.Option("--address", metavar="HOST:PORT", help="Ray cluster; default: one of this machine, until Ctrl-C."),
]


@team.command()
def serve(
    address: AddressOption = None,
    tokens: Annotated[
        Path | None,
        typer.Option("--tokens", metavar="FILE", help="Lines of `editahead team token`; default: one new token."),
    ] = None,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address that is listened on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", min=1, max=65535, help="Port.")] = 8765,
    replicas: Annotated[int, typer.Option("--replicas", min=1, help="Processes with an engine each.")] = 1,
    clients: Annotated[int, typer.Option("--clients", min=1, help="Connections of a replica at a time.")] = 100,
    connections: Annotated[
        int, typer.Option("--connections", min=1, help="Connections of one token to a replica at a time.")
    ] = 8,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
) -> None:
    """Serve many laptops; with the address of a cluster that serves already, replace its models and tokens.

    Requests that run are answered by the models so far, and no connection is closed.
    """
    from editahead.team.cluster.deployment import TeamOptions, deploy, shut_down
    from editahead.team.cluster.replica import TeamError
    from editahead.team.cluster.tokens import TokenFileError, new_token, read_tokens, token_sum

    require_options(bundle or (), device)
    printed = ""
    try:
        if tokens is None:
            printed = new_token()
            names_by_sum = {token_sum(printed): "first"}
        else:
            names_by_sum = read_tokens(tokens)
        url = deploy(
            TeamOptions(
                tokens=names_by_sum,
                bundles=tuple(path.resolve() for path in bundle or ()),
                device=device,
                replicas=replicas,
                clients=clients,
                connections=connections,
                address=address,
                host=host,
                port=port,
            )
        )
    except TokenFileError as error:
        raise CliError(f"--tokens: {error}") from None
    except TeamError as error:
        raise CliError(str(error), ExitCode.DAMAGED) from None
    print(f"editahead: the team server answers at {url}", flush=True)
    if printed:
        print(f"editahead: EDITAHEAD_REMOTE_TOKEN must be {printed}", flush=True)
    if address is None:
        _wait_for_the_end()
        shut_down()


@team.command()
def stop(address: Annotated[str, typer.Option("--address", metavar="HOST:PORT", help="Ray cluster.")]) -> None:
    """Take the team server off a Ray cluster. Laptops go on with their own models."""
    from editahead.team.cluster.deployment import remove
    from editahead.team.cluster.replica import TeamError

    try:
        remove(address)
    except TeamError as error:
        raise CliError(str(error), ExitCode.DAMAGED) from None


@team.command()
def token(name: Annotated[str, typer.Argument(metavar="NAME", help="Who gets the token.")]) -> None:
    """Print a new token, and the line for the file of tokens, which holds only its SHA-256 sum."""
    from editahead.team.cluster.tokens import TokenFileError, new_token, token_line

    secret = new_token()
    try:
        line = token_line(name, secret)
    except TokenFileError as error:
        raise CliError(str(error)) from None
    print(f"token for {name}: {secret}")
    print(f"line for --tokens: {line}")


def _wait_for_the_end() -> None:
    """Wait for Ctrl-C or the end of the process."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    while not ended.wait(1.0):  # in parts: on Windows, a wait without end takes no signal
        pass
