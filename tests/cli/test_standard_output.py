"""Standard output that is closed, full, read by a program that leaves, or in an encoding without our characters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from editahead.cli.errors import ExitCode


def in_shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in which `editahead` is this one."""
    function = f"set -o pipefail; editahead() {{ '{sys.executable}' -m editahead \"$@\"; }}; {command}"
    return subprocess.run(
        ["bash", "-c", function], capture_output=True, check=False, env={**os.environ, "COLUMNS": "80", **environment}
    )


@pytest.fixture
def place(source: Path) -> str:
    return f"{source}:2:12"


@pytest.mark.slow
@pytest.mark.parametrize("command", ["--help", "--version", "explain {place}", "complete {place} --json"])
def test_a_reader_that_leaves_is_told_apart_from_the_answer(place: str, command: str) -> None:
    done = in_shell(f"editahead {command.format(place=place)} | (exec <&-; sleep 0.1; cat /dev/null)")
    assert (done.returncode, done.stderr) == (ExitCode.READER_LEFT, b"")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["--help", "--version", "complete {place}", "complete {place} --json"])
def test_a_full_disk_is_one_line(place: str, command: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    done = in_shell(f"editahead {command.format(place=place)} > /dev/full")
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.startswith(b"editahead: cannot write: no space left on device")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.slow
def test_closed_output_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "reader.py"
    path.write_text("def f(names, name):\n    names.append(name\n    return names\n", encoding="utf-8")
    done = in_shell(f"editahead fix {path}:2:1 >&-")
    assert (done.returncode, done.stderr) in ((ExitCode.ANSWERED, b""), (ExitCode.QUIET, b""))


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_an_encoding_lacks_is_printed_in_ascii(place: str, encoding: str) -> None:
    done = in_shell(f"editahead explain {place}", PYTHONIOENCODING=encoding)
    assert done.returncode in (ExitCode.ANSWERED, ExitCode.QUIET)
    assert done.stderr == b""
    assert b"    2 |     print(name)" in done.stdout


@pytest.mark.slow
def test_a_file_name_that_is_no_text_is_printed(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.py"))
    code = "def heading(text):\n    return text\n\n\nprint(heading('a'))\n"
    before = tmp_path / "before.py"
    before.write_text(code, encoding="utf-8")
    try:
        path.write_text(code.replace("def heading", "def title"), encoding="utf-8")
    except OSError:
        pytest.skip("the file system takes no such name")
    program = [sys.executable, "-m", "editahead", "next-edit", before, path]
    done = subprocess.run(program, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (ExitCode.ANSWERED, b"")
    assert b"caf\\udce9.py:5:7" in done.stdout
