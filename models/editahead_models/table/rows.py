"""The rows of a table of language models, as its recipe lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from editahead_models.recipe import Recipe

KINDS = ("family", "counting", "ensemble", "cached")
ELSEWHERE = {"queue"}  # settings of a row that the queue reads


@dataclass(frozen=True)
class Row:
    """A run of a `family`, a `counting` model, an `ensemble` of rows, or a row with the n-gram cache (`cached`)."""

    name: str
    label: str
    section: str = "papers"
    family: str | None = None
    model: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    counting: str | None = None
    ensemble: tuple[str, ...] = ()
    combine: str = "arithmetic"
    cached: str | None = None

    @property
    def needs(self) -> tuple[str, ...]:
        """Rows that must be there first."""
        return self.ensemble or ((self.cached,) if self.cached else ())


def rows_of(recipe: Recipe) -> list[Row]:
    """The rows in the order of the file. ValueError, one line, for one that cannot be read."""
    rows = []
    for name, entry in recipe.rows.items():
        chosen = [kind for kind in KINDS if entry.get(kind)]
        if len(chosen) != 1:
            raise ValueError(f"row {name}: give one of {', '.join(KINDS)}, found {', '.join(chosen) or 'none'}")
        own = {key: value for key, value in entry.items() if key not in ELSEWHERE}
        unknown = set(own) - set(Row.__dataclass_fields__)
        if unknown:
            raise ValueError(f"row {name}: unknown setting {', '.join(sorted(unknown))}")
        rows.append(Row(name=name, **{**own, "ensemble": tuple(entry.get("ensemble", ()))}))
    names = {row.name for row in rows}
    for row in rows:
        missing = set(row.needs) - names
        if missing:
            raise ValueError(f"row {row.name}: no row called {', '.join(sorted(missing))}")
    return rows
