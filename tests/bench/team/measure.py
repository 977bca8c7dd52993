"""How many typists a team server carries, and what they notice of faults; on a Ray cluster of two nodes."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from editahead.cli.samples import SAMPLES, sample
from editahead.syntax.language import by_id
from editahead.team.cluster.deployment import TeamOptions, deploy
from editahead.team.cluster.tokens import new_token, token_sum
from editahead.team.remote.target import TOKEN_VARIABLE, remote_target

from tests.team.slow_proxy import SlowProxy
from tests.team.team_ray import end, two_nodes

from .load import START_SHARE, simulate
from .load_result import SUPERSEDED, WRONG, LoadResult
from .processes import raylets, seconds_by_role, used, workers

AIM = 0.95  # share of the requests that the server answers in time
BEFORE, DURING, SETTLE, AFTER = 8.0, 8.0, 10.0, 10.0  # seconds of a run with a fault: the aim holds again after SETTLE
LANGUAGE = "python"


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@dataclass
class Measured:
    """A team server with a replica on each of two nodes, and a slow network in front of it."""

    cluster: Any
    head: Any
    second: Any
    port: int
    token: str
    network: SlowProxy

    @classmethod
    def start(cls) -> Measured:
        """Start the cluster and deploy. Each node has one processor."""
        cluster, head, second = two_nodes()
        token, port = new_token(), free_port()
        options = TeamOptions(
            {token_sum(token): "typists"}, replicas=2, clients=500, connections=500, address=cluster.address, port=port,
            device="cpu",
        )  # fmt: skip
        deploy(options)
        return cls(cluster, head, second, port, token, SlowProxy(port))

    def stop(self) -> None:
        """End the server and both nodes."""
        self.network.stop()
        end(self.cluster)

    @property
    def raylets(self) -> list[int]:
        """The processes that started all others of the cluster."""
        return raylets(self.cluster.list_all_nodes())

    def run(self, clients: int, seconds: float, *, slow: bool = False) -> tuple[LoadResult, float, dict[str, float]]:
        """Let typists type; returns the requests, when all of them typed, and the processor time from then on."""
        port = self.network.port if slow else self.port
        target = remote_target(f"ws://127.0.0.1:{port}", None, {TOKEN_VARIABLE: self.token})
        name, language = SAMPLES[LANGUAGE], by_id(LANGUAGE)
        assert language is not None
        starts: list[tuple[float, dict[str, float]]] = []

        def started(now: float) -> None:
            starts.append((now, seconds_by_role(self.raylets)))

        result = asyncio.run(simulate(target, sample(name).data, language, name, clients, seconds, started))
        (start, before), after = starts[0], seconds_by_role(self.raylets)
        return result, start, used(before, after)

    def trial(self, clients: int, seconds: float) -> dict[str, Any]:
        """Measure one number of typists."""
        result, start, processor = self.run(clients, seconds)
        steady = result.between(start, float("inf"))
        return {
            "clients": clients,
            "seconds": round(seconds * (1 - START_SHARE), 2),
            "requests": steady.needed_requests,
            "in_time": round(steady.in_time, 4),
            "milliseconds": steady.milliseconds(),
            "outcomes": dict(sorted(steady.outcomes.items())),
            "processor": processor,
        }

    def fault(
        self, name: str, clients: int, begin: Callable[[], None], end: Callable[[], None] | None
    ) -> dict[str, Any]:
        """Measure a fault while typists type. Without `end`, it lasts."""
        lasts = DURING if end is not None else 0.0
        whole = (BEFORE + lasts + SETTLE + AFTER) / (1 - START_SHARE)
        timers = [threading.Timer(whole * START_SHARE + BEFORE, begin)]
        if end is not None:
            timers.append(threading.Timer(whole * START_SHARE + BEFORE + lasts, end))
        for timer in timers:
            timer.start()
        result, start, _ = self.run(clients, whole, slow=True)
        over = start + BEFORE + lasts
        return {"name": name, "clients": clients, **phases(result, start, over, lasts)}


def phases(result: LoadResult, start: float, over: float, lasts: float) -> dict[str, Any]:
    """Return the shares before a fault, while it lasts and until it settles, and after that."""
    parts = {
        "before": result.between(start, over - lasts),
        "during": result.between(over - lasts, over),
        "settling": result.between(over, over + SETTLE),
        "after": result.between(over + SETTLE, float("inf")),
    }
    waits = [request.seconds for request in result.requests if request.outcome != SUPERSEDED]
    return {
        **{
            name: {"requests": part.needed_requests, "in_time": round(part.in_time, 4), "outcomes": dict(part.outcomes)}
            for name, part in parts.items()
            if part.needed_requests
        },
        "recovered_seconds": recovered(result, over),
        "wrong": result.outcomes[WRONG],
        "longest_ms": round(1000 * max(waits, default=0.0), 1),
    }


def recovered(result: LoadResult, over: float) -> float | None:
    """Return the seconds from the end of a fault until the aim holds for the rest of the run, or None."""
    best = None
    for tenth in range(int(10 * (SETTLE + AFTER)) - 20, -1, -1):
        window = result.between(over + tenth / 10, over + tenth / 10 + 2.0)
        if window.needed_requests and window.in_time < AIM:
            break
        best = tenth / 10
    return best


def capacity(measured: Measured, seconds: float, most: int = 200) -> list[Mapping[str, Any]]:
    """Search the largest number of typists of whose requests the server answers AIM in time: doubling, then halving.

    A trial that misses the aim is made once more, since other programs run on this machine.
    """
    trials: list[Mapping[str, Any]] = []
    low, high, clients = 0, most + 1, 1
    while low < clients < high:
        trials.append(measured.trial(clients, seconds))
        if trials[-1]["in_time"] < AIM:
            trials.append(measured.trial(clients, seconds))
        if trials[-1]["in_time"] >= AIM:
            low = clients
        else:
            high = clients
        clients = 2 * low if low and high > most else (low + high) // 2
    return sorted(trials, key=lambda trial: int(trial["clients"]))


def most_carried(trials: list[Mapping[str, Any]]) -> int:
    """Return the number of typists that a search found; 0 where not even one was carried."""
    best = carried(trials)
    return int(best["clients"]) if best else 0


def faults(measured: Measured, clients: int) -> list[dict[str, Any]]:
    """Measure each fault; the last one ends a node."""
    network = measured.network

    def slow() -> None:
        network.delay = 0.1

    def lossy() -> None:
        network.delay, network.loss = 0.005, 0.01

    def normal() -> None:
        network.delay = network.loss = 0.0

    def kill_a_replica() -> None:
        replicas = [found for raylet in measured.raylets for found in workers(raylet, "ray::ServeReplica:editahead")]
        os.kill(replicas[0], signal.SIGKILL)

    def kill_a_node() -> None:
        measured.cluster.remove_node(measured.second, allow_graceful=False)

    return [
        measured.fault("network: 100 ms more in each direction, 8 s", clients, slow, normal),
        measured.fault("network: 5 ms more in each direction, 1 % of the pieces lost, 8 s", clients, lossy, normal),
        measured.fault("a replica is killed", clients, kill_a_replica, None),
        measured.fault("a node is killed", clients, kill_a_node, None),
    ]


def carried(trials: list[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the trial with the most typists that met the aim."""
    return max(
        (trial for trial in trials if trial["in_time"] >= AIM), key=lambda trial: int(trial["clients"]), default=None
    )
