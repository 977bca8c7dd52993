"""A local Ray cluster of two nodes, for tests; several may follow one another in a process."""

from __future__ import annotations

import os
from typing import Any

TRIES = 3  # on a busy machine, a node that is too slow to start ends itself


def two_nodes(**of_the_head: Any) -> tuple[Any, Any, Any]:
    """Start two nodes with one processor each; returns the cluster, its head and the second node."""
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "60")
    from ray.cluster_utils import Cluster

    for tried in range(1, TRIES + 1):
        cluster = Cluster()
        try:
            head = cluster.add_node(num_cpus=1, include_dashboard=False, **of_the_head)
            return cluster, head, cluster.add_node(num_cpus=1)
        except Exception:  # Ray raises this class itself
            cluster.shutdown()
            if tried == TRIES:
                raise
    raise AssertionError


def end(cluster: Any) -> None:
    """Shut down a cluster.

    Ray Serve keeps the controller of a cluster and takes it for that of the next one, whose job has the same number: it
    is forgotten.
    """
    import ray
    from ray.serve import context

    ray.shutdown()
    cluster.shutdown()
    context._set_global_client(None)  # there is no public way
