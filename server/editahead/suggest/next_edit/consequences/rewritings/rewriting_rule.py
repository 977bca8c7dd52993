"""Rules that are data: expressions of a pattern are rewritten by a template, once the user has rewritten such a one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.consequences.rewritings.matching import rewritten
from editahead.suggest.next_edit.consequences.rewritings.other_expressions import SOURCE, other_expressions
from editahead.suggest.next_edit.consequences.rewritings.rewriting import Rewriting, rewriting_of
from editahead.suggest.next_edit.consequences.rewritings.rewritten_lines import rewritten_lines
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.syntax.nodes import Node
from editahead.text.buffer import Buffer


def rewriting_rule(name: str, *, language: str, pattern: str, template: str, reason: str, example: str) -> EditRule:
    """The rule that rewrites expressions of a pattern by a template.

    Both are code of the language with this id: what stands in both is an operand and matches any operand, all else
    matches itself. The template may be a statement. `reason` tells people why, `example` is as in a rule.
    """
    return EditRule(
        name=name,
        when=frozenset({ChangeKind.EXPRESSION}),
        generate=partial(_others, language, pattern, template, reason),
        you=f"rewrite `{pattern}` to `{template}`",
        follows="other expressions of this pattern, with operands of their own",
        examples=(example,),
        rated_as=SOURCE,
        by_likeness=True,
    )


def _others(language: str, pattern: str, template: str, reason: str, moment: Moment) -> Iterator[Consequence]:
    """The other expressions of a pattern, if one of the lines that were changed last had one."""
    if moment.document.language_id == language:
        rewriting = _rewriting(language, pattern, template)
        lines = [
            line for line in rewritten_lines(moment) if any(_is_rewritten(rewriting, *pair) for pair in line.pairs)
        ]
        if lines:
            yield from other_expressions(moment, lines, f"{pattern} -> {template}", reason, rewriting)


def _is_rewritten(rewriting: Rewriting, was: Node, now: Node) -> bool:
    """Whether an expression became what the template makes of it, blanks aside."""
    result = rewritten(rewriting, was)
    return result is not None and b"".join(result[0].split()) == b"".join((now.text or b"").split())


@cache
def _rewriting(language: str, pattern: str, template: str) -> Rewriting:
    """The parsed rule. Raises ValueError if the pattern has no operand, or one that the template lacks."""
    old, new = (_parsed(language, text) for text in (pattern, template))
    rewriting = rewriting_of(old, new, is_declared=True) if old is not None and new is not None else None
    if rewriting is None:
        raise ValueError(f"no rewriting in {language}: {pattern} -> {template}")
    return rewriting


def _parsed(language_id: str, text: str) -> Node | None:
    """The innermost node that is all of a text."""
    language = by_id(language_id)
    if language is None:
        return None
    size = len(text.encode())
    path, _ = path_to(open_snapshot(Buffer(f"{text}\n".encode()), language), 0)
    return next((node for node in reversed(path) if (node.start_byte, node.end_byte) == (0, size)), None)
