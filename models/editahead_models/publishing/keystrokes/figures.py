"""The tables of one language from its rows, every share with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from editahead_models.publishing.claims import Claim
from editahead_models.publishing.intervals import LEAST_PROJECTS, pooled, ratio
from editahead_models.publishing.keystrokes import users
from editahead_models.publishing.keystrokes.calibration import calibration
from editahead_models.publishing.keystrokes.key_kinds import COMMENT, KINDS, NAME, NEW_NAME, STRING
from editahead_models.publishing.keystrokes.users import BOTH, USERS, User, remaining
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import CUT, LINE

Table = dict[str, Any]
NAMES = (NAME, NEW_NAME)
REMAINING = (
    *(f"{kind}: {fate}" for kind in NAMES for fate in users.FATES),
    *(kind for kind in KINDS if kind not in NAMES),
    users.ACCEPTING,
)
GHOST_TEXT = tuple(f"ghost text {state}" for state in users.GHOST_STATES)
SETTINGS = {COMMENT: "inComments", STRING: "inStrings"}
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
        "regions": {kind: _region(rows, kind) for kind in SETTINGS},
        "calibration": calibration(_by_unit(rows)),
        **_remaining(rows),
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


def _region(rows: Sequence[Row], kind: str) -> Table:
    """Keys that belong to comments or to strings, and how many of them need not be typed.

    Taken for code: letters of words in them before which the server takes the cursor to stand in code.
    """
    whole = [(row, sum(key["kind"] == kind for key in row["keys"])) for row in rows]
    words = [(row, [key["region"] for key in row["keys"] if key["kind"] == kind and key["word"]]) for row in rows]
    return {
        "keys": _share((row, count, _keys(row)) for row, count in whole),
        "taken for code": _share((row, regions.count(users.CODE), len(regions)) for row, regions in words),
        "saved": _share((row, count - _typed(BOTH, row, kind), count) for row, count in whole),
        "saved with the setting": _share(
            (row, count - _typed(USERS[SETTINGS[kind]], row, kind), count) for row, count in whole
        ),
    }


def _typed(user: User, row: Row, kind: str) -> int:
    """The keys that a user presses where the text is of a kind, those that accept included."""
    kinds = {key["at"]: key["kind"] for key in row["keys"]}
    return sum(step.keys for step in user.steps(row) if kinds[step.at] == kind)


def _remaining(rows: Sequence[Row]) -> Table:
    """What the keys are that a user with both still presses, and what ghost text shows before those that type."""
    counted = [(row, remaining(row)) for row in rows]
    return {
        title: {
            name: _share((row, counts[name], sum(counts[one] for one in names)) for row, counts in counted)
            for name in names
        }
        for title, names in (("remaining", REMAINING), ("ghost text at remaining keys", GHOST_TEXT))
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
