"""The command `editahead`. A server is started straight from here, since an editor waits for it."""

from __future__ import annotations

import sys

from editahead.cli.errors import CliError, ExitCode, fail


def main() -> None:
    """The console script; exits with an ExitCode."""
    arguments = sys.argv[1:]
    debug = "--debug" in arguments
    try:
        raise SystemExit(int(run([a for a in arguments if a != "--debug"])))
    except CliError as error:
        if debug:
            raise
        raise SystemExit(fail(error)) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:  # the reader of our output left, as `head` does
        sys.stderr.close()
        raise SystemExit(0) from None
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
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        message = f"unexpected {reason} (run again with --debug to see where)"
        raise SystemExit(fail(CliError(message, ExitCode.DAMAGED))) from None


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code. Raises CliError for a person to read."""
    from editahead.cli.serve_arguments import is_server, parse

    if is_server(arguments):
        from editahead.cli.commands.serve import start

        return start(parse(arguments))
    from editahead.cli.app import run_app

    return run_app(arguments)


if __name__ == "__main__":
    main()
