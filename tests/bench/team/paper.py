"""What a company needs, computed from the measured processor time. Every assumption stands here and on the page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DEVELOPERS = (100, 10_000)
TYPING_SHARE = 0.15  # of all developers who type at the same moment in the busiest minutes
UTILISATION = 0.6  # of the processors, so that queues stay short
CORES = 16  # of one machine
CORE_HOUR = 0.05  # US dollars for one core of a rented machine with its memory
HOURS = 730  # in a month: machines run day and night


@dataclass(frozen=True, slots=True)
class Need:
    """Machines and money for so many developers."""

    developers: int
    typing: int
    requests_per_second: float
    cores: int
    machines: int
    dollars: float  # a month

    @property
    def each(self) -> float:
        """US dollars for one developer and month."""
        return self.dollars / self.developers


def core_seconds(trial: Mapping[str, Any]) -> float:
    """Return the processor time of the server for one request: replicas and proxy."""
    processor = trial["processor"]
    seconds: float = processor["replicas"] + processor["proxy"]
    return seconds / float(max(1, trial["requests"]))


def control_cores(trial: Mapping[str, Any]) -> float:
    """Return the cores that the control of the cluster takes, whatever the load."""
    return float(trial["processor"]["ray"]) / float(trial["seconds"])


def need(developers: int, trial: Mapping[str, Any]) -> Need:
    """Compute what so many developers need, from the processor time and the rate of requests of a trial."""
    typing = math.ceil(TYPING_SHARE * developers)
    rate = typing * trial["requests"] / trial["seconds"] / trial["clients"]
    cores = math.ceil(rate * core_seconds(trial) / UTILISATION + control_cores(trial))
    machines = math.ceil(cores / CORES)
    return Need(developers, typing, rate, cores, machines, machines * CORES * CORE_HOUR * HOURS)
