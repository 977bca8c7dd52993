"""`editahead-models prepare grammar`: that of the running Python as a table; what it makes of a folder of programs."""

from __future__ import annotations

import ast
import json
import random
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from editahead.grammar.python_build import emit, is_equal_tree
from editahead.grammar.table import Grammar, to_json
from editahead.grammar.tree import GrammarError, Node

from editahead_models.treegen.grammar.python_ast import PythonTrees
from editahead_models.treegen.grammar.python_rules import derive
from editahead_models.treegen.grammar.python_table import TABLE, python_grammar, source_of
from editahead_models.treegen.grammar.sample import random_tree
from editahead_models.treegen.grammar.write import write


def main(
    out: Annotated[Path, typer.Option(help="Where the table goes.")] = TABLE,
) -> None:
    """Derive the rules of Python from the signatures of its `ast` classes and write them as a table."""
    grammar = derive()
    out.write_text(to_json(grammar), encoding="utf-8")
    print(f"{out}: {len(grammar.rules)} rules, {len(grammar.tags)} states, Python {grammar.version}")


def evaluate(
    folder: Annotated[Path, typer.Argument(help="The .py files below it, but for site-packages.")],
    random_programs: Annotated[int, typer.Option(help="Programs made by chance as well.")] = 1000,
    seed: int = 1,
    every: Annotated[int, typer.Option(help="Only every so many-th file.")] = 1,
    out: Annotated[Path | None, typer.Option(help="A JSON file for the counts.")] = None,
) -> None:
    """Turn the files of a folder into rules and back, and make programs by chance: how many come back the same."""
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20_000)
    grammar = python_grammar()
    counts = Counter({"files": 0, "same": 0, "different": 0, "not in the grammar": 0, "not Python": 0})
    files = [path for path in sorted(folder.rglob("*.py")) if "site-packages" not in path.relative_to(folder).parts]
    for path in files[::every]:
        outcome = round_trip(grammar, path, counts)
        counts.update(["files", outcome])
        if outcome not in ("same", "not Python"):
            print(f"{path}: {outcome}", file=sys.stderr)
    rng = random.Random(seed)
    made = Counter(_parses(grammar, rng) for _ in range(random_programs))
    report = {
        "python": grammar.version, "rules": len(grammar.rules), "every": every, "round trip": dict(counts),
        "random programs": {"made": random_programs, "come back": made[True]},
    }  # fmt: skip
    text = json.dumps(report, indent=1)
    print(text)
    if out is not None:
        out.write_text(text + "\n", encoding="utf-8")


def round_trip(grammar: Grammar, path: Path, counts: Counter[str]) -> str:
    """What becomes of a file: `is_equal_tree`, `different`, `not in the grammar` or `not Python`; steps are counted."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, OSError):
        return "not Python"
    try:
        steps = write(grammar, PythonTrees(grammar).shape(tree))
        counts.update(steps=len(steps))
        return "same" if is_equal_tree(ast.parse(source_of(grammar, steps)), tree) else "different"
    except (GrammarError, SyntaxError):
        return "not in the grammar"


def _parses(grammar: Grammar, rng: random.Random) -> bool:
    body = random_tree(grammar, rng, rng.choice([30, 100, 300])).children[0]
    return emit(grammar, [node for node in body if isinstance(node, Node)]) is not None
