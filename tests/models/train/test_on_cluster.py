"""A language model trained by a local Ray cluster of two nodes, through the queue, and after a worker was killed.

Without the extra `team` these tests are skipped.
"""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from editahead_models.queue.runner import Runner
from editahead_models.queue.store import FINISHED, QueueStore
from editahead_models.train.lm import LmRecipe
from editahead_models.train.on_cluster import ClusterProgress, ClusterRun, train_on_cluster

from tests.bench.team.processes import raylets, workers
from tests.models.queue.test_queue import data_root, spec
from tests.team.team_ray import two_nodes

ray = pytest.importorskip("ray", reason="the extra `team` is not installed: pip install -e '.[team]'")

__all__ = ["data_root"]
pytestmark = pytest.mark.filterwarnings("ignore:::ray", "ignore:::pydantic")
PATIENCE = 240.0  # seconds; only a test that fails waits so long
TRAINING = {
    "lanes": 4, "steps": 16, "names": "numbered", "sampled": 0, "dev_tokens": 200, "log_every": 200,
    "evaluate_every": 10**9, "warmup": 100,
}  # fmt: skip


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    cluster, _, _ = two_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def test_the_queue_trains_on_two_nodes_and_gets_the_loss_of_one_process(
    cluster: Any, data_root: Path, tmp_path: Path
) -> None:
    figures = {}
    for name, address in (("here", None), ("there", cluster.address)):
        store = QueueStore(tmp_path / name)
        store.add(spec(tokens=4000, training=TRAINING))
        environment = {"EDITAHEAD_DATA": str(data_root)}
        Runner(store, 1, idle=False, environment=environment, cluster=address, cluster_workers=(2, 2)).run()
        state = store.read("lstm")
        output = (store.folder("lstm") / "output.txt").read_text(encoding="utf-8")
        assert state.status == FINISHED, output[-3000:]
        assert state.core_hours_spent > 0
        assert state.metrics is not None
        figures[name] = state.metrics["all/perplexity"]
        lines = [json.loads(line) for line in (store.folder("lstm") / "stages.jsonl").read_text().splitlines()]
        assert (lines[-1].get("cluster_core_seconds", 0.0) > 0) == (address is not None)
        printed = re.findall(r"2 workers: ([\d,]+) tokens a core-second, (\d+)% of the ([\d,]+) of one worker", output)
        assert len(printed) == (address is not None)
        for together, share, alone in printed:
            both, one = (int(text.replace(",", "")) for text in (together, alone))
            assert min(both, one) > 0
            assert int(share) == pytest.approx(100 * both / one, abs=1)
    assert figures["there"] == pytest.approx(figures["here"], rel=0.03)


def losses(store: Path) -> list[dict[str, Any]]:
    """The lines of the log with a loss, oldest first."""
    file = store / "log.jsonl"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    return [line for line in lines if "loss" in line]


def test_a_run_goes_on_from_its_checkpoint_when_a_worker_is_killed(
    cluster: Any, data_root: Path, tmp_path: Path
) -> None:
    recipe = LmRecipe(tokens=12_000, threads=1, checkpoint_every_s=0.3, **TRAINING)  # type: ignore[arg-type]
    run = ClusterRun(data_root / "tiny", f"file://{tmp_path}/run", recipe, {"hidden": 16}, "lstm", 600.0)
    found: list[ClusterProgress] = []
    training = threading.Thread(target=lambda: found.append(train_on_cluster(cluster.address, run, (1, 2))))
    training.start()
    until = time.monotonic() + PATIENCE
    while len(losses(tmp_path / "run")) < 8:
        assert training.is_alive()
        assert time.monotonic() < until
        time.sleep(0.05)
    processes = [one for node in raylets(cluster.list_all_nodes()) for one in workers(node, "ray::RayTrainWorker")]
    assert len(processes) == 2
    os.kill(processes[-1], signal.SIGKILL)
    killed_at = losses(tmp_path / "run")[-1]["tokens"]
    training.join(PATIENCE)
    assert found, "the run came to its end"
    assert found[0].progress.finished
    assert found[0].progress.tokens >= recipe.tokens
    stages = [line["stage"] for line in losses(tmp_path / "run")]
    later = [line["tokens"] for line in losses(tmp_path / "run") if line["stage"] != stages[0]]
    assert later, "a second start of the training"
    assert later[0] > killed_at // 2, "it did not begin anew"
    again = train_on_cluster(cluster.address, replace(run, recipe=recipe), (1, 1))
    assert (again.progress.finished, again.progress.tokens) == (True, found[0].progress.tokens)
