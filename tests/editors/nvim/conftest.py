"""Every test runs in Neovim 0.11 and in 0.12.

Without one it is skipped with a reason; the environment variable EDITAHEAD_NEED_EDITORS makes that a failure.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

MISSING = ""
try:
    from editor import WANTED, Editor, find
    from shared import FAKE, SERVER, Start, config
except ImportError as error:  # pynvim is an extra of development
    MISSING = f"{error.name} is not installed: pip install -e '.[dev]'"
    collect_ignore_glob = ["test_*.py"]
    if os.environ.get("EDITAHEAD_NEED_EDITORS"):
        raise RuntimeError(MISSING) from error
    WANTED = ()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if MISSING:
        terminalreporter.write_line(f"the tests of the Neovim plugin were left out: {MISSING}")


@pytest.fixture(params=WANTED, scope="session")
def binary(request: pytest.FixtureRequest) -> Path:
    found = find(request.param)
    if found is None:
        reason = f"no Neovim {request.param}: python scripts/install_neovim.py"
        if os.environ.get("EDITAHEAD_NEED_EDITORS"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


# Everything as it was when Neovim started, but for the server, which goes on.
FRESH = """
vim.snippet.stop()
_G.tab = _G.tab or vim.fn.maparg('<Tab>', 'i', false, true)
vim.fn.mapset('i', false, _G.tab)
require('editahead.attach').unwatch()
vim.cmd('silent! only! | silent! %bwipeout!')
vim.fn.setqflist({}, 'f')
"""


@pytest.fixture(scope="session")
def running(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[bool], Editor]]:
    """One Neovim with the fake engine and one with the real one, each started when it is first asked for."""
    editors: dict[bool, Editor] = {}

    def get(real: bool) -> Editor:
        if real not in editors:
            editors[real] = Editor(binary, tmp_path_factory.mktemp("nvim"))
        return editors[real]

    yield get
    for editor in editors.values():
        editor.close()


@pytest.fixture
def start(running: Callable[[bool], Editor]) -> Start:
    """Neovim with the plugin set up; `options` is the inside of the table for `setup`, `before` is earlier Lua."""

    def begin(options: str = "", *, real: bool = False, before: str = "") -> Editor:
        editor = running(real)
        editor.keys("<C-\\><C-n>")
        editor.until(lambda: editor.mode() == "n", "normal mode")
        editor.lua(FRESH)
        server = config(SERVER if real else FAKE)
        editor.lua(f"{before}\nrequire('editahead').setup({{ server = {server}, {options} }})")
        return editor

    return begin


@pytest.fixture
def stock(binary: Path, tmp_path: Path) -> Iterator[Callable[[str], Editor]]:
    """Starts Neovim without the plugin, with a configuration of its user's own."""
    editors: list[Editor] = []

    def begin(init: str) -> Editor:
        editors.append(Editor(binary, tmp_path, plugin=False, init=init))
        return editors[-1]

    yield begin
    for editor in editors:
        editor.close()


@pytest.fixture(scope="module")
def bare(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """One Neovim with the plugin on its runtime path and no server, for tests of single modules."""
    editor = Editor(binary, tmp_path_factory.mktemp("bare"))
    yield editor
    editor.close()
