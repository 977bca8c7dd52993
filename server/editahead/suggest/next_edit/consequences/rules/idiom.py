"""Consequences of an expression that was written anew: others of its kind, with their own operands.

After `first == None` became `first is None`, `second == None` may become `second is None`; so with `d["k"]` and
`d.get("k")`, swapped arguments, `%` and f-strings, and `raise` with `from`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from editahead.suggest.next_edit.consequences.rewritings.format_strings import formatted, is_formatting
from editahead.suggest.next_edit.consequences.rewritings.other_expressions import (
    MAX_SCANNED,
    REWRITTEN,
    SOURCE,
    Rewrites,
    cause_of,
    other_edits,
    other_expressions,
)
from editahead.suggest.next_edit.consequences.rewritings.raise_from import cause_added, causes
from editahead.suggest.next_edit.consequences.rewritings.rewriting import Rewriting, rewriting_of
from editahead.suggest.next_edit.consequences.rewritings.rewritten_lines import (
    RewrittenLine,
    is_statement,
    rewritten_lines,
)
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.snapshot import SyntaxSnapshot

_REASON = "another expression of this kind was written so"
_CAUSE = "from "
"""Begins the signature of a cause that was added to `raise`."""


def idiom(moment: Moment) -> Iterator[Consequence]:
    """Other expressions of the kinds that were written anew, the latest first."""
    lines_by_signature: dict[str, list[RewrittenLine]] = {}
    rewritings: dict[str, Rewriting | None] = {}
    for line in rewritten_lines(moment):
        example = _example(moment.document.syntax, line)
        if example is not None:
            signature, rewriting = example
            lines_by_signature.setdefault(signature, []).append(line)
            rewritings.setdefault(signature, rewriting)
    for signature, lines in lines_by_signature.items():
        if signature.startswith(_CAUSE):
            cause = cause_of(moment, SOURCE, lines, signature, _REASON)
            yield from other_edits(moment, cause, lines[0].start, partial(_causes, moment, signature))
        else:
            yield from other_expressions(moment, lines, signature, _REASON, rewritings[signature])


def _causes(moment: Moment, signature: str, document: Document) -> Rewrites:
    """The causes that other `raise` statements of a document lack."""
    is_named = signature != f"{_CAUSE}None"
    parts = Parts(frozenset({b"except"}))
    resolver = moment.resolver(document.uri, document.syntax, parts) if is_named else None
    edits = causes(document.syntax, resolver, is_named, MAX_SCANNED, moment.check)
    return ((edit, "from") for edit in edits)


def _example(syntax: SyntaxSnapshot, line: RewrittenLine) -> tuple[str, Rewriting | None] | None:
    """What the changes of one line did, by the smallest expression around them that says enough."""
    is_python = syntax.language.id == "python"
    if is_python:
        cause = cause_added(syntax, line.start, line.end)
        if cause is not None and not any(b"from" in change.old for change in line.changes):
            return f"{_CAUSE}{'None' if cause == 'None' else 'error'}", None
    for was, node in line.pairs:
        if is_statement(node) or node.type == "type":
            return None  # what an annotation says is no value
        if is_python and is_formatting(was) and node.type == "string":
            return ("f-string", None) if _quoted(formatted(was, known=True)) == _quoted(node.text) else None
        example = rewriting_of(was, node)
        if example is not None:
            return example.signature, example
    return None


def _quoted(text: bytes | None) -> bytes | None:
    """A text with quotes of one kind."""
    return text.replace(b"'", b'"') if text is not None else None


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.EXPRESSION}),
    generate=idiom,
    you="rewrite an expression: `x == None` to `x is None`, `==` to `===`, `%` to an f-string",
    follows="others of its kind, with operands of their own",
    examples=("a = b «==>is» None\nc = d ‹==>is› None\n",),
    variants=(REWRITTEN,),
    by_likeness=True,
)
