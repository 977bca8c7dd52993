"""The rules of next edits, a file each: every module of this package is discovered by its `RULE`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from editahead.suggest.next_edit.consequences.rule import EditRule


@cache
def all_rules() -> tuple[EditRule, ...]:
    """All rules, by name."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return tuple(sorted((module.RULE for module in modules), key=lambda rule: rule.name))


def rule_named(name: str) -> EditRule:
    """The rule of a name. Raises KeyError if there is none."""
    return {rule.name: rule for rule in all_rules()}[name]
