"""Instances of every task of the suite: deterministic by task, split and seed.

Source: Zhao et al. 2019, section 5.1: strings of 30 letters from an alphabet of 10; edits are the differences of
successive snapshots, one after each replacement, left to right; a string with fewer than three matches (four
snapshots) is drawn again.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from typing import NamedTuple

from editahead_models.data.synthetic.instances import Instance, from_implicit
from editahead_models.data.synthetic.representation import from_snapshots, with_sentinels
from editahead_models.data.synthetic.tasks import (
    ALL_TASKS,
    ALPHABET,
    LENGTH,
    MAIN_TASKS,
    MIN_MATCHES,
    MULTI_TASK,
    PATTERN_TASKS,
    SCALING_TASKS,
    Task,
)

SCALING_MATCHES = 5
TASK_END = ": "
"""Between the name of a task and a matched text of it."""

Sampler = Callable[[random.Random, int], str]
"""Draws a text of a length."""


class Draw(NamedTuple):
    """A string, and the pattern and the replacement with their letters filled in."""

    text: str
    pattern: str
    replacement: str

    def matched(self) -> tuple[str, ...]:
        """The texts that are replaced."""
        return tuple(match.group() for match in re.finditer(self.pattern, self.text))


def generate(task: str, count: int, *, split: str = "train", seed: int = 1) -> list[Instance]:
    """`count` instances of a task by name, equal for equal arguments. ValueError for an unknown task."""
    rng = random.Random(f"{task}:{split}:{seed}")
    if task in PATTERN_TASKS:
        chosen = PATTERN_TASKS[task]
        return [_instance(draw, chosen) for draw in islice(draws(chosen, rng), count)]
    if task == MULTI_TASK:
        # Equal shares of the 28 tasks in a drawn order. Nothing is given: the model has to see which task it is.
        sources = [draws(PATTERN_TASKS[name], rng) for name in MAIN_TASKS]
        tasks = [PATTERN_TASKS[name] for name in MAIN_TASKS]
        made = [_instance(next(sources[i % len(tasks)]), tasks[i % len(tasks)]) for i in range(count)]
        rng.shuffle(made)
        return [instance._replace(conditioning=0) for instance in made]
    if task in SCALING_TASKS:
        return list(islice(_scaling(task, SCALING_TASKS[task], trigram_sampler(seed), rng), count))
    raise ValueError(f"unknown task {task!r}: choose one of {', '.join(ALL_TASKS)}")


def matched_texts(task: str, count: int, *, split: str = "train", seed: int = 1) -> list[tuple[str, ...]]:
    """The matched texts of the instances that `generate` makes of a task, without the work of their edits.

    Of all tasks at once each with the name of its task, and in the order before they are shuffled: the same text is
    replaced by something else in another task.
    """
    rng = random.Random(f"{task}:{split}:{seed}")
    if task == MULTI_TASK:
        sources = [(name, draws(PATTERN_TASKS[name], rng)) for name in MAIN_TASKS]
        drawn = ((name, next(made)) for name, made in islice(cycle(sources), count))
        return [tuple(f"{name}{TASK_END}{text}" for text in draw.matched()) for name, draw in drawn]
    return [draw.matched() for draw in islice(draws(PATTERN_TASKS[task], rng), count)]


def draws(task: Task, rng: random.Random) -> Iterator[Draw]:
    """Strings with at least three matches, without end."""
    while True:
        x, y = rng.sample(ALPHABET, 2) if task.meta else list(ALPHABET[:2])
        text = "".join(rng.choices(ALPHABET, k=LENGTH))
        if text.count(x) < MIN_MATCHES * task.pattern.count("x"):
            continue  # most strings for the tasks that want xx
        draw = Draw(text, *(part.replace("x", x).replace("y", y) for part in (task.pattern, task.replacement)))
        if len(draw.matched()) >= MIN_MATCHES:
            yield draw


def snapshots(draw: Draw) -> list[str]:
    """The string, and the string after each replacement."""
    found, grown = [draw.text], 0
    for match in re.finditer(draw.pattern, draw.text):
        new, now = match.expand(draw.replacement), found[-1]
        found.append(now[: match.start() + grown] + new + now[match.end() + grown :])
        grown += len(new) - len(match.group())
    return found


def _instance(draw: Draw, task: Task) -> Instance:
    edits, sizes = from_snapshots([with_sentinels(text) for text in snapshots(draw)])
    # A drawn pattern cannot be known before it was seen once: one whole replacement is given.
    given = sizes[0] if task.meta else 0
    return from_implicit(edits)._replace(conditioning=given, matched=draw.matched(), replacements=sizes, task=task.name)


def trigram_sampler(seed: int) -> Sampler:
    """A 3-gram language model with drawn probabilities (exponential weights: uniform over the simplex)."""
    rng = random.Random(f"3-gram:{seed}")
    weights = {(a, b): [rng.expovariate(1.0) for _ in ALPHABET] for a in ALPHABET for b in ALPHABET}

    def sample(source: random.Random, length: int) -> str:
        text = source.choices(ALPHABET, k=2)  # the first context
        while len(text) < length + 2:
            text += source.choices(ALPHABET, weights[text[-2], text[-1]])
        return "".join(text[2:])

    return sample


def _scaling(name: str, insertions: int, sample: Sampler, rng: random.Random) -> Iterator[Instance]:
    """Instances with exactly `insertions` edits, all insertions: the same new text after each of five letters A."""
    task = Task(name, "x", "x", insertions // SCALING_MATCHES, 0)  # the new text is drawn, not a template
    while True:
        text = "".join(rng.choices(ALPHABET, k=LENGTH))
        draw = Draw(text, "A", "A" + sample(rng, insertions // SCALING_MATCHES))
        if len(draw.matched()) == SCALING_MATCHES:
            made = _instance(draw, task)
            if len(made.edits) == insertions:  # a difference can take a detour over deletions
                yield made
