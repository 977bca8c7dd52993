"""The command `editahead`. A server is started straight from here, since an editor waits for it."""

from __future__ import annotations

import sys

from editahead.cli.errors import CliError, ExitCode, fail
from editahead.cli.printing import standard_output


def main() -> None:
    """The console script; exits with an ExitCode."""
    arguments = sys.argv[1:]
    debug = "--debug" in arguments
    try:
        code = int(run([a for a in arguments if a != "--debug"]))
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a failure can still be reported
        raise SystemExit(code)
    except CliError as error:
        if debug:
            raise
        raise SystemExit(fail(error)) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:  # the reader of our output has ended, as `head` does
        standard_output.drop()
        raise SystemExit(ExitCode.READER_LEFT) from None
    except ImportError as error:
        if debug:
            raise
        reason = str(error).splitlines()[0]
        again = "in editahead's repository, pip install --force-reinstall ."
        message = f"this installation is damaged: {reason}; {again}"
        raise SystemExit(fail(CliError(message, ExitCode.DAMAGED))) from None
    except Exception as error:
        if debug:
            raise
        if isinstance(error, OSError) and error.errno in standard_output.FULL:
            standard_output.drop()
            message = f"cannot write: {(error.strerror or 'disk full').lower()}; free some space or write elsewhere"
            raise SystemExit(fail(CliError(message))) from None
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        message = f"unexpected {reason} (run again with --debug to see where)"
        raise SystemExit(fail(CliError(message, ExitCode.DAMAGED))) from None


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code. Raises CliError."""
    from editahead.cli.commands.serve import is_server, parse

    if is_server(arguments):
        from editahead.cli.commands.serve import start

        return start(parse(arguments))
    from editahead.cli.app import run_app

    standard_output.prepare()
    return run_app(arguments)


if __name__ == "__main__":
    main()
