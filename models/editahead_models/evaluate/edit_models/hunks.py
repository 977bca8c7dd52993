"""Hunk accuracy on dev projects: after some hunks of a commit, is what is offered one of those to come?

An offer is right when it makes one of the remaining hunks, or its first whole lines: what is left of the hunk is
offered next. `whole` is the strict reading: the offer is a remaining hunk from end to end.

The same cases fit the scorer and its calibration (edit_hunk_fit).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from editahead.encode.edit_model.sequences import EditState
from editahead.encode.edit_model.tokens import EditToken
from editahead.encode.edit_model.window import Window
from editahead.runtime.edit_model.model import EditModel
from editahead.runtime.edit_model.states import DecoderState
from editahead.suggest.next_edit.rollout.hunk_search import Proposal, RollOut
from editahead.suggest.next_edit.rollout.rollout_features import FEATURES, line_numbers

from editahead_models.data.edits.crop import TextKinds, cropped
from editahead_models.data.edits.samples import Sample, ShardFile, mined_edits, ordered_sample

Floats = npt.NDArray[np.float64]
PARTLY = 0.3
"""Share of cases in which the first lines of the next hunk are done already, where it has several."""


Search = Callable[[EditModel, DecoderState], "list[Proposal]"]
"""What may come after a decoder state, within so many seconds."""


def roll_out(model: EditModel, decoder: DecoderState) -> list[Proposal]:
    """The search that the server does, to its end."""
    return RollOut(model, decoder).proposals()


@dataclass(frozen=True)
class Case:
    """The proposals after some hunks: features and rightness of each; `remaining` hunks were still to come."""

    project: str
    remaining: int
    features: Floats  # [P, F]
    right: npt.NDArray[np.bool_]  # [P]
    whole: npt.NDArray[np.bool_]  # [P]
    seconds: float
    repeated: bool  # one of the remaining hunks repeats an earlier one token by token


def sample_keys(sample: Sample, texts: Sequence[str]) -> tuple[tuple[EditToken, ...], list[EditToken | None]]:
    """Initial tokens and contents of a sample as keys."""
    state = tuple(EditToken(texts[text], int(gap)) for text, gap in zip(sample.state, sample.state_gap, strict=True))
    contents = [
        None if text < 0 else EditToken(texts[text], int(gap))
        for text, gap in zip(sample.content, sample.gap, strict=True)
    ]
    return state, contents


def cases(
    model: EditModel, shards: Sequence[ShardFile], texts: Sequence[str], *, count: int, seed: int = 3,
    hunk_limit: int = 40, search: Search = roll_out,
) -> Iterator[Case]:  # fmt: skip
    """Roll-outs at a random place in the hunk sequence of `count` random changes, the same ones for any search.

    The windows are of the size that the bundle is served with.
    """
    rng, kinds = np.random.default_rng(seed), TextKinds(texts)
    where = [(shard, number) for shard in shards for number in range(len(shard))]
    done = 0
    for index in rng.permutation(len(where)):
        shard, number = where[index]
        mined = cropped(mined_edits(shard, number), model.window_limit, kinds)
        sample = ordered_sample(mined, hunk_limit, rng)
        if sample is None:
            continue
        hunks = int(sample.hunk[-1]) + 1
        given = int(rng.integers(1, hunks + 1))
        if given == hunks and not sample.stop:
            continue
        yield _case(model, sample, given, texts, shard.project, rng, search)
        done += 1
        if done >= count:
            return


def _case(
    model: EditModel,
    sample: Sample,
    given: int,
    texts: Sequence[str],
    project: str,
    rng: np.random.Generator,
    search: Search,
) -> Case:
    keys, contents = sample_keys(sample, texts)
    line = line_numbers(keys)
    last = int(sample.hunk[-1])
    first = int(np.searchsorted(sample.hunk, given))
    if given <= last and rng.random() < PARTLY:
        cuts = line_cuts(sample, contents, np.flatnonzero(sample.hunk == given).tolist(), line)
        first = int(rng.choice(cuts))
    decoder = model.begin(model.encode(Window((), keys, {})))
    for edit, key in zip(sample.edits[:first], contents[:first], strict=True):
        decoder = model.append(decoder, edit.name, key, start=edit.start)
    begun = time.perf_counter()
    proposals = search(model, decoder)
    seconds = time.perf_counter() - begun
    parts: set[tuple[EditToken, ...]] = set()
    wholes: set[tuple[EditToken, ...]] = set()
    remaining = 0
    earlier = {_contents(sample, contents, hunk) for hunk in range(given)}
    repeated = False
    for hunk in range(given, last + 1):
        rows = [row for row in np.flatnonzero(sample.hunk == hunk).tolist() if row >= first]
        if not rows:
            continue
        remaining += 1
        repeated |= _contents(sample, contents, hunk) in earlier
        for cut in line_cuts(sample, contents, rows, line):
            parts.add(_after(decoder.state, sample, contents, rows[: cut - rows[0]], keys))
        wholes.add(_after(decoder.state, sample, contents, rows, keys))
    results = [tuple(proposal.decoder.key(name) for name in proposal.result) for proposal in proposals]
    features = np.asarray([proposal.features for proposal in proposals], dtype=np.float64).reshape(-1, len(FEATURES))
    return Case(
        project,
        remaining,
        features,
        np.asarray([result in parts for result in results], dtype=np.bool_),
        np.asarray([result in wholes for result in results], dtype=np.bool_),
        seconds,
        repeated,
    )


def line_cuts(
    sample: Sample, contents: Sequence[EditToken | None], rows: Sequence[int], line: Sequence[int]
) -> list[int]:
    """Edit numbers after which a whole line of a hunk is done; the last is its end."""
    cuts: list[int] = []
    lowest = line[sample.edits[rows[0]].root]
    for row in rows[1:]:
        here, key = line[sample.edits[row].root], contents[row]
        if here > lowest or (key is not None and key.text.startswith("\n")):
            cuts.append(row)
        lowest = max(lowest, here)
    return [*cuts, rows[-1] + 1]


def _contents(sample: Sample, contents: Sequence[EditToken | None], hunk: int) -> tuple[str, ...]:
    rows = np.flatnonzero(sample.hunk == hunk).tolist()
    return tuple("" if contents[row] is None else f"+{contents[row]}" for row in rows)


def _after(
    state: EditState,
    sample: Sample,
    contents: Sequence[EditToken | None],
    rows: Sequence[int],
    keys: Sequence[EditToken],
) -> tuple[EditToken, ...]:
    """The tokens after some more edits of the sample, consecutive ones."""
    twin = state.copy()
    for row in rows:
        name = sample.edits[row].name
        own = name - twin.n0
        if own >= rows[0]:  # their own insertions are numbered anew
            name = twin.n0 + state.steps + (own - rows[0])
        twin.apply(name, contents[row])
    return tuple(keys[name] if name < twin.n0 else twin.keys[name] for name in twin.names)


def load_shards_of(folder: Path) -> tuple[list[ShardFile], list[str]]:
    """The shards of a split and the texts that number their tokens."""
    table: dict[str, int] = {}
    shards = [ShardFile(path, table) for path in sorted(folder.glob("*.npz"))]
    return shards, list(table)
