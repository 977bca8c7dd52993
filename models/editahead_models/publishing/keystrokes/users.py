"""Users who type a stretch: which suggestions each of them has, and what they press."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from editahead.bench.score import MENU_ROWS, RunScore, TypingStep

from editahead_models.publishing.keystrokes.key_kinds import NAME, NEW_NAME
from editahead_models.replay.measured_rows import Row

CODE, COMMENT, STRING = "code", "comment", "string"
_EVERYWHERE = frozenset({CODE, COMMENT, STRING})


@dataclass(frozen=True)
class User:
    """What a user has: lists, ghost text, in which regions, and whose lists (`rank`: ours, `words`: of the buffer).

    With `asks`, a list with nothing typed costs one key more, except behind a dot, where editors open it by themselves.
    """

    lists: bool = True
    ghost_text: bool = True
    regions: frozenset[str] = frozenset({CODE})
    ranks: str = "rank"
    asks: bool = False

    def steps(self, row: Row) -> Iterator[TypingStep]:
        """What this user does to type a stretch: each right suggestion is accepted as soon as it saves a key."""
        run = RunScore(row["text"].encode())
        for key in row["keys"]:
            if self.lists and self.ranks == "rank" and "path" in key:  # the quote opens the list of paths
                rank, left = key["path"]
                if rank is not None and rank < MENU_ROWS:
                    run.menu[key["at"]] = (rank + 1, left)
                continue
            if key["region"] not in self.regions:
                continue
            rank = key[self.ranks]
            if self.lists and rank is not None and rank < MENU_ROWS:
                cost = rank + 1 + (self.asks and not key["letters"] and not key["dot"])
                run.menu[key["at"]] = (cost, len(key["word"][key["letters"] :].encode()))
            if key["ghost"]:
                run.ghost[key["at"]] = key["ghost"]
        return run.steps(ghosts=self.ghost_text)

    def pressed(self, row: Row) -> int:
        """How many keys this user presses for a stretch."""
        return sum(step.keys for step in self.steps(row))


BOTH = User()
USERS: Mapping[str, User] = {
    "completions": User(ghost_text=False),
    "ghost text": User(lists=False),
    "both": BOTH,
    "both, lists asked for": User(asks=True),
    "words": User(ghost_text=False, regions=_EVERYWHERE, ranks="words"),
    "inComments": User(regions=frozenset({CODE, COMMENT})),
    "inStrings": User(regions=frozenset({CODE, STRING})),
    "inComments and inStrings": User(regions=_EVERYWHERE),
}

ACCEPTING = "accepting"
LATE, UNLISTED, SHORT = "accepted later", "never listed", "listed, saves no key"
"""What becomes of a name whose letters are typed: it is accepted after them, no list has it, or it costs too much."""
FATES = (LATE, UNLISTED, SHORT)
SILENT, WRONG, SAVES_NOTHING = GHOST_STATES = ("silent", "wrong", "right, saves no key")


def remaining(row: Row) -> Counter[str]:
    """The keys that a user with both still presses, by kind; letters of names also by what becomes of the name.

    Keys that accept count as ACCEPTING. What ghost text does before the other keys is counted beside it.
    """
    found: Counter[str] = Counter()
    keys = {key["at"]: key for key in row["keys"]}
    fates = _fates(row)
    for step in BOTH.steps(row):
        key = keys[step.at]
        if step.accepts:
            found[ACCEPTING] += step.keys
            continue
        name = key["kind"] in (NAME, NEW_NAME)
        found[f"{key['kind']}: {fates.get(_start(key), UNLISTED)}" if name else key["kind"]] += 1
        shown = None if key["region"] != CODE else key["ghost"]
        found[f"ghost text {SILENT if shown is None else SAVES_NOTHING if shown else WRONG}"] += 1
    return found


def _fates(row: Row) -> dict[int, str]:
    """By the byte where a word begins, what becomes of it."""
    accepted = {step.at for step in BOTH.steps(row) if step.accepts}
    found: dict[int, str] = {}
    for key in row["keys"]:
        if not key["word"]:
            continue
        start, listed = _start(key), key["rank"] is not None and key["rank"] < MENU_ROWS
        if key["at"] in accepted:
            found[start] = LATE
        elif found.get(start, UNLISTED) == UNLISTED:
            found[start] = SHORT if listed and key["region"] == CODE else UNLISTED
    return found


def _start(key: Mapping[str, Any]) -> int:
    """The byte where the word at a key begins."""
    return int(key["at"]) - len(key["word"][: key["letters"]].encode())
