"""Compiled modules for the servers that are measured: an installation by pip has them, whatever the system says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def compiled_modules(folder: Path) -> Iterator[None]:
    """Servers started meanwhile keep their compiled modules in `folder`; the first one writes them.

    Where PYTHONDONTWRITEBYTECODE is set, each start of a server from its source compiles all modules again.
    """
    before = {name: os.environ.get(name) for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")}
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
