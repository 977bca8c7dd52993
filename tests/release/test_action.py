"""action.yml, run as a runner would: the script of its step, with inputs in the environment, in real repositories."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.check.repos import Repo

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install -e '.[dev]'")

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"]}
CALLS = "from shop import *\n" + "".join(f"total_{n} = price(item_{n}, day)\n" for n in range(6))
PROGRAM = Path(sys.executable).with_name("editahead.exe" if os.name == "nt" else "editahead")

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="the runner's bash is looked for on POSIX systems alone"),
    pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: pip install -e ."),
]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A branch that changed five of six calls since `main`."""
    repo = Repo(tmp_path / "re po")
    repo.put("a, b.py", CALLS).put("c.py", "x = 1\n").commit()
    repo.git("checkout", "-q", "-b", "topic")
    repo.put("a, b.py", CALLS.replace("price(", "net_price(").replace("net_price(item_5", "price(item_5")).commit()
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    return repo


def run(repo: Repo, inputs: dict[str, str] | None = None, **variables: str) -> tuple[int, str, str]:
    """Exit code, standard output and GITHUB_OUTPUT of the step that checks."""
    given = {name: spec["default"] for name, spec in ACTION["inputs"].items()} | (inputs or {})
    values = {f"inputs.{name}": value for name, value in given.items()}
    values["steps.install.outputs.python"] = sys.executable
    step = STEPS["check"]
    env = {name: re.sub(r"\$\{\{ (.+?) \}\}", lambda m: values[m[1]], text) for name, text in step["env"].items()}
    output = repo.root.parent / "output.txt"
    output.write_text("", encoding="utf-8")
    github = {"GITHUB_ACTION_PATH": str(ROOT), "GITHUB_OUTPUT": str(output), **variables}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(
        command, cwd=repo.root, env={**inherited, **env, **github}, capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout + done.stderr, output.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("pull_request", [True, False])
def test_a_missed_place_is_an_annotation_and_fails_the_step(repo: Repo, pull_request: bool) -> None:
    code, said, output = run(repo, **({"GITHUB_BASE_REF": "main"} if pull_request else {}))
    assert code == 1, said
    (line,) = [line for line in said.splitlines() if line.startswith("::warning ")]
    assert line.startswith("::warning file=a%2C b.py,line=7,endLine=7,title=editahead check::changed at 5 of 6 places")
    assert line.endswith("%0A+ total_5 = net_price(item_5, day)")
    assert output == "missed=1\n"


@pytest.mark.slow
def test_it_may_report_without_failing_and_writes_sarif(repo: Repo) -> None:
    code, said, output = run(repo, {"fail": "false", "sarif-file": "out.sarif"}, GITHUB_BASE_REF="main")
    assert (code, output) == (0, "missed=1\n"), said
    sarif = json.loads((repo.root / "out.sarif").read_text(encoding="utf-8"))
    assert len(sarif["runs"][0]["results"]) == 1


@pytest.mark.slow
def test_paths_and_base_are_taken_as_they_are(repo: Repo) -> None:
    """Also where they look like options or like shell."""
    repo.put("--help", "x\n").put("$(touch made)", "x\n").commit()
    code, said, output = run(repo, {"base": "main", "paths": "c.py\n--help\n$(touch made)\n"})
    assert (code, output) == (0, "missed=0\n"), said
    assert not (repo.root / "made").exists()


@pytest.mark.slow
def test_what_keeps_the_check_from_running_fails_the_step(repo: Repo) -> None:
    code, said, output = run(repo, {"base": "nowhere", "fail": "false"})
    assert (code, output) == (2, "")
    assert "there is no revision nowhere here" in said


@pytest.mark.slow
def test_no_module_of_the_checked_repository_is_imported(repo: Repo) -> None:
    for name in ("editahead", "json", "numpy", "typing"):
        repo.put(f"{name}.py", "raise SystemExit('imported from the repository')\n")
    repo.commit()
    code, said, _ = run(repo, {"base": "main"})
    assert code == 1
    assert "imported from the repository" not in said


def test_inputs_and_outputs_are_used() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name in ACTION["inputs"]:
        assert f"${{{{ inputs.{name} }}}}" in text
    script = (ROOT / "scripts" / "check_action.py").read_text(encoding="utf-8")
    assert {name for name in STEPS["check"]["env"] if name != "PYTHON"} == set(re.findall(r'"(CHECK_\w+)"', script))
    assert set(ACTION["outputs"]) == {"missed"}


def test_it_installs_from_its_own_checkout() -> None:
    script = STEPS["install"]["run"]
    assert re.search(r'-m pip install .*"\$GITHUB_ACTION_PATH"$', script, re.MULTILINE)
    assert STEPS["python"]["with"]["update-environment"] is False
