"""Logging: to standard error or a file, one line an event, and never the user's code."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping

from editahead.lsp.options import ServeOptions

log = logging.getLogger("editahead.lsp")


def one_line(error: BaseException, limit: int = 300) -> str:
    """An error in one line: its kind and the first line of its text."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:limit]}" if lines else type(error).__name__


class _OneLine(logging.Formatter):
    """Exceptions as one line; the whole traceback only at level debug."""

    def __init__(self, traceback: bool) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._traceback = traceback

    def formatException(self, ei: object) -> str:  # noqa: N802 (the name that logging asks for)
        return super().formatException(ei) if self._traceback else ""  # type: ignore[arg-type]

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        return text if self._traceback else " | ".join(part for part in text.splitlines() if part.strip())


def configure_logging(options: ServeOptions) -> None:
    """Send the log where the options say. pygls logs what it sends at INFO: that is the user's code."""
    handler: logging.Handler
    if options.log_file is None:
        handler = logging.StreamHandler(sys.stderr)
    else:
        try:
            options.log_file.parent.mkdir(parents=True, exist_ok=True)
            handler = logging.FileHandler(options.log_file, encoding="utf-8")
        except OSError as error:
            print(f"editahead: cannot write the log {options.log_file}: {error.strerror}", file=sys.stderr)
            handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine(traceback=options.log_level == "debug"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(options.log_level.upper())
    for name in ("asyncio", "pygls", "pygls.protocol.json_rpc"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


def describe(data: Mapping[str, object]) -> str:
    """A message for the log: its method and id, never its parameters."""
    return f"{data.get('method', 'response')} (id {data.get('id', '-')})"
