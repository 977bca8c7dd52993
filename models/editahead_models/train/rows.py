"""The runs of a recipe: the recipe itself, or each of its rows that is trained.

A recipe may carry a section `[run]` with `core_hours`, which bound a run, and for the family `command` a `command`: the
arguments of an `editahead-models` verb that goes on where it stopped. `RUN/…` is below the run's folder, `DATA/…` below
the folder of the data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from editahead_models.recipe import Recipe, read_recipe

LANGUAGE_MODELS, EDIT_MODEL, COMMAND = ("spn", "language-models"), "implicit-attention", "command"


@dataclass(frozen=True)
class TrainedRow:
    """One run. `family` is that of its network, COMMAND for a command; `core_hours` of processor time bound it."""

    name: str
    family: str
    core_hours: float
    model: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)
    command: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """The budget: tokens of a language model, token edits of an edit model, 0 of a command."""
        return int(self.training.get("tokens", 0))

    @property
    def recipe_hash(self) -> str:
        """Names everything that the result depends on besides the data and the budget."""
        training = {key: value for key, value in self.training.items() if key != "tokens"}
        depends = {"family": self.family, "model": self.model, "training": training, "command": self.command}
        return hashlib.sha256(json.dumps(depends, sort_keys=True).encode()).hexdigest()[:16]


def trained_rows(path: Path, rows: Sequence[str] = ()) -> list[TrainedRow]:
    """The runs of a recipe file, one or one for each trained row (`rows` chooses some).

    ValueError, one line, when the recipe cannot be trained so or a row is unknown.
    """
    recipe = read_recipe(path)
    if recipe.family not in (*LANGUAGE_MODELS, EDIT_MODEL, COMMAND):
        raise ValueError(f"{path}: a recipe of the family {recipe.family!r} is trained by a form of `train`")
    unknown = set(rows) - set(recipe.rows)
    if unknown:
        raise ValueError(f"{path}: no row {', '.join(sorted(unknown))}; rows are {', '.join(recipe.rows) or 'none'}")
    if not recipe.rows:
        return [_row(path, recipe, recipe.name, {"family": recipe.family})]
    trained = [name for name, row in recipe.rows.items() if "family" in row or recipe.family == COMMAND]
    return [_row(path, recipe, f"{recipe.name}/{name}", recipe.rows[name]) for name in (rows or trained)]


def _row(path: Path, recipe: Recipe, name: str, row: dict[str, Any]) -> TrainedRow:
    """A row overrides the recipe's sections key by key."""
    if recipe.family != COMMAND and "family" not in row:
        raise ValueError(f"{path}: the row {name} names no family")
    own = recipe.run | row.get("run", {})
    command = tuple(map(str, own.get("command", ())))
    if recipe.family == COMMAND and not command:
        raise ValueError(f"{path}: the section [run] needs command, a list of arguments")
    # The data section of an edit model says how its batches are made.
    sections = recipe.data if recipe.family == EDIT_MODEL else {}
    return TrainedRow(
        name, str(row.get("family", recipe.family)), float(own.get("core_hours", 1e6)),
        recipe.model | row.get("model", {}), sections | recipe.training | row.get("training", {}), command,
    )  # fmt: skip


def with_folders(command: Sequence[str], run: Path, data: Path) -> list[str]:
    """The arguments of a command, with RUN or RUN/… in the run's folder and DATA or DATA/… in that of the data."""
    places = {"RUN": run, "DATA": data}
    words = []
    for word in command:
        first, *rest = word.split("/")
        words.append(str(places[first].joinpath(*rest)) if first in places else word)
    return words
