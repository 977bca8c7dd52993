"""An engine with prepared answers, so that the commands are tested apart from any model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from editahead.runtime.ort import CPU, Selection
from editahead.suggest.types import (
    Completion,
    Completions,
    Document,
    Explanation,
    Fixes,
    GateReading,
    GhostToken,
    InlineSuggestion,
    NextEdit,
    Reason,
    RequestedEdit,
    Shown,
    Suppressed,
    WrittenBodies,
)
from editahead.text.edits import ByteEdit

SOURCE = "def greet(name):\n    print(name)\n\n\ngreet('Ada')\n"


@dataclass
class FakeEngine:
    """Answers what it was given, and remembers what it was asked."""

    completions: Any = None
    edit: Any = None
    rewritings: Any = None
    written: Any = None
    asked: list[tuple[str, Document, int]] = field(default_factory=list)
    selection: Selection = Selection("auto", CPU, "")  # noqa: RUF009 (frozen)

    def complete(self, document: Document, byte: int, cancel: object) -> Any:
        self.asked.append(("complete", document, byte))
        return self.completions

    def inline(self, document: Document, byte: int, cancel: object) -> Any:
        self.asked.append(("inline", document, byte))
        return Shown(InlineSuggestion("(name)", byte, byte, (GhostToken("(", 0.9),)), 0.85)

    def next_edit(self, document: Document, byte: int, cancel: object) -> Any:
        self.asked.append(("next_edit", document, byte))
        return self.edit

    def fixes(self, document: Document, start: int, end: int, cancel: object) -> Any:
        self.asked.append(("fixes", document, start))
        return self.rewritings

    def bodies(self, document: Document, byte: int, cancel: object) -> Any:
        self.asked.append(("bodies", document, byte))
        return self.written

    def explain(self, document: Document, byte: int, cancel: object) -> Explanation:
        self.asked.append(("explain", document, byte))
        surfaces = {
            "completion": self.completions,
            "inline": Shown(InlineSuggestion("(name)", byte, byte, (GhostToken("(", 0.9),)), 0.85),
            "next_edit": self.edit,
        }
        gates = (GateReading(Reason.COMMENT_OR_STRING, True, "code"),)
        return Explanation(document.language_id, ("toy-python-1",), gates, surfaces)

    def models_for(self, language_id: str) -> tuple[str, ...]:
        return ("toy-python-1",)

    def report(self) -> Any:
        return SimpleNamespace(failures=(), selection=self.selection)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    items = (
        Completion("name", 0.62, "parameter", "pointer", 0),
        Completion("[bold]greet[/]", 0.31, "function", "vocabulary"),
    )
    fake = FakeEngine(
        completions=Shown(Completions(items, 4, 9, False), 0.62),
        edit=Shown(NextEdit(ByteEdit(28, 32, b"title"), "rename", (("replace name", 0.8),)), 0.83),
    )
    fixes = (RequestedEdit(ByteEdit(27, 31, b"title"), 0.41, "a"), RequestedEdit(ByteEdit(27, 31, b""), 0.07, "b"))
    fake.rewritings = Shown(Fixes(fixes, 0, 1, 0.3), 0.41)
    bodies = (RequestedEdit(ByteEdit(21, 32, b"return name"), 0.72, "return name"),)
    fake.written = Shown(WrittenBodies(bodies, "greet", 0), 0.72)
    for module in ("question.asking", "commands.suggestions"):
        monkeypatch.setattr(f"editahead.cli.{module}.load_engine", lambda bundles, device: fake)
    return fake


@pytest.fixture
def quiet_engine(engine: FakeEngine) -> FakeEngine:
    gates = (GateReading(Reason.COMMENT_OR_STRING, False, "inside a comment"),)
    engine.completions = Suppressed(Reason.COMMENT_OR_STRING, "inside a comment", gates)
    engine.rewritings = Suppressed(Reason.LOW_PROBABILITY, "0.010 of at least 0.050")
    engine.edit = Suppressed(Reason.LOW_PROBABILITY, "0.21 of 0.80")
    return engine


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "greeting.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run one command line in this process."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: object, columns: int | None = None) -> Result:
        from editahead.cli import main

        if columns is not None:
            monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr("sys.argv", ["editahead", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main.main()
        out, err = capfd.readouterr()
        code = caught.value.code
        assert isinstance(code, int)
        return Result(code, out, err)

    return run
