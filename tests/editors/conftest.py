"""What holds for the tests of all editors: a program may lose a race on a busy machine, so each has three tries."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RERUNS = 2
LONGEST = "test_in_a_real_editor"  # scripts of minutes come first: at the end, all but one process would wait


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.name.startswith(LONGEST))
    if config.pluginmanager.hasplugin("rerunfailures"):
        for item in items:
            if HERE in item.path.parents:
                item.add_marker(pytest.mark.flaky(reruns=RERUNS))


@pytest.fixture(scope="session")
def missing() -> Callable[[str], None]:
    """Skip the test with a reason, or fail it where EDITAHEAD_NEED_EDITORS says that editors must be there."""

    def stop(reason: str) -> None:
        if os.environ.get("EDITAHEAD_NEED_EDITORS"):
            pytest.fail(reason)
        pytest.skip(reason)

    return stop


@pytest.fixture
def environment_with_server(tmp_path: Path) -> dict[str, str]:
    """Environment variables with which `editahead`, as the recipes call it, is the server of this repository."""
    program = tmp_path / "bin" / "editahead"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m editahead "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    homes = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, **homes, "HOME": str(tmp_path), "PATH": path, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
