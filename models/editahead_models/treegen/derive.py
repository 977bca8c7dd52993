"""`editahead-models prepare grammar`: that of the running Python as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from editahead.grammar.table import to_json

from editahead_models.treegen.grammar.python_rules import derive
from editahead_models.treegen.grammar.python_table import TABLE


def main(
    out: Annotated[Path, typer.Option(help="Where the table goes.")] = TABLE,
) -> None:
    """Derive the rules of Python from the signatures of its `ast` classes and write them as a table."""
    grammar = derive()
    out.write_text(to_json(grammar), encoding="utf-8")
    print(f"{out}: {len(grammar.rules)} rules, {len(grammar.tags)} states, Python {grammar.version}")
