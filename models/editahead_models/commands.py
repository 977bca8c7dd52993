"""The verbs of `editahead-models`: one line of help each, and where the implementation lives.

An implementation is a function with typer annotations. It is imported only when its verb is called, so that
`--help` and `list` need neither torch nor onnx.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Verb(NamedTuple):
    """`target` is `module:function` inside this package."""

    help: str
    target: str


VERBS: dict[str, Verb] = {
    "prepare": Verb("Tokenise and encode source files into training arrays.", "data.prepare:main"),
    "mine": Verb("Mine token edits from the history of git repositories.", "data.mine:main"),
    "train": Verb("Train one recipe; stops and resumes where it was.", "train.command:main"),
    "evaluate": Verb("Measure a trained model on its held-out split.", "evaluate.command:main"),
    "calibrate": Verb("Fit calibration and thresholds on the dev projects.", "evaluate.calibrate:main"),
    "export": Verb("Write a trained model as a bundle that the server loads.", "export.command:main"),
    "report": Verb("Print the numbers of one bundle or run, as its card shows them.", "evaluate.report:main"),
    "list": Verb("List recipes, runs and bundles.", "listing:main"),
}


def implementation(verb: str) -> Callable[..., Any]:
    """The function behind a verb. KeyError for an unknown verb, ImportError if a library is missing."""
    module, function = VERBS[verb].target.split(":")
    return getattr(import_module(f"{__package__}.{module}"), function)  # type: ignore[no-any-return]
