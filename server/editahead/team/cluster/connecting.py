"""The connection of a command to a Ray cluster: quick to fail, with a single-line message that says what to do."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import socket
import sys
from collections.abc import Iterator
from typing import Any

from editahead.team.cluster.replica import TeamError

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
        raise TeamError(
            "Ray is not installed: install this package with its extra `team` on the machines of the cluster"
        ) from None
    logging.getLogger("ray.serve").setLevel(logging.WARNING)
    if not ray.is_initialized():
        try:
            with _without_warnings():
                ray.init(address=address, runtime_env=LOAD_BALANCING, log_to_driver=False, logging_level=logging.ERROR)
        except ray.exceptions.AuthenticationError:
            raise TeamError(f"the Ray cluster {address} needs Ray's own token: {TOKEN_HELP}") from None
        except ConnectionError:
            raise TeamError(f"the Ray cluster {address} does not take this machine: {TOKEN_HELP}") from None
        except (RuntimeError, ValueError) as error:
            raise TeamError(f"the Ray cluster {address} cannot be reached ({type(error).__name__})") from None
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
        raise TeamError(f"no Ray cluster answers on {address}: start one with `ray start --head`") from None
