"""Access tokens: the server knows their SHA-256 sums only, each with the name of its owner."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

_LINE = re.compile(r"([A-Za-z0-9_.@-]{1,64})\s+([0-9a-f]{64})")
MAX_FILE = 1 << 20  # bytes


class TokenFileError(ValueError):
    """A file of tokens that cannot be read; the text is a single line."""


def new_token() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(32)


def token_sum(token: str) -> str:
    """Return the SHA-256 sum of a token, as the file of tokens has it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def token_line(name: str, token: str) -> str:
    """Return the line of a token in the file. Raises TokenFileError for a name that cannot stand there."""
    line = f"{name} {token_sum(token)}"
    if not _LINE.fullmatch(line):
        raise TokenFileError("a name has 1 to 64 letters, digits, or _ . @ -")
    return line


def read_tokens(file: Path) -> dict[str, str]:
    """Read a file with lines `NAME SHA256`; returns names by sum. Raises TokenFileError."""
    try:
        with file.open(encoding="utf-8") as lines:
            text = lines.read(MAX_FILE + 1)
    except (OSError, UnicodeError) as error:
        raise TokenFileError(f"{file} cannot be read ({type(error).__name__})") from None
    if len(text) > MAX_FILE:
        raise TokenFileError(f"{file} is larger than {MAX_FILE} bytes")
    names: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.partition("#")[0].strip()
        if not stripped:
            continue
        match = _LINE.fullmatch(stripped)
        if match is None:
            raise TokenFileError(f"{file}:{number}: expected a name and a SHA-256 sum")
        names[match[2]] = match[1]
    return names


def owner_of(token: str, names: Mapping[str, str]) -> str | None:
    """Return the owner of a token, or None. Takes the same time for any wrong token."""
    given = token_sum(token)
    owner: str | None = None
    for token_hash, name in names.items():
        if hmac.compare_digest(token_hash, given):
            owner = name
    return owner
