"""What README and the help promise of every command: JSON, the asked precision, one line for what is missing."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.cli.errors import ExitCode
from editahead.recording.session_file import read_session, write_session
from editahead.runtime.ort import CPU, Selection
from editahead.syntax.grammars import GrammarMissing

from tests.cli.conftest import FakeEngine, Result

Cli = Callable[..., Result]
SESSION = Path(__file__).parent.parent / "bench_command"


def test_ghost_text_has_a_command(cli: Cli, engine: FakeEngine, source: Path) -> None:
    result = cli("ghost-text", f"{source}:1:10")
    assert result.code == ExitCode.ANSWERED
    assert "(name)" in result.out
    assert result.out.rstrip().endswith("85 %")
    answer = json.loads(cli("ghost-text", f"{source}:1:10", "--json").out)
    assert (answer["shown"], answer["insert"], answer["probability"]) == (True, "(name)", 0.85)
    assert [asked[0] for asked in engine.asked] == ["inline", "inline"]


@pytest.mark.parametrize("command", ["complete", "ghost-text", "explain"])
def test_the_asked_precision_reaches_the_engine(cli: Cli, engine: FakeEngine, source: Path, command: str) -> None:
    cli(command, f"{source}:1:10")
    cli(command, f"{source}:1:10", "--precision", "0.4")
    assert [document.target_precision("ghost_text") for _, document, _ in engine.asked] == [0.8, 0.4]
    assert cli(command, f"{source}:1:10", "--precision", "2").code == ExitCode.USAGE


def test_the_asked_precision_reaches_next_edits(cli: Cli, engine: FakeEngine, source: Path, tmp_path: Path) -> None:
    after = tmp_path / "after.py"
    after.write_text(source.read_text("utf-8").replace("name", "title", 1), encoding="utf-8")
    cli("next-edit", source, after, "--precision", "0.4")
    assert [document.target_precision("next_edit") for _, document, _ in engine.asked] == [0.4]


def test_a_grammar_that_is_not_installed_is_one_line(
    cli: Cli, engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> object:
        raise GrammarMissing("install the extra `languages`")

    monkeypatch.setattr("editahead.syntax.language_definition.load_grammar", missing)
    for name, text in (("a.go", "package a\n"), ("b.go", "package b\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for arguments in (("next-edit", tmp_path / "a.go", tmp_path / "b.go"), ("complete", f"{tmp_path / 'a.go'}:1:1")):
        result = cli(*arguments)
        assert result.code == ExitCode.QUIET
        assert result.err.endswith(".go: install the extra `languages`\n")
        assert result.err.count("\n") == 1


def test_a_device_that_is_not_there_is_one_line(cli: Cli, engine: FakeEngine, source: Path) -> None:
    engine.selection = Selection("cuda", CPU, "CUDA was asked for, but it has no CUDA; using the CPU")
    assert cli("complete", f"{source}:1:10", "--device", "cuda").err == f"editahead: {engine.selection.reason}\n"
    engine.selection = Selection("auto", CPU, "no CUDA; using the CPU")
    assert cli("complete", f"{source}:1:10").err == ""


def test_anonymise_answers_in_json(cli: Cli, tmp_path: Path) -> None:
    session, out = tmp_path / "session.jsonl", tmp_path / "out.jsonl"
    write_session(session, [], anonymised=False)
    with session.open("a", encoding="utf-8") as file:
        opened = {"event": "open", "document": 1, "path": "a.py", "languageId": "python", "text": "x = 1", "time": 0}
        file.write(json.dumps(opened) + "\n")
    assert json.loads(cli("anonymise", session, out, "--json").out) == {
        "file": str(out), "events": len(list(read_session(session))),
    }  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_check_answers_in_json(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", "-C", str(tmp_path), "add", "a.py"], check=True)
    subprocess.run(["git", "-C", str(tmp_path), *identity, "commit", "-qm", "a"], check=True)
    monkeypatch.chdir(tmp_path)
    assert json.loads(cli("check", "--json").out)["missed"] == []
    assert cli("check", "--json", "--format", "sarif").code == ExitCode.USAGE
