"""The check of an installed program names what is wrong with it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from scripts.release.clean_install import check_program
from scripts.release.tree import ReleaseError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the program is a script with an interpreter line")

GOOD = {"version": "editahead 1.2.3", "problems": [], "server": "1.2.3", "code": 0}
PROGRAM = """#!{python} -I
import json, os, sys
said = json.loads('''{said}''')
assert "PYTHONPATH" not in os.environ and os.environ["HOME"] == os.getcwd()
if sys.argv[1] == "--version":
    print(said["version"])
elif sys.argv[1] == "doctor":
    print(json.dumps({{"problems": said["problems"], "bundles": []}}))
else:
    sys.stdin.read()
    for number, result in ((1, {{"serverInfo": {{"name": "editahead", "version": said["server"]}}}}), (2, None)):
        body = json.dumps({{"jsonrpc": "2.0", "id": number, "result": result}})
        print(f"Content-Length: {{len(body)}}\\r\\n\\r\\n{{body}}", end="")
    sys.exit(said["code"])
"""


def program(folder: Path, **said: object) -> Path:
    path = folder / "editahead"
    path.write_text(PROGRAM.format(python=sys.executable, said=json.dumps({**GOOD, **said})), encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_program_that_answers_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert check_program(program(tmp_path), tmp_path / "home", "1.2.3").startswith("editahead 1.2.3; doctor: 0 bundles")


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"version": "editahead 1.2.2"}, "says 'editahead 1.2.2', not editahead 1.2.3"),
        ({"problems": ["no bundles"]}, "doctor: no bundles"),
        ({"server": "1.2.2"}, "calls itself"),
        ({"code": 1}, "--stdio ended with 1"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, said: dict[str, object], problem: str) -> None:
    with pytest.raises(ReleaseError, match=problem):
        check_program(program(tmp_path, **said), tmp_path / "home", "1.2.3")
