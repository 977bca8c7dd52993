"""Checkpoints of a run on edits: all that an update depends on, the place in the data included."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from editahead_models.data.edit_stream import EditPosition, EditStream
from editahead_models.run_folder import save_atomically

LATEST, BRANCH = "checkpoint.pt", "stable.pt"


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
        saved = self._read(LATEST)
        if saved is not None and saved["progress"]["decaying_for"] not in (0, budget):
            saved = self._read(BRANCH) or saved
        if saved is None:
            return EditProgress()
        self.model.load_state_dict(saved["model"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.stream.position = EditPosition(**saved["position"])
        return EditProgress(**saved["progress"])

    def _read(self, name: str) -> dict[str, Any] | None:
        path = self.folder / name
        device = next(self.model.parameters()).device
        return dict(torch.load(path, weights_only=True, map_location=device)) if path.exists() else None

    def _write(self, name: str, progress: EditProgress) -> None:
        state = {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "position": asdict(self.stream.position),
            "progress": asdict(progress),
        }
        save_atomically(self.folder / name, state)
