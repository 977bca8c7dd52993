"""The device that a trainer uses: where batches go, and which clock counts its time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

import torch
from torch import Tensor

T = TypeVar("T")
DEVICE_HELP = "cpu or cuda."


def to_device(value: T, device: torch.device) -> T:
    """A tensor, or named tuples of tensors within each other, on a device; anything else as it is."""
    if isinstance(value, Tensor):
        return cast(T, value.to(device))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return cast(T, cast(Any, type(value))(*(to_device(part, device) for part in value)))
    return value


def training_clock(device: torch.device) -> Callable[[], float]:
    """Seconds that training is charged for: of the processor, or by the wall where another device computes."""
    return time.process_time if device.type == "cpu" else time.monotonic
