"""Arguments and options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
PrecisionOption = Annotated[
    float | None,
    typer.Option(
        "--precision",
        min=0.0,
        max=1.0,
        metavar="P",
        help="Target precision: the share of shown suggestions that should be right; default 0.8.",
    ),
]
RemoteTokenOption = Annotated[
    Path | None,
    typer.Option("--remote-token", metavar="FILE", help="File with its token; default: EDITAHEAD_REMOTE_TOKEN."),
]
