"""The command `editahead`. A server is started straight from here, since an editor waits for it."""

from __future__ import annotations

import codecs
import errno
import os
import sys

from editahead.cli.errors import CliError, ExitCode, fail

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_HANDLER = "editahead.ascii"
_RAISING = ("strict", "surrogateescape")  # error handlers that fail where the encoding lacks a character
_ASCII = {"│": "|", "…": "~", "↵": "<", "→": ">", "–": "-", **dict.fromkeys("█▉▊▋▌", "#"), **dict.fromkeys("▍▎▏", ".")}


def prepare_output() -> None:
    """Let standard output take any text: what its encoding lacks becomes ASCII; output is dropped if it is closed."""
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (for the rest of the process)
    codecs.register_error(_HANDLER, _to_ascii)
    if getattr(sys.stdout, "errors", None) in _RAISING and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors=_HANDLER)


def drop_output() -> None:
    """Drop what is still to be written, so that the end of the process does not fail again."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):
        return


def _to_ascii(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding lacks, each character of our tables by another of the same width."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_ASCII.get(char) or char.encode("ascii", "backslashreplace").decode() for char in text), error.end


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
        drop_output()
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
        if isinstance(error, OSError) and error.errno in FULL:
            drop_output()
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

    prepare_output()
    return run_app(arguments)


if __name__ == "__main__":
    main()
