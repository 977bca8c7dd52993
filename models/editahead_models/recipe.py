"""Recipes: one TOML file per published model, with everything that a run depends on besides the data."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FAMILIES = ("spn", "implicit-attention", "language-models", "treegen", "command")
_SECTIONS = ("data", "model", "training", "serving", "rows", "queue")


@dataclass(frozen=True)
class Recipe:
    """A parsed recipe; sections are plain tables of the family's own settings."""

    name: str
    family: str
    language: str
    version: str
    data: dict[str, Any] = field(default_factory=dict)
    model: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)
    serving: dict[str, Any] = field(default_factory=dict)
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)  # of a table of runs
    queue: dict[str, Any] = field(default_factory=dict)  # budget, ration, priority: see queue.spec


def read_recipe(path: Path) -> Recipe:
    """A recipe from its file. ValueError, one line, when it cannot be used."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{path}: cannot be read as a recipe ({error})") from error
    if raw.get("family") not in FAMILIES:
        raise ValueError(f"{path}: family must be one of {', '.join(FAMILIES)}, found {raw.get('family')!r}")
    for key in ("language", "version"):
        if not isinstance(raw.get(key), str):
            raise ValueError(f"{path}: {key} must be a text, found {raw.get(key)!r}")
    sections = {key: raw.get(key, {}) for key in _SECTIONS}
    unknown = set(raw) - {"family", "language", "version", *sections}
    if unknown:
        raise ValueError(f"{path}: unknown section {', '.join(sorted(unknown))}")
    return Recipe(path.stem, raw["family"], raw["language"], raw["version"], **sections)
