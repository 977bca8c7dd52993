"""Helix, a stock client: it runs the recipe of docs/editors/helix.md with the shipped models."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.editors.stock_project import OTHER, TEXT

PAGE = Path(__file__).parents[2] / "docs" / "editors" / "helix.md"
PATIENCE = float(os.environ.get("EDITAHEAD_PATIENCE", "120"))  # seconds
QUESTIONS = {b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?62;c"}  # what a terminal is asked, and what it answers


class Helix:
    """Helix in a terminal of its own."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str], log: Path) -> None:
        self._log = log
        self._drawn = b""
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def _read(self) -> None:
        """Take what was drawn, and answer what a terminal is asked."""
        ready, _, _ = select.select([self._terminal], [], [], 0.05)
        if not ready:
            return
        try:
            piece = os.read(self._terminal, 65536)
        except OSError:  # it has ended
            return
        for question, answer in QUESTIONS.items():
            if question in piece:
                os.write(self._terminal, answer)
        self._drawn += piece

    def until(self, what: str, look: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not look():
            assert time.monotonic() < end, (
                f"waited {PATIENCE:g} s for {what}\n{self.drawn()[-2000:]}\n{self.log()[-4000:]}"
            )
            self._read()

    def keys(self, keys: str) -> None:
        """Press keys; what was drawn so far is forgotten."""
        self._drawn = b""
        os.write(self._terminal, keys.encode())

    def drawn(self) -> str:
        """What was drawn since the last key, without colours and places."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self._drawn.decode("utf-8", "replace"))

    def log(self) -> str:
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    def close(self) -> None:
        """Leave without saving, and make sure."""
        self.keys("\x1b:qa!\r")
        end = time.monotonic() + 20
        while os.waitpid(self.pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > end:
                os.kill(self.pid, 9)
                os.waitpid(self.pid, 0)
                break
            self._read()
        os.close(self._terminal)


@pytest.fixture
def helix(tmp_path: Path, environment_with_server: dict[str, str], missing: Callable[[str], None]) -> Iterator[Helix]:
    """Helix with the page's recipe, in a project with a file that is open, with CRLF, and one that is not."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    program = Path(os.environ.get("EDITAHEAD_EDITORS") or Path(base) / "editahead-editors") / "helix" / "bin" / "hx"
    if not program.exists():
        missing("no Helix: python scripts/install_terminal_editors.py")
    languages = Path(environment_with_server["XDG_CONFIG_HOME"]) / "helix" / "languages.toml"
    languages.parent.mkdir(parents=True)
    recipe = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    languages.write_text(recipe, encoding="utf-8")
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "orders.py").write_bytes(TEXT.replace("\n", "\r\n").encode())
    (project / "report.py").write_text(OTHER, encoding="utf-8")
    log = tmp_path / "log"
    environment = {**environment_with_server, "TERM": "xterm-256color"}
    started = Helix([str(program), "-vv", "--log", str(log), "orders.py"], project, environment, log)
    yield started
    started.close()


def test_helix_completes_and_renames_with_crlf_and_no_error(helix: Helix, tmp_path: Path) -> None:
    orders, report = tmp_path / "project" / "orders.py", tmp_path / "project" / "report.py"
    helix.until("the models", lambda: "editahead/ready" in helix.log())
    helix.keys("ge")
    helix.keys("o")
    helix.until("insert mode", lambda: "INS" in helix.drawn())
    helix.keys('result = len("🎉🎉") + quan')
    helix.until("the menu", lambda: "quantities" in helix.drawn())
    helix.keys("\t")
    helix.until("the first item", lambda: "quantities" in helix.drawn())
    helix.keys("\r")
    helix.keys("\x1b")
    helix.until("normal mode", lambda: "NOR" in helix.drawn())
    helix.keys(":write\r")
    completed = TEXT + 'result = len("🎉🎉") + quantities\n'
    helix.until("the file", lambda: orders.read_bytes() == completed.replace("\n", "\r\n").encode())
    typed = helix.log().count('"text":"t"')
    helix.keys("gg3jwwcamount")  # line 4, the second word
    helix.until("the rename", lambda: helix.log().count('"text":"t"') > typed)
    helix.keys("\x1b")
    helix.until("normal mode", lambda: "NOR" in helix.drawn())
    helix.keys(" a")
    helix.until("the code action", lambda: "Rename `total` to `amount` in 3 more places in 2 files" in helix.drawn())
    helix.keys("\r")
    helix.until("the edit", lambda: helix.log().count("editahead.accept") >= 2)
    helix.keys(":write-all\r")
    helix.until("the other file", lambda: report.read_text(encoding="utf-8") == OTHER.replace("total", "amount"))
    assert orders.read_bytes() == completed.replace("total", "amount").replace("\n", "\r\n").encode()
    assert [line for line in helix.log().splitlines() if "[ERROR]" in line] == []
