"""The files that operate a team server: valid, and in agreement with the program."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from editahead.cli.main import run
from editahead.team.cluster.client_session import DESCRIPTIONS, SECONDS, WAIT_SECONDS
from editahead.team.cluster.deployment import PORT
from editahead.team.cluster.tokens import TokenFileError, owner_of, read_tokens

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "operations" / "team" / "compose.yaml"
PAGE = (ROOT / "docs" / "team.md").read_text(encoding="utf-8")


def test_the_compose_file_is_valid() -> None:
    tool = shutil.which("check-jsonschema", path=str(Path(sys.executable).parent))
    if tool is None:
        pytest.skip("check-jsonschema is not installed: pip install -e '.[dev]'")
    schema = ["--builtin-schema", "vendor.compose-spec"]
    checked = subprocess.run([tool, *schema, str(COMPOSE)], capture_output=True, text=True, timeout=120)
    assert checked.returncode == 0, checked.stdout


def test_the_compose_file_agrees_with_the_program() -> None:
    text = COMPOSE.read_text(encoding="utf-8")
    stages = re.findall(r"^FROM \S+ AS (\w+)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"target: (\w+)", text)) <= set(stages)
    assert f"head:{PORT}" in text
    assert re.findall(r"ports: (.+)", text) == ['["443:443"]'], "the ports of Ray are not encrypted"
    variables = re.findall(r"\b(RAY_\w+)=", PAGE)
    assert set(variables) <= set(re.findall(r"^    (RAY_\w+): ", text, re.MULTILINE)), "as on the page"
    folder = ROOT / "operations" / "team"
    for source in re.findall(r"^    - \./(\S+?):", text, re.MULTILINE):
        assert f"operations/team/{source}" in text, "a file that is replaced stays mounted as it was"
        ignored = ["git", "-C", str(ROOT), "check-ignore", "--quiet", "--no-index", str(folder / source / "ray-token")]
        assert subprocess.run(ignored, timeout=60).returncode == 0, "tokens must not be committed"


def test_the_commands_of_the_compose_file_are_known() -> None:
    command = re.search(r"editahead (team serve .*)", COMPOSE.read_text(encoding="utf-8"))
    assert command is not None
    text = subprocess.run(
        [sys.executable, "-m", "editahead", "team", "serve", "--help"], capture_output=True, text=True, timeout=60
    ).stdout
    for option in re.findall(r"--[a-z-]+", command[1]):
        assert option in text


def test_the_page_names_every_metric_and_no_other() -> None:
    named = set(re.findall(r"`(editahead_team_\w+)`", PAGE))
    assert named == set(DESCRIPTIONS)


def test_the_dashboard_shows_every_metric_and_no_other() -> None:
    dashboard = json.loads((ROOT / "operations" / "team" / "dashboard.json").read_text(encoding="utf-8"))
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    shown = {name for text in expressions for name in re.findall(r"\w*editahead_\w+", text)}
    exported = {f"ray_{name}{'_bucket' * (name in (SECONDS, WAIT_SECONDS))}" for name in DESCRIPTIONS}
    assert shown == exported


def test_the_dashboard_uses_labels_and_outcomes_that_exist() -> None:
    dashboard = json.loads((ROOT / "operations" / "team" / "dashboard.json").read_text(encoding="utf-8"))
    expressions = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    labels = {label for listed in re.findall(r"by \(([^)]*)\)", expressions) for label in listed.split(", ")}
    assert labels == {"le", "method", "outcome", "reason", "replica"}
    outcomes = set(re.findall(r'outcome!?="(\w+)"', expressions))
    row = next(line for line in PAGE.splitlines() if line.startswith("| `editahead_team_requests_total`"))
    assert outcomes <= set(re.findall(r"`(\w+)`", row))
    identifiers = [panel["id"] for panel in dashboard["panels"]]
    assert len(set(identifiers)) == len(identifiers)


def test_a_token_is_given_out_and_known_by_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["team", "token", "ann"]) == 0
    out = capsys.readouterr().out
    token = re.findall(r"^token for ann: (.+)$", out, re.MULTILINE)[0]
    line = re.findall(r"^line for --tokens: (.+)$", out, re.MULTILINE)[0]
    file = tmp_path / "tokens"
    file.write_text(f"# people\n{line}\n\n")
    names = read_tokens(file)
    assert owner_of(token, names) == "ann"
    assert owner_of(f"{token}x", names) is None
    assert token not in line


@pytest.mark.parametrize("text", ["ann", "ann 12", f"ann {'g' * 64}", f"a b {'0' * 64}"])
def test_a_wrong_line_is_named_without_its_content(tmp_path: Path, text: str) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"# people\n{text}\n")
    with pytest.raises(TokenFileError, match=":2: expected"):
        read_tokens(file)
