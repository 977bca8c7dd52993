"""Consequences of an expression that was rewritten: others of its kind, with their own operands.

After `first == None` became `first is None`, `second == None` may become `second is None`; so with `d["k"]` and
`d.get("k")`, and with swapped arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from editahead.suggest.next_edit.consequences.rewritings.other_expressions import REWRITTEN, SOURCE, other_expressions
from editahead.suggest.next_edit.consequences.rewritings.rewriting import Rewriting, rewriting_of
from editahead.suggest.next_edit.consequences.rewritings.rewritten_lines import (
    RewrittenLine,
    is_statement,
    rewritten_lines,
)
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Consequence, Moment

_REASON = "another expression of this kind was written so"


def idiom(moment: Moment) -> Iterator[Consequence]:
    """Other expressions of the kinds that were rewritten, the latest first."""
    lines_by_signature: dict[str, list[RewrittenLine]] = {}
    rewritings: dict[str, Rewriting] = {}
    for line in rewritten_lines(moment):
        rewriting = _example(line)
        if rewriting is not None:
            lines_by_signature.setdefault(rewriting.signature, []).append(line)
            rewritings.setdefault(rewriting.signature, rewriting)
    for signature, lines in lines_by_signature.items():
        yield from other_expressions(moment, lines, signature, _REASON, rewritings[signature])


def _example(line: RewrittenLine) -> Rewriting | None:
    """What the changes of one line did, by the smallest expression around them that says enough."""
    for was, node in line.pairs:
        if is_statement(node) or node.type == "type":
            return None  # what an annotation says is no value
        rewriting = rewriting_of(was, node)
        if rewriting is not None:
            return rewriting
    return None


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.EXPRESSION}),
    generate=idiom,
    you="rewrite an expression: `x == None` to `x is None`, `==` to `===`",
    follows="others of its kind, with operands of their own",
    examples=("a = b «==>is» None\nc = d ‹==>is› None\n",),
    variants=(REWRITTEN,),
    by_likeness=True,
)
