"""Checkpoints of a run on code or on edits: a stopped run goes on with the very next batch."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from editahead_models.data.corpus.batches import BatchStream
from editahead_models.data.edits.stream import EditStream
from editahead_models.families.mixture import State
from editahead_models.run_folder import save_atomically

LATEST, BRANCH = "checkpoint.pt", "stable.pt"


@dataclass
class Progress:
    """Tokens (or edits) and updates so far, the budget whose decay has begun (0: none), the state to carry."""

    tokens: int = 0
    step: int = 0
    decaying_for: int = 0
    state: State | None = None


@dataclass(frozen=True)
class Checkpoints:
    """Saves and restores all that an update depends on, random numbers and the place in the data included."""

    folder: Path
    model: nn.Module
    optimiser: torch.optim.Optimizer
    stream: BatchStream | EditStream

    def save(self, progress: Progress) -> None:
        """Replace the latest checkpoint."""
        self._write(LATEST, progress)

    def save_branch(self, progress: Progress) -> None:
        """Keep the state before the decay: a larger budget goes on from there."""
        self._write(BRANCH, progress)

    def resume(self, budget: int) -> Progress:
        """Restore the newest checkpoint that serves this budget; a fresh start where there is none."""
        saved = newest_for(self.folder, budget, next(self.model.parameters()).device)
        if saved is None:
            return Progress()
        self.model.load_state_dict(saved["model"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.stream.restore(saved["position"])
        if "random" in saved:  # runs on edits did not keep it once
            torch.set_rng_state(saved["random"].cpu())
        return Progress(**saved["progress"])

    def _write(self, name: str, progress: Progress) -> None:
        state = {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "position": asdict(self.stream.position),
            "progress": vars(progress),
            "random": torch.get_rng_state(),
        }
        save_atomically(self.folder / name, state)


def newest_for(folder: Path, budget: int, device: torch.device) -> dict[str, Any] | None:
    """The newest checkpoint of a run that serves a budget: one whose decay began for another goes on before it."""
    saved = _read(folder / LATEST, device)
    if saved is not None and saved["progress"]["decaying_for"] not in (0, budget):
        saved = _read(folder / BRANCH, device) or saved
    return saved


def _read(path: Path, device: torch.device) -> dict[str, Any] | None:
    return dict(torch.load(path, weights_only=True, map_location=device)) if path.exists() else None
