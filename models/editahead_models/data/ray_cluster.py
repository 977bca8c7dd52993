"""The connection of a command to a Ray cluster."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

REACH_SECONDS = 5.0  # Ray itself tries for minutes
_HOST_AND_PORT = re.compile(r"\[?([^/]+?)\]?:(\d{1,5})")


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """The module `ray`, connected to the cluster at an address while the block runs.

    Raises ImportError without Ray. Ends the command with one line where nothing listens at a host and port.
    """
    import ray

    if ray.is_initialized():
        yield ray
        return
    _check_reachable(address)
    ray.init(address=address, log_to_driver=False)
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_reachable(address: str) -> None:
    found = _HOST_AND_PORT.fullmatch(address)
    if found is None:
        return  # `auto`, or another kind of address that Ray knows
    try:
        socket.create_connection((found[1], int(found[2])), REACH_SECONDS).close()
    except (OSError, OverflowError, UnicodeError):
        raise SystemExit(f"no Ray cluster answers on {address}: start one with `ray start --head`") from None
