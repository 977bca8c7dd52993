"""The folder of a training run, which a queue may write into as well."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from editahead_models.queue.store import append_line
from editahead_models.run_folder import LOG, RunFolder


def test_the_log_holds_looks_alone(tmp_path: Path) -> None:
    model = torch.nn.Linear(1, 1)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    folder = RunFolder(tmp_path)
    assert folder.log() == []
    folder.save(model, optimiser, {}, {"step": 1, "dev": 0.5}, best=True)
    append_line(tmp_path / LOG, {"time": 1.0, "stage_core_s": 12.5})
    folder.save(model, optimiser, {}, {"step": 2, "dev": 0.25}, best=True)
    assert [look["step"] for look in folder.log()] == [1, 2]
