"""Options of the command line of the server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LOG_LEVELS = ("error", "warning", "info", "debug")


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Options of `editahead serve`.

    `device`: auto, cpu or cuda; `log_level`: one of LOG_LEVELS; `log_file`: None logs to standard error. `bundles` are
    directories of a bundle, or of bundles, that go before the shipped ones. `compat` behaves as clients written for
    GitHub's Copilot server expect. `record` is a file that the session is recorded to. `deterministic` lets no clock
    and no load of the machine change an answer.
    """

    device: str = "auto"
    log_level: str = "warning"
    log_file: Path | None = None
    bundles: tuple[Path, ...] = ()
    compat: bool = False
    record: Path | None = None
    deterministic: bool = False
