"""`editahead-models prepare slips`: training pairs for fixes from mined repairs and synthetic faults.

Every mined region, as it is or with a fault, and the repairs themselves; of those in training only what frequent tokens
and copies can write, of those of the dev projects all.
"""

from __future__ import annotations

import json
import random
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from editahead_models.copyspan.corpora.mine_fixes import REPORT, writable, write_split
from editahead_models.copyspan.corpora.pairs import read_pairs, vocabulary_of
from editahead_models.copyspan.corpora.synthetic_faults import with_faults
from editahead_models.copyspan.network.batches import Pair

KINDS = ("same", "slip", "repair")
LEARNT = 0.4
"""Share of the mined repairs that is learnt from: they are many, and few of them can be foreseen."""


class LabelledPair(NamedTuple):
    """A pair, whose it is, and what it is: one of KINDS."""

    pair: Pair
    project: str
    kind: str


def compose(
    pairs: Sequence[Pair],
    project: str,
    known: Container[str] | None,
    rng: random.Random,
    *,
    longest: int,
    rounds: int = 1,
) -> Iterator[LabelledPair]:
    """The pairs that one project's mined ones make; faults are drawn `rounds` times for each region.

    With `known` words, of repairs only a share (LEARNT) of those that these and copies can write.
    """
    good = list(dict.fromkeys(pair.target for pair in pairs))  # what was repaired, as it became
    drawn = (pair for _ in range(rounds) for pair in with_faults(good, rng, longest=longest))
    for pair in dict.fromkeys(drawn):
        yield LabelledPair(pair, project, "same" if pair.source == pair.target else "slip")
    for pair in pairs:
        if pair.source == pair.target or len(pair.source) > longest:
            continue
        if known is None or (writable(pair, known) and rng.random() < LEARNT):
            yield LabelledPair(pair, project, "repair")


def prepare(
    data: Path, out: Path, split: str, *, longest: int, known: int | None, seed: int, rounds: int = 1
) -> dict[str, int]:
    """Write the pairs of a split in drawn order, with the project and the kind of each; counts by kind."""
    pairs = read_pairs(data / f"{split}.source.jsonl", data / f"{split}.target.jsonl")
    owners = json.loads((data / f"{split}.projects.json").read_text(encoding="utf-8"))
    words = None if known is None else frozenset(vocabulary_of(pairs, known).tokens)
    rng = random.Random(f"{seed}:{split}:slips")
    by_project: dict[str, list[Pair]] = {}
    for pair, name in zip(pairs, owners, strict=True):
        by_project.setdefault(name, []).append(pair)
    made = [
        one
        for name, mine in by_project.items()
        for one in compose(mine, name, words, rng, longest=longest, rounds=rounds)
    ]
    rng.shuffle(made)
    write_split(out, split, [one.pair for one in made], [one.project for one in made])
    kinds = [one.kind for one in made]
    (out / f"{split}.kinds.json").write_text(json.dumps(kinds), encoding="utf-8")
    return {kind: kinds.count(kind) for kind in KINDS}


def main(
    data: Annotated[Path, typer.Option(help="What `mine fixes` wrote.")],
    out: Annotated[Path, typer.Option(help="Where the pairs go.")],
    longest: Annotated[int, typer.Option(help="Tokens of a region at most.")] = 120,
    known: Annotated[int, typer.Option(help="So many frequent tokens, and copies, must do for a repair.")] = 2000,
    seed: Annotated[int, typer.Option(help="Seed of the faults.")] = 7,
    rounds: Annotated[int, typer.Option(help="In training: how often faults are drawn for each region.")] = 1,
) -> None:
    """Make the pairs of train, fit and dev of a model of fixes."""
    out.mkdir(parents=True, exist_ok=True)
    counts = {
        split: prepare(data, out, split, longest=longest, known=words, seed=seed, rounds=times)
        for split, words, times in (("train", known, rounds), ("fit", None, 1), ("dev", None, 1))
    }
    report: dict[str, Any] = json.loads((data / REPORT).read_text(encoding="utf-8"))
    report |= {"slips": counts, "longest": longest}
    (out / REPORT).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(counts))
