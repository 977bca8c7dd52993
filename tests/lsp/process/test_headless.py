"""The contract of docs/headless.md: its client as it stands there, and its exit codes, with the real process."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from raw_client import over_stdio

HERE = Path(__file__).parents[1]
PAGE = (HERE.parents[1] / "docs" / "headless.md").read_text(encoding="utf-8")
FAKE = [sys.executable, str(HERE / "serve_fake.py"), "--stdio"]
REAL = [sys.executable, "-m", "editahead", "--stdio"]
TEXT = "alpha = other\nalp"


def client_source() -> str:
    (source,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    return str(source)


def run_client(tmp_path: Path, command: list[str]) -> tuple[int, dict[str, list[str]]]:
    """Its exit code, and what it prints, at the end of TEXT."""
    script, file = tmp_path / "client.py", tmp_path / "w" / "a.py"
    file.parent.mkdir()
    script.write_text(client_source(), encoding="utf-8")
    file.write_text(TEXT, encoding="utf-8")
    arguments = [sys.executable, str(script), str(file), "1", "3", *command]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)


def test_the_client_of_the_page_has_forty_lines_of_the_standard_library() -> None:
    source = client_source()
    assert len([line for line in source.splitlines() if line.strip()]) <= 40
    tree = ast.parse(source)
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    assert imported
    assert imported <= sys.stdlib_module_names


@pytest.mark.slow
def test_the_client_of_the_page_asks_and_stops(tmp_path: Path) -> None:
    code, answer = run_client(tmp_path, FAKE)
    assert code == 0
    assert answer == {"completions": ["alpha"], "ghost": ["ha = other"]}


@pytest.mark.slow
def test_the_client_of_the_page_with_the_shipped_models(tmp_path: Path) -> None:
    code, answer = run_client(tmp_path, REAL)
    assert code == 0
    assert answer["completions"][0] == "alpha"


def test_a_server_that_cannot_start_ends_the_client(tmp_path: Path) -> None:
    script = tmp_path / "client.py"
    script.write_text(client_source(), encoding="utf-8")
    command = [sys.executable, str(script), str(script), "0", "0", sys.executable, "-c", "pass"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize("leaving", ["exit", "shutdown and exit", "end of input"])
def test_exit_codes(leaving: str) -> None:
    client = over_stdio(FAKE)
    client.hello(ready=False)
    client.wait_told("editahead/ready")
    if leaving == "shutdown and exit":
        assert client.leave() == 0
    elif leaving == "exit":
        client.notify("exit")
        assert client.exit_code() == 1
    else:
        client.hang_up()
        assert client.exit_code() == 1


def test_wrong_arguments_end_with_two_and_one_line() -> None:
    done = subprocess.run([*REAL, "--nonsense"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
