"""Which project serves what: train, fit, dev or test, as listed in `models/data/splits.toml`.

Networks learn on `train`. Rankers, scorers, gates and calibrations are fitted on `fit`. Choices are made on `dev`.
`test` is for publishing: only the publishing report and the removal of near-duplicates may name it. `never` holds
projects of independent measurements: nothing but the removal of near-duplicates reads them.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from types import MappingProxyType

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SPLITS = ("train", "fit", "dev", "test")
NEVER = "never"
_FILE = "splits.toml"
_FOLDERS = (Path(__file__).parents[2] / "data", Path(__file__).parent)  # a checkout, an installed wheel


@cache
def split_table() -> MappingProxyType[str, MappingProxyType[str, tuple[str, ...]]]:
    """Project names by language and split. ValueError, one line, when a project stands in two lists."""
    path = next((folder / _FILE for folder in _FOLDERS if (folder / _FILE).is_file()), _FOLDERS[0] / _FILE)
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    table = {
        language: MappingProxyType({split: tuple(lists.get(split, ())) for split in (*SPLITS, NEVER)})
        for language, lists in raw.items()
    }
    _check(table, path)
    return MappingProxyType(table)


def languages(split: str = "train") -> tuple[str, ...]:
    """Languages with at least one project in a split."""
    return tuple(language for language, lists in split_table().items() if lists[split])


def projects_of(split: str, language: str) -> tuple[str, ...]:
    """Names (OWNER/NAME) of a language's projects in `train`, `fit` or `dev`. ValueError for any other split."""
    if split not in SPLITS or split == "test":
        raise ValueError(f"split must be train, fit or dev, found {split!r} (test is for publishing alone)")
    return split_table()[language][split]


def publishing_projects(language: str) -> tuple[str, ...]:
    """Names of a language's test projects. Only for publishing, and for keeping their code out of training."""
    return split_table()[language]["test"]


def excluded_projects(language: str) -> tuple[str, ...]:
    """Names of a language's projects of independent measurements. Only for keeping their code out of training."""
    return split_table()[language][NEVER]


def _check(table: dict[str, MappingProxyType[str, tuple[str, ...]]], path: Path) -> None:
    for language, lists in table.items():
        owner: dict[str, str] = {}
        for split, names in lists.items():
            for name in names:
                if name in owner:
                    raise ValueError(f"{path}: {name} stands in {language} {owner[name]} and in {split}")
                owner[name] = split
