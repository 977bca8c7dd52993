"""Whose version a number is: that of the project, or of what a name or a requirement before it says."""

from __future__ import annotations

import re

LONGEST = 80
"""Bytes before a version that are looked at."""
_NAMED = re.compile(
    rb"""(?<![\w.\]\[/@-])(?:
    (?P<required>[\w.\]\[-]+)["']?\s*(?:[=<>~!]=+|~>|[<>^~@])\s*               # library>=1.2.3
    | (?P<key>[\w./@-]+)["']?\s*(?::+|=>)\s*["']?(?:[=<>~!]=+|~>|[<>^~])?\s*  # "library": "^1.2.3"
    | (?P<joined>[\w.]+(?:-[\w.]+)*)[=-]                                      # library-1.2.3
    | (?P<word>[a-z][\w.-]*)[ \t]+                                            # library 1.2.3, since 1.2.3
    )v?\Z""",
    re.VERBOSE,
)
_SIGN = re.compile(rb"[<>^~!]=*\s*v?\Z|==\s*v?\Z")
_OWN = re.compile(rb"version|release", re.IGNORECASE)
_OF_THE_PAST = re.compile(rb"added|changed|deprecated|removed", re.IGNORECASE)  # `versionadded:: 1.2.3`


def version_owner(data: bytes, at: int) -> bytes | None:
    """What is of the version at a byte: empty for the project, else a name; None for a requirement without one."""
    before = data[max(data.rfind(b"\n", 0, at) + 1, at - LONGEST) : at]
    found = _NAMED.search(before)
    if found is None:
        return None if _SIGN.search(before) else b""
    name = found[found.lastgroup or 0]
    return b"" if _OWN.search(name) and not _OF_THE_PAST.search(name) else name
