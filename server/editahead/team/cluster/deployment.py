"""The team server on a Ray cluster: deployed once, its models and tokens replaced while it serves.

Ray is imported in this room alone, inside functions: `editahead[team]` installs it on the machines of the cluster.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import editahead
from editahead.team.cluster.inference import NO_BATCHES, Batching
from editahead.team.cluster.replica import (
    CONFIG_ACTOR,
    NAMESPACE,
    ConfigHolder,
    ReplicaConfig,
    TeamError,
    TeamReplica,
    load_engine,
)

log = logging.getLogger("editahead.team")
APPLICATION, DEPLOYMENT = "editahead", "TeamReplica"
LOOPBACK, PORT = "127.0.0.1", 8765
DRAIN_SECONDS = 2.0  # that a replica which is taken away waits for its clients
HEALTH_SECONDS = 2.0  # between two checks of a replica
APPLY_SECONDS = 120.0  # that replicas have to load other models
SERVES = ("RUNNING", "DEPLOYING", "UNHEALTHY")  # states of an application whose replicas can take something over
# Ray Serve prefers replicas of the node that a connection reaches: those of the other nodes would wait for work.
BALANCED = {"env_vars": {"RAY_SERVE_PROXY_PREFER_LOCAL_NODE_ROUTING": "0"}}
ON_THE_HEAD = {"node:__internal_head__": 0.001}  # a resource that Ray gives to the head node alone


@dataclass(frozen=True, slots=True)
class TeamOptions:
    """How the team server is deployed. `tokens` are owners by the sums of their tokens."""

    tokens: Mapping[str, str]
    bundles: tuple[Path, ...] = ()
    device: str = "auto"
    replicas: int = 1
    clients: int = 100  # of one replica at a time
    connections: int = 8  # of one token to a replica at a time
    address: str | None = None  # of a Ray cluster; None: a cluster of this machine alone, for the time of the command
    host: str = LOOPBACK
    port: int = PORT
    cpus: float = 1.0  # that Ray reserves for a replica
    gpus: float = 0.0
    batching: Batching = NO_BATCHES

    @property
    def config(self) -> ReplicaConfig:
        """What replicas take over while they serve."""
        return ReplicaConfig(
            dict(self.tokens), tuple(map(str, self.bundles)), self.device, self.connections, self.clients,
            self.batching,
        )  # fmt: skip

    @property
    def layout(self) -> tuple[Any, ...]:
        """What needs other replicas when it changes."""
        return editahead.__version__, self.replicas, self.clients, self.cpus, self.gpus


def deploy(options: TeamOptions) -> str:
    """Deploy the team server, or replace what a running one serves. Returns its URL. Raises TeamError.

    The models are tried here first: a damaged bundle never reaches a replica.
    """
    load_engine(options.bundles, options.device)
    serve = _ray_serve(options.address)
    import ray

    holder = _config_holder(ray)
    layout: tuple[Any, ...] = ray.get(holder.layout.remote())
    ray.get(holder.put.remote(options.config, options.layout))
    running = serve.status().applications.get(APPLICATION)
    if running is not None and running.status in SERVES and layout == options.layout:
        _replace(serve, options.config)
    else:
        _start(serve, options)
    return f"ws://{options.host}:{options.port}"


def _replace(serve: Any, config: ReplicaConfig) -> None:
    """Let every replica take over a configuration. Raises TeamError for the first problem of one."""
    handle = serve.get_deployment_handle(DEPLOYMENT, APPLICATION)
    problems = [problem for problem in handle.broadcast("apply", config).results(timeout_s=APPLY_SECONDS) if problem]
    if problems:
        raise TeamError(f"{len(problems)} replicas keep their models: {problems[0]}")


def _start(serve: Any, options: TeamOptions) -> None:
    """Start replicas, or replace them one after another. Raises TeamError."""
    serve.start(proxy_location="HeadOnly", http_options={"host": options.host, "port": options.port})
    deployment = serve.deployment(
        serve.ingress()(TeamReplica),
        name=DEPLOYMENT,
        num_replicas=options.replicas,
        max_ongoing_requests=options.clients,  # a connection is one request to Ray Serve
        ray_actor_options={"num_cpus": options.cpus, "num_gpus": options.gpus},
        health_check_period_s=HEALTH_SECONDS,
        graceful_shutdown_timeout_s=DRAIN_SECONDS,
    )
    try:
        serve.run(deployment.bind(), name=APPLICATION, route_prefix="/")
    except RuntimeError as error:
        raise TeamError(f"the deployment failed: {str(error).splitlines()[0]}") from None


def _config_holder(ray: Any) -> Any:
    """Return the actor with the configuration of the replicas; it outlives this process."""
    return (
        ray.remote(ConfigHolder)
        .options(
            name=CONFIG_ACTOR,
            namespace=NAMESPACE,
            lifetime="detached",
            get_if_exists=True,
            num_cpus=0,
            resources=ON_THE_HEAD,
        )
        .remote()
    )


def _ray_serve(address: str | None) -> Any:
    """Connect to a cluster, or start one of this machine; returns the module `ray.serve`. Raises TeamError."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray sends usage statistics to its vendor otherwise
    try:
        import ray
        from ray import serve
    except ImportError:
        raise TeamError(
            "Ray is not installed: install this package with its extra `team` on the machines of the cluster"
        ) from None
    if not ray.is_initialized():
        try:
            ray.init(address=address, runtime_env=BALANCED, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise TeamError(f"the Ray cluster {address} cannot be reached ({type(error).__name__})") from None
    return serve


def remove(address: str | None) -> None:
    """Take the team server off a cluster. Raises TeamError."""
    _ray_serve(address).delete(APPLICATION)


def shut_down() -> None:
    """End the cluster that `deploy` started on this machine, or leave the one that it connected to."""
    import ray

    ray.shutdown()
