"""The search for whole next hunks of the edit model, with the probability of every step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from editahead.encode.edit_model.tokens import EditToken
from editahead.encode.edit_model.window import SENTINELS
from editahead.runtime.edit_model.model import EditModel
from editahead.runtime.edit_model.states import ContentScores, DecoderState, EditContent, Floats
from editahead.runtime.logistic import LogisticModel
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.rollout import rollout_features

STARTS = 5
CONTENTS = 2
MAX_STEPS = 32
MAX_WORK = 24  # rows that a request may append; a limit of rows, not of time, gives the same result on all machines
_MIN_LOG_PROBABILITY = -6.0


@dataclass(frozen=True)
class Proposal:
    """A possible next hunk: the decoder state after it, its steps with their probability, and its features."""

    decoder: DecoderState
    edits: tuple[tuple[int, EditToken | None], ...]
    steps: tuple[tuple[str, float], ...]
    features: tuple[float, ...]

    @property
    def result(self) -> tuple[int, ...]:
        """The live token names after the hunk."""
        return tuple(self.decoder.state.names)


@dataclass(frozen=True)
class Draft:
    """A hunk during the search: `inside` is ln P of its steps, `stay` P that the next edit is in the same lines."""

    decoder: DecoderState
    edits: tuple[tuple[int, EditToken | None], ...]
    steps: tuple[tuple[str, float], ...]
    inside: float
    stay: float
    replayed: bool


Enough = Callable[[float], bool]  # whether a scorer's probability is high enough; monotonic


class RollOut:
    """A request's search for the next hunk. Drafts with the same first steps share their rows."""

    def __init__(
        self,
        model: EditModel,
        decoder: DecoderState,
        *,
        cancel: Cancel | None = None,
        scorer: LogisticModel | None = None,
        enough: Enough | None = None,
    ) -> None:
        """`scorer` and `enough`: a draft is given up when its probability can no longer be enough."""
        self._model, self._decoder, self._cancel = model, decoder, cancel
        self._first_run = model.append_runs
        self._line = rollout_features.line_numbers(decoder.encoded.window.keys)
        self._line_of_name = np.asarray(self._line)
        self._scorer, self._enough = scorer, enough
        self._appended: dict[tuple[int, int, EditToken | None, bool], DecoderState] = {}
        self._scores: dict[int, tuple[ContentScores, int]] = {}
        self._first_steps: set[tuple[int, bool, EditToken | None]] = set()
        self.given_up = 0.0  # the highest probability that any draft could still have had when it was given up
        self._past = rollout_features.PastHunks(decoder, self._line)
        self._features = rollout_features.HunkFeatures(decoder, self._past)

    def proposals(self) -> list[Proposal]:
        """Different hunks, likeliest start first; empty when the model predicts the end of the edits."""
        position = self._decoder.position
        if position is None:
            return []
        names = self._starts(position)
        if not names:
            return []
        scores = self._model.score_contents(self._decoder, names, self._cancel)
        self._scores = {name: (scores, row) for row, name in enumerate(names)}
        offered = [self._model.most_likely(scores, row, CONTENTS) for row in range(len(names))]
        fresh, going_on = self._without_continuations(position, names, offered)
        self._features.open_share = max(1e-4, 1.0 - going_on)
        drafts: list[tuple[float, int, int, EditContent | rollout_features.Program]] = []
        for rank, (name, contents) in enumerate(fresh):
            start = float(position[name])
            drafts += [(start + content.logp, rank, name, content) for content in contents if content.logp > -3.0]
            program = self._past.matching_program(name)
            if program is not None:
                drafts.append((start, rank, name, program))
        drafts.sort(key=lambda draft: -draft[0])
        proposals: dict[tuple[tuple[int, EditToken | None], ...], Proposal] = {}
        self._first_steps = {
            (name, True, first[0][1]) if isinstance(first, tuple) else (name, False, first.key)
            for _, _, name, first in drafts
        }
        for _, rank, name, first in drafts:
            if self._is_over_limit():
                break
            for draft in (
                self._replay(name, first, rank) if isinstance(first, tuple) else self._greedy(name, first, rank)
            ):
                if draft.edits not in proposals and not self._past.has_repetition(draft.decoder, draft.edits):
                    proposals[draft.edits] = self._proposal(draft, rank)
        return list(proposals.values())

    def _is_over_limit(self) -> bool:
        """Whether the work limit is reached."""
        return self._model.append_runs - self._first_run >= MAX_WORK

    def _append(self, decoder: DecoderState, name: int, key: EditToken | None, start: bool) -> DecoderState:
        """The decoder state after another edit, computed once."""
        step = (id(decoder), name, key, start)  # all states of a request are kept, so an id stays with its state
        if step not in self._appended:
            self._appended[step] = self._model.append(decoder, name, key, start=start, cancel=self._cancel)
        return self._appended[step]

    def _can_be_enough(
        self, edits: rollout_features.Edits, inside: float, rank: int, replay: rollout_features.Program = ()
    ) -> bool:
        """Whether a hunk that begins with `edits`, perhaps the replay of a program, can still be probable enough.

        If both the roll-out and a replay may give the same hunk, its features are those of the first.
        """
        if self._scorer is None or self._enough is None:
            return True
        name, key = edits[0]
        has_twin = (name, not replay, key) in self._first_steps
        either = (0.0, 1.0) if has_twin else (float(bool(replay)),)
        if replay:
            best = self._features.best_replay(self._scorer, name, replay, inside, rank, either)
        else:
            best = self._features.outlook(edits, inside, rank, MAX_STEPS, either).best(self._scorer)
        if self._enough(best):
            return True
        self.given_up = max(self.given_up, best)
        return False

    def _without_continuations(
        self, position: Floats, names: Sequence[int], offered: Sequence[Sequence[EditContent]]
    ) -> tuple[list[tuple[int, Sequence[EditContent]]], float]:
        """Starts outside the user's own insertions, and the probability of the excluded continuations of these.

        The user has finished these insertions; only another line may follow an inserted token.
        """
        size, excluded = self._decoder.encoded.size, 0.0
        fresh: list[tuple[int, Sequence[EditContent]]] = []
        for name, contents in zip(names, offered, strict=True):
            if name >= size:
                lines = [content for content in contents if content.key is not None and content.key.text[0] == "\n"]
                excluded += math.exp(float(position[name])) * (1.0 - sum(math.exp(content.logp) for content in lines))
                contents = lines
            if contents:
                fresh.append((name, contents))
        return fresh, excluded

    def _starts(self, position: Floats) -> list[int]:
        alive = [name for name in self._decoder.state.names[:-1] if position[name] > -7.0]
        ranked = sorted(alive, key=lambda name: -float(position[name]))
        initial = [name for name in ranked if name < self._decoder.encoded.size][:STARTS]
        near = [name for name in initial if position[name] > position[initial[0]] - 4.0]
        return near + [name for name in ranked[:STARTS] if name >= self._decoder.encoded.size]

    def _greedy(self, name: int, content: EditContent, rank: int) -> Iterator[Draft]:
        """Follow the likeliest steps within the hunk; yield a draft whenever a line is complete."""
        if content.key is None and self._decoder.key(name) in SENTINELS:
            return
        edits, steps, inside = [(name, content.key)], [_description(self._decoder, name, content)], content.logp
        if not self._can_be_enough(edits, inside, rank):
            return
        decoder = self._append(self._decoder, name, content.key, True)
        for _ in range(MAX_STEPS - 1):
            low, high = self._lines(decoder, edits)
            position = decoder.position
            assert position is not None
            best = int(position.argmax())
            stay = self._mass(decoder, low, high)
            if best == len(position) - 1 or not low <= self._line_of(decoder, best) <= high + 1:
                yield Draft(decoder, tuple(edits), tuple(steps), inside, stay, False)
                return
            if self._line_of(decoder, best) > high:
                yield Draft(decoder, tuple(edits), tuple(steps), inside, stay, False)
            if len(decoder.edits) >= self._model.max_edits or self._is_over_limit():
                return
            chosen = self._model.contents(decoder, [best], 1, self._cancel)[0][0]
            if chosen.key is None and decoder.key(best) in SENTINELS:
                return
            if chosen.key is not None and chosen.key.text.startswith("\n"):
                ended = math.exp(float(position[best]) + chosen.logp)
                yield Draft(decoder, tuple(edits), tuple(steps), inside, max(0.0, stay - ended), False)
            inside += float(position[best]) + chosen.logp
            steps.append(_description(decoder, best, chosen, float(position[best])))
            edits.append((best, chosen.key))
            if inside < _MIN_LOG_PROBABILITY or not self._can_be_enough(edits, inside, rank):
                return
            decoder = self._append(decoder, best, chosen.key, False)

    def _replay(self, name: int, program: rollout_features.Program, rank: int) -> Iterator[Draft]:
        """Yield a draft of an earlier hunk's program at another position, scored step by step."""
        decoder, inside = self._decoder, 0.0
        edits: list[tuple[int, EditToken | None]] = []
        steps: list[tuple[str, float]] = []
        base = decoder.encoded.size + len(decoder.edits)
        for number, (offset, key) in enumerate(program):
            target = name + rollout_features.offset_of(offset) if rollout_features.is_offset(offset) else base + ~offset
            if target not in decoder.state.names or len(decoder.edits) >= self._model.max_edits:
                return
            position = float(decoder.position[target]) if number and decoder.position is not None else 0.0
            scores, row = (
                self._scores[name] if number == 0 else (self._model.score_contents(decoder, [target], self._cancel), 0)
            )
            content = self._model.logp(scores, row, key)
            inside += position + content
            steps.append(_description(decoder, target, EditContent(key, content), position))
            edits.append((target, key))
            if inside < _MIN_LOG_PROBABILITY or not self._can_be_enough(edits, inside, rank, program):
                return
            decoder = self._append(decoder, target, key, number == 0)
        yield Draft(
            decoder, tuple(edits), tuple(steps), inside, self._mass(decoder, *self._lines(decoder, edits)), True
        )

    def _line_of(self, decoder: DecoderState, name: int) -> int:
        """The initial line to which a name belongs."""
        return self._line[name if name < decoder.encoded.size else decoder.state.root(name)]

    def _lines(self, decoder: DecoderState, edits: rollout_features.Edits) -> tuple[int, int]:
        """The first and the last initial line that a hunk touched."""
        lines = [self._line_of(decoder, name) for name, _ in edits]
        return min(lines), max(lines)

    def _mass(self, decoder: DecoderState, low: int, high: int) -> float:
        """P that the next edit is on the lines low..high."""
        assert decoder.position is not None
        names = np.asarray(decoder.state.names)
        lines = np.concatenate([self._line_of_name, self._line_of_name[[edit.root for edit in decoder.edits]]])[names]
        return float(np.exp(decoder.position[names[(low <= lines) & (lines <= high)]]).sum())

    def _proposal(self, draft: Draft, rank: int) -> Proposal:
        features = self._features.values(draft.edits, draft.inside, draft.stay, draft.replayed, rank)
        return Proposal(draft.decoder, draft.edits, draft.steps, features)


def _description(decoder: DecoderState, name: int, content: EditContent, position: float = 0.0) -> tuple[str, float]:
    """A step in words, and its probability; `position`: ln P of its position."""
    anchor = decoder.key(name).text.replace("\n", "⏎")
    description = (
        f"delete {anchor}" if content.key is None else f"{content.key.text.replace(chr(10), '⏎')} after {anchor}"
    )
    return description, math.exp(min(0.0, position + content.logp))
