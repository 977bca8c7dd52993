"""The commands that a person types, as a typer application."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

import editahead
from editahead.cli.commands.anonymise import anonymise
from editahead.cli.commands.bench import bench
from editahead.cli.commands.check import check
from editahead.cli.commands.demo import demo
from editahead.cli.commands.doctor import doctor
from editahead.cli.commands.explain import explain
from editahead.cli.commands.memory import memory, stats
from editahead.cli.commands.serve import loopback_address, start
from editahead.cli.commands.suggestions import complete, describe, fix, ghost_text, next_edit
from editahead.cli.commands.team import team
from editahead.cli.errors import CliError, ExitCode
from editahead.cli.options import BundleOption, DeviceOption
from editahead.lsp.options import ServeOptions

app = typer.Typer(
    help="Predict the next tokens and the next edits in an editor, with small models that run locally.\n\n"
    "An editor starts it as `editahead --stdio`. To see it at work, try `editahead demo`.",
    epilog="Exit codes: 0 answered, 1 nothing to suggest, 2 wrong usage or input, 3 damaged installation; "
    "of check: 0 no place missed, 1 at least one, 2 it cannot run; of bench: 1 worse than the baseline.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


def _print_version(requested: bool) -> None:
    if requested:
        print(f"editahead {editahead.__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    stdio: Annotated[bool, typer.Option("--stdio", help="The same as serve --stdio.")] = False,
) -> None:
    """Options before the command; --debug and --stdio are acted upon before this is reached."""


def serve(
    stdio: Annotated[bool, typer.Option("--stdio", help="Serve on standard input and output.")] = False,
    device: DeviceOption = "auto",
    log_level: Annotated[
        str, typer.Option("--log-level", metavar="error|warning|info|debug", help="Lowest level that is logged.")
    ] = "warning",
    log_file: Annotated[
        Path | None, typer.Option("--log-file", metavar="FILE", help="Log file; default: standard error.")
    ] = None,
    bundle: BundleOption = None,
    copilot: Annotated[
        bool, typer.Option("--copilot", help="Emulate GitHub's Copilot server for its clients.")
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Record the session, including code, for editahead bench."),
    ] = None,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="Make answers independent of time and load, for measurements.")
    ] = False,
    remote: Annotated[
        str | None,
        typer.Option("--remote", metavar="URL", help="Send requests to a team server first; code leaves this machine."),
    ] = None,
    remote_token: Annotated[
        Path | None,
        typer.Option(
            "--remote-token", metavar="FILE", help="File with the token; default: the variable EDITAHEAD_REMOTE_TOKEN."
        ),
    ] = None,
    http: Annotated[
        str | None, typer.Option("--http", metavar="HOST:PORT", help="Answer HTTP requests at a loopback address.")
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option("--token-file", metavar="FILE", help="Token for --http; default: a new token.")
    ] = None,
    settings: Annotated[
        Path | None, typer.Option("--settings", metavar="FILE", help="Settings for --http, in JSON.")
    ] = None,
) -> None:
    """Start the language server on standard input and output, or an endpoint for HTTP requests."""
    options = ServeOptions(device, log_level, log_file, tuple(bundle or ()), copilot, record, deterministic)
    address = loopback_address("--http", http) if http is not None else None
    options = replace(options, remote=remote, remote_token=remote_token, http=address)
    options = replace(options, token_file=token_file, settings=settings)
    raise typer.Exit(start(options))


_COMMANDS = (
    serve, demo, complete, ghost_text, next_edit, fix, describe, explain, check, bench, anonymise, stats, doctor,
)  # fmt: skip
for _command in _COMMANDS:
    app.command()(_command)
app.add_typer(team, name="team")
app.add_typer(memory, name="memory")


def run_app(arguments: list[str]) -> int:
    """Run a command line; return its exit code. Raises CliError for wrong usage, BrokenPipeError without a reader."""
    command = typer.main.get_command(app)
    try:
        result = command.main(args=arguments or ["--help"], prog_name="editahead", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except SystemExit as stop:  # typer's answer to a closed pipe, with a code that means something else here
        if isinstance(stop.__context__, BrokenPipeError):
            raise BrokenPipeError from None
        raise
    except Exception as error:
        # Usage errors of click, which typer carries a copy of in some versions: recognised by their methods.
        format_message = getattr(error, "format_message", None)
        if format_message is None:
            raise
        context = getattr(error, "ctx", None)
        name = next((argument for argument in arguments if argument in getattr(command, "commands", {})), "")
        where = context.command_path if context is not None else f"editahead {name}".rstrip()
        raise CliError(f"{str(format_message()).rstrip('.')} (see {where} --help)", ExitCode.USAGE) from None
    return result if isinstance(result, int) else ExitCode.ANSWERED
