"""Members of Python's built-in classes, which no source file holds: `scripts/builtin_members.py` writes the table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from editahead.analysis.type_expressions.expression import TypeExpression, instance_of
from editahead.analysis.type_expressions.python_values import annotation_in

PARAMETERS = ("T0", "T1")
"""What stands in the table for the type arguments of a class."""


class BuiltinClass(NamedTuple):
    """The names of the members of a class, and what calls of them give, where that is known."""

    names: frozenset[str]
    results: Mapping[str, str]

    def result(self, member: str) -> TypeExpression | None:
        """Return what a call of a member gives, or None."""
        text = self.results.get(member)
        named = annotation_in(text) if text is not None else None
        return instance_of(named) if named is not None else None


def builtin_class(name: str) -> BuiltinClass | None:
    """Return a built-in class, one of files and exceptions among them; None for another name."""
    return _classes().get(name)


@cache
def _classes() -> Mapping[str, BuiltinClass]:
    table = json.loads(files("editahead.environment").joinpath("builtin_members.json").read_text(encoding="utf-8"))
    found = {
        name: BuiltinClass(frozenset(row["names"].split()), row["results"]) for name, row in table["classes"].items()
    }
    common = frozenset(table["exceptions"]["BaseException"].split())
    for name, names in table["exceptions"].items():
        found[name] = BuiltinClass(common.union(names.split()), {})
    return found
