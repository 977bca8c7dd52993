"""Command-line options of the server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LOG_LEVELS = ("error", "warning", "info", "debug")


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Options of `editahead serve`.

    `device`: auto, cpu or cuda; `log_level`: in LOG_LEVELS; `log_file`: None logs to standard error. `bundles` are
    directories of a bundle, or of bundles, that take precedence over those shipped. `compat` adapts to clients
    written for GitHub's Copilot server. `record` is the file that the session is recorded to. `deterministic` makes
    answers independent of the clock and of the machine's load. `remote` is the URL of a team server, `remote_token` the
    file with its token. `http` is the loopback host and the port of an endpoint for HTTP requests instead of standard
    input, `token_file` the file with its token (None: a new token), `settings` a JSON file with its settings.
    """

    device: str = "auto"
    log_level: str = "warning"
    log_file: Path | None = None
    bundles: tuple[Path, ...] = ()
    compat: bool = False
    record: Path | None = None
    deterministic: bool = False
    remote: str | None = None
    remote_token: Path | None = None
    http: tuple[str, int] | None = None
    token_file: Path | None = None
    settings: Path | None = None
