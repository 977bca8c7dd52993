"""The kinds of the recent changes of a document, which select the rules to run."""

from __future__ import annotations

import re

from editahead.analysis.signatures import function_around
from editahead.patterns.changes import NetChange, net_changes, take_latest
from editahead.suggest.next_edit.consequences.name_changes import NameChange, Renaming, renamings
from editahead.suggest.next_edit.consequences.rule import ChangeKind
from editahead.suggest.types import Document
from editahead.syntax.token_kinds import Role

MAX_CHANGES = 6  # the most recent changes of a text, which select the rules to run
_WORD = re.compile(rb"[A-Za-z_\x80-\xff]")


def kinds_of_changes(document: Document) -> frozenset[ChangeKind]:
    """The kinds of the recent changes of a document. The replacement of a declared name is of no other kind."""
    data = document.syntax.buffer.data
    replaced = renamings(document.history, data)
    kinds = {ChangeKind.NAME_REPLACED} if replaced else set[ChangeKind]()
    renamed = [change for renaming in replaced if _is_declared(document, renaming) for change in renaming.changes]
    changes = (change for change in net_changes(document.history, data) if not change.is_undone(data))
    for change in take_latest(changes, MAX_CHANGES):
        if not any(_is_same(change, name, data) for name in renamed):
            kinds |= _kinds_of(document, change)
    return frozenset(kinds)


def _is_declared(document: Document, renaming: Renaming) -> bool:
    """Whether a name was replaced at its declaration; a keyword argument is no declaration."""
    syntax, buffer = document.syntax, document.syntax.buffer
    for change in renaming.changes:
        line = buffer.line_at(change.start)
        column = change.start - buffer.line_span(line)[0]
        roles = (token.role for token in syntax.line_tokens(line) if token.start == column)
        if any(role.is_declaration and role is not Role.ARGUMENT for role in roles):
            return True
    return False


def _is_same(change: NetChange, name: NameChange, data: bytes) -> bool:
    """Whether a change is the replacement of a name and nothing else."""
    if not name.start <= change.start <= change.end <= name.end:
        return False
    return data[name.start : change.start] + change.old + data[change.end : name.end] == name.old.encode()


def _kinds_of(document: Document, change: NetChange) -> set[ChangeKind]:
    syntax, buffer, table = document.syntax, document.syntax.buffer, document.syntax.language.scopes
    old, new = change.old, buffer.data[change.start : change.end]
    ends = (change.start, change.end)
    is_of_kind = {
        ChangeKind.PARAMETERS: table is not None and any(function_around(syntax, table, byte) for byte in ends),
        ChangeKind.ASSIGNMENT: b"=" in new,
        ChangeKind.WORDS_ADDED: _WORD.search(new) is not None,
        ChangeKind.WORDS_REMOVED: _WORD.search(old) is not None,
    }
    return {kind for kind, is_kind in is_of_kind.items() if is_kind}
