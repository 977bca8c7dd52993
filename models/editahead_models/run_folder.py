"""The folder of a training run: its settings, its checkpoints, its log. A stopped run goes on from the last one.

`config.json` (settings, vocabulary, digest of the data), `last.pt` (all that resuming needs), `best.pt` (weights of the
best look at the dev split), `log.jsonl` (one line a look).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

CONFIG, LAST, BEST, LOG = "config.json", "last.pt", "best.pt", "log.jsonl"


@dataclass(frozen=True)
class RunFolder:
    """A folder of one run; made when it is first opened."""

    path: Path

    def open(self, config: Mapping[str, Any]) -> None:
        """Write what the run is. ValueError, one line, when the folder holds another run."""
        self.path.mkdir(parents=True, exist_ok=True)
        file = self.path / CONFIG
        text = json.dumps(config, ensure_ascii=False) + "\n"
        if file.exists() and json.loads(file.read_text(encoding="utf-8")) != json.loads(text):
            raise ValueError(f"{self.path}: holds a run with other settings or data; choose another folder")
        file.write_text(text, encoding="utf-8")

    def resume(self, model: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Any]:
        """Load the last checkpoint; its progress, empty where none was written yet."""
        if not (self.path / LAST).exists():
            return {}
        state = torch.load(self.path / LAST, weights_only=True, map_location="cpu")
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        return dict(state["progress"])

    def save(
        self,
        model: nn.Module,
        optimiser: torch.optim.Optimizer,
        progress: Mapping[str, Any],
        line: Mapping[str, Any],
        *,
        best: bool,
    ) -> None:
        """A checkpoint and a line of the log; the weights as the best ones too, where they are."""
        if best:
            save_atomically(self.path / BEST, model.state_dict())
        self.keep(model, optimiser, progress)
        with (self.path / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def keep(self, model: nn.Module, optimiser: torch.optim.Optimizer, progress: Mapping[str, Any]) -> None:
        """A checkpoint between two looks, from which the run goes on after it was killed."""
        state = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "progress": dict(progress)}
        save_atomically(self.path / LAST, state)

    def log(self) -> list[dict[str, Any]]:
        """The looks of the log, oldest first; none where nothing was written yet.

        A queue that runs a command writes the seconds of its stages into the same file; these lines are left out.
        """
        file = self.path / LOG
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [look for line in lines if "stage_core_s" not in (look := json.loads(line))]

    def config(self, family: str) -> dict[str, Any]:
        """What the run is. ValueError, one line, when the folder holds none of this family."""
        try:
            config = dict(json.loads((self.path / CONFIG).read_text(encoding="utf-8")))
            if config["family"] != family:
                raise ValueError(f"a run of the family {config['family']}")
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{self.path}: no run of {family} ({error})") from error
        return config


def save_atomically(path: Path, value: object) -> None:
    """Save a file so that it is never half-written."""
    fresh = path.with_suffix(".new")
    torch.save(value, fresh)
    fresh.replace(path)
