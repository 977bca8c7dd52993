"""Judged moments kept in one file a project, so that fitting can be done again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES

from editahead_models.evaluate.next_edits.candidate_moments import Judged, Moment


def save(path: Path, found: Sequence[Moment]) -> None:
    """Write moments as flat arrays, with the rest as JSON."""
    part = path.with_suffix(".part.npz")
    rows = [
        {
            "commit": one.commit, "kind": one.kind, "coming": one.coming, "elsewhere": one.elsewhere,
            "category": one.category, "sources": one.sources, "groups": one.groups, "language": one.language,
            "answers": [asdict(answer) if answer else None for answer in one.answers],
        }
        for one in found
    ]  # fmt: skip
    np.savez_compressed(
        part,
        names=np.asarray(FEATURES),
        rows=np.asarray(json.dumps(rows)),
        features=np.concatenate([np.zeros((0, len(FEATURES))), *(one.features for one in found)]),
        probabilities=np.concatenate([np.zeros(0), *(one.probabilities for one in found)]),
        flags=np.concatenate(
            [np.zeros((0, 3), dtype=np.bool_), *(np.stack([one.right, one.place, one.own], 1) for one in found)]
        ),
    )
    part.rename(path)


def load(path: Path, project: str) -> list[Moment]:
    """Read them again. ValueError, one line, for moments of other features."""
    with np.load(path, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    if tuple(arrays["names"].tolist()) != FEATURES:
        raise ValueError(f"{path}: moments of other features than today's; give another folder, or delete this file")
    found: list[Moment] = []
    at = 0
    for row in json.loads(str(arrays["rows"])):
        end = at + len(row["sources"])
        flags = arrays["flags"][at:end]
        found.append(
            Moment(
                project, row["language"], row["commit"], row["kind"], row["coming"], row["elsewhere"],
                row["category"], tuple(row["sources"]), arrays["features"][at:end], flags[:, 0], flags[:, 1],
                flags[:, 2],
                arrays["probabilities"][at:end], tuple(row["groups"]),
                tuple(Judged(**answer) if answer else None for answer in row["answers"]),
            )
        )  # fmt: skip
        at = end
    return found
