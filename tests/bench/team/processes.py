"""Processor time of a Ray cluster on this machine, by role, beside that of the typists and of other programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

ROLES = {"ray::ServeReplica:editahead": "replicas", "ray::ProxyActor": "proxy"}
OWN, RAY, OTHERS = "typists", "ray", "others"
_TICK = 1 / os.sysconf("SC_CLK_TCK")


def raylets(nodes: Iterable[object]) -> list[int]:
    """Return the process numbers of the raylets of nodes of `ray.cluster_utils.Cluster`."""
    return [node.all_processes["raylet"][0].process.pid for node in nodes]  # type: ignore[attr-defined]


def workers(raylet: int, name: str) -> list[int]:
    """Return the processes that a raylet started and whose titles begin with a name."""
    found = []
    for number, (parent, command, _) in _processes().items():
        if parent == raylet and command.startswith(name):
            found.append(number)
    return found


def tree_seconds(roots: Iterable[int]) -> float:
    """Return the processor time so far of some processes, of all below them, and of those below that have ended."""
    roots = set(roots)
    processes = _processes(with_ended=True)
    return sum(
        seconds
        for number, (parent, _, seconds) in processes.items()
        if number in roots or _below(parent, roots, processes)
    )


def processor_seconds(number: int) -> float:
    """Return the processor time that a process has used."""
    return _processes()[number][2]


def seconds_by_role(of_cluster: Iterable[int]) -> dict[str, float]:
    """Return the processor time so far of each role, in seconds; `others` is all else on this machine.

    `of_cluster` are the raylets. What other processes of the cluster use (its control) counts as `ray`.
    """
    processes = _processes()
    roots, found = set(of_cluster), dict.fromkeys((*ROLES.values(), OWN, RAY), 0.0)
    for number, (parent, command, seconds) in processes.items():
        if number == os.getpid():
            found[OWN] += seconds
        elif number in roots or _below(parent, roots, processes) or _below(parent, {os.getpid()}, processes):
            role = next((role for start, role in ROLES.items() if command.startswith(start)), RAY)
            found[role] += seconds
    words = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:]
    user, nice, system, _, _, irq, soft = map(int, words[:7])
    found[OTHERS] = (user + nice + system + irq + soft) * _TICK - sum(found.values())
    return found


def used(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Return the processor time between two readings, in seconds."""
    return {role: round(after[role] - before[role], 3) for role in after}


def _below(parent: int, roots: set[int], processes: Mapping[int, tuple[int, str, float]]) -> bool:
    while parent in processes and parent not in roots:
        parent = processes[parent][0]
    return parent in roots


def _processes(*, with_ended: bool = False) -> dict[int, tuple[int, str, float]]:
    """Return parent, command and processor seconds of every process, and those of its children that have ended."""
    last = 15 if with_ended else 13
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            words = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:  # it ended
            continue
        found[int(folder.name)] = int(words[1]), command, sum(map(int, words[11:last])) * _TICK
    return found
