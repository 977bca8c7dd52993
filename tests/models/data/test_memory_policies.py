"""The pointer's memory: every policy against a slow and obvious one, for any cut into chunks."""

from __future__ import annotations

import numpy as np
import pytest
from editahead.encode.language_model.encoder import NO_NAME
from editahead_models.data.corpus.memory_policies import POLICIES, memory_of
from hypothesis import given
from hypothesis import strategies as st


def expected(policy: str, names: list[int], step: int, slots: int) -> set[int]:
    """Positions that the memory holds when token `step` is being predicted from: entries before it, the newest K."""
    before = list(enumerate(names[:step]))
    if policy == "last_tokens":
        entries = [at for at, _ in before]
    elif policy == "occurrences":
        entries = [at for at, name in before if name != NO_NAME]
    elif policy == "declarations":
        entries = [at for at, name in before if name != NO_NAME and name not in names[:at]]
    else:
        latest = {name: at for at, name in before if name != NO_NAME}
        entries = sorted(latest.values())
    return set(entries[-slots:])


@pytest.mark.slow
@given(
    policy=st.sampled_from(POLICIES),
    names=st.lists(st.integers(NO_NAME, 5), min_size=1, max_size=40),
    slots=st.integers(1, 6),
    steps=st.integers(1, 11),
)
def test_the_memory_holds_what_the_policy_says_at_every_step(
    policy: str, names: list[int], slots: int, steps: int
) -> None:
    memory = memory_of(policy, np.array(names, np.int32), slots)
    carried = [-1] * slots  # positions that the carried slots stand for
    for start in range(0, len(names), steps):
        n = min(steps, len(names) - start)
        read = memory.read(start, n)
        for t in range(n):
            filled = read.position[t] >= 0
            assert set(read.position[t][filled].tolist()) == expected(policy, names, start + t, slots)
            for place, position in zip(read.place[t][filled].tolist(), read.position[t][filled].tolist(), strict=True):
                found = carried[place] if place < slots else start + place - slots
                assert found == position
        carried = [carried[place] if place < slots else start + place - slots for place in read.carry.tolist()]


def test_an_unknown_policy_is_named() -> None:
    with pytest.raises(ValueError, match="memory must be one of"):
        memory_of("all", np.zeros(3, np.int32), 4)
