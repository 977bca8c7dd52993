"""Bytes of arrays behind objects: each once, through containers, slots and views, with circles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from editahead.runtime.memory import array_bytes


@dataclass(slots=True)
class Held:
    array: np.ndarray
    other: object = None


def test_each_array_counts_once() -> None:
    array = np.zeros(1000, np.float32)
    assert array_bytes(array) == 4000
    assert array_bytes(array, [array, {"a": Held(array)}]) == 4000
    assert array_bytes(array[:10]) == 4000  # a view keeps all of it
    assert array_bytes(Held(array, Held(np.zeros(10, np.int8)))) == 4010


def test_circles_and_many_objects_end() -> None:
    first = Held(np.zeros(5, np.int8))
    first.other = [first]
    assert array_bytes(first) == 5
    assert array_bytes([np.zeros(1, np.int8) for _ in range(1000)], most=100) < 100
    assert array_bytes("text", None, 3, int) == 0
