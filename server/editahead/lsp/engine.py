"""Where the engine comes from. On the inference thread: the imports inside are the slow part of a start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from editahead.lsp.worker import EngineLike, Progress


@dataclass(frozen=True, slots=True)
class Loader:
    """`warm` imports what loading needs; `load` takes further bundles, the device and a progress callback."""

    warm: Callable[[], None]
    load: Callable[[Sequence[Path], str, Progress], EngineLike]


def warm_up() -> None:
    """Import what the models need while the client still says hello."""
    from editahead.runtime.ort import runtime_version
    from editahead.suggest import engine

    del engine
    runtime_version()


def load_engine(bundles: Sequence[Path], device: str, progress: Progress) -> EngineLike:
    """The real engine, from the shipped bundles and `bundles` before them."""
    from editahead.runtime.bundle import find_bundles
    from editahead.suggest.engine import Engine

    return Engine.load(find_bundles(list(bundles)), device, progress)
