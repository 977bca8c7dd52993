"""The doctor: every damage is a row and exit code 3, never a traceback; what is sound is said to be sound."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from editahead.analysis.function_heads import empty_body_at
from editahead.cli.commands.doctor import report
from editahead.cli.errors import ExitCode
from editahead.cli.installation import checks
from editahead.runtime import ort
from editahead.runtime.bundle import Bundle
from editahead.suggest.types import Completions, Document, Reason, Shown, Suppressed
from editahead_models.export.bundle_writer import write_bundle
from rich.console import Console

from .conftest import Result

Cli = Callable[..., Result]
CPU = ort.select_providers("cpu")


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Latencies of one question each, where they are not what is looked at."""
    monkeypatch.setattr(checks, "ROUNDS", 1)


def make(folder: Path, golden: float = 1.0) -> Bundle:
    """A bundle whose graph gives back its input."""
    arrays = io.BytesIO()
    one = np.ones(1, np.float32)
    np.savez(arrays, **{"in/copy/x": one, "out/copy/y": one * np.float32(golden)})
    files = {"model.onnx": ort._PROBE, "vocab.json": b"{}", "golden.npz": arrays.getvalue()}
    manifest = {"version": "1", "graphs": {"copy": {"file": "model.onnx"}}}
    return write_bundle(folder / "toy-python-1", family="toy", language="python", files=files, manifest=manifest)


def test_a_sound_bundle(tmp_path: Path) -> None:
    check = checks.check_bundle(make(tmp_path).path, CPU)
    assert check.problem is None
    assert (check.name, check.difference, check.tolerance) == ("toy-python-1", 0.0, 1e-3)
    assert check.megabytes == pytest.approx(0.0006, abs=0.0005)


@pytest.mark.slow
@pytest.mark.usefixtures("few_rounds")
@pytest.mark.parametrize("damage", ["no manifest", "truncated", "other bytes", "other answers"])
def test_a_damaged_bundle(cli: Cli, tmp_path: Path, damage: str) -> None:
    path = make(tmp_path, golden=2.0 if damage == "other answers" else 1.0).path
    model = path / "model.onnx"
    if damage == "no manifest":
        (path / "manifest.json").unlink()
    elif damage == "truncated":
        model.write_bytes(model.read_bytes()[:-1])
    elif damage == "other bytes":
        model.write_bytes(bytes(reversed(model.read_bytes())))
    check = checks.check_bundle(path, CPU)
    assert check.problem is not None
    assert "\n" not in check.problem

    result = cli("doctor", "--json", "--bundle", path)
    assert result.code == ExitCode.DAMAGED
    findings = json.loads(result.out)
    assert findings["ok"] is False
    assert check.problem in findings["problems"]
    assert findings["bundles"][0]["problem"] == check.problem
    assert result.err == ""


def test_a_bundle_that_is_not_there_is_a_wrong_option(cli: Cli, tmp_path: Path) -> None:
    result = cli("doctor", "--bundle", str(tmp_path / "nowhere"))
    assert (result.code, result.err) == (
        ExitCode.USAGE,
        f"editahead: --bundle {tmp_path / 'nowhere'} is no directory\n",
    )


@pytest.mark.slow
@pytest.mark.usefixtures("few_rounds")
def test_the_damaged_row_is_red_and_says_why(tmp_path: Path) -> None:
    path = make(tmp_path).path
    (path / "vocab.json").write_bytes(b"{ }")
    findings = checks.examine([path], "cpu", lambda what: None)
    out = io.StringIO()
    console = Console(file=out, width=300, force_terminal=True, color_system="truecolor")
    for part in report(findings):
        console.print(part)
    (row,) = (line for line in out.getvalue().splitlines() if "damaged: " in line)
    assert "\x1b[31m" in row
    assert "vocab.json: expected 2 bytes, found 3 bytes" in row


@pytest.mark.slow
def test_findings(tmp_path: Path) -> None:
    looked: list[str] = []
    findings = checks.examine([make(tmp_path).path], "cpu", looked.append)
    assert looked == ["providers", "bundles", "grammars", "latency"]
    assert findings.bundles[0].problem is None
    assert findings.device == CPU
    assert "CPUExecutionProvider" in findings.providers
    assert {"python", "java"} <= set(findings.grammars)
    assert findings.packages["numpy"] == np.__version__
    assert findings.memory_mib is None or findings.memory_mib > 20


@pytest.mark.slow
@pytest.mark.usefixtures("few_rounds")
def test_what_each_language_gets() -> None:
    findings = checks.examine([], "cpu", lambda what: None)
    rows = {row.language: row for row in findings.languages}
    assert rows["python"].completions == "model, ranker"
    assert rows["python"].next_edits == "scopes, repeats, model"
    assert rows["python"].more == ("fixes", "bodies")
    assert (rows["tsx"].more, rows["go"].more) == (("fixes",), ())
    assert (rows["typescript"].completions, rows["typescript"].ghost_text) == ("model, ranker", True)
    assert (rows["cpp"].completions, rows["rust"].ghost_text) == ("model, ranker", True)
    assert (rows["c_sharp"].completions, rows["c_sharp"].ghost_text) == ("model, ranker", True)
    assert rows["lua"].completions == "ranker"
    assert (rows["lua"].next_edits, rows["lua"].ghost_text) == ("scopes, repeats, model", False)
    (others,) = [row for name, row in rows.items() if name.endswith("other grammars")] or [None]
    assert others is None or (others.completions, others.next_edits) == ("words", "repeats, model")


def test_latencies(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        def complete(self, document: Document, byte: int, cancel: object) -> object:
            assert document.syntax.buffer.data[byte - 1 : byte].isalnum()
            return Shown(Completions((), byte, byte, True), 0.5) if byte % 2 else Suppressed(Reason.EMPTY)

        def next_edit(self, document: Document, byte: int, cancel: object) -> object:
            assert document.history.settled
            return Suppressed(Reason.NO_MODEL)

        def bodies(self, document: Document, byte: int, cancel: object) -> object:
            if document.language_id == "java":
                return Suppressed(Reason.NO_MODEL)
            empty = empty_body_at(document.syntax, byte)
            assert empty is not None
            assert empty.head.name.endswith("_of")
            return Suppressed(Reason.EMPTY)

    (found,) = checks.measure(Slow(), "java")  # type: ignore[arg-type]
    assert (found.language, found.surface, found.n) == ("java", "completion", checks.ROUNDS)
    assert 0 < found.answered < found.n
    functions = checks.measure(Slow(), "python")[-1]  # type: ignore[arg-type]
    assert (functions.surface, functions.n, functions.answered) == ("function", checks.ROUNDS, 0)
    assert 0 < found.median_ms <= found.worst_ms


@pytest.mark.slow
def test_an_engine_that_fails_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError("no\nengine")

    monkeypatch.setattr(checks.Engine, "load", broken)
    findings = checks.examine([make(tmp_path).path], "cpu", lambda what: None)
    assert "the engine fails: RuntimeError: no" in findings.problems
    assert findings.latencies == ()


@pytest.mark.usefixtures("few_rounds")
def test_no_bundle_at_all_is_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "find_bundles", lambda extra: [])
    findings = checks.examine([], "cpu", lambda what: None)
    assert any("no bundles are installed" in problem for problem in findings.problems)
