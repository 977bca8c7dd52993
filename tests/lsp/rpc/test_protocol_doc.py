"""docs/protocol.md names every message, command, setting and reason that the code knows, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from editahead.lsp.commands import commands
from editahead.lsp.routes import methods
from editahead.suggest.types import Reason

REPOSITORY = Path(__file__).resolve().parents[3]
DOCUMENT = (REPOSITORY / "docs" / "protocol.md").read_text(encoding="utf-8")
OUTSIDE_THE_TABLE = {"exit", "$/cancelRequest"}  # handled by the protocol itself


def section(title: str) -> str:
    return DOCUMENT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(title: str) -> list[str]:
    return re.findall(r"^\| `([^`]+)` \|", section(title), flags=re.MULTILINE)


def test_every_message_has_one_row_and_every_row_a_message() -> None:
    rows = first_cells("Messages from the client")
    assert sorted(rows) == sorted({*methods(), *OUTSIDE_THE_TABLE})


def test_every_command_has_one_row_and_every_row_a_command() -> None:
    assert sorted(first_cells("Commands")) == sorted(commands(compatible=True))


def test_every_reason_is_listed() -> None:
    listed = section("Next edit").split("Reasons:")[1]
    assert re.findall(r"`([a-z-]+)`", listed) == [reason.value for reason in Reason]


def test_every_message_that_the_server_sends_has_a_row() -> None:
    """Read from the package's source: each call names its method in place."""
    folder = REPOSITORY / "server" / "editahead" / "lsp"
    source = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    sent = set(re.findall(r"(?:client|self)\.(?:notify|request)\(\s*\"([^\"]+)\"", source))
    assert sent == set(first_cells("Messages to the client"))


def test_every_conformance_row_has_a_test() -> None:
    tests = (Path(__file__).parent / "test_conformance.py").read_text(encoding="utf-8")
    rows = [int(number) for number in re.findall(r"^\| C(\d+) \|", DOCUMENT, flags=re.MULTILINE)]
    assert rows == list(range(1, 21))
    assert sorted({int(number) for number in re.findall(r"^def test_c(\d\d)_", tests, re.MULTILINE)}) == rows
