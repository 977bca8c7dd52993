"""Standard output as commands find it: encodings that lack our characters, readers that leave, full disks."""

from __future__ import annotations

import codecs
import errno
import os
import sys

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_HANDLER = "editahead.ascii"
_RAISING = ("strict", "surrogateescape")  # error handlers that fail where the encoding lacks a character
_ASCII = {"│": "|", "…": "~", "↵": "<", "→": ">", "–": "-", **dict.fromkeys("█▉▊▋▌", "#"), **dict.fromkeys("▍▎▏", ".")}


def prepare() -> None:
    """Let standard output take any text: what its encoding lacks becomes ASCII; output is dropped if it is closed."""
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (for the rest of the process)
    codecs.register_error(_HANDLER, _to_ascii)
    if getattr(sys.stdout, "errors", None) in _RAISING and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors=_HANDLER)


def drop() -> None:
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
