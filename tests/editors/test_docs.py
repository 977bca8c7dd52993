"""The configuration snippets for other editors: each parses, and what it says to the server is understood."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editahead.cli.commands.serve import parse
from editahead.settings import parse_settings

PAGES = Path(__file__).parents[2] / "docs" / "editors"
WORDS = re.compile(r'"[^"]*"|;[^\n]*|[()]|[^\s()";]+')


def blocks(language: str, page: str = "*.md") -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(PAGES.glob(page))]
    return [block for text in texts for block in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)]


def objects(value: object) -> Iterator[dict[str, Any]]:
    """Every object inside a value, itself included."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from objects(inner)


def checked(command: list[str]) -> None:
    """The command line is one that starts the server."""
    assert command[0] == "editahead"
    parse(command[1:])


def understood(options: object) -> None:
    parsed = parse_settings(options)
    assert (parsed.problems, parsed.unknown) == ((), ())


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib comes with Python 3.11")
def test_toml() -> None:
    import tomllib

    found = [tomllib.loads(block) for block in blocks("toml")]
    assert found
    for settings in found:
        server = settings["language-server"]["editahead"]
        checked([server["command"], *server["args"]])
        understood(server["config"])
        assert all("editahead" in language["language-servers"] for language in settings["language"])


def test_json() -> None:
    found = [json.loads(block) for block in blocks("json") if "edit_predictions" not in block]  # those start no server
    commands = 0
    for settings in found:
        for one in objects(settings):
            if isinstance(one.get("command"), list):
                checked(one["command"])
                commands += 1
            if "path" in one:
                checked([one["path"], *one["arguments"]])
                commands += 1
            for key in ("initialization_options", "initializationOptions"):
                understood(one.get(key, {}))
    assert commands == len(found) == 3


def test_elisp_is_balanced_and_starts_the_server() -> None:
    found = blocks("elisp")
    assert len(found) == 2
    for block in found:
        depth = 0
        for word in WORDS.findall(block):
            depth += {"(": 1, ")": -1}.get(word, 0)
            assert depth >= 0, "a bracket too many"
        assert depth == 0, "a bracket is missing"
        assert block.count('"editahead" "--stdio"') == 1
        for key in re.findall(r":(\w+) 0\.8", block):
            understood({key: 0.8})


def test_shell_starts_the_server_in_compatible_mode() -> None:
    (script,) = (block for block in blocks("sh", "emacs.md") if "exec" in block)
    line = next(line for line in script.splitlines() if line.startswith("exec "))
    command = line.removeprefix("exec ").replace('"$@"', "--stdio").split()
    checked(command)
    assert parse(command[1:]).compat
