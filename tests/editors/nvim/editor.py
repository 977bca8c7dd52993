"""A real Neovim, driven from outside as a user drives it: keys in, the screen's marks and the saved file out."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pynvim

ROOT = Path(__file__).parents[3]
PLUGIN = ROOT / "editors" / "nvim"
PATIENCE = float(os.environ.get("EDITAHEAD_PATIENCE", "60"))  # seconds; a busy machine is no fault
WANTED = ("0.11", "0.12")

T = TypeVar("T")


def cache() -> Path:
    """Where `scripts/install_neovim.py` puts the editors."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("EDITAHEAD_EDITORS") or Path(base) / "editahead-editors")


def find(wanted: str) -> Path | None:
    """A Neovim of that version ("0.12" stands for newer ones, too), from the cache folder or from PATH."""
    on_path = shutil.which("nvim")
    for binary in (cache() / f"nvim-{wanted}" / "bin" / "nvim", Path(on_path) if on_path else None):
        if binary is None or not binary.exists():
            continue
        said = subprocess.run([str(binary), "--version"], capture_output=True, text=True, timeout=PATIENCE).stdout
        found = re.search(r"NVIM v(\d+)\.(\d+)", said)
        version = (int(found[1]), int(found[2])) if found else (0, 0)
        if version == (0, 11) if wanted == "0.11" else version >= (0, 12):
            return binary
    return None


class Editor:
    """One Neovim without anybody's configuration, in a folder of its own."""

    def __init__(self, binary: Path, folder: Path, *, plugin: bool = True, init: str = "") -> None:
        self.folder = folder
        self._opened = 0
        for name in ("config", "data", "state", "cache", "work"):
            (folder / name).mkdir()
        homes = {f"XDG_{name.upper()}_HOME": str(folder / name) for name in ("config", "data", "state", "cache")}
        script = folder / "init.lua"
        script.write_text(init, encoding="utf-8")
        runtime = ["--cmd", f"set runtimepath^={PLUGIN}"] if plugin else []
        runtime += ["--cmd", f"set verbosefile={folder / 'messages'}"]
        # Answers come over a socket, so that nothing which Neovim or a server prints can be in their way.
        socket = folder / "socket"
        argv = [str(binary), "--headless", "--listen", str(socket), "--clean", "-n", *runtime]
        argv += ["-c", f"luafile {script}"]
        with (folder / "stderr").open("wb") as said:
            self._process = subprocess.Popen(
                argv, env={**os.environ, **homes}, stdin=subprocess.DEVNULL, stdout=said, stderr=said
            )
        self.nvim = self._attach(socket)
        self.nvim.command("set columns=100 lines=24")  # no screen is attached: long messages ask for no key

    def _attach(self, socket: Path) -> pynvim.Nvim:
        """Connect once Neovim listens: the socket's file is there a moment before it takes anybody."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return pynvim.attach("socket", path=str(socket))
            except OSError:
                if self._process.poll() is not None or time.monotonic() > end:
                    raise
            time.sleep(0.02)

    # -- asking

    def lua(self, code: str, *arguments: object) -> Any:
        # A Neovim that waits for a key answers nothing: ended after a while, it fails its test instead of holding all.
        guard = threading.Timer(2 * PATIENCE, self._process.kill)
        guard.daemon = True
        guard.start()
        try:
            return self.nvim.exec_lua(code, *arguments)
        finally:
            guard.cancel()

    def until(self, look: Callable[[], T], what: str) -> T:
        """What `look` sees, once it is something. Fails with `what` and what Neovim has to say."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            held = self.nvim.api.get_mode()
            seen = None if held["blocking"] else look()  # Neovim answers nothing while it waits for a key
            if seen:
                return seen
            time.sleep(0.02)
        state = f"mode {held}" if held["blocking"] else self.text()
        raise AssertionError(f"{what}: not within {PATIENCE:g} s\n{self.messages()}\n{self.log()}\n{state}")

    def messages(self) -> str:
        """All that Neovim said."""
        said = [self.folder / "messages", self.folder / "stderr"]
        return "\n".join(path.read_text(encoding="utf-8") for path in said if path.exists())

    def log(self) -> str:
        """What the language server and Neovim's client wrote."""
        logs = (self.folder / "state").rglob("lsp.log")
        return "\n".join(path.read_text(encoding="utf-8")[-3000:] for path in logs)

    # -- the session

    def open(self, name: str, text: str, beside: Mapping[str, str] | None = None) -> Path:
        """Write a file in a folder of its own, and open it; before it, some files beside it, which are not opened."""
        self._opened += 1
        path = self.folder / "work" / str(self._opened) / name
        path.parent.mkdir()
        for other, content in (beside or {}).items():
            path.with_name(other).write_text(content, encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        self.nvim.command(f"edit {path}")
        return path

    def ready(self) -> None:
        """The server has loaded its models (so that what is typed now is answered)."""
        self.until(lambda: self.lua("return require('editahead').status()") == "editahead", "the server gets ready")

    def keys(self, keys: str) -> None:
        """As typed; `<Esc>` and the like are keys."""
        self.nvim.input(keys)

    def go(self, piece: str) -> None:
        """The cursor to the first place of a piece of text, in normal mode."""
        rows = self.lines()
        row = next(i for i, line in enumerate(rows) if piece in line)
        self.nvim.current.window.cursor = (row + 1, len(rows[row][: rows[row].index(piece)].encode()))

    def lines(self) -> list[str]:
        return list(self.nvim.current.buffer[:])

    def text(self) -> str:
        return "\n".join(self.lines()) + "\n"

    def cursor(self) -> tuple[int, int]:
        """Row from 0, column in bytes."""
        row, column = self.nvim.current.window.cursor
        return row - 1, column

    def mode(self) -> str:
        return str(self.nvim.api.get_mode()["mode"])

    def settled(self) -> None:
        """All keys are used up and Neovim waits for the next."""
        self.until(lambda: not self.nvim.api.get_mode()["blocking"], "keys are used up")

    def save(self) -> str:
        """The file as it was saved."""
        self.nvim.command("silent write")
        return Path(self.nvim.current.buffer.name).read_text(encoding="utf-8")

    # -- what is shown

    def marks(self, namespace: str) -> list[tuple[int, int, dict[str, Any]]]:
        code = """local ns = vim.api.nvim_get_namespaces()[...]
            return ns and vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, { details = true }) or {}"""
        return [(row, column, details) for _, row, column, details in self.lua(code, namespace)]

    def ghost(self) -> str:
        """The ghost text that is shown, by Neovim or by the plugin."""
        shown = self.marks("nvim.lsp.inline_completion") + self.marks("editahead.ghost")
        first = "".join(text for _, _, mark in shown for text, *_ in mark.get("virt_text", []))
        below = [text for _, _, mark in shown for line in mark.get("virt_lines", []) for text, *_ in line]
        return "\n".join([first, *below])

    def hint(self) -> str:
        """What is said behind the cursor's line about a next edit."""
        return "".join(mark["virt_text"][0][0].strip() for _, _, mark in self.marks("editahead.hint"))

    def preview(self) -> dict[str, Any]:
        """The next edit that is shown: rows with what is marked as old and what is drawn as new."""
        seen: dict[str, Any] = {"rows": [], "old": [], "new": [], "sign": None}
        for row, column, mark in self.marks("editahead.next_edit"):
            if "sign_text" in mark:
                seen["sign"] = row
                continue
            seen["rows"].append(row)
            if mark.get("hl_group") == "EditaheadDelete":
                seen["old"].append(self.lines()[row].encode()[column : mark["end_col"]].decode())
            seen["new"] += [text for text, *_ in mark.get("virt_text", [])]
            seen["new"] += [text for line in mark.get("virt_lines", []) for text, *_ in line]
        return seen if seen["rows"] else {}

    def mapped(self, mode: str, lhs: str) -> str:
        """What a key is said to do in the current buffer."""
        code = (
            "local lhs, mode = ... local map = vim.fn.maparg(lhs, mode, false, true) return map.desc or map.rhs or ''"
        )
        return str(self.lua(code, lhs, mode))

    def counts(self, surface: str) -> Counter[str]:
        """What the server counted; `quiet`: how often because of a rejection."""
        ask = "return vim.lsp.get_clients()[1]:request_sync('editahead/stats', vim.empty_dict(), 60000, 0).result"
        found = dict(self.lua(ask)["surfaces"].get(surface, {}))
        return Counter({**found, "quiet": found.get("quiet", {}).get("rejected", 0)})

    def close(self) -> None:
        """Leave as a user does, so that the server is told; then make sure."""
        with contextlib.suppress(OSError, EOFError, pynvim.NvimError):
            self.nvim.command("qa!", async_=True)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.nvim.close()
