"""Each source of next edits is told to clients and to people."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.suggest.next_edit.consequences.registry import PLACE_SOURCES, SOURCES
from editahead.suggest.next_edit.edit_candidate import NETWORK

PROTOCOL = Path(__file__).parents[4] / "docs" / "protocol.md"


@pytest.mark.parametrize("name", [*(one.name for one in (*SOURCES, *PLACE_SOURCES)), NETWORK])
def test_the_protocol_lists_each_source(name: str) -> None:
    assert f"`{name}`" in PROTOCOL.read_text(encoding="utf-8")
