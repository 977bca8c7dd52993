"""Hearthstone cards and the Python classes behind them (Ling et al., ACL 2016), as descriptions and syntax trees.

There are three copies: of a word; of a span of words as one string; of a span as a name in CamelCase.
`structural`: the values of a card's fields are words of their own, each field closed by its marker; a copy of a marker
stands for the whole field. `plain`: the card is one flat row of words; a copy of one of its first words stands for all
words up to it, as where the name ends is not told.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from editahead.encode.tree_generation.steps import Description
from editahead.grammar.table import Grammar

from editahead_models.treegen.datasets.examples import Example
from editahead_models.treegen.datasets.logic import read_lines
from editahead_models.treegen.grammar.python_ast import PythonTrees

SETTINGS = ("structural", "plain")
FIELDS = ("NAME", "ATK", "DEF", "COST", "DUR", "TYPE", "PLAYER_CLS", "RACE", "RARITY")
_CONSTANTS = ("PLAYER_CLS", "RACE", "RARITY")  # written as constants of an enumeration
_WORD = re.compile(r"</?\w>|\d+|[^\W\d]+|[^\w\s]")
_SPANS = 10  # words that a name may have
_NEWLINE, _CONTINUED = "\u00a7", "\\ "


def read_cards(folder: Path, split: str, setting: str, grammar: Grammar) -> list[Example]:
    """The cards of `train`, `dev` or `test`. OSError when a file is missing, ValueError for what is no card."""
    trees = PythonTrees(grammar)
    cards = read_lines(folder / f"{split}_hs.in")
    programs = read_lines(folder / f"{split}_hs.out")
    found = []
    for card, program in zip(cards, programs, strict=True):
        source = program.replace(_NEWLINE, "\n").replace(_CONTINUED, "")
        found.append(Example(describe(card, setting), trees.shape(ast.parse(source)), source))
    return found


def describe(card: str, setting: str) -> Description:
    """The words of a card, and what a copy of each gives. ValueError when a field is missing."""
    if setting not in SETTINGS:
        raise ValueError(f"setting must be one of {', '.join(SETTINGS)}, found {setting!r}")
    pieces = re.split(rf" ({'|'.join(FIELDS)})_END ?", card)
    if tuple(pieces[1::2]) != FIELDS:
        raise ValueError(f"not a card: {card[:60]!r}")
    values, text = dict(zip(pieces[1::2], pieces[0::2], strict=False)), pieces[-1]
    rows = list(_structural(values) if setting == "structural" else _plain(values))
    rows += [(word.lower(), word_copies(word.lower())) for word in _WORD.findall(text)]
    return Description(tuple(word for word, _ in rows), tuple(copies for _, copies in rows))


def _structural(values: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    for field, value in values.items():
        if field == "NAME":
            yield from ((word.lower(), word_copies(word)) for word in _WORD.findall(value))
            yield "NAME_END", {"str": value, "name": camel_case(value)}
            continue
        value = value.upper() if field in _CONSTANTS else value
        yield value, word_copies(value)
        yield f"{field}_END", {"name": f"{value}Card"} if field == "TYPE" else {}


def _plain(values: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    flat = " ".join(values.values())
    for number, found in enumerate(_WORD.finditer(flat)):
        copies = word_copies(found.group())
        if number < _SPANS:
            span = flat[: found.end()]
            name = camel_case(span)
            copies |= {"str": span, **({"name": name} if name.isidentifier() else {})}
        yield found.group().lower(), copies


def word_copies(word: str) -> dict[str, str]:
    """What a copy of one word gives, by the kind of terminal that it fills."""
    if word.isdigit():
        return {"int": str(int(word)), "str": word}
    if word.isidentifier():
        return {"name": word, "str": word}
    return {"str": word}


def camel_case(name: str) -> str:
    """`Al'Akir the Windlord` as a class: `AlAkirTheWindlord`."""
    words = re.sub(r"[^\w\s]", "", name).split()
    return "".join(word[0].upper() + word[1:] for word in words)
