"""What holds for all tests of TreeGen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    """What is learnt by heart is the same each time (sums over threads are not), and small tensors do not wait."""
    try:
        import torch
    except ImportError:  # the tests here are left out then
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
