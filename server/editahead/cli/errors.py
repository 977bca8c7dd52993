"""Exit codes, and errors with a single-line message."""

from __future__ import annotations

import sys
from enum import IntEnum


def printable(line: str) -> str:
    """A line of a file, or a path, without what a terminal would act upon; tabs become spaces."""
    return "".join(char if char.isprintable() or _is_harmless(char) else "\ufffd" for char in line.expandtabs(4))


def _is_harmless(char: str) -> bool:
    """Whether a character that counts as unprintable cannot harm: joiners, wide spaces, bytes of a file name."""
    return char in "\u200c\u200d\u00a0\u3000" or "\ud800" <= char <= "\udfff"


def counted(number: int, what: str) -> str:
    """A number with the singular or the plural of a noun."""
    return f"{number} {what}{'' if number == 1 else 's'}"


class ExitCode(IntEnum):
    """What a shell sees."""

    ANSWERED = 0
    QUIET = 1  # nothing to suggest; the reason is printed
    USAGE = 2  # a wrong argument or an unreadable input
    DAMAGED = 3  # something of the installation is missing or does not check out
    READER_LEFT = 141  # what shells report for a program that SIGPIPE ended


class CliError(Exception):
    """A failure with a single-line message: what happened, what to do."""

    def __init__(self, message: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(" ".join(message.split()))
        self.code = code


def reason_of(error: OSError) -> str:
    """Why a file cannot be read or written, in a few words."""
    return (error.strerror or type(error).__name__).lower()


def fail(error: CliError) -> int:
    """Print the error on standard error and return its exit code."""
    print(f"editahead: {printable(str(error))}", file=sys.stderr)
    return int(error.code)
