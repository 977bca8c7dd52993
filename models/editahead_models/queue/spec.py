"""What a run is: a recipe (or one row of it), its budget in tokens, its ration and its priority.

A recipe may carry a section `[queue]` with `ration`, `core_hours`, `priority`, `data` (a folder of the data root) and,
for the family `command`, `command` (the arguments of an `editahead-models` verb that continues where it stopped;
`RUN/…` is below the run's folder, `DATA/…` below the data root).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from editahead_models.recipe import Recipe, read_recipe

LANGUAGE_MODEL, EDIT_MODEL, COMMAND = "language-model", "edit-model", "command"
_KINDS = {
    "spn": LANGUAGE_MODEL, "language-models": LANGUAGE_MODEL, "implicit-attention": EDIT_MODEL, "command": COMMAND,
}  # fmt: skip


@dataclass(frozen=True)
class RunSpec:
    """One run. `tokens` is its budget (of an edit model in token edits), 0 for a command; `core_hours` bounds all."""

    name: str
    kind: str
    ration: str
    core_hours: float
    priority: int
    data: str
    tokens: int = 0
    family: str = ""
    model: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)
    command: tuple[str, ...] = ()

    @property
    def recipe_hash(self) -> str:
        """Names everything that the result depends on besides the data and the budget."""
        depends = {"kind": self.kind, "family": self.family, "model": self.model, "training": self.training}
        text = json.dumps(depends | {"command": self.command}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, Any]:
        """A JSON value."""
        return asdict(self) | {"command": list(self.command)}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> RunSpec:
        """The spec behind `to_json`."""
        return cls(**{**value, "command": tuple(value["command"])})


def specs_of(path: Path, rows: tuple[str, ...] = ()) -> list[RunSpec]:
    """The runs of a recipe file: one, or one for each of its rows that is trained (`rows` chooses some).

    ValueError, one line, when the recipe has no usable `[queue]` section or a row is unknown.
    """
    recipe = read_recipe(path)
    if recipe.family not in _KINDS:
        raise ValueError(f"{path}: the queue runs {', '.join(_KINDS)}, found {recipe.family!r}")
    unknown = set(rows) - set(recipe.rows)
    if unknown:
        raise ValueError(f"{path}: no row {', '.join(sorted(unknown))}; rows are {', '.join(recipe.rows)}")
    whole = _spec(path, recipe)
    if not recipe.rows:
        return [whole]
    trained = [name for name, row in recipe.rows.items() if "family" in row or whole.kind != LANGUAGE_MODEL]
    return [_row(path, whole, name, recipe.rows[name]) for name in (rows or trained)]


def _spec(path: Path, recipe: Recipe) -> RunSpec:
    settings = recipe.queue
    try:
        spec = RunSpec(
            name=recipe.name,
            kind=_KINDS[recipe.family],
            ration=str(settings["ration"]),
            core_hours=float(settings["core_hours"]),
            priority=int(settings.get("priority", 0)),
            data=str(settings.get("data", "")),
            tokens=int(recipe.training.get("tokens", 0)),
            family=recipe.family if recipe.family in ("spn", "implicit-attention") else "",
            model=dict(recipe.model),
            training={key: value for key, value in recipe.training.items() if key != "tokens"},
            command=tuple(map(str, settings.get("command", ()))),
        )
    except KeyError as error:
        raise ValueError(f"{path}: the section [queue] needs {error.args[0]}") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: the section [queue] cannot be used ({error})") from None
    if spec.kind == COMMAND and not spec.command:
        raise ValueError(f"{path}: the section [queue] needs command, a list of arguments")
    return spec


def _row(path: Path, whole: RunSpec, name: str, row: dict[str, Any]) -> RunSpec:
    """A row overrides the recipe's sections key by key."""
    if whole.kind == LANGUAGE_MODEL and "family" not in row:
        raise ValueError(f"{path}: the row {name} names no family")
    training = whole.training | row.get("training", {})
    own = row.get("queue", {})
    return replace(
        whole,
        name=f"{whole.name}/{name}",
        family=str(row.get("family", whole.family)),
        model=whole.model | row.get("model", {}),
        tokens=int(training.pop("tokens", whole.tokens)),
        training=training,
        core_hours=float(own.get("core_hours", whole.core_hours)),
        priority=int(own.get("priority", whole.priority)),
        ration=str(own.get("ration", whole.ration)),
        data=str(own.get("data", whole.data)),
        command=tuple(map(str, own.get("command", whole.command))),
    )
