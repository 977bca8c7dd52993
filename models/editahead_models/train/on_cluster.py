"""Training of a language model on a Ray cluster: `train` on every worker, started and restarted by Ray Train.

The run's folder lies in a store that all nodes reach. When a worker or its node dies, the workers that are left go on
from the last checkpoint; when nodes come back, more of them do.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from editahead_models.data.ray_cluster import connected
from editahead_models.train.lm import LmProgress, LmRecipe, train
from editahead_models.train.run_store import RunStore
from editahead_models.train.scaling import Scaling, measure_scaling
from editahead_models.train.workers import Alone, ProcessGroup

RESTARTS = 10  # of one run, before it fails
RESIZE_SECONDS = 60.0  # between two looks at whether there are more nodes


@dataclass(frozen=True)
class ClusterRun:
    """One run on a cluster. `data` is a folder that all nodes see, `store` a path or URL of fsspec that all reach."""

    data: Path
    store: str
    recipe: LmRecipe
    settings: dict[str, Any]
    family: str
    seconds: float  # until a checkpoint is written and the call returns


@dataclass(frozen=True)
class ClusterProgress:
    """Where a run stands, with the processor seconds of the workers that came to the end."""

    progress: LmProgress
    core_seconds: float
    workers: int
    scaling: Scaling | None = None  # of several workers


class Deadline:
    """Over after some seconds."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self._end


def train_on_cluster(address: str, run: ClusterRun, workers: tuple[int, int]) -> ClusterProgress:
    """Train with at least and at most so many workers, one processor each. Raises ImportError without Ray."""
    with connected(address):
        from ray.train import FailureConfig, RunConfig, ScalingConfig
        from ray.train.torch import TorchConfig, TorchTrainer

        TorchTrainer(
            _train_on_worker,
            train_loop_config={"run": run},
            torch_config=TorchConfig(backend="gloo"),
            scaling_config=ScalingConfig(
                num_workers=workers, placement_strategy="SPREAD", elastic_resize_monitor_interval_s=RESIZE_SECONDS
            ),
            # Ray Train keeps its own notes where all nodes reach them; checkpoints are ours.
            run_config=RunConfig(
                storage_path=f"{run.store}/ray-train", failure_config=FailureConfig(max_failures=RESTARTS)
            ),
        ).fit()
    found = RunStore(run.store).progress()
    progress = LmProgress(found["tokens"], found["finished"], found["metrics"])
    scaling = Scaling(**found["scaling"]) if found.get("scaling") else None
    if scaling is not None:
        print(scaling, flush=True)
    return ClusterProgress(progress, found["core_seconds"], found["workers"], scaling)


def _train_on_worker(config: dict[str, Any]) -> None:
    """Train on one worker of the process group that Ray Train made; checkpoints come from and go to the store."""
    from torch import distributed

    run: ClusterRun = config["run"]
    store = RunStore(run.store)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch)
        store.pull(out)
        group = ProcessGroup() if distributed.is_initialized() else Alone()
        size = distributed.get_world_size() if distributed.is_initialized() else 1
        scaling = measure_scaling(run.data, run.recipe, run.settings, run.family, group, size) if size > 1 else None
        progress = train(
            run.data, out, run.recipe, run.settings, run.family,
            limit=Deadline(run.seconds), workers=group, saved=lambda: store.push(out),
        )  # fmt: skip
        core_seconds = group.total(int(1000 * (time.process_time() - began))) / 1000
        if group.leads:
            values = {"tokens": progress.tokens, "finished": progress.finished, "metrics": progress.metrics}
            about = {"core_seconds": core_seconds, "workers": size, "scaling": scaling and asdict(scaling)}
            store.write_progress({**values, **about})
