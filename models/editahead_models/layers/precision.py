"""Which number type matrix products should use on this machine: bfloat16 only where it is really faster.

Processors with AVX512-BF16 multiply bfloat16 faster than float32 (217 against 90 GFLOP/s on one, one thread); others
emulate it (25 against 114 GFLOP/s). The choice is measured once a process, in a few milliseconds;
EDITAHEAD_PRODUCTS=float32 or bfloat16 fixes it, as runs that must be repeated to the last digit need.
"""

from __future__ import annotations

import os
import time
from functools import cache

import torch

VARIABLE = "EDITAHEAD_PRODUCTS"
_TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
_SIZE = 512
_ROUNDS = 5
_WORTH = 1.2  # bfloat16 must be so much faster: its copies cost something too


@cache
def product_type(device: str = "cpu") -> torch.dtype:
    """The type for matrix products on a device. ValueError for an unknown EDITAHEAD_PRODUCTS."""
    fixed = os.environ.get(VARIABLE)
    if fixed:
        if fixed not in _TYPES:
            raise ValueError(f"{VARIABLE} must be one of {', '.join(_TYPES)}, found {fixed!r}")
        return _TYPES[fixed]
    if device != "cpu":
        return torch.bfloat16
    single, half = _seconds(torch.float32), _seconds(torch.bfloat16)
    return torch.bfloat16 if half * _WORTH < single else torch.float32


def _seconds(kind: torch.dtype) -> float:
    """The shortest of a few products."""
    left, right = torch.ones(_SIZE, _SIZE, dtype=kind), torch.ones(_SIZE, _SIZE, dtype=kind)
    torch.mm(left, right)
    best = float("inf")
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        torch.mm(left, right)
        best = min(best, time.perf_counter() - began)
    return best
