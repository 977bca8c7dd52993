"""The engine inside this process, for commands with a single request."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from editahead.cli.errors import CliError
from editahead.cli.serve_arguments import DEVICES

if TYPE_CHECKING:
    from editahead.suggest.engine import Engine


def require_options(bundles: Sequence[Path], device: str) -> None:
    """Raise CliError for an unknown device or a bundle that is no directory."""
    if device not in DEVICES:
        raise CliError(f"--device {device!r} is not known: choose one of {', '.join(DEVICES)}")
    for path in bundles:
        if not path.is_dir():
            raise CliError(f"--bundle {path} is no directory")


def load_engine(bundles: Sequence[Path], device: str) -> Engine:
    """The engine with the given bundles before the shipped ones. Raises CliError for wrong options."""
    from editahead.runtime.bundle import find_bundles
    from editahead.suggest.engine import Engine

    require_options(bundles, device)
    return Engine.load(find_bundles(bundles), device, lambda message, share: None)


def warn(engine: Engine) -> None:
    """Print on standard error what the engine could not load; models are opened at the first request."""
    report = engine.report()
    if report.selection.requested == "cuda" and report.selection.used == "CPUExecutionProvider":
        print(f"editahead: {report.selection.reason}", file=sys.stderr)
    for failure in report.failures:
        print(f"editahead: left out {failure}", file=sys.stderr)
