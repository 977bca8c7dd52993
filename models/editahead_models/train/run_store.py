"""A run's folder in any store of fsspec (a path, s3://, …): pulled before training, pushed with each checkpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import fsspec

from editahead_models.train.checkpoints import BRANCH, LATEST

LOG, CONFIG, WEIGHTS = "log.jsonl", "config.json", "model.pt"
PROGRESS = "progress.json"  # what the last call of the trainer came to
FILES = (CONFIG, LOG, BRANCH, LATEST, WEIGHTS)  # in the order in which they are pushed


class RunStore:
    """Files of one run below a URL. A file is never half-written there: it is moved into its place."""

    def __init__(self, url: str) -> None:
        self._files, self._root = fsspec.core.url_to_fs(url)

    def pull(self, folder: Path) -> None:
        """Fetch what is there into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            if self._files.exists(f"{self._root}/{name}"):
                self._files.get_file(f"{self._root}/{name}", str(folder / name))

    def write_progress(self, values: Mapping[str, Any]) -> None:
        """Keep what a call of the trainer came to."""
        self._files.pipe_file(f"{self._root}/{PROGRESS}", json.dumps(values).encode())

    def progress(self) -> dict[str, Any]:
        """Return what the last call of the trainer came to."""
        return dict(json.loads(self._files.cat_file(f"{self._root}/{PROGRESS}")))

    def push(self, folder: Path) -> None:
        """Put the files of a folder there."""
        self._files.makedirs(self._root, exist_ok=True)
        for name in FILES:
            if (folder / name).exists():
                self._files.put_file(str(folder / name), f"{self._root}/{name}.new")
                self._files.mv(f"{self._root}/{name}.new", f"{self._root}/{name}")
