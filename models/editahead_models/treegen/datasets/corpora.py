"""The data sets of the paper by name: their grammars and their splits."""

from __future__ import annotations

from pathlib import Path

from editahead.grammar.table import Grammar

from editahead_models.treegen.datasets.atis import read_atis
from editahead_models.treegen.datasets.closed_lists import close_lists, closed_grammar
from editahead_models.treegen.datasets.examples import Example
from editahead_models.treegen.datasets.hearthstone import read_cards
from editahead_models.treegen.datasets.logic import derive_forms, read_forms
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.train import TrainingData

SETS = ("hearthstone-structural", "hearthstone-closed", "hearthstone-plain", "geo", "atis")
_GEO = "geo_anonymous_lambda_{split}.txt"


def is_python(name: str) -> bool:
    """Whether the programs of a set are Python."""
    return name.startswith("hearthstone")


def read_split(name: str, folder: Path, split: str) -> TrainingData:
    """`train`, `dev` or `test` of a set; GEO has no dev. OSError when a file is missing, else ValueError."""
    if name not in SETS:
        raise ValueError(f"a set must be one of {', '.join(SETS)}, found {name!r}")
    if is_python(name):
        grammar = python_grammar()
        setting = name.partition("-")[2]
        if setting == "closed":
            return _closed_cards(folder, split, grammar)
        return TrainingData(grammar, read_cards(folder, split, setting, grammar))
    read = read_atis if name == "atis" else _read_geo
    train = read(folder, "train")
    grammar = derive_forms(example.tree for example in train)
    return TrainingData(grammar, train if split == "train" else read(folder, split))


def _closed_cards(folder: Path, split: str, grammar: Grammar) -> TrainingData:
    """Structural cards whose lists are closed. The grammar is that of training; it may lack a tree of another split."""
    train = read_cards(folder, "train", "structural", grammar)
    cards = train if split == "train" else read_cards(folder, split, "structural", grammar)
    closed = [card._replace(tree=close_lists(grammar, card.tree)) for card in cards]
    return TrainingData(closed_grammar(grammar, (card.tree for card in train)), closed)


def _read_geo(folder: Path, split: str) -> list[Example]:
    return [] if split == "dev" else read_forms(folder / _GEO.format(split=split))
