"""The opening example of Zhao et al. 2019: one text, two histories, so that only what was done tells what follows.

A: a parameter was added to a function and to its result; its call lacks the argument. B: a variable and the argument
that passed it were deleted; the parameter is left over. Fifty functions of other names, arities and bodies.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine

from tests.scenarios.runner import Play

VARIANTS = 50
FUNCTIONS = ("foo", "render", "load_all", "scale", "merge_rows", "send", "area", "open_store", "pick", "weigh")
NAMES = ("x", "path", "item", "key", "rows", "value", "first", "url", "name", "size")
BODIES = (
    "return {sum}",
    "total = {sum}\n    return total",
    "print({sum})",
    "return compute({sum})",
    "if {one}:\n        return {sum}\n    return None",
)
CALLS = ("{call}", "result = {call}", "print({call})")


@dataclass(frozen=True)
class Variant:
    """A function of `names`, and a further parameter that comes or goes."""

    function: str
    names: tuple[str, ...]
    further: str
    body: str
    call: str

    @property
    def all_names(self) -> tuple[str, ...]:
        return (*self.names, self.further)

    def defined(self, names: tuple[str, ...]) -> str:
        body = self.body.format(sum=" + ".join(names), one=names[0])
        return f"def {self.function}({', '.join(names)}):\n    {body}\n"

    def called(self, names: tuple[str, ...]) -> str:
        return self.call.format(call=f"{self.function}({', '.join(names)})") + "\n"


def variants() -> Iterator[Variant]:
    rng = random.Random(1)
    for number in range(VARIANTS):
        *names, further = rng.sample(NAMES, rng.randint(2, 4))
        call = rng.choice(CALLS)
        yield Variant(rng.choice(FUNCTIONS), tuple(names), further, BODIES[number % len(BODIES)], call)


def opened(engine: Engine, text: str) -> Play:
    play = Play(engine, "file:///example")
    play.open(f"import os\n\n\n{text}‸")
    return play


def change(play: Play, near: str, old: str, new: str) -> None:
    """Replace `old` at the end of the text `near`, and let the change settle."""
    at = play.find(near) + len(near.encode())
    play.edit(at - len(old.encode()), at, new)
    play.clock += 2.0
    assert play.history is not None
    play.history.settle(play.clock)
    play.idle = True


def parameter_added(engine: Engine, variant: Variant) -> Play:
    play = opened(engine, variant.defined(variant.names) + "\n\n" + variant.called(variant.names))
    change(play, f"def {variant.function}({', '.join(variant.names)}", "", f", {variant.further}")
    text, result = play_text(play), " + ".join(variant.names)
    end = text.rindex(result, 0, text.index("\n\n\n", text.index("def "))) + len(result)
    change(play, text[:end], "", f" + {variant.further}")
    return play


def argument_deleted(engine: Engine, variant: Variant) -> Play:
    value = f"{variant.further} = 10\n"
    play = opened(engine, variant.defined(variant.all_names) + "\n\n" + value + variant.called(variant.all_names))
    change(play, value, value, "")
    before, _, _ = variant.called(variant.all_names).partition(f"{variant.function}(")
    passed = f"{before}{variant.function}({', '.join(variant.all_names)}"
    change(play, play_text(play)[: play_text(play).rindex(passed) + len(passed)], f", {variant.further}", "")
    return play


def play_text(play: Play) -> str:
    assert play.syntax is not None
    return play.syntax.buffer.data.decode()


def place(play: Play, precision: float) -> str:
    """Which part of the text the likeliest candidate is in; whether it breaks code is not asked here."""
    document = replace(play.document(), settings=Settings(precision=precision))
    moment = play.engine.rated_candidates(document, play.cursor, Cancel(), thorough=False)
    likeliest = max(moment.items, key=lambda rated: rated.probability, default=None)
    if likeliest is None or not likeliest.sure:
        return "silent"
    lines = play_text(play).rstrip("\n").split("\n")
    line = likeliest.candidate.line
    if line == len(lines) - 1:
        return "call"
    return "definition" if lines[line].startswith("def ") else "body" if lines[line].startswith(" ") else "elsewhere"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.mark.slow
def test_one_text_and_two_histories(engine: Engine) -> None:
    """A leads to the call at a low dial, B never does, though the text is the same."""
    found: dict[str, Counter[str]] = {"A": Counter(), "B": Counter()}
    for variant in variants():
        added, deleted = parameter_added(engine, variant), argument_deleted(engine, variant)
        assert play_text(added) == play_text(deleted)
        found["A"][place(added, 0.4)] += 1
        found["B"][place(deleted, 0.4)] += 1
    assert found["A"] == {"call": VARIANTS}
    assert found["B"] == {"silent": VARIANTS}
