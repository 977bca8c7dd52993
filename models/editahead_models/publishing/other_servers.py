"""Completions of the language's own server, at names at which ours were requested."""

from __future__ import annotations

import time
from collections.abc import Sequence

from editahead.bench.stdio_client import ServerError

from editahead_models.publishing import completions
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import DrawnPlace
from editahead_models.replay.simulated_user import SimulatedUser

EVERY = 4
"""One of so many names: such servers are slower, and their figures need no narrow interval."""
WARM_UP_SECONDS = 20.0
"""For the server to read the project after its first answer."""

MOST_ERRORS = 0.1
"""Of all requests: a server that cannot read a file says so there, one that cannot run says so everywhere."""
_FIRST = 60


def measure(user: SimulatedUser, places: Sequence[DrawnPlace]) -> list[Row]:
    """A row a place: the rank of the name by letters typed, None where the list does not hold it.

    Raises ServerError where the server ends or answers with more errors than MOST_ERRORS: its figure would be that of
    a program that does not run.
    """
    for _ in completions.measure(user, places[:1], errors=[]):
        time.sleep(WARM_UP_SECONDS)
    errors: list[str] = []
    rows: list[Row] = []
    for row in completions.measure(user, places, errors=errors):
        rows.append({"server": user.server, "rank": row["rank"]})
        _check(errors, max(_FIRST, len(rows) * len(row["rank"])))
    _check(errors, len(rows) * len(completions.LETTERS))
    return rows


def _check(errors: Sequence[str], requests: int) -> None:
    if len(errors) > MOST_ERRORS * requests:
        raise ServerError(f"{len(errors)} requests were answered with an error, the first: {errors[0]}")
