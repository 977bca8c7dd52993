"""Users who type a stretch: which suggestions each of them has, and what they press."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from editahead.bench.score import MENU_ROWS, RunScore, TypingStep

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
}
