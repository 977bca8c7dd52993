"""Checkpoints of a run on edits: all that an update depends on, the place in the data included."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import nn

from editahead_models.data.edits.stream import EditPosition, EditStream
from editahead_models.run_folder import save_atomically
from editahead_models.train.checkpoints import BRANCH, LATEST, newest_for


@dataclass
class EditProgress:
    """Token edits and updates so far, and the budget whose decay has begun (0: none)."""

    tokens: int = 0
    step: int = 0
    decaying_for: int = 0


@dataclass(frozen=True)
class EditCheckpoints:
    """Saves and restores a run in its folder."""

    folder: Path
    model: nn.Module
    optimiser: torch.optim.Optimizer
    stream: EditStream

    def save(self, progress: EditProgress) -> None:
        """Replace the latest checkpoint."""
        self._write(LATEST, progress)

    def save_branch(self, progress: EditProgress) -> None:
        """Keep the state before the decay: a larger budget goes on from there."""
        self._write(BRANCH, progress)

    def resume(self, budget: int) -> EditProgress:
        """Restore the newest checkpoint that serves this budget; a fresh start where there is none."""
        saved = newest_for(self.folder, budget, next(self.model.parameters()).device)
        if saved is None:
            return EditProgress()
        self.model.load_state_dict(saved["model"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.stream.position = EditPosition(**saved["position"])
        return EditProgress(**saved["progress"])

    def _write(self, name: str, progress: EditProgress) -> None:
        state = {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "position": asdict(self.stream.position),
            "progress": asdict(progress),
        }
        save_atomically(self.folder / name, state)
