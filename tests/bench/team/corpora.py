"""Corpora on a cluster beside this machine alone: throughput for each core, and what a second node adds.

The same repositories are mined and prepared by one and two processes and by one and two nodes of one processor each, in
turns. A rate for each core is the work by the processor time of all processes that do it, those of Ray included, so
that other programs count little; the growth is measured on the clock, and stands beside that of processes.
"""

from __future__ import annotations

import resource
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from editahead_models.data.corpus.near_duplicates import PERMUTATIONS, NearDuplicateFilter
from editahead_models.data.corpus.prepare_corpus import prepare
from editahead_models.data.mining.mine_history import HistorySettings, mine_history
from editahead_models.data.splits import projects_of

from tests.team.team_ray import end, two_nodes

from .processes import raylets, tree_seconds

LANGUAGE = "python"
LARGEST = 12 << 20  # bytes of a repository that is measured: the samples stay short
HISTORY = HistorySettings(languages=(LANGUAGE,), commits=400, files=40)
VOCABULARY = 5000


def sample_mirror(mirror: Path, folder: Path, count: int) -> list[str]:
    """Link small projects of the train split, and one of the dev split, into a folder; returns their names."""
    found: list[str] = []
    for split, most in (("dev", 1), ("train", count)):
        taken = 0
        for name in sorted(projects_of(split, LANGUAGE)):
            place = mirror / name.replace("/", "+") / "repo"
            if taken < most and place.is_dir() and _size(place) <= LARGEST:
                (folder / name.replace("/", "+")).symlink_to(place.parent)
                found.append(name)
                taken += 1
    return found


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.pack"))


def measure(mirror: Path, count: int, rounds: int) -> dict[str, Any]:
    """Return seconds and processor seconds of each job (mine, prepare) in each setting, for each round."""
    import ray

    with tempfile.TemporaryDirectory() as scratch:
        sample = Path(scratch) / "mirror"
        sample.mkdir()
        names = sample_mirror(mirror, sample, count)
        cluster, _, second = two_nodes()
        try:
            ray.init(address=cluster.address, log_to_driver=False)
            rows = []
            for number in range(rounds):
                if number:
                    second = cluster.add_node(num_cpus=1)
                for nodes in (2, 1):
                    if nodes == 1:
                        cluster.remove_node(second)
                    for job, work in (("mine", _mine), ("prepare", _prepare)):
                        for where in (None, cluster.address):
                            out = Path(scratch) / f"{number}-{nodes}-{job}-{where is None}"
                            roots = raylets(cluster.list_all_nodes())
                            of_cluster = roots if where else ()
                            row = _timed(partial(work, sample, out, nodes, where), of_cluster)
                            rows.append({"job": job, "where": "nodes" if where else "processes", "count": nodes, **row})
        finally:
            ray.shutdown()
            end(cluster)
    return {"projects": names, "rows": rows, "bytes_of_a_file": memory_of_a_file()}


def memory_of_a_file(files: int = 2000) -> int:
    """Return the bytes that one kept file costs while near-duplicates are looked for: all that grows with a corpus."""
    random, unique = np.random.default_rng(1), NearDuplicateFilter()
    signatures = random.integers(0, 1 << 32, (files, PERMUTATIONS), np.uint64)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number, signed in enumerate(signatures):
        unique.accept(f"owner/project:package/module_{number}.py", signed)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return grown // files


def _timed(work: Callable[[], None], roots: Sequence[int]) -> dict[str, float]:
    """Return the seconds of some work, and the processor seconds of this process, its children and some trees."""
    before, began = _processor(roots), time.monotonic()
    work()
    return {"seconds": round(time.monotonic() - began, 2), "processor": round(_processor(roots) - before, 2)}


def _processor(roots: Sequence[int]) -> float:
    own = time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own + children.ru_utime + children.ru_stime + tree_seconds(roots)


def _mine(mirror: Path, out: Path, workers: int, cluster: str | None) -> None:
    places = sorted(path / "repo" for path in mirror.iterdir())
    mine_history(places, [], out, HISTORY, workers=workers, cluster=cluster)


def _prepare(mirror: Path, out: Path, workers: int, cluster: str | None) -> None:
    prepare(LANGUAGE, mirror, out, vocab_size=VOCABULARY, workers=workers, cluster=cluster)
