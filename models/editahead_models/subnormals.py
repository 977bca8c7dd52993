"""Numbers below the smallest normal one cost a processor many times as much as others, and are worth nothing here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def without_subnormals() -> Iterator[None]:
    """Count them as zero meanwhile, and only meanwhile: the setting is the whole thread's. Decorates functions, too."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
