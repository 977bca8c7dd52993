"""A grammar as a table: rules, and for every state of an open node the rules that may expand it.

A *tag* is such a state: a non-terminal with the constraints of its position (`expr`, `elt*`, `target`, ..). A tag whose
name starts with `@` takes a terminal. The node of a list stays open under a production's `follow`, until that is None.
Productions that are not `safe` exist to read code that people wrote; nothing is ever generated with them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

END = "End"  # the rule that closes a list
NONE = "none"  # the rule of an optional child that is absent
FORMAT = 1


class Rule(NamedTuple):
    """`left -> name(field: tag, ..)`."""

    name: str
    left: str
    fields: tuple[tuple[str, str], ...]


class Production(NamedTuple):
    """A rule at a tag: the tags of its children, and the tag of the node afterwards (None: closed)."""

    rule: int
    children: tuple[int, ...]
    follow: int | None
    safe: bool


@dataclass(frozen=True, eq=False)
class Grammar:
    """`productions[tag]` maps rule ids to productions; it is empty for a terminal, whose kind is in `kinds`."""

    language: str
    version: str
    rules: tuple[Rule, ...]
    tags: tuple[str, ...]
    productions: tuple[dict[int, Production], ...]

    @cached_property
    def rule_id(self) -> dict[str, int]:
        """Ids of the rules by name: names are unique."""
        return {rule.name: number for number, rule in enumerate(self.rules)}

    @cached_property
    def tag_id(self) -> dict[str, int]:
        """Ids of the tags by name."""
        return {tag: number for number, tag in enumerate(self.tags)}

    @cached_property
    def kinds(self) -> tuple[str | None, ...]:
        """The kind of terminal that each tag takes, None for a non-terminal."""
        return tuple(tag[1:] if tag.startswith("@") else None for tag in self.tags)

    @cached_property
    def costs(self) -> tuple[int, ...]:
        """Fewest safe steps that close a node of each tag; a terminal takes two (a piece and its end)."""
        unknown = 10**6
        costs = [2 if kind is not None else unknown for kind in self.kinds]
        changed = True
        while changed:
            changed = False
            for tag, productions in enumerate(self.productions):
                for production in productions.values():
                    cost = 1 + sum(costs[child] for child in production.children)
                    cost += costs[production.follow] if production.follow is not None else 0
                    if production.safe and cost < costs[tag]:
                        costs[tag], changed = cost, True
        return tuple(costs)


def to_json(grammar: Grammar) -> str:
    """The grammar as text, a rule or a state a line, so that a change can be read in a diff."""
    rules = [json.dumps([r.name, r.left, *(f"{field}: {tag}" for field, tag in r.fields)]) for r in grammar.rules]
    states = []
    for tag, productions in zip(grammar.tags, grammar.productions, strict=True):
        rows = [[p.rule, list(p.children), p.follow, int(p.safe)] for p in productions.values()]
        states.append(json.dumps([tag, rows], separators=(",", ":")))
    head = f'{{"format": {FORMAT}, "language": {json.dumps(grammar.language)}, "version": "{grammar.version}",\n'
    return head + '"rules": [\n' + ",\n".join(rules) + '\n],\n"tags": [\n' + ",\n".join(states) + "\n]}\n"


def from_json(text: str) -> Grammar:
    """The grammar of a text that `to_json` wrote. Otherwise ValueError with a single line."""
    try:
        raw: Any = json.loads(text)
        if raw["format"] != FORMAT:
            raise ValueError(f"format {raw['format']}, expected {FORMAT}")
        rules = tuple(
            Rule(name, left, tuple((f.split(": ")[0], f.split(": ")[1]) for f in fields))
            for name, left, *fields in raw["rules"]
        )
        productions = tuple(
            {rule: Production(rule, tuple(children), follow, bool(safe)) for rule, children, follow, safe in rows}
            for _, rows in raw["tags"]
        )
        return Grammar(raw["language"], raw["version"], rules, tuple(tag for tag, _ in raw["tags"]), productions)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise ValueError(f"not a grammar table: {error}") from None
