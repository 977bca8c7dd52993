"""The extension for Visual Studio Code: its manifest, its unit tests, and scripts that type in a real one."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from editahead.settings import key_of, setting_fields

ROOT = Path(__file__).resolve().parents[3]
EXTENSION = ROOT / "editors" / "vscode"
SCRIPTS = sorted(path.name for path in Path(__file__).parent.glob("*.test.mjs"))
PATIENCE = 14_400 if os.environ.get("EDITAHEAD_TYPED_LINES") else 2400
"""Seconds for one script, longer for hundreds of lines that are typed; each of its waits is bounded by itself."""


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return found


def sources() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((EXTENSION / "src").rglob("*.ts")))


def test_the_manifest_has_the_settings_of_the_server() -> None:
    spec = importlib.util.spec_from_file_location("vscode_manifest", ROOT / "scripts" / "vscode_manifest.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    now = manifest()
    own = {key for part in now["contributes"]["configuration"] for key in part["properties"]}
    assert {f"editahead.{key_of(item.name)}" for item in setting_fields()} < own
    assert script.written(script.with_settings(manifest())) == script.MANIFEST.read_text(encoding="utf-8"), (
        "run python -m scripts.vscode_manifest"
    )


def test_every_setting_says_what_it_does() -> None:
    for part in manifest()["contributes"]["configuration"]:
        assert part["properties"]
        for key, schema in part["properties"].items():
            assert len(schema["markdownDescription"]) > 10, key
            assert "default" in schema, key


def test_commands_and_keys_are_those_of_the_sources() -> None:
    contributed = manifest()["contributes"]
    registered = set(re.findall(r"'(editahead\.[\w.]+)'(?:: |, \(\) =>)", sources()))
    commands = {each["command"] for each in contributed["commands"]}
    bound = {each["command"] for each in contributed["keybindings"]}
    assert commands | bound == registered
    contexts = set(re.findall(r"'(editahead\.\w+(?:Shown|Tab|Offered|Arrived))'", sources()))
    assert contexts == {
        word for each in contributed["keybindings"] for word in re.findall(r"editahead\.\w+", each["when"])
    }


@pytest.mark.parametrize("key", ["tab", "escape"])
def test_keys_are_left_to_whom_they_belong(key: str) -> None:
    for binding in manifest()["contributes"]["keybindings"]:
        if binding["key"] == key:
            assert "editorTextFocus" in binding["when"]
            for theirs in ("suggestWidgetVisible", "inSnippetMode", "editorReadonly", "editorHasSelection"):
                assert f"!{theirs}" in binding["when"]
            assert ("!editorTabMovesFocus" in binding["when"]) == (key == "tab")


def test_tab_in_the_normal_mode_of_vscodevim_is_behind_its_own() -> None:
    """Of two extensions' bindings, VS Code takes the one further down in its extension's list: Vim's is the 10th."""
    places = [
        place
        for place, each in enumerate(manifest()["contributes"]["keybindings"], 1)
        if each["key"] == "tab" and "vim.mode == 'Normal'" in each["when"]
    ]
    assert len(places) == 2
    assert min(places) > 10


def test_no_program_and_no_file_of_an_untrusted_workspace_is_used() -> None:
    limits = manifest()["capabilities"]["untrustedWorkspaces"]
    assert limits["supported"] == "limited"
    assert {"editahead.server.command", "editahead.server.python", "editahead.bundles"} <= set(
        limits["restrictedConfigurations"]
    )


def test_the_lockfile_names_no_host() -> None:
    packages = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert packages
    assert not [name for name, package in packages.items() if "resolved" in package]
    assert all("integrity" in package for name, package in packages.items() if name)


def test_types_and_unit_tests(node: str) -> None:
    compiler = EXTENSION / "node_modules" / "typescript" / "bin" / "tsc"
    for command in ([node, str(compiler)], [node, "scripts/build.mjs", "--tests"], [node, "--test", "out/"]):
        done = subprocess.run(command, cwd=EXTENSION, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("script", SCRIPTS)
def test_in_a_real_editor(script: str, node: str, environment: dict[str, str]) -> None:
    command = [node, "--test", "--test-reporter=spec", script]
    here = Path(__file__).parent
    done = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    print(done.stdout)  # what was counted
    assert done.returncode == 0, done.stdout + done.stderr


def test_settings_are_ordered_by_use_and_the_rest_is_advanced() -> None:
    parts = {part["title"]: part for part in manifest()["contributes"]["configuration"]}
    first = list(parts["Predictions"]["properties"])
    assert first[:2] == ["editahead.preset", "editahead.precision"]
    assert "editahead.positionEncoding" in parts["Advanced"]["properties"]
    assert [part["order"] for part in parts.values()] == list(range(len(parts)))
    for part in parts.values():
        assert [schema["order"] for schema in part["properties"].values()] == list(range(len(part["properties"])))


def test_the_tour_has_five_steps_and_only_our_commands() -> None:
    (tour,) = manifest()["contributes"]["walkthroughs"]
    commands = {each["command"] for each in manifest()["contributes"]["commands"]}
    settings = {key for part in manifest()["contributes"]["configuration"] for key in part["properties"]}
    sources = [path.read_text(encoding="utf-8") for path in (EXTENSION / "src").rglob("*.ts")]
    steps = {name for source in sources for name in re.findall(r"markDone\('(\w+)'\)", source)}
    contexts = {f"editahead.{prefix}.{name}" for name in steps for prefix in ("done", "tour")}
    kept = (EXTENSION / ".vscodeignore").read_text(encoding="utf-8").splitlines()
    assert len(tour["steps"]) == 5
    for step in tour["steps"]:
        assert set(re.findall(r"\(command:([\w.]+)\)", step["description"])) <= commands
        assert (EXTENSION / step["media"]["markdown"]).is_file()
        assert step["completionEvents"]
        for event, _, what in (event.partition(":") for event in step["completionEvents"]):
            assert what in {"onContext": contexts, "onSettingChanged": settings}[event]
    assert "!media/tour/*.md" in kept


def test_a_vsix_holds_the_server_by_default(node: str, tmp_path: Path) -> None:
    """As the README says to build it: so that the button Install has something to install."""
    vsix = tmp_path / "editahead.vsix"
    environment = {key: value for key, value in os.environ.items() if key != "WHEEL"}
    environment |= {"OUT": str(vsix), "PYTHON": sys.executable}
    command = [node, "scripts/package.mjs"]
    done = subprocess.run(command, cwd=EXTENSION, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    archive = zipfile.ZipFile(vsix)
    names = archive.namelist()
    assert [name for name in names if re.fullmatch(r"extension/bundled/editahead-.*\.whl", name)]
    assert "\nvscode-languageclient " in archive.read("extension/ThirdPartyNotices.txt").decode()
    assert "extension/media/tour/server.md" in names
