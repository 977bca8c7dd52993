"""A sequence of rows equals concatenations, whatever is extended from which state, and keeps one array."""

from __future__ import annotations

import numpy as np
from editahead.runtime.edit_model.states import RowSequence
from editahead.runtime.memory import array_bytes
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 3)), max_size=40), st.integers(0, 5))
def test_every_state_equals_its_concatenations(steps: list[tuple[int, int]], first: int) -> None:
    begin = np.arange(first * 2, dtype=np.float32).reshape(first, 2)
    states, expected = [RowSequence(begin)], [begin.copy()]
    for number, (origin, rows) in enumerate(steps):
        at = origin % len(states)
        more = np.full((rows, 2), number, dtype=np.float32)
        states.append(states[at].extend(more))
        expected.append(np.concatenate([expected[at], more]))
        for state, rows_of in zip(states, expected, strict=True):
            assert np.array_equal(state.array, rows_of)


def test_states_share_their_memory() -> None:
    states = [RowSequence(np.zeros((320, 128), dtype=np.float32))]
    for _ in range(32):
        states.append(states[-1].extend(np.ones((1, 128), dtype=np.float32)))
    apart = sum(state.array.nbytes for state in states)
    assert array_bytes(states) < apart / 10
