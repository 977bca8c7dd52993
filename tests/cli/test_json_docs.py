"""The JSON of the commands is as docs/commands/README.md describes it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles

from .conftest import FakeEngine, Result

Cli = Callable[..., Result]
DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "commands/README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["complete", "ghost-text", "fix", "describe", "next-edit"])
def test_every_field_is_described(cli: Cli, engine: FakeEngine, source: Path, tmp_path: Path, command: str) -> None:
    before = tmp_path / "before.py"
    before.write_text("def greet(name):\n    pass\n", encoding="utf-8")
    arguments = {"next-edit": [before, source], "describe": [f"{source}:1"]}.get(command, [f"{source}:2:5"])
    answer = json.loads(cli(command, *arguments, "--json").out)
    described = set(re.findall(r"`(\w+)`", PAGE[PAGE.index("## JSON") : PAGE.index("## Exit codes")]))
    assert set(answer) <= described


def test_the_example_is_what_the_command_prints(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    if not find_bundles():
        pytest.skip("needs models")
    (text,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    example = json.loads(text)
    monkeypatch.chdir(DOCS / "examples/shop")
    answer = json.loads(cli("ghost-text", "orders.py:30:44", "--json").out)
    for field in ("probability", "tokens", "gates"):
        assert field in answer
    assert answer.pop("probability") == pytest.approx(example.pop("probability"), abs=0.02)
    (token,), (shown,) = answer.pop("tokens"), example.pop("tokens")
    assert token["text"] == shown["text"]
    assert token["probability"] == pytest.approx(shown["probability"], abs=0.02)
    (gate,), gates = example.pop("gates"), answer.pop("gates")
    assert gate in gates
    del example["milliseconds"], answer["milliseconds"]
    assert example == answer
