"""What `editahead team serve` finds out before it touches a cluster; without Ray."""

from __future__ import annotations

import json
import shutil
import socket
import time
from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.team.cluster.deployment import REACH_SECONDS, connect, manifests
from editahead.team.cluster.replica import ReplicaConfig, TeamError


def test_a_cluster_that_is_not_there_is_one_line_at_once() -> None:
    """Ray itself tries for minutes."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(TeamError, match=f"no Ray cluster answers on {address}"):
            connect(address)
    assert time.monotonic() - began < REACH_SECONDS + 1.0


@pytest.mark.parametrize("address", ["127.0.0.1:99999", "a..b:6379"])
def test_an_address_that_cannot_be_is_one_line(address: str) -> None:
    with pytest.raises(TeamError, match="no Ray cluster answers on"):
        connect(address)


def test_another_content_of_a_bundle_folder_makes_other_models(tmp_path: Path) -> None:
    bundle = tmp_path / "own"
    shutil.copytree(next(path for path in find_bundles([]) if path.name.startswith("spn-python")), bundle)

    def models() -> object:
        return ReplicaConfig({}, (str(bundle),), "cpu", 8, 100, manifests([bundle])).models

    before = models()
    assert models() == before
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    (bundle / "manifest.json").write_text(json.dumps({**manifest, "version": "9.9.9"}), encoding="utf-8")
    assert models() != before
