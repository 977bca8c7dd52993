"""What simulated typists measured: requests with their outcomes, and the figures that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

# Outcomes. The words of a laptop are in `remote/engine.py`, those of the server in the message `Declined`.
IN_TIME, LATE, DOWN, PAUSED, RESEND, WRONG, SUPERSEDED = (
    "in-time", "late", "down", "paused", "resend", "wrong", "superseded",
)  # fmt: skip


class Request(NamedTuple):
    """One request: when it began (monotonic clock), and how it ended. Times are in seconds."""

    began: float
    method: str
    outcome: str
    seconds: float = 0.0  # until its end
    engine: float = 0.0  # run time
    waited: float = 0.0  # for the engine


@dataclass
class LoadResult:
    """All requests of a measurement, how many connections were lost, and why the last of them was."""

    requests: list[Request] = field(default_factory=list)
    lost: int = 0
    problem: str = ""

    def between(self, start: float, end: float) -> LoadResult:
        """Return the requests that began in a span of the monotonic clock."""
        return LoadResult(
            [request for request in self.requests if start <= request.began < end], self.lost, self.problem
        )

    @property
    def outcomes(self) -> Counter[str]:
        """The number of requests by outcome."""
        return Counter(request.outcome for request in self.requests)

    @property
    def answered_requests(self) -> list[Request]:
        """The requests that the server answered in time."""
        return [request for request in self.requests if request.outcome == IN_TIME]

    @property
    def needed_requests(self) -> int:
        """The requests that needed an answer: those that the next key superseded did not."""
        return sum(request.outcome != SUPERSEDED for request in self.requests)

    @property
    def in_time(self) -> float:
        """Share of the wanted requests that the server answered in time; the laptop answers the rest."""
        return len(self.answered_requests) / max(1, self.needed_requests)

    def milliseconds(self) -> dict[str, float]:
        """Return where the time of the answers in time goes, as percentiles and means in milliseconds."""
        answered = self.answered_requests
        if not answered:
            return {}
        times = sorted(request.seconds for request in answered)
        means = {
            "engine": _mean(request.engine for request in answered),
            "queue": _mean(request.waited for request in answered),
            "rest": _mean(request.seconds - request.engine - request.waited for request in answered),
        }
        figures = {"p50": percentile(times, 0.5), "p99": percentile(times, 0.99), **means}
        return {name: round(1000 * value, 2) for name, value in figures.items()}


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which this share of ordered values lies."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _mean(values: Iterator[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)
