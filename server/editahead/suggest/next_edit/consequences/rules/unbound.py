"""Consequences of a removed declaration: the remaining uses of its name, as open places.

A use counts if its name was resolved before the changes, and no longer is. Nothing follows if the name was moved to
another open file, or replaced by another name. The text of a use is up to the user: often something else replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.patterns.changes import NetChange, net_changes, take_latest
from editahead.suggest.next_edit.consequences.name_changes import renamings
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Moment, OpenPlace
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, ScopeKind, ScopeTable
from editahead.text.words import IDENTIFIER, WORD_BYTES

SOURCE = "unbound"
_WORD = re.compile(rb"(?<![.$" + WORD_BYTES + rb"])" + IDENTIFIER)  # that is no member
_RECEIVERS = ("self", "cls")  # names of the first parameter of a method
MAX_CHANGES = 6  # the most recent changes of a text, which are read
MAX_BYTES, MAX_WORDS = 20_000, 200  # bytes of each change that are read, and words of all of them
MAX_STANDING = 200  # occurrences of a word in a text, also inside longer words, up to which it is read
MAX_PLACES = 24  # uses of a name


class _RemovedName(NamedTuple):
    """A name that a change took away."""

    name: str
    change: NetChange


def unbound(moment: Moment) -> Iterator[OpenPlace]:
    """The uses of names that are declared no more."""
    document = moment.document
    table, data = document.syntax.language.scopes, document.syntax.buffer.data
    if table is None:
        return
    changes = [change for change in net_changes(document.history, data) if not change.is_undone(data)]
    removed_names = list(_removed_names(moment, table, changes))
    parts = Parts(frozenset(removed.name.encode() for removed in removed_names))
    now = moment.resolver(document.uri, document.syntax, parts) if removed_names else None
    lost = [
        (removed, uses)
        for removed in removed_names
        if now is not None and (uses := _without_meaning(now, removed.name, changes))
    ]
    before = moment.resolver(document.uri, moment.before(document.syntax, changes), parts) if lost else None
    brought = now is not None and bool(lost) and now.scopes.has_wildcard_import()
    for removed, uses in lost if before is not None else ():
        assert before is not None
        meant = [(use, kind) for use in uses if (kind := _kind_before(before, use, changes, brought=brought))]
        if meant:
            kind = meant[0][1]
            reason = f"`{removed.name}` is no longer {'imported' if kind == 'import' else 'declared'}"
            line = document.syntax.buffer.line_at(removed.change.start)
            cause = Cause(SOURCE, f"{document.uri} {removed.name}", reason, line)
            yield from _places(moment, cause, removed, [use for use, _ in meant], kind)


def _removed_names(moment: Moment, table: ScopeTable, changes: Sequence[NetChange]) -> Iterator[_RemovedName]:
    """Names that the latest changes took away, the latest first, unless they were renamed or moved."""
    document = moment.document
    renamed = {renaming.old for renaming in renamings(document.history, document.syntax.buffer.data)}
    seen = set[bytes]()
    for change in take_latest(changes, MAX_CHANGES):
        moment.check()
        for word in _WORD.findall(change.old[:MAX_BYTES]):
            if word in seen or len(seen) == MAX_WORDS:
                continue
            seen.add(word)
            name = word.decode("utf-8", "replace")
            skipped = name in table.keywords or name in table.builtins or name in renamed
            skipped |= table.classes.explicit_self and name in _RECEIVERS  # the method became a function or moved
            if not skipped and 0 < document.syntax.count(word) <= MAX_STANDING and not _moved(word, document):
                yield _RemovedName(name, change)


def _moved(word: bytes, document: Document) -> bool:
    """Whether a word came with a change of another open file."""
    return any(
        word in other.syntax.buffer.data[change.start : change.end]
        for other in document.others
        for change in net_changes(other.history, other.syntax.buffer.data)[-MAX_CHANGES:]
    )


def _without_meaning(now: Resolver, name: str, changes: Sequence[NetChange]) -> list[NameAt]:
    """Uses of a name, outside of what was changed, that the file says nothing of."""
    return [
        use
        for use in now.names(name)[:MAX_STANDING]
        if use.occurrence.action is Action.USE
        and not any(change.start <= use.end and use.start <= change.end for change in changes)
        and now.binding(use) is None
    ][:MAX_PLACES]


def _kind_before(before: Resolver, use: NameAt, changes: Sequence[NetChange], *, brought: bool) -> str:
    """What kind of binding a name of the text now had; empty for none.

    `brought`: the file imports all names of some module, which may bring what the file itself declared or imported; a
    parameter, a local variable or a member none brings.
    """
    start = use.start + sum(
        len(change.old) - (change.end - change.start) for change in changes if change.end <= use.start
    )
    binding = before.binding_at(start, use.occurrence.name)
    kind = before.kind(binding) if binding is not None else ""
    if brought and binding is not None and (kind == "import" or before.scopes.kind(binding.scope) is ScopeKind.MODULE):
        return ""
    return kind


def _is_replaced(document: Document, change: NetChange) -> bool:
    """Whether something replaced a declaration: its uses want another name then."""
    return bool(document.syntax.buffer.data[change.start : change.end].strip())


def _places(
    moment: Moment, cause: Cause, removed: _RemovedName, uses: Sequence[NameAt], kind: str
) -> Iterator[OpenPlace]:
    """Every use of a name, whatever becomes of it."""
    document = moment.document
    lost = "import" if kind == "import" else "declaration"
    label = f"{kind}/replaced" if _is_replaced(document, removed.change) else kind
    singular, plural = f"use of `{removed.name}` lacks its {lost}", f"uses of `{removed.name}` lack their {lost}"
    for use in uses:
        yield from moment.open_place(cause, document, use.start, label, singular, plural)


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.WORDS_REMOVED}),
    generate=unbound,
    you="remove a declaration or an import",
    follows="`Tab` leads to the places that still use its name",
    examples=(
        "«import re\n>»import os\n\n\ndef f(a):\n    b = 1\n    c = ‹re>›.escape(a)\n    return b\n",
        "def f(a«, b>»):\n    x = a\n    return g(a, ‹b>›)\n",
    ),
    waits=True,
)
