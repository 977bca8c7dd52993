"""The tables of one language from its rows, every share with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from editahead_models.publishing.claims import Claim
from editahead_models.publishing.intervals import LEAST_PROJECTS, pooled, ratio
from editahead_models.publishing.keystrokes.calibration import calibration
from editahead_models.publishing.keystrokes.users import BOTH, USERS, User
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import CUT, LINE

Table = dict[str, Any]
LEAST_SAVED, LEAST_SAVED_OF = 0.4, {"python": 0.5, "java": 0.5}
LEAST_RATIO = 3.0
MOST_CALIBRATION_ERROR = 0.02


def claims_of(language: str) -> tuple[Claim, ...]:
    """What is claimed of a language."""
    aim = LEAST_SAVED_OF.get(language, LEAST_SAVED)
    return (
        Claim("keys saved by completions and ghost text", ("saved", "both"), aim),
        Claim("the same, lists asked for", ("saved", "both, lists asked for"), aim),
        Claim("first guesses, times those of the words of the buffer", ("first guesses", "ratio"), LEAST_RATIO),
        Claim("calibration error of completions", ("calibration", "all"), MOST_CALIBRATION_ERROR, at_most=True),
    )


def tables(rows: Sequence[Row]) -> Table:
    """All tables. A share's `interval` is over the projects where there are four or more, else over the files."""

    def saved(some: Iterable[Row], user: User = BOTH) -> Table:
        return _share((row, _keys(row) - user.pressed(row), _keys(row)) for row in some)

    return {
        "saved": {name: saved(rows, user) for name, user in USERS.items()},
        "situations": {name: saved(row for row in rows if row["situation"] == name) for name in (CUT, LINE)},
        "projects": {
            name: saved(row for row in rows if row["project"] == name)
            for name in dict.fromkeys(row["project"] for row in rows)
        },
        "first guesses": _first_guesses(rows),
        "calibration": calibration(_by_unit(rows)),
    }


def _first_guesses(rows: Sequence[Row]) -> Table:
    """Names that are the first item with nothing typed, in our list and in that of the words, and their ratio."""
    names = [(row, [key for key in row["keys"] if key["name"]]) for row in rows]
    first = {ranks: [sum(key[ranks] == 0 for key in keys) for _, keys in names] for ranks in ("rank", "words")}
    units = [unit for unit, _ in _by_unit(rows)]
    value, low, high = ratio(zip(units, first["rank"], first["words"], strict=True))
    times = {
        "share": None if value is None else round(value, 2),
        "interval": [None if bound is None else round(bound, 2) for bound in (low, high)],
        "n": sum(len(keys) for _, keys in names),
    }
    return {
        **{
            title: _share((row, count, len(keys)) for (row, keys), count in zip(names, first[ranks], strict=True))
            for title, ranks in (("ours", "rank"), ("words", "words"))
        },
        "ratio": times | _sizes(rows),
    }


def _keys(row: Row) -> int:
    return len(row["keys"])


def _share(counts: Iterable[tuple[Row, float, float]]) -> Table:
    """The share of (row, part, whole)."""
    found = list(counts)
    rows = [row for row, *_ in found]
    units = [unit for unit, _ in _by_unit(rows)]
    pairs = ((unit, part, whole) for unit, (_, part, whole) in zip(units, found, strict=True))
    return pooled(pairs).as_json() | _sizes(rows)


def _by_unit(rows: Sequence[Row]) -> list[tuple[str, Row]]:
    """Each row with what is resampled: its project where there are enough, else its file."""
    if len({row["project"] for row in rows}) >= LEAST_PROJECTS:
        return [(row["project"], row) for row in rows]
    return [(f"{row['project']}:{row['path']}", row) for row in rows]


def _sizes(rows: Sequence[Row]) -> Table:
    return {"projects": len({row["project"] for row in rows}), "files": len(rows)}
