"""A drawn screen, and the words that the generators draw from."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

NOUNS = (
    "order account customer invoice parcel shelf record signal channel buffer window packet ticket member branch "
    "vector matrix column segment token lesson engine sensor planet garden recipe bridge harbour market letter"
).split()
VERBS = "load store merge split send fetch count clear close paint shift check build parse visit start stop".split()
MODULES = ("os.path", "json", "shutil", "functools", "textwrap", "random", "glob", "string", "calendar")


class Screen(NamedTuple):
    """A file with the cursor at `‸`, its language, and what tells whether a first choice is wrong.

    `before`: the text that was there before the latest edits, completed at its own `‸` first; empty without edits.
    """

    text: str
    silly: Callable[[str], bool]
    language: str = "python"
    before: str = ""


Generator = Callable[[random.Random], Screen]


def nouns(draw: random.Random, count: int) -> list[str]:
    return draw.sample(NOUNS, count)
