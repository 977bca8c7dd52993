"""Entries of a table that begin with typed letters, remembered from letter to letter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from editahead.text import memo as beginnings
from editahead.text.memo import TABLES_KEPT, beginning_with, forget_texts


class Counted(dict[str, int]):
    """A table that counts how often it is read."""

    reads = 0

    def items(self) -> Any:
        self.reads += 1
        return super().items()


def test_what_begins_so_comes_in_the_order_of_the_table() -> None:
    table = {"read": 3, "write": 1, "ready": 2, "rest": 0}
    for prefix in ("r", "re", "rea", "read", "ready", "readyx", "re", "w", "", "r"):
        wanted = {key: value for key, value in table.items() if key.startswith(prefix)}
        assert list(beginning_with(table, prefix).items()) == list(wanted.items())


def test_a_further_letter_reads_only_what_the_one_before_left() -> None:
    table = Counted({f"name_{number}": number for number in range(100)} | {"other": 0})
    for prefix in ("n", "na", "name_1", "name_12", "name_12"):
        assert "other" not in beginning_with(table, prefix)
    assert table.reads == 1
    assert set(beginning_with(table, "o")) == {"other"}  # other letters begin again
    assert table.reads == 2


def test_equal_tables_are_told_apart_and_few_are_kept() -> None:
    tables: list[Mapping[str, int]] = [{"one": number} for number in range(3 * TABLES_KEPT)]
    assert [beginning_with(table, "o")["one"] for table in tables] == list(range(3 * TABLES_KEPT))
    assert len(beginnings._kept) == TABLES_KEPT
    forget_texts()
    assert not beginnings._kept
