"""The table of built-in classes against the running interpreter, of whatever version."""

from __future__ import annotations

import builtins
import io
import json

import pytest
from editahead.environment.exports import builtin_class

from scripts.builtin_members import TABLE, as_json

NEWER = {"add_note", "__getstate__", "__buffer__", "__release_buffer__", "_hash"}
"""Members that some supported version lacks."""
SOME = {
    "str": "strip split join", "bytes": "decode hex", "list": "append pop", "dict": "items get", "set": "add union",
    "frozenset": "union", "tuple": "count index", "int": "bit_length", "float": "is_integer", "OSError": "errno args",
    "TextIOWrapper": "read readlines", "Exception": "args with_traceback",
}  # fmt: skip


@pytest.mark.parametrize("name", list(SOME))
def test_members_are_those_of_the_interpreter(name: str) -> None:
    held = builtin_class(name)
    assert held is not None
    assert set(SOME[name].split()) <= held.names
    assert held.names - NEWER <= {*dir(getattr(builtins, name, None) or getattr(io, name))} | {"_checkClosed"}


def test_methods_give_what_they_give() -> None:
    held = builtin_class("str")
    assert held is not None
    assert held.results["split"] == "list[str]"
    assert type("a b".split()).__name__ == "list"
    values = builtin_class("dict")
    assert values is not None
    assert values.results["items"] == "Iterable[tuple[T0, T1]]"
    assert builtin_class("Dog") is None


def test_the_table_has_a_line_for_each_class_and_module() -> None:
    text = TABLE.read_text(encoding="utf-8")
    parts = json.loads(text)
    assert as_json(parts) == text
    assert len(text.splitlines()) == 2 + sum(2 + len(rows) for rows in parts.values())
