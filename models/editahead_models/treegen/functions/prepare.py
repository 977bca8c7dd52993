"""`editahead-models prepare functions`: mined functions as arrays and a vocabulary, ready to train on."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from editahead_models.treegen.datasets.examples import Example
from editahead_models.treegen.functions.arrays import (
    PREPARED,
    VOCABULARY,
    Cutoffs,
    arrays_of,
    example_of,
    vocabulary_of,
)
from editahead_models.treegen.functions.mine import from_json, read_project, splits
from editahead_models.treegen.functions.pairs import Pair
from editahead_models.treegen.network.batches import COPIED, IGNORED, make_row

_SAID = 40  # words that two descriptions must share to be one


def prepare(pairs: dict[str, dict[str, list[Pair]]], out: Path, cutoffs: Cutoffs) -> dict[str, Any]:
    """Write vocabulary and arrays of the splits `train` and `look`, given by project; returns counts by split.

    A function that needs texts which are neither listed nor in its description is left out and counted, but for as many
    as `cutoffs.unknown` in training, which is taught all other steps. So is one that was seen before: the same
    description and body.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seen: set[tuple[object, ...]] = set()
    kept: dict[str, dict[str, list[Example]]] = {}
    for split, projects in pairs.items():
        kept[split] = {}
        for name, rows in projects.items():
            fresh = []
            for pair in rows:
                mark = (pair.name, pair.description.words[:_SAID], pair.body)
                counts[split]["near duplicates" if mark in seen else "pairs"] += 1
                if mark not in seen:
                    seen.add(mark)
                    fresh.append(example_of(pair))
            kept[split][name] = fresh
    fingerprint = hashlib.sha256()
    vocabulary = vocabulary_of(kept["train"].values(), cutoffs)
    out.mkdir(parents=True, exist_ok=True)
    (out / VOCABULARY).write_text(json.dumps(vocabulary.to_json(), ensure_ascii=False), encoding="utf-8")
    for split, by_project in kept.items():
        rows_ = []
        for example in (e for examples in by_project.values() for e in examples):
            row = make_row(vocabulary, example)
            unknown = [t for t, (target, right) in enumerate(zip(row.targets, row.right, strict=True))
                       if target == COPIED and not right]  # fmt: skip
            fine = len(unknown) <= (cutoffs.unknown if split == "train" else 0)
            counts[split]["kept" if fine else "needs unknown texts"] += 1
            counts[split]["of them with a text that is not learnt"] += bool(fine and unknown)
            for t in unknown:
                row.targets[t] = IGNORED
            fingerprint.update(repr((example.description.words, example.source)).encode("utf-8", "surrogatepass"))
            if fine:
                rows_.append(row)
        arrays_of(rows_).save(out / f"{split}.npz")
    report = {
        **{split: dict(found) for split, found in counts.items()}, "cutoffs": asdict(cutoffs),
        "classes": vocabulary.classes, "words": len(vocabulary.words), "symbols": len(vocabulary.symbols),
        "digest": fingerprint.hexdigest()[:16],
    }  # fmt: skip
    (out / PREPARED).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return report


def main(
    pairs: Annotated[Path, typer.Argument(help="What `mine functions` wrote.")],
    out: Annotated[Path, typer.Option(help="Where the arrays go.")],
) -> None:
    """Turn mined functions into arrays; the vocabulary comes from the training projects alone."""
    found = {
        split: {name: [from_json(raw) for raw in read_project(pairs, name) if raw["short"]] for name in splits()[split]}
        for split in ("train", "look")
    }
    print(json.dumps(prepare(found, out, Cutoffs())))
