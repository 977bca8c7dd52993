"""`editahead-models evaluate treegen`: search over a split, and the figures of what was found, as JSON."""

from __future__ import annotations

import ast
import json
import os
import platform
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.encode.tree_generation.steps import MAX_STEPS, Vocabulary
from editahead.grammar.python_build import build
from editahead.grammar.tree import Node

from editahead_models.commit import short_head
from editahead_models.run_folder import RunFolder
from editahead_models.treegen.datasets.closed_lists import open_lists
from editahead_models.treegen.datasets.corpora import SETS, is_python, read_split
from editahead_models.treegen.datasets.examples import Example
from editahead_models.treegen.datasets.logic import form_of, ordered
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.metrics import bleu, renamed_equal, sentence_bleu, string_equal
from editahead_models.treegen.network.batches import expressible
from editahead_models.treegen.network.config import WIDTH
from editahead_models.treegen.network.model import TreeGen
from editahead_models.treegen.network.search import TreeSearchOptions, search_ensemble
from editahead_models.treegen.train import load_run
from editahead_models.wilson_interval import wilson

TOGETHER = 33  # descriptions whose hypotheses are computed together


def main(
    run: Annotated[Path, typer.Argument(help="The folder of a trained run.")],
    data: Annotated[Path, typer.Option(help="The folder of the data set.")],
    out: Annotated[Path, typer.Option(help="A JSON file; the figures are added to what it holds.")],
    name: Annotated[str, typer.Option("--set", help=f"One of {', '.join(SETS)}.")] = "hearthstone-structural",
    split: str = "test",
    row: Annotated[int, typer.Option(help="Row of the ablation table that the run trained.")] = 1,
    beam: int = 5,
    budget: Annotated[int, typer.Option(help="The most steps of a program.")] = MAX_STEPS,
    most: Annotated[int, typer.Option(help="Only so many examples, 0 for all.")] = 0,
    beside: Annotated[
        list[Path] | None, typer.Option(help="Runs of other seeds: the programs of all together are measured.")
    ] = None,
    shorter: Annotated[
        bool, typer.Option(help="Keep the figures beside those of a run of more epochs, under the number of epochs.")
    ] = False,
) -> None:
    """Write programs for a split and measure them: exact, renamed, BLEU, ceiling; training pairs left out too."""
    try:
        model, vocabulary, config = load_run(run)
        models = [model, *others(beside or (), vocabulary)]
        examples = read_split(name, data, split).examples
        train = read_split(name, data, "train").examples
    except (OSError, ValueError, KeyError) as error:
        typer.echo(f"{type(error).__name__}: {error}", err=True)
        raise typer.Exit(2) from None
    examples = examples[:most] if most else examples
    seen = {(e.description.words, e.source) for e in train}
    began = time.process_time()
    predictions = predict(models, vocabulary, examples, TreeSearchOptions(beam, budget=budget), is_python(name))
    seconds = time.process_time() - began
    figures = measure(vocabulary, examples, predictions, is_python(name))
    fresh = [i for i, e in enumerate(examples) if (e.description.words, e.source) not in seen]
    chosen = measure(vocabulary, [examples[i] for i in fresh], [predictions[i] for i in fresh], is_python(name))
    log = RunFolder(run).log()
    best = [line["epoch"] for line in log if line["best"]][-1]
    entry = {
        "set": name, "split": split, "row": row, "model": config["model"], "recipe": config["recipe"],
        "data": config["data"], "train examples": config["examples"], "epochs": log[-1]["epoch"], "best epoch": best,
        "seconds an epoch": round(60 * log[-1]["minutes"] / log[-1]["epoch"], 1),
        "parameters": sum(p.numel() for one in models for p in one.parameters()), "beam": beam,
        "models": len(models), "commit": short_head(Path(__file__).parents[1]) or "",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "search seconds": round(seconds, 1), "figures": figures, "without training pairs": chosen,
    }  # fmt: skip
    held = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
    seed, width = int(config["recipe"]["seed"]), int(config["model"]["width"])
    epochs = entry["epochs"] if shorter else None
    held[key_of(name, split, row, seed, width, len(models), epochs)] = entry
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(dict(sorted(held.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps({"figures": figures, "without training pairs": chosen}, indent=1))


def key_of(
    name: str, split: str, row: int, seed: int, width: int = WIDTH, models: int = 1, epochs: int | None = None
) -> str:
    """Under which name a run's figures are kept; the first seed, the recipe's width and a single model have none.

    `epochs` only of a run that stands beside one of the same model with more of them.
    """
    parts = [f"{name}/{split}/{row}"]
    parts += [f"width {width}"] if width != WIDTH else []
    parts += [f"ensemble of {models}"] if models > 1 else [f"seed {seed}"] if seed != 1 else []
    parts += [] if epochs is None else [f"{epochs} epochs"]
    return "/".join(parts)


def others(runs: Sequence[Path], vocabulary: Vocabulary) -> list[TreeGen]:
    """The models of further runs. ValueError where one has another vocabulary: it learnt from other programs."""
    found = [load_run(run) for run in runs]
    for run, (_, theirs, _) in zip(runs, found, strict=True):
        if theirs.to_json() != vocabulary.to_json():
            raise ValueError(f"{run} has another vocabulary than the first run")
    return [model for model, _, _ in found]


def predict(
    models: Sequence[TreeGen],
    vocabulary: Vocabulary,
    examples: Sequence[Example],
    how: TreeSearchOptions,
    python: bool,
) -> list[list[str]]:
    """The programs found for each example, best first."""
    rows = []
    for at in range(0, len(examples), TOGETHER):
        descriptions = [example.description for example in examples[at : at + TOGETHER]]
        for found in search_ensemble(models, vocabulary, descriptions, how):
            rows.append([printed(one.tree, python) for one in found])
    return rows


def printed(tree: Node, python: bool) -> str:
    """The text of a tree."""
    return ast.unparse(build(python_grammar(), open_lists(tree))) if python else form_of(tree)


def measure(
    vocabulary: Vocabulary, examples: Sequence[Example], predictions: Sequence[Sequence[str]], python: bool
) -> dict[str, Any]:
    """Figures of predictions, in percent where they are shares."""
    count = len(examples)
    if not count:
        return {"examples": 0}
    best = [row[0] if row else "" for row in predictions]
    equal = string_equal if python else same_form
    right = [equal(text, e.source) for text, e in zip(best, examples, strict=True)]
    any_right = [any(equal(t, e.source) for t in row) for row, e in zip(predictions, examples, strict=True)]
    low, high = wilson(sum(right), count)
    figures: dict[str, Any] = {
        "examples": count, "right": sum(right), "accuracy": _percent(sum(right), count),
        "interval": [round(100 * low, 1), round(100 * high, 1)], "among all beams": _percent(sum(any_right), count),
        "ceiling": _percent(sum(expressible(vocabulary, e) for e in examples), count),
        "nothing found": sum(not row for row in predictions),
    }  # fmt: skip
    if python:
        renamed = [renamed_equal(t, e.source) for t, e in zip(best, examples, strict=True)]
        pairs = list(zip(best, (ast.unparse(ast.parse(e.source)) for e in examples), strict=True))
        figures |= {
            "renamed": _percent(sum(a or b for a, b in zip(right, renamed, strict=True)), count),
            "bleu": round(100 * sentence_bleu(pairs), 1), "corpus bleu": round(100 * bleu(pairs), 1),
            "parse": _percent(sum(_parses(text) for text in best), count),
        }  # fmt: skip
    return figures


def same_form(predicted: str, gold: str) -> bool:
    """Whether two logical forms are one, the order inside `and` and `or` left aside."""
    return ordered(predicted) == ordered(gold)


def _parses(text: str) -> bool:
    try:
        return bool(ast.parse(text).body)
    except SyntaxError:
        return False


def _percent(right: int, count: int) -> float:
    return round(100 * right / count, 1)
