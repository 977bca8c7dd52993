"""Whole next hunks from the edit model: where it would start, what it would do, how sure it is of every part."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from editahead.encode.edit_tokens import Key
from editahead.encode.edit_window import SENTINELS
from editahead.runtime.edit import Content, EditModel, Floats, Trail
from editahead.runtime.ort import Cancel

STARTS = 5
CONTENTS = 2
MAX_STEPS = 32
MAX_WORK = 40
"""Rows that one request may append after its first proposal: the same answer on a fast and on a slow machine."""
_HOPELESS = -6.0
FEATURES = (
    "bias", "start", "lead", "inside", "end", "go", "entropy", "steps", "repeats", "agreement", "replayed", "rank",
    "uniform", "history", "alone", "certain",
)  # fmt: skip

Program = tuple[tuple[int, Key | None], ...]
"""Edits of a hunk relative to it: an offset from the first root, or `~i` for its own insertion number i; and the
content."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Edits of a hunk as names, from edit number `first` on."""

    first: int
    edits: tuple[tuple[int, Key | None], ...]


@dataclass(frozen=True)
class Proposal:
    """A hunk that might come next: the trail after it, its parts' ln P, and what the scorer looks at."""

    trail: Trail
    edits: tuple[tuple[int, Key | None], ...]
    steps: tuple[tuple[str, float], ...]
    features: tuple[float, ...]

    @property
    def result(self) -> tuple[int, ...]:
        """Live names after it."""
        return tuple(self.trail.state.names)


@dataclass(frozen=True)
class Scorer:
    """A logistic model over `FEATURES`, fitted on held-out projects; the default trusts the joint probability alone."""

    weights: Mapping[str, float] = field(
        default_factory=lambda: {"bias": 0.0, "start": 1.0, "inside": 1.0, "end": 1.0, "go": 1.0}
    )

    def probability(self, features: Sequence[float]) -> float:
        """The uncalibrated probability that the hunk is right."""
        total = sum(self.weights.get(name, 0.0) * value for name, value in zip(FEATURES, features, strict=True))
        return 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, total))))


@dataclass(frozen=True)
class Draft:
    """A hunk in the making: ln P of its parts after the first position, P that its lines are not done yet."""

    trail: Trail
    edits: tuple[tuple[int, Key | None], ...]
    steps: tuple[tuple[str, float], ...]
    inside: float
    stay: float
    replayed: bool


class RollOut:
    """One request's search for the next hunk."""

    def __init__(self, model: EditModel, trail: Trail, *, budget: float = 0.04, cancel: Cancel | None = None) -> None:
        """`budget` is in seconds; it is looked at between steps."""
        self._model, self._trail, self._cancel = model, trail, cancel
        self._budget, self._begun = budget, model.append_runs
        self._deadline = time.perf_counter() + budget
        self._hurry = False
        self._open = 1.0
        self._line = line_numbers(trail.encoded.window.keys)
        self._hunks = past_hunks(trail, self._line)
        self._programs = [program_of(trail, hunk) for hunk in self._hunks]

    def proposals(self) -> list[Proposal]:
        """Different hunks, likeliest start first; empty when the model sees nothing to do or stops."""
        position = self._trail.position
        if position is None:
            return []
        names = self._starts(position)
        if not names:
            return []
        offered = self._model.contents(self._trail, names, CONTENTS, self._cancel)
        fresh, going_on = self._without_continuations(position, names, offered)
        self._open = max(1e-4, 1.0 - going_on)
        drafts: list[tuple[float, int, int, Content | Program]] = []
        for rank, (name, contents) in enumerate(fresh):
            start = float(position[name])
            drafts += [(start + content.logp, rank, name, content) for content in contents if content.logp > -3.0]
            program = self._fitting(name)
            if program is not None:
                drafts.append((start, rank, name, program))
        drafts.sort(key=lambda draft: -draft[0])
        found: dict[tuple[tuple[int, Key | None], ...], Proposal] = {}
        for _, rank, name, way in drafts:
            self._hurry = bool(found)
            if found and (time.perf_counter() > self._deadline or self._spent() > MAX_WORK):
                break
            for done in self._replay(name, way) if isinstance(way, tuple) else self._greedy(name, way):
                if done.edits not in found and not self._done_before(done):
                    found[done.edits] = self._proposal(done, name, rank)
        return list(found.values())

    def _done_before(self, draft: Draft) -> bool:
        """Whether one of its lines gets the contents that came at the same initial token already: once is enough."""
        pieces: dict[int, tuple[int, list[Key | None]]] = {}
        for name, key in draft.edits:
            line = self._line_of(draft.trail, name)
            pieces.setdefault(line, (draft.trail.state.root(name), []))[1].append(key)
        done = [(self._trail.state.root(hunk.edits[0][0]), [key for _, key in hunk.edits]) for hunk in self._hunks]
        return any(piece in done for piece in pieces.values())

    def _late(self) -> bool:
        """Whether the budget is spent; the first proposal gets three times as long, so that there is one."""
        if self._hurry and self._spent() > MAX_WORK:
            return True
        return time.perf_counter() > self._deadline + (0.0 if self._hurry else 2.0 * self._budget)

    def _spent(self) -> int:
        return self._model.append_runs - self._begun

    def _without_continuations(
        self, position: Floats, names: Sequence[int], offered: Sequence[Sequence[Content]]
    ) -> tuple[list[tuple[int, Sequence[Content]]], float]:
        """Starts of something new, and the share of the rest: going on with what the user just wrote.

        The user has left it, so it is done; only a further line may follow on an inserted token.
        """
        size, left = self._trail.encoded.size, 0.0
        fresh: list[tuple[int, Sequence[Content]]] = []
        for name, contents in zip(names, offered, strict=True):
            if name >= size:
                lines = [content for content in contents if content.key is not None and content.key.text[0] == "\n"]
                left += math.exp(float(position[name])) * (1.0 - sum(math.exp(content.logp) for content in lines))
                contents = lines
            if contents:
                fresh.append((name, contents))
        return fresh, left

    def _starts(self, position: Floats) -> list[int]:
        alive = [name for name in self._trail.state.names[:-1] if position[name] > -7.0]
        ranked = sorted(alive, key=lambda name: -float(position[name]))
        initial = [name for name in ranked if name < self._trail.encoded.size][:STARTS]
        near = [name for name in initial if position[name] > position[initial[0]] - 4.0]
        return near + [name for name in ranked[:STARTS] if name >= self._trail.encoded.size]

    def _greedy(self, name: int, content: Content) -> Iterator[Draft]:
        """Follow the likeliest steps as long as they stay with the hunk; a draft wherever a line is done."""
        if content.key is None and self._trail.key(name) in SENTINELS:
            return
        trail = self._model.append(self._trail, name, content.key, start=True, cancel=self._cancel)
        edits, steps, inside = [(name, content.key)], [_told(self._trail, name, content)], content.logp
        for _ in range(MAX_STEPS - 1):
            low, high = self._lines(trail, edits)
            position = trail.position
            assert position is not None
            best = int(position.argmax())
            stay = self._mass(trail, low, high)
            if best == len(position) - 1 or not low <= self._line_of(trail, best) <= high + 1:
                yield Draft(trail, tuple(edits), tuple(steps), inside, stay, False)
                return
            if self._line_of(trail, best) > high:
                yield Draft(trail, tuple(edits), tuple(steps), inside, stay, False)
            if len(trail.edits) >= self._model.max_edits or self._late():
                return
            chosen = self._model.contents(trail, [best], 1, self._cancel)[0][0]
            if chosen.key is None and trail.key(best) in SENTINELS:
                return
            if chosen.key is not None and chosen.key.text.startswith("\n"):
                ended = math.exp(float(position[best]) + chosen.logp)
                yield Draft(trail, tuple(edits), tuple(steps), inside, max(0.0, stay - ended), False)
            inside += float(position[best]) + chosen.logp
            if inside < _HOPELESS:
                return
            steps.append(_told(trail, best, chosen, float(position[best])))
            edits.append((best, chosen.key))
            trail = self._model.append(trail, best, chosen.key, start=False, cancel=self._cancel)

    def _fitting(self, name: int) -> Program | None:
        """The latest earlier hunk whose first and deleted tokens are found again from `name` on."""
        if name >= self._trail.encoded.size:
            return None
        keys = self._trail.encoded.window.keys
        alive = set(self._trail.state.names)
        for hunk, program in reversed(list(zip(self._hunks, self._programs, strict=True))):
            if not program:
                continue
            root = self._trail.state.root(hunk.edits[0][0])
            places = [name + _offset(offset) for offset, _ in program if _is_offset(offset)]
            if any(place not in alive or not 1 <= place < len(keys) for place in places):
                continue
            pairs = [(name + _offset(o), root + _offset(o)) for o, key in program if _is_offset(o) and key is None]
            if all(keys[here].text == keys[there].text for here, there in pairs) and (
                pairs or keys[name].text == keys[root].text
            ):
                return program
        return None

    def _replay(self, name: int, program: Program) -> Iterator[Draft]:
        """An earlier hunk's program at another place, scored step by step."""
        trail, inside = self._trail, 0.0
        edits: list[tuple[int, Key | None]] = []
        steps: list[tuple[str, float]] = []
        base = trail.encoded.size + len(trail.edits)
        for number, (offset, key) in enumerate(program):
            where = name + _offset(offset) if _is_offset(offset) else base + ~offset
            if where not in trail.state.names or len(trail.edits) >= self._model.max_edits:
                return
            place = 0.0 if number == 0 else float(trail.position[where]) if trail.position is not None else 0.0
            content = self._model.content_logp(trail, where, key, self._cancel)
            inside += place + content
            if inside < _HOPELESS:
                return
            steps.append(_told(trail, where, Content(key, content), place))
            edits.append((where, key))
            trail = self._model.append(trail, where, key, start=number == 0, cancel=self._cancel)
        yield Draft(trail, tuple(edits), tuple(steps), inside, self._mass(trail, *self._lines(trail, edits)), True)

    def _line_of(self, trail: Trail, name: int) -> int:
        """The initial line that a name hangs on."""
        return self._line[name if name < trail.encoded.size else trail.state.root(name)]

    def _lines(self, trail: Trail, edits: Sequence[tuple[int, Key | None]]) -> tuple[int, int]:
        """The first and the last initial line that a hunk touched."""
        lines = [self._line_of(trail, name) for name, _ in edits]
        return min(lines), max(lines)

    def _mass(self, trail: Trail, low: int, high: int) -> float:
        """P that the next edit is on the lines low..high."""
        assert trail.position is not None
        names = [name for name in trail.state.names if low <= self._line_of(trail, name) <= high]
        return float(np.exp(trail.position[names]).sum())

    def _proposal(self, draft: Draft, name: int, rank: int) -> Proposal:
        position = self._trail.position
        assert position is not None
        shares = np.exp(position)
        top = float(max(position[other] for other in self._trail.state.names[:-1] if other < self._trail.encoded.size))
        program = _program(self._trail, draft.edits, self._trail.encoded.size + len(self._trail.edits))
        repeats, agreement = self._likeness(program, self._trail.state.root(name))
        features = (
            1.0,
            max(-12.0, min(0.0, float(position[name]) - math.log(self._open))),
            max(-12.0, min(0.0, float(position[name]) - top)),
            max(-12.0, draft.inside),
            math.log(max(1e-5, 1.0 - draft.stay)),
            math.log(max(1e-5, 1.0 - float(shares[-1]) / self._open)),
            -float((shares * np.maximum(position, -20.0)).sum()),
            math.log(len(draft.edits)),
            min(3.0, float(repeats)),
            agreement,
            float(draft.replayed),
            float(rank),
            repeats / max(1, len(self._hunks)),
            math.log(1.0 + len(self._hunks)),
            float(repeats == 0) * math.log(1.0 + len(self._hunks)),
            agreement * min(1.0, float(np.exp(position[name])) / self._open),
        )
        return Proposal(draft.trail, draft.edits, draft.steps, features)

    def _likeness(self, program: Program, root: int) -> tuple[int, float]:
        """How many earlier hunks did exactly this, and the best share of five neighbours in which the places agree."""
        around = self._trail.encoded.around
        alike = [
            self._trail.state.root(hunk.edits[0][0])
            for hunk, other in zip(self._hunks, self._programs, strict=True)
            if other == program
        ]
        agreement = max((float((around[place] == around[root]).mean()) for place in alike), default=0.0)
        return len(alike), agreement


_OFFSET = 1 << 20


def _is_offset(code: int) -> bool:
    return code >= 0


def _offset(code: int) -> int:
    """Offsets are stored from `_OFFSET` up, so that they cannot be mistaken for own insertions (below zero)."""
    return code - _OFFSET


def past_hunks(trail: Trail, line: Sequence[int]) -> list[Hunk]:
    """The hunks of a trail, cut where they go on to another of the initial lines (`line` by initial name)."""
    hunks: list[Hunk] = []
    lowest = -1
    for number, edit in enumerate(trail.edits):
        if edit.start or not hunks or line[edit.root] > lowest:
            hunks.append(Hunk(number, ()))
            lowest = line[edit.root]
        hunks[-1] = Hunk(hunks[-1].first, (*hunks[-1].edits, (edit.name, edit.key)))
    return hunks


def line_numbers(keys: Sequence[Key]) -> list[int]:
    """The line of each initial token, counted from the start of a window; sentinels have their own."""
    numbers: list[int] = np.cumsum([key in SENTINELS or key.text.startswith("\n") for key in keys]).tolist()
    return numbers


def program_of(trail: Trail, hunk: Hunk) -> Program:
    """A hunk as a program; empty when it builds on another hunk's insertions."""
    return _program(trail, hunk.edits, trail.encoded.size + hunk.first)


def _program(trail: Trail, edits: Sequence[tuple[int, Key | None]], first_name: int) -> Program:
    size = trail.encoded.size
    if not edits or edits[0][0] >= size:
        return ()
    origin = edits[0][0]
    codes: list[tuple[int, Key | None]] = []
    for name, key in edits:
        if name < size:
            codes.append((_OFFSET + name - origin, key))
        elif name >= first_name:
            codes.append((~(name - first_name), key))
        else:
            return ()
    return tuple(codes)


def _told(trail: Trail, name: int, content: Content, place: float = 0.0) -> tuple[str, float]:
    """A step in words, and its probability."""
    anchor = trail.key(name).text.replace("\n", "⏎")
    what = f"delete {anchor}" if content.key is None else f"{content.key.text.replace(chr(10), '⏎')} after {anchor}"
    return what, math.exp(min(0.0, place + content.logp))
