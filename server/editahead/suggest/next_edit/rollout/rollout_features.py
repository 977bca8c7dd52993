"""The features of proposed hunks for the scorer of a roll-out, and hunks as programs that fit any position."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from editahead.encode.edit_model.tokens import EditToken
from editahead.encode.edit_model.window import SENTINELS
from editahead.runtime.edit_model.states import DecoderState
from editahead.runtime.logistic import LogisticModel

Program = tuple[tuple[int, EditToken | None], ...]
"""The edits of a hunk: an offset from the first root, or `~i` for its own insertion number i; and the content."""
Edits = Sequence[tuple[int, EditToken | None]]
_OFFSET = 1 << 20
FEATURES = (
    "bias", "start", "lead", "inside", "end", "go", "entropy", "steps", "repeats", "agreement", "replayed", "rank",
    "uniform", "history", "alone", "certain",
)  # fmt: skip
MIN_LOG, MIN_SHARE, MAX_REPEATS = -12.0, 1e-5, 3.0  # limits of ln P, of a share and of the number of repetitions
JOINT = LogisticModel(FEATURES, {"bias": 0.0, "start": 1.0, "inside": 1.0, "end": 1.0, "go": 1.0})
"""The scorer of a bundle without a fitted scorer: the joint probability."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """The edits of a hunk by token name, from edit number `first` on."""

    first: int
    edits: tuple[tuple[int, EditToken | None], ...]


def is_offset(code: int) -> bool:
    """Whether a code is of an initial token, not of an own insertion."""
    return code >= 0


def offset_of(code: int) -> int:
    """The offset of a code; codes of offsets begin at `_OFFSET`, those of own insertions are negative."""
    return code - _OFFSET


def past_hunks(decoder: DecoderState, line: Sequence[int]) -> list[Hunk]:
    """The hunks of a decoder state, split at changes to another initial line (`line` by initial name)."""
    hunks: list[Hunk] = []
    lowest = -1
    for number, edit in enumerate(decoder.edits):
        if edit.start or not hunks or line[edit.root] > lowest:
            hunks.append(Hunk(number, ()))
            lowest = line[edit.root]
        hunks[-1] = Hunk(hunks[-1].first, (*hunks[-1].edits, (edit.name, edit.key)))
    return hunks


def line_numbers(keys: Sequence[EditToken]) -> list[int]:
    """The line of each initial token, counted from the start of a window; sentinels have lines of their own."""
    numbers: list[int] = np.cumsum([key in SENTINELS or key.text.startswith("\n") for key in keys]).tolist()
    return numbers


def program_of(decoder: DecoderState, hunk: Hunk) -> Program:
    """A hunk as a program; empty when it builds on another hunk's insertions."""
    return program_of_edits(decoder, hunk.edits, decoder.encoded.size + hunk.first)


def program_of_edits(decoder: DecoderState, edits: Edits, first_name: int) -> Program:
    """Edits as a program; the names of their own insertions begin with `first_name`."""
    size = decoder.encoded.size
    if not edits or edits[0][0] >= size:
        return ()
    origin = edits[0][0]
    codes: list[tuple[int, EditToken | None]] = []
    for name, key in edits:
        if name < size:
            codes.append((_OFFSET + name - origin, key))
        elif name >= first_name:
            codes.append((~(name - first_name), key))
        else:
            return ()
    return tuple(codes)


class PastHunks:
    """The hunks of a decoder state with their programs; `line` is the initial line of each initial name."""

    def __init__(self, decoder: DecoderState, line: Sequence[int]) -> None:
        self._decoder, self._line = decoder, line
        self._hunks = past_hunks(decoder, line)
        self._programs = [program_of(decoder, hunk) for hunk in self._hunks]

    def __len__(self) -> int:
        return len(self._hunks)

    def has_repetition(self, decoder: DecoderState, edits: Edits) -> bool:
        """Whether `edits`, after which the state is `decoder`, repeat the contents of a hunk at the same token."""
        pieces: dict[int, tuple[int, list[EditToken | None]]] = {}
        for name, key in edits:
            line = self._line[name if name < decoder.encoded.size else decoder.state.root(name)]
            pieces.setdefault(line, (decoder.state.root(name), []))[1].append(key)
        done = [(self._decoder.state.root(hunk.edits[0][0]), [key for _, key in hunk.edits]) for hunk in self._hunks]
        return any(piece in done for piece in pieces.values())

    def matching_program(self, name: int) -> Program | None:
        """The program of the last hunk whose first and deleted tokens match those from `name` on."""
        if name >= self._decoder.encoded.size:
            return None
        keys = self._decoder.encoded.window.keys
        alive = set(self._decoder.state.names)
        for hunk, program in reversed(list(zip(self._hunks, self._programs, strict=True))):
            if not program:
                continue
            root = self._decoder.state.root(hunk.edits[0][0])
            targets = [name + offset_of(offset) for offset, _ in program if is_offset(offset)]
            if any(target not in alive or not 1 <= target < len(keys) for target in targets):
                continue
            pairs = [(name + offset_of(o), root + offset_of(o)) for o, key in program if is_offset(o) and key is None]
            if all(keys[here].text == keys[there].text for here, there in pairs) and (
                pairs or keys[name].text == keys[root].text
            ):
                return program
        return None

    def agreement(self, root: int, begun: Program) -> float | None:
        """The best agreement, in [0, 1], of the position `root` with that of a hunk that begins with `begun`.

        None if there is no such hunk.
        """
        around = self._decoder.encoded.around
        return max(
            (
                float((around[self._decoder.state.root(hunk.edits[0][0])] == around[root]).mean())
                for hunk, other in zip(self._hunks, self._programs, strict=True)
                if not other or other[: len(begun)] == begun
            ),
            default=None,
        )

    def likeness(self, program: Program, root: int) -> tuple[int, float]:
        """The number of hunks with the same program, and the best share of equal neighbours of their positions."""
        around = self._decoder.encoded.around
        roots = [
            self._decoder.state.root(hunk.edits[0][0])
            for hunk, other in zip(self._hunks, self._programs, strict=True)
            if other == program
        ]
        agreement = max((float((around[other] == around[root]).mean()) for other in roots), default=0.0)
        return len(roots), agreement


@dataclass(frozen=True, slots=True)
class Outlook:
    """The features of an incomplete hunk: `parts` are final, others have bounds.

    `inside` is ln P of its steps so far; `agreement` the best similarity of its position to that of an earlier hunk
    with the same first steps (None without such a hunk); `replayed` holds the possible values of that feature.
    """

    parts: Mapping[str, float]
    inside: float
    size: int
    most_steps: int
    share: float
    agreement: float | None
    history: int
    replayed: tuple[float, ...]

    def best(self, scorer: LogisticModel) -> float:
        """The highest probability that the hunk can have, as a repetition or not."""
        open_ends = {
            "inside": (MIN_LOG, max(MIN_LOG, self.inside)),
            "end": (math.log(MIN_SHARE), 0.0),
            "steps": (math.log(max(1, self.size)), math.log(self.most_steps)),
            "replayed": (min(self.replayed), max(self.replayed)),
        }
        lone = {"repeats": 0.0, "agreement": 0.0, "uniform": 0.0, "alone": math.log(1.0 + self.history), "certain": 0.0}
        bound = scorer.at_most({**self.parts, **lone}, open_ends)
        if self.agreement is not None:
            again = {
                "repeats": (1.0, MAX_REPEATS),
                "agreement": (0.0, self.agreement),
                "uniform": (0.0, 1.0),
                "certain": (0.0, self.agreement * min(1.0, self.share)),
            }
            bound = max(bound, scorer.at_most({**self.parts, "alone": 0.0}, {**open_ends, **again}))
        return bound


class HunkFeatures:
    """The features of all hunks from a decoder state.

    `open_share` is P that the next edit is no continuation; it is set once the starts are scored.
    """

    def __init__(self, decoder: DecoderState, past: PastHunks) -> None:
        self._decoder, self._past = decoder, past
        self.open_share = 1.0
        self._of_request: dict[str, float] = {}

    def values(self, edits: Edits, inside: float, stay: float, replayed: bool, rank: int) -> tuple[float, ...]:
        """The features of a finished hunk, in the order of FEATURES.

        `inside` is ln P of its steps, `stay` P that the next edit is in its lines, `rank` that of its start.
        """
        values = {
            **self._parts(edits[0][0], rank),
            **self._of_program(edits[0][0], self._program(edits), len(edits)),
            "inside": max(MIN_LOG, inside),
            "end": math.log(max(MIN_SHARE, 1.0 - stay)),
            "replayed": float(replayed),
        }
        return tuple(values[feature] for feature in FEATURES)

    def best_replay(
        self, scorer: LogisticModel, name: int, program: Program, inside: float, rank: int, replayed: tuple[float, ...]
    ) -> float:
        """The highest probability that the replay of a program at a name can have; the arguments are as in `outlook`.

        Only what its further steps and its end say is open.
        """
        open_ends = {
            "inside": (MIN_LOG, max(MIN_LOG, inside)),
            "end": (math.log(MIN_SHARE), 0.0),
            "replayed": (min(replayed), max(replayed)),
        }
        fixed = {**self._parts(name, rank), **self._of_program(name, program, len(program))}
        return scorer.at_most(fixed, open_ends)

    def _of_program(self, name: int, program: Program, steps: int) -> dict[str, float]:
        """The features of a hunk of so many steps that do not depend on their probability."""
        repeats, agreement = self._past.likeness(program, self._decoder.state.root(name))
        return {
            "steps": math.log(steps),
            "repeats": min(MAX_REPEATS, float(repeats)),
            "agreement": agreement,
            "uniform": repeats / max(1, len(self._past)),
            "alone": float(repeats == 0) * math.log(1.0 + len(self._past)),
            "certain": agreement * min(1.0, self._share(name)),
        }

    def outlook(self, edits: Edits, inside: float, rank: int, most_steps: int, replayed: tuple[float, ...]) -> Outlook:
        """The outlook of a hunk that begins with `edits`; `replayed`: the possible values of that feature."""
        name = edits[0][0]
        return Outlook(
            self._parts(name, rank),
            inside,
            len(edits),
            most_steps,
            self._share(name),
            self._past.agreement(self._decoder.state.root(name), self._program(edits)),
            len(self._past),
            replayed,
        )

    def _program(self, edits: Edits) -> Program:
        return program_of_edits(self._decoder, edits, self._decoder.encoded.size + len(self._decoder.edits))

    def _share(self, name: int) -> float:
        """P that the next hunk starts at a name, given that it is no continuation."""
        assert self._decoder.position is not None
        return float(np.exp(self._decoder.position[name])) / self.open_share

    def _parts(self, name: int, rank: int) -> dict[str, float]:
        """The features that depend on the start only."""
        position = self._decoder.position
        assert position is not None
        start = float(position[name])
        shared = self._of_request
        if not shared:
            shares = np.exp(position)
            initial = [other for other in self._decoder.state.names[:-1] if other < self._decoder.encoded.size]
            shared["top"] = float(position[initial].max())
            shared["go"] = math.log(max(MIN_SHARE, 1.0 - float(shares[-1]) / self.open_share))
            shared["entropy"] = -float((shares * np.maximum(position, -20.0)).sum())
        return {
            "bias": 1.0,
            "start": max(MIN_LOG, min(0.0, start - math.log(self.open_share))),
            "lead": max(MIN_LOG, min(0.0, start - shared["top"])),
            "go": shared["go"],
            "entropy": shared["entropy"],
            "rank": float(rank),
            "history": math.log(1.0 + len(self._past)),
        }
