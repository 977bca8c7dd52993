"""Completions of the language's own server, at names at which ours were requested."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from editahead_models.publishing import completions
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import DrawnPlace
from editahead_models.replay.simulated_user import SimulatedUser

EVERY = 4
"""One of so many names: such servers are slower, and their figures need no narrow interval."""
WARM_UP_SECONDS = 20.0
"""For the server to read the project after its first answer."""


def measure(user: SimulatedUser, places: Sequence[DrawnPlace]) -> Iterator[Row]:
    """A row a place: the rank of the name by letters typed, None where the list does not hold it."""
    if not places:
        return
    for _ in completions.measure(user, places[:1], with_errors=True):
        time.sleep(WARM_UP_SECONDS)
    for row in completions.measure(user, places, with_errors=True):
        yield {"server": user.server, "rank": row["rank"]}
