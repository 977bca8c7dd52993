"""Members of Python's built-in classes and modules, which no source file holds.

`scripts/builtin_members.py` writes the table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from editahead.analysis.type_expressions.python_values import TypeExpression, annotation_in, instance_of
from editahead.environment.exports import Export, ModuleExports

PARAMETERS = ("T0", "T1")  # what stands in the table for the type arguments of a class


class BuiltinClass(NamedTuple):
    """The names of the members of a class, and the types that calls of them return, as far as written."""

    names: frozenset[str]
    results: Mapping[str, str]

    def result(self, member: str) -> TypeExpression | None:
        """Return what a call of a member gives, or None."""
        return _object_of(self.results.get(member, ""))


def builtin_class(name: str) -> BuiltinClass | None:
    """Return a built-in class, also of files and exceptions; None for another name."""
    return _classes().get(name)


@cache
def builtin_module(name: str) -> ModuleExports | None:
    """Return the exports of a module of the standard library that has no source file; None for another name."""
    row = _table()["modules"].get(name)
    if row is None:
        return None
    exports = {name: Export("function") for name in row["names"].split()}
    for variable, text in row["variables"].items():
        exports[variable] = Export("variable", type=_object_of(text))
    for class_name, members in row["classes"].items():
        exports[class_name] = Export("class", frozenset(members.split()))
    return ModuleExports(exports)


def _object_of(text: str) -> TypeExpression | None:
    named = annotation_in(text) if text else None
    return instance_of(named) if named is not None else None


@cache
def _table() -> dict[str, Any]:
    text = files("editahead.environment").joinpath("builtin_members.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


@cache
def _classes() -> Mapping[str, BuiltinClass]:
    table = _table()
    classes = {
        name: BuiltinClass(frozenset(row["names"].split()), row["results"]) for name, row in table["classes"].items()
    }
    common = frozenset(table["exceptions"]["BaseException"].split())
    for name, names in table["exceptions"].items():
        classes[name] = BuiltinClass(common.union(names.split()), {})
    return classes
