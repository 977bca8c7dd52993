"""Where the team server is, and with which token: read from the command line, a file or the environment."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from editahead.team.wire.messages import PATH

TOKEN_VARIABLE = "EDITAHEAD_REMOTE_TOKEN"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,200}")


class TargetError(ValueError):
    """A URL or a token that cannot be used; the text is a single line and never holds the token."""


@dataclass(frozen=True, slots=True)
class RemoteTarget:
    """A team server. `path` is that of its WebSocket."""

    host: str
    port: int
    path: str
    tls: bool
    token: str

    def __repr__(self) -> str:
        return f"RemoteTarget({self.address})"

    @property
    def address(self) -> str:
        """Host and port, as messages name the server."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def remote_target(url: str, token_file: Path | None, environment: Mapping[str, str] = os.environ) -> RemoteTarget:
    """Read a URL such as wss://team.example.com, and the token. Raises TargetError.

    Without TLS, only a server on this machine is spoken to: code would cross the network in clear text.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise TargetError(f"--remote {url!r} is no URL: give one such as wss://team.example.com") from None
    if parts.scheme not in ("ws", "wss") or not parts.hostname:
        raise TargetError(f"--remote {url!r} is no URL of a team server: give one such as wss://team.example.com")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise TargetError("--remote takes host, port and path alone: the token comes from a file or the environment")
    try:
        host = parts.hostname.encode("idna").decode("ascii")
    except UnicodeError:
        raise TargetError(f"--remote {url!r} has no name of a host: give one such as wss://team.example.com") from None
    tls = parts.scheme == "wss"
    if not tls and not _is_loopback(host):
        raise TargetError(
            f"--remote {url!r} would send code in clear text: use wss:// (ws:// is for this machine only)"
        )
    path = f"{parts.path.rstrip('/')}{PATH}"
    if not re.fullmatch(r"[\w/.~%-]+", path, re.ASCII):
        raise TargetError("--remote has a path that cannot be sent")
    return RemoteTarget(host, port or (443 if tls else 80), path, tls, _token(token_file, environment))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _token(file: Path | None, environment: Mapping[str, str]) -> str:
    if file is not None:
        try:
            with file.open(encoding="ascii") as lines:
                token = lines.read(1000).strip()
        except (OSError, UnicodeError) as error:
            raise TargetError(f"--remote-token {file} cannot be read ({type(error).__name__})") from None
    else:
        token = environment.get(TOKEN_VARIABLE, "").strip()
        if not token:
            raise TargetError(f"--remote needs a token: give --remote-token FILE, or set {TOKEN_VARIABLE}")
    if not _TOKEN.fullmatch(token):
        raise TargetError("the token is not one of `editahead team token`: 16 to 200 letters, digits, - or _")
    return token
