"""Arguments, options and checks of folders that several commands take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from editahead.cli.errors import CliError

PlaceArgument = Annotated[
    str, typer.Argument(metavar="FILE:LINE:COL", help="Cursor position; line and column count from 1.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
BundleOption = Annotated[
    list[Path] | None,
    typer.Option("--bundle", metavar="DIR", help="Bundle that takes precedence over the shipped ones."),
]
DeviceOption = Annotated[str, typer.Option("--device", metavar="auto|cpu|cuda", help="Device that runs the models.")]
ProjectOption = Annotated[
    bool, typer.Option("--project", help="First read the names of the project around the file, as the server does.")
]


def precision_option(text: str) -> Any:
    """The option of a precision with this help."""
    return typer.Option("--precision", min=0.0, max=1.0, metavar="P", help=text)


PrecisionOption = Annotated[
    float | None,
    precision_option("Target precision: the share of shown suggestions that should be right; default 0.8."),
]
RemoteTokenOption = Annotated[
    Path | None,
    typer.Option("--remote-token", metavar="FILE", help="File with its token; default: EDITAHEAD_REMOTE_TOKEN."),
]


def current_folder() -> Path:
    """The current folder. Raises CliError if it was deleted."""
    try:
        return Path.cwd()
    except OSError:
        raise CliError("the current folder is gone: change to the repository") from None


def require_writable(path: Path | None) -> None:
    """Raise CliError if a file cannot be written, so that this is reported before the work and not after it."""
    if path is None:
        return
    if path.is_dir():
        raise CliError(f"cannot write {path}: is a directory")
    folder = path.parent
    if not path.exists() and not folder.is_dir():
        raise CliError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise CliError(f"cannot write {path}: permission denied")
