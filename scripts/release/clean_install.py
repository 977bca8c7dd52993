"""Installs a wheel with pip, pipx and uv into clean environments and checks the installed program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.release.tree import ReleaseError, run

PATIENCE = 300  # seconds for a command of the installed program: a slow disk reads everything for the first time
_INHERITED = ("SYSTEMROOT", "TEMP", "TMP", "LANG", "LC_ALL")


def with_pip(wheel: Path, folder: Path) -> Path:
    """The program, installed into a virtual environment that holds nothing else, not even pip. Raises ReleaseError."""
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    run(sys.executable, "-m", "pip", "--python", python_of(folder), "install", "--quiet", wheel)
    return _program(python_of(folder).parent)


def with_pipx(wheel: Path, folder: Path) -> Path:
    """The program, as `pipx install WHEEL` makes it. Raises ReleaseError."""
    places = {"PIPX_HOME": "home", "PIPX_BIN_DIR": "bin", "PIPX_MAN_DIR": "man"}
    env = {name: str(folder / place) for name, place in places.items()}
    run(sys.executable, "-m", "pipx", "install", "--quiet", "--python", sys.executable, wheel, env=env)
    return _program(folder / "bin")


def with_uv(wheel: Path, folder: Path) -> Path:
    """The program, as `uv tool install WHEEL` makes it. Raises ReleaseError."""
    env = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin"), "UV_PYTHON_DOWNLOADS": "never"}
    run(sys.executable, "-m", "uv", "tool", "install", "--quiet", "--python", sys.executable, wheel, env=env)
    return _program(folder / "bin")


INSTALLERS: dict[str, Callable[[Path, Path], Path]] = {"pip": with_pip, "pipx": with_pipx, "uv": with_uv}


def python_of(folder: Path) -> Path:
    """The interpreter of the environment that `with_pip` makes."""
    return folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def check_program(program: Path, home: Path, version: str) -> str:
    """Check the version, `doctor` and the `initialize` handshake of an installed program; returns a summary.

    It runs with an empty home folder and without this process's environment. Raises ReleaseError.
    """
    home.mkdir(parents=True, exist_ok=True)
    with _own_environment(home) as env:
        said = _answer(program, env, home, "--version").strip()
        if said != f"editahead {version}":
            raise ReleaseError(f"{program} --version says {said!r}, not editahead {version}")
        found = json.loads(_answer(program, env, home, "doctor", "--json"))
        if found["problems"]:
            raise ReleaseError(f"{program} doctor: {'; '.join(found['problems'])}")
        server = handshake(program, env, home)
    if server != {"name": "editahead", "version": version}:
        raise ReleaseError(f"{program} --stdio calls itself {server}")
    return f"{said}; doctor: {len(found['bundles'])} bundles, no problem; initialize, shutdown and exit over stdio"


def handshake(program: Path, env: dict[str, str], home: Path) -> dict[str, Any]:
    """`serverInfo` from the server's answer to `initialize`; the server is then shut down. Raises ReleaseError."""
    messages: tuple[dict[str, Any], ...] = (
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    )
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    command = [str(program), "--stdio"]
    try:
        done = subprocess.run(command, input=sent, cwd=home, env=env, capture_output=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ReleaseError(f"{program} --stdio: {error}") from None
    answers = {message.get("id"): message for message in _messages(done.stdout)}
    if done.returncode or "result" not in answers.get(1, {}) or "result" not in answers.get(2, {}):
        raise ReleaseError(f"{program} --stdio ended with {done.returncode}: {done.stderr.decode()[-300:]}")
    info: dict[str, Any] = answers[1]["result"]["serverInfo"]
    return info


def _messages(output: bytes) -> Iterator[dict[str, Any]]:
    while output:
        head, _, rest = output.partition(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        yield json.loads(rest[:size])
        output = rest[size:]


def _answer(program: Path, env: dict[str, str], home: Path, *words: str) -> str:
    command = [str(program), *words]
    try:
        done = subprocess.run(command, cwd=home, env=env, capture_output=True, encoding="utf-8", timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ReleaseError(f"{program} {words[0]}: {error}") from None
    if done.returncode:
        raise ReleaseError(f"{program} {words[0]} ended with {done.returncode}: {(done.stderr or done.stdout)[-300:]}")
    return done.stdout


@contextmanager
def _own_environment(home: Path) -> Iterator[dict[str, str]]:
    kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    yield {**kept, "HOME": str(home), "USERPROFILE": str(home), "PATH": os.defpath, "PYTHONUTF8": "1"}


def _program(folder: Path) -> Path:
    path = folder / ("editahead.exe" if os.name == "nt" else "editahead")
    if not path.exists():
        raise ReleaseError(f"the installation made no {path}")
    return path
