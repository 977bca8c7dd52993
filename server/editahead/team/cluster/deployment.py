"""The team server on a Ray cluster: deployed once, its models and tokens replaced while it serves.

Ray is imported in this room alone, inside functions: `editahead[team]` installs it on the machines of the cluster.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import re
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import editahead
from editahead.runtime.bundle import find_bundles
from editahead.team.cluster import replica

REACH_SECONDS = 5.0  # for a port of the head node; Ray itself tries for minutes
# Ray Serve prefers replicas of the node that a connection reaches: those of the other nodes would wait for work.
LOAD_BALANCING = {"env_vars": {"RAY_SERVE_PROXY_PREFER_LOCAL_NODE_ROUTING": "0"}}
TOKEN_HELP = "set RAY_AUTH_MODE=token and copy ~/.ray/auth_token, as on the head node"
_HOST_AND_PORT = re.compile(r"\[?([^/]+?)\]?:(\d{1,5})")


def connect(address: str | None) -> Any:
    """Connect to a cluster, or start a cluster of this machine; return the module `ray.serve`. Raises TeamError."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray sends usage statistics to its vendor otherwise
    if address is not None:
        _check_reachable(address)
    try:
        import ray
        from ray import serve
    except ImportError:
        raise replica.TeamError(
            "Ray is not installed: install this package with its extra `team` on the machines of the cluster"
        ) from None
    logging.getLogger("ray.serve").setLevel(logging.WARNING)
    if not ray.is_initialized():
        try:
            with _without_warnings():
                ray.init(address=address, runtime_env=LOAD_BALANCING, log_to_driver=False, logging_level=logging.ERROR)
        except ray.exceptions.AuthenticationError:
            raise replica.TeamError(f"the Ray cluster {address} needs Ray's own token: {TOKEN_HELP}") from None
        except ConnectionError:
            raise replica.TeamError(f"the Ray cluster {address} does not take this machine: {TOKEN_HELP}") from None
        except (RuntimeError, ValueError) as error:
            raise replica.TeamError(f"the Ray cluster {address} cannot be reached ({type(error).__name__})") from None
    return serve


@contextlib.contextmanager
def _without_warnings() -> Iterator[None]:
    """Close standard error for a while: of a wrong token, Ray's libraries write a line a second there."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _check_reachable(address: str) -> None:
    """Raise TeamError where nothing listens on a host and port. Other kinds of addresses are Ray's to judge."""
    match = _HOST_AND_PORT.fullmatch(address)
    if match is None:
        return
    try:
        socket.create_connection((match[1], int(match[2])), REACH_SECONDS).close()
    except (OSError, OverflowError, UnicodeError):
        raise replica.TeamError(f"no Ray cluster answers on {address}: start one with `ray start --head`") from None


APPLICATION, DEPLOYMENT = "editahead", "TeamReplica"
LOOPBACK, PORT = "127.0.0.1", 8765
DRAIN_SECONDS = 2.0  # that a replica which is taken away waits for its clients
HEALTH_SECONDS = 2.0  # between two checks of a replica
APPLY_SECONDS = 120.0  # that replicas have to load other models
SERVES = ("RUNNING", "DEPLOYING", "UNHEALTHY")  # states of an application whose replicas can take something over
ON_THE_HEAD = {"node:__internal_head__": 0.001}  # a resource that Ray gives to the head node alone


@dataclass(frozen=True, slots=True)
class TeamOptions:
    """How the team server is deployed. `tokens` are owners by the sums of their tokens."""

    tokens: Mapping[str, str]
    bundles: tuple[Path, ...] = ()
    device: str = "auto"
    replicas: int = 1
    clients: int = 100  # of a replica at a time
    connections: int = 8  # of a token to a replica at a time
    address: str | None = None  # of a Ray cluster; None: a cluster of this machine alone, for the time of the command
    host: str = LOOPBACK
    port: int = PORT
    cpus: float = 1.0  # that Ray reserves for a replica
    gpus: float = 0.0

    @property
    def config(self) -> replica.ReplicaConfig:
        """What replicas take over while they serve."""
        return replica.ReplicaConfig(
            dict(self.tokens), tuple(map(str, self.bundles)), self.device, self.connections, self.clients,
        )  # fmt: skip

    @property
    def listens(self) -> str:
        """Host and port of the team server."""
        return f"{self.host}:{self.port}"

    @property
    def layout(self) -> tuple[Any, ...]:
        """What needs other replicas when it changes."""
        return editahead.__version__, self.replicas, self.clients, self.cpus, self.gpus


def deploy(options: TeamOptions) -> str:
    """Deploy the team server, or replace what a running server uses. Return its URL. Raises TeamError.

    The models are tried here first: a damaged bundle never reaches a replica.
    """
    replica.load_engine(options.bundles, options.device)
    serve = connect(options.address)
    import ray

    holder = _config_holder(ray)
    layout: tuple[Any, ...] = ray.get(holder.layout.remote())
    listens: str = ray.get(holder.listens.remote())
    if listens not in ("", options.listens):
        raise replica.TeamError(
            f"the team server listens on {listens}: to change that, end it with `editahead team stop` first"
        )
    running = serve.status().applications.get(APPLICATION)
    replaces = running is not None and running.status in SERVES and layout == options.layout
    if not replaces:
        _check_processors(ray, options)
    config = replace(options.config, manifests=manifests(options.bundles))
    ray.get(holder.put.remote(config, options.layout, options.listens))
    if replaces:
        _replace(serve, config)
    else:
        _start(serve, options)
    return f"ws://{options.listens}"


def manifests(bundles: Sequence[Path]) -> str:
    """Return a SHA-256 sum that differs where a bundle of the package or of these folders does."""
    digest = hashlib.sha256()
    for path in find_bundles(bundles):
        digest.update((path / "manifest.json").read_bytes())
    return digest.hexdigest()


def _check_processors(ray: Any, options: TeamOptions) -> None:
    """Raise TeamError where the replicas would wait for processors that the cluster does not have."""
    needed, there = options.replicas * options.cpus, ray.cluster_resources().get("CPU", 0.0)
    if needed > there:
        raise replica.TeamError(
            f"{options.replicas} replicas need {needed:g} processors, and the cluster has {there:g}: "
            "add a node, or give fewer --replicas"
        )


def _replace(serve: Any, config: replica.ReplicaConfig) -> None:
    """Let every replica take over a configuration. Raises TeamError for the first problem."""
    handle = serve.get_deployment_handle(DEPLOYMENT, APPLICATION)
    problems = [problem for problem in handle.broadcast("apply", config).results(timeout_s=APPLY_SECONDS) if problem]
    if problems:
        raise replica.TeamError(f"{len(problems)} replicas keep their models: {problems[0]}")


def _start(serve: Any, options: TeamOptions) -> None:
    """Start replicas, or replace them in sequence. Raises TeamError."""
    try:
        serve.start(proxy_location="HeadOnly", http_options={"host": options.host, "port": options.port})
    except Exception as error:  # of Ray, with the text of the remote error
        _clear(serve)
        raise replica.TeamError(
            f"cannot listen on {options.listens} ({type(error).__name__}): is the port taken?"
        ) from None
    deployment = serve.deployment(
        serve.ingress()(replica.TeamReplica),
        name=DEPLOYMENT,
        num_replicas=options.replicas,
        max_ongoing_requests=options.clients,  # a connection is a single request to Ray Serve
        ray_actor_options={"num_cpus": options.cpus, "num_gpus": options.gpus},
        health_check_period_s=HEALTH_SECONDS,
        graceful_shutdown_timeout_s=DRAIN_SECONDS,
    )
    try:
        serve.run(deployment.bind(), name=APPLICATION, route_prefix="/")
    except RuntimeError as error:
        raise replica.TeamError(f"the deployment failed: {str(error).splitlines()[0]}") from None


def _config_holder(ray: Any) -> Any:
    """Return the actor with the configuration of the replicas; it outlives this process."""
    return (
        ray.remote(replica.ConfigHolder)
        .options(
            name=replica.CONFIG_ACTOR,
            namespace=replica.NAMESPACE,
            lifetime="detached",
            get_if_exists=True,
            num_cpus=0,
            resources=ON_THE_HEAD,
        )
        .remote()
    )


def remove(address: str | None) -> None:
    """Take the team server off a cluster, and its port where nothing else serves there. Raises TeamError."""
    serve = connect(address)
    if APPLICATION in serve.status().applications:
        serve.delete(APPLICATION)
    if not serve.status().applications:
        _clear(serve)


def _clear(serve: Any) -> None:
    """End Ray Serve, so that the next team server may listen elsewhere."""
    import ray

    serve.shutdown()
    with contextlib.suppress(ValueError):  # there is none
        ray.kill(ray.get_actor(replica.CONFIG_ACTOR, replica.NAMESPACE))


def shut_down() -> None:
    """End the cluster that `deploy` started on this machine, or disconnect from the cluster that it connected to."""
    import ray

    ray.shutdown()
