"""`editahead-models report`: the numbers of one bundle, as its card shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from editahead.runtime.bundle import load_bundle
from editahead.runtime.card import card_text
from rich.console import Console
from rich.markdown import Markdown


def main(bundle: Annotated[Path, typer.Argument(help="A bundle directory.")]) -> None:
    """Print a bundle's card, written anew from its manifest."""
    Console().print(Markdown(card_text(load_bundle(bundle).manifest)))
