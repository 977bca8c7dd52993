"""A cluster that is gone ends a command with one line, at once."""

from __future__ import annotations

import socket
import sys
from types import SimpleNamespace

import pytest
from editahead_models.data.ray_cluster import connected


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Ray as far as a connection needs it; `calls` lists what it was told."""
    calls: list[str] = []
    fake = SimpleNamespace(
        calls=calls,
        is_initialized=lambda: False,
        init=lambda address, log_to_driver: calls.append(address),
        shutdown=lambda: calls.append("shutdown"),
    )
    monkeypatch.setitem(sys.modules, "ray", fake)
    return fake


def test_nothing_listens_there(ray: SimpleNamespace) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # taken, and nobody listens
        address = f"127.0.0.1:{held.getsockname()[1]}"
        with pytest.raises(SystemExit, match=f"no Ray cluster answers on {address}: start one"), connected(address):
            pytest.fail("there is no cluster")
    assert ray.calls == []


@pytest.mark.parametrize("address", ["127.0.0.1:99999", "no..host:6379"])
def test_no_address_at_all(ray: SimpleNamespace, address: str) -> None:
    with pytest.raises(SystemExit, match="no Ray cluster answers"), connected(address):
        pytest.fail("there is no cluster")
    assert ray.calls == []


def test_the_connection_ends_with_the_block(ray: SimpleNamespace) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        with connected(address):
            assert ray.calls == [address]
    assert ray.calls == [address, "shutdown"]


def test_a_connection_of_somebody_else_stays(ray: SimpleNamespace) -> None:
    ray.is_initialized = lambda: True
    with connected("127.0.0.1:1"):
        pass
    assert ray.calls == []
