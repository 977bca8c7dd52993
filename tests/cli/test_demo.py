"""The demonstration drives the real server, and prints what that answers: words, or silence with its reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise

import pytest
from editahead.bench.stdio_client import server_command
from editahead.cli.commands import demo as replay
from editahead.cli.demonstration.script import SCRIPTS, Complete, Ghost, Script, ScriptedNextEdit
from editahead.cli.errors import ExitCode
from editahead.cli.samples import sample
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.suggest.open_models import LANGUAGE_MODEL

from .conftest import Result

Cli = Callable[..., Result]


QUICK = ("python", "java", "typescript")
EACH = [
    pytest.param(script, id=name, marks=() if name in QUICK else pytest.mark.slow) for name, script in SCRIPTS.items()
]


@pytest.mark.slow
@pytest.mark.parametrize("script", EACH)
def test_every_question_is_answered_or_silent_with_a_reason(cli: Cli, script: Script) -> None:
    result = cli("demo", "--json", "--language", script.language_id)
    report = json.loads(result.out)
    ready, *events = report["events"]
    assert ready["surface"] == "ready"
    looks = [step for step in script.steps if isinstance(step, (Complete, Ghost, ScriptedNextEdit))]
    assert len(events) >= len(looks)
    assert [event["typed"] for event in events if "typed" in event] == [
        look.word for look in looks if isinstance(look, Complete)
    ]
    lines = sample(script.file).line_count
    for event in events:
        assert event["milliseconds"] > 0
        assert 1 <= event["line"] <= lines + 30
        if not event["shown"]:
            assert event["reason"] not in ("", "no reason given")
        elif event["surface"] == "completion":
            chances = [item["probability"] for item in event["items"]]
            assert all(a >= b for a, b in pairwise(chances))
            labels = [item["label"] for item in event["items"]]
            assert event["rank"] == (labels.index(event["typed"]) + 1 if event["typed"] in labels else None)
        else:
            assert 0 < event["probability"] <= 1
            assert event["newText"] != "" or event["range"]["start"] != event["range"]["end"]
    shown = [event for event in events if event["shown"]]
    assert result.code == (ExitCode.ANSWERED if shown else ExitCode.QUIET)
    if find_bundles():
        assert ready["models"]
        assert shown
    engine = Engine.load(find_bundles(), "cpu", lambda text, part: None)
    if LANGUAGE_MODEL in engine.families_for(script.language_id):
        assert {event["surface"] for event in shown} >= {"completion", "inline", "next_edit"}


@pytest.mark.slow
def test_for_a_person(cli: Cli) -> None:
    result = cli("demo")
    assert result.code in (ExitCode.ANSWERED, ExitCode.QUIET)
    assert result.err == ""
    for text in ("inventory.py is open", "completions", "item = self.", "next edit", "nothing left this machine"):
        assert text in result.out


def test_a_server_that_does_not_start_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "server_command", lambda *arguments: server_command("--no-such-option"))
    result = cli("demo")
    assert result.code == ExitCode.DAMAGED
    assert result.err.startswith("editahead: the demonstration stopped: ")
    assert "unknown argument '--no-such-option'" in result.err
    assert result.err.count("\n") == 1
