"""Grammar tables: from rules and states, and restricted to some kinds of terminals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from editahead.grammar.table import Grammar, Production, Rule


def grammar_of(
    language: str,
    version: str,
    rules: Iterable[Rule],
    states: dict[str, list[tuple[str, str | None, bool, dict[str, str]]]],
) -> Grammar:
    """A grammar from rules and states. A state lists (rule name, next state, safe, tags of children that differ here).

    Only what can be reached from the first state is kept. ValueError names a state that nobody defined.
    """
    by_name = {rule.name: rule for rule in rules}
    tags: list[str] = [next(iter(states))]
    entries_by_tag: list[list[tuple[str, tuple[str, ...], str | None, bool]]] = []
    for tag in tags:  # grows while it is read
        entries = []
        if not tag.startswith("@") and tag not in states:
            raise ValueError(f"no state {tag!r} in the grammar of {language}")
        for name, follow, safe, changed in states.get(tag, []):
            children = tuple(changed.get(field, child) for field, child in by_name[name].fields)
            entries.append((name, children, follow, safe))
            for reached in (*children, *([follow] if follow else [])):
                if reached not in tags:
                    tags.append(reached)
        entries_by_tag.append(entries)
    used = {name for entries in entries_by_tag for name, *_ in entries}
    kept = tuple(rule for name, rule in by_name.items() if name in used)
    rule_id = {rule.name: number for number, rule in enumerate(kept)}
    tag_id = {tag: number for number, tag in enumerate(tags)}
    return Grammar(
        language,
        version,
        kept,
        tuple(tags),
        tuple(
            {
                rule_id[name]: Production(
                    rule_id[name], tuple(tag_id[c] for c in children), tag_id[follow] if follow else None, safe
                )
                for name, children, follow, safe in entries
            }
            for entries in entries_by_tag
        ),
    )


def restrict(grammar: Grammar, kinds: set[str]) -> Grammar:
    """Restrict a grammar to productions that never generate a node of another kind of terminal."""
    dead = {tag for tag, kind in enumerate(grammar.kinds) if kind is not None and kind not in kinds}
    while True:
        productions = tuple(
            {rule: p._replace(safe=p.safe and not dead & {*p.children, p.follow}) for rule, p in row.items()}
            for row in grammar.productions
        )
        more = {t for t, row in enumerate(productions) if row and not any(p.safe for p in row.values())}
        if more <= dead:
            return replace(grammar, productions=productions)
        dead |= more
