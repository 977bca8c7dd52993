"""Commands: exit codes, errors of one line, and that a person's text is shown as it is."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import editahead
import pytest
from editahead.cli.errors import ExitCode
from editahead.suggest.types import Reason, Suppressed

from .conftest import SOURCE, FakeEngine, Result

Cli = Callable[..., Result]


def test_complete(cli: Cli, engine: FakeEngine, source: Path) -> None:
    result = cli("complete", f"{source}:5:6")
    assert result.code == ExitCode.ANSWERED
    assert result.err == ""
    lines = result.out.splitlines()
    assert "5 │ greet('Ada')" in lines[0]
    assert lines[1].index("^") == lines[0].index("greet") + 5
    (first,) = (line for line in lines if "62 %" in line)
    for text in ("1", "name", "██████", "parameter", "copied, line 1"):
        assert text in first
    assert any("[bold]greet[/]" in line and "31 %" in line for line in lines)  # never read as markup
    ((_, document, byte),) = engine.asked
    assert byte == SOURCE.index("greet('Ada')") + 5
    assert document.language_id == "python"
    assert document.history.settled == ()


def test_complete_json(cli: Cli, engine: FakeEngine, source: Path) -> None:
    result = cli("complete", f"{source}:1:5", "--json")
    answer = json.loads(result.out)
    assert result.code == ExitCode.ANSWERED
    assert answer["shown"] is True
    assert answer["range"] == {"start": {"line": 1, "column": 5}, "end": {"line": 1, "column": 10}}
    assert answer["items"][0] == {
        "label": "name", "probability": 0.62, "kind": "parameter", "source": "pointer", "originLine": 1,
    }  # fmt: skip
    assert answer["items"][1]["originLine"] is None


def test_quiet_says_which_gate(cli: Cli, quiet_engine: FakeEngine, source: Path) -> None:
    result = cli("complete", f"{source}:1:1")
    assert result.code == ExitCode.QUIET
    assert "nothing to suggest (comment-or-string: inside a comment)" in result.out
    answer = json.loads(cli("complete", f"{source}:1:1", "--json").out)
    assert (answer["shown"], answer["reason"]) == (False, "comment-or-string")
    assert answer["gates"] == [{"gate": "comment-or-string", "passed": False, "value": "inside a comment"}]


def test_next_edit(cli: Cli, engine: FakeEngine, source: Path, tmp_path: Path) -> None:
    after = tmp_path / "after.py"
    after.write_text(SOURCE.replace("greet(name)", "greet(title)"), encoding="utf-8")
    result = cli("next-edit", source, after)
    assert result.code == ExitCode.ANSWERED
    assert "83 %" in result.out
    assert any(line.startswith("-    print(name)") for line in result.out.splitlines())
    ((_, document, byte),) = engine.asked
    assert document.syntax.buffer.text == after.read_text(encoding="utf-8")
    assert document.history.anchor.text == SOURCE
    assert [(burst.removed, burst.inserted) for burst in document.history.settled] == [(b"nam", b"titl")]
    assert byte == SOURCE.index("name") + len("title")


def test_fix(cli: Cli, engine: FakeEngine, source: Path) -> None:
    result = cli("fix", f"{source}:2:5")
    assert (result.code, result.err) == (ExitCode.ANSWERED, "")
    lines = result.out.splitlines()
    assert lines[0] == f"{source}:1-2  as it is: 30 %"
    assert "1  41 %" in lines
    assert "2  7 %" in lines
    assert "+    print(title)" in lines
    assert source.read_text() == SOURCE
    ((surface, document, byte),) = engine.asked
    assert (surface, document.language_id, byte) == ("fixes", "python", SOURCE.index("print"))


def test_fix_json_and_quiet(cli: Cli, engine: FakeEngine, source: Path) -> None:
    answer = json.loads(cli("fix", f"{source}:2:5", "--json").out)
    assert (answer["shown"], answer["lines"], answer["unchanged"]) == (True, [1, 2], 0.3)
    where = {"start": {"line": 2, "column": 11}, "end": {"line": 2, "column": 15}}
    assert answer["items"][0] == {"range": where, "newText": "title", "probability": 0.41}
    engine.rewritings = Suppressed(Reason.LOW_PROBABILITY, "0.010 of at least 0.050")
    result = cli("fix", f"{source}:2:5")
    assert result.code == ExitCode.QUIET
    assert "low-probability: 0.010 of at least 0.050" in result.out


def test_describe(cli: Cli, engine: FakeEngine, source: Path) -> None:
    result = cli("describe", f"{source}:2")
    assert (result.code, result.err) == (ExitCode.ANSWERED, "")
    lines = result.out.splitlines()
    assert lines[:2] == [f"{source}:1  greet", "1  72 %"]
    assert "+    return name" in lines
    assert source.read_text() == SOURCE
    ((surface, document, byte),) = engine.asked
    assert (surface, document.language_id, byte) == ("bodies", "python", SOURCE.index("    print"))


def test_describe_json_quiet_and_another_precision(cli: Cli, engine: FakeEngine, source: Path) -> None:
    answer = json.loads(cli("describe", f"{source}:2:5", "--json", "--precision", "0.25").out)
    assert (answer["shown"], answer["function"], answer["defLine"], answer["line"]) == (True, "greet", 1, 2)
    assert answer["items"][0]["newText"] == "return name"
    ((_, document, byte),) = engine.asked
    assert (document.settings.precision, document.settings.invoked_precision) == (0.25, 0.25)
    assert byte == SOURCE.index("print")
    engine.written = Suppressed(Reason.EMPTY, "no function without a body here")
    result = cli("describe", f"{source}:2")
    assert result.code == ExitCode.QUIET
    assert "empty: no function without a body here" in result.out
    assert cli("describe", str(source)).code == ExitCode.USAGE
    assert cli("describe", f"{source}:2", "--precision", "2").code == ExitCode.USAGE


def test_next_edit_json_and_quiet(cli: Cli, quiet_engine: FakeEngine, source: Path, tmp_path: Path) -> None:
    after = tmp_path / "after.py"
    after.write_text(SOURCE + "\n", encoding="utf-8")
    result = cli("next-edit", source, after, "--json")
    assert result.code == ExitCode.QUIET
    assert json.loads(result.out)["reason"] == "low-probability"
    assert "low-probability: 0.21 of 0.80" in cli("next-edit", source, after).out


def test_explain(cli: Cli, engine: FakeEngine, quiet_engine: FakeEngine, source: Path) -> None:
    result = cli("explain", f"{source}:2:5")
    assert result.code == ExitCode.ANSWERED  # ghost text would be shown
    for text in (
        "models: toy-python-1",
        "comment-or-string",
        "open",
        "closed",
        "Next edit",
        "low-probability",
        "85 %",
    ):
        assert text in result.out
    answer = json.loads(cli("explain", f"{source}:2:5", "--json").out)
    assert set(answer["surfaces"]) == {"completion", "inline", "next_edit"}
    assert answer["surfaces"]["inline"]["insert"] == "(name)"


def test_text_that_is_hard_to_print(cli: Cli, engine: FakeEngine, tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_bytes(b"\tx = '\xe6\xbc\xa2[/bold]'\xff\r\ny\x0c= 1\n")
    result = cli("complete", f"{path}:1:9")  # characters: the tab and the wide one count as one each
    assert result.code == ExitCode.ANSWERED
    lines = result.out.splitlines()
    assert "[/bold]" in lines[0]
    assert lines[1].index("^") == lines[0].index("漢") + 3  # in cells: the wide character takes two
    ((_, _, byte),) = engine.asked
    assert byte == len("\tx = '漢[".encode())


USAGE = {
    "unknown command": (["predict"], "No such command"),
    "unknown option": (["complete", "--fast", "a.py:1:1"], "--fast"),
    "option without a value": (["bench", "--compare", "a.json"], "(see editahead bench --help)"),
    "no place": (["complete"], "FILE:LINE:COL"),
    "place without numbers": (["complete", "a.py"], "'a.py' is no position: write FILE:LINE:COL"),
    "line zero": (["complete", "a.py:0:1"], "count from 1"),
    "huge line": (["complete", "a.py:99999999999:1"], "is no position"),
    "no file": (["complete", "nowhere.py:1:1"], "cannot read nowhere.py: no such file"),
    "a name that a terminal acts upon": (["complete", "\x1b[31mred.py:1:1"], "cannot read \ufffd[31mred.py: no such"),
    "a folder": (["complete", ".:1:1"], "cannot read ."),
    "no such line": (["complete", "{source}:7:1"], "has 6 lines: there is no line 7"),
    "no such column": (
        ["complete", "{source}:5:14"],
        "line 5 of {source} has 12 characters: the last column is 13",
    ),
    "next edit of one file": (["next-edit", "{source}"], "AFTER"),
    "next edit of nothing": (["next-edit", "{source}", "{source}"], "are equal"),
    "no such line of an empty file": (["complete", "{empty}:2:1"], "has 1 line: there is no line 2"),
    "a file without end": (["complete", "/dev/zero:1:1"], "is larger than"),
    "describe without a line": (["describe", "{source}"], "is no line: write FILE:LINE, for instance src/app.py:12"),
    "describe line zero": (["describe", "{source}:0"], ":0' is no line: LINE counts from 1"),
    "unknown sample": (["demo", "--language", "cobol"], "'cobol' has no sample: choose one of python, java"),
    "unknown device of a demo": (["demo", "--device", "tpu"], "choose one of auto, cpu, cuda"),
    "no bundle of a demo": (["demo", "--bundle", "/nonexistent"], "--bundle /nonexistent is no directory"),
    "team without a command": (["team"], "Missing command (see editahead team --help)"),
    "unknown device": (["doctor", "--device", "tpu"], "choose one of auto, cpu, cuda"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", USAGE)
def test_wrong_usage_is_one_line(
    cli: Cli, engine: FakeEngine, source: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, message = USAGE[case]
    if arguments[-1].startswith("/dev/") and not Path("/dev/zero").exists():
        pytest.skip("needs /dev/zero")
    monkeypatch.setattr("editahead.cli.question.asking.MAX_FILE_BYTES", 1 << 20)
    empty = source.with_name("empty.py")
    empty.touch()
    result = cli(*(argument.format(source=source, empty=empty) for argument in arguments))
    assert result.code == ExitCode.USAGE
    assert result.out == ""
    assert result.err.startswith("editahead: ")
    assert result.err.count("\n") == 1
    assert message.format(source=source) in result.err
    assert engine.asked == []


def test_an_unknown_language_is_quiet(cli: Cli, engine: FakeEngine, tmp_path: Path) -> None:
    path = tmp_path / "notes.unheard-of"
    path.write_text("x", encoding="utf-8")
    result = cli("complete", f"{path}:1:1")
    assert result.code == ExitCode.QUIET
    assert result.err == "editahead: notes.unheard-of is in no supported language\n"


def test_the_unexpected_is_one_line_unless_debugging(cli: Cli, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(bundles: Any, device: str) -> Any:
        raise RuntimeError("the roof\nfell in")

    monkeypatch.setattr("editahead.cli.question.asking.load_engine", broken)
    result = cli("complete", f"{source}:1:1")
    assert result.code == ExitCode.DAMAGED
    assert result.err == "editahead: unexpected RuntimeError: the roof (run again with --debug to see where)\n"
    monkeypatch.setattr("sys.argv", ["editahead", "--debug", "complete", f"{source}:1:1"])
    from editahead.cli import main

    with pytest.raises(RuntimeError, match="fell in"):
        main.main()


def test_a_missing_package_is_a_damaged_installation(cli: Cli, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "editahead.suggest.engine", None)
    result = cli("complete", f"{source}:1:1")
    assert result.code == ExitCode.DAMAGED
    assert "this installation is damaged" in result.err
    assert result.err.count("\n") == 1


def test_version_and_help(cli: Cli) -> None:
    result = cli("--version")
    assert (result.code, result.out) == (0, f"editahead {editahead.__version__}\n")
    for arguments in ([], ["--help"]):
        result = cli(*arguments)
        assert result.code == 0
        for name in ("serve", "demo", "complete", "next-edit", "explain", "doctor", "--version"):
            assert name in result.out
    assert "--remote" in cli("serve", "--help").out
    assert "completions do not depend on it" in cli("complete", "--help", columns=300).out


def test_a_reader_that_leaves_is_no_error(source: Path) -> None:
    command = f'"{sys.executable}" -m editahead --help | true'
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
