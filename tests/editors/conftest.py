"""What holds for the tests of all editors: a program may lose a race on a busy machine, so each has three tries."""

from __future__ import annotations

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
