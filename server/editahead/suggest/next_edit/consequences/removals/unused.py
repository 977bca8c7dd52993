"""Consequences of a use that was taken away: a declaration that nothing in the file uses any more goes too.

Names that other files may use are left out but for those that say themselves that they are private.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.analysis.signatures import function_around, path_to
from editahead.patterns.changes import latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.name_changes import renamings
from editahead.suggest.next_edit.consequences.removals.outside_needs import (
    OBJECTS,
    ends_with_an_effect,
    is_known_by_name,
    is_marked,
    is_signature_shared,
)
from editahead.suggest.next_edit.consequences.removals.removed_name import LISTS, is_alone, removal_of, whole_lines
from editahead.suggest.next_edit.consequences.removals.still_needed import assigns_more, without_needed
from editahead.suggest.next_edit.consequences.row_changes import removed
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Node, Parts
from editahead.syntax.scope_table import Action, ScopeKind, ScopeTable
from editahead.text.edits import ByteEdit
from editahead.text.words import IDENTIFIER, WORD_BYTES, whole_word

SOURCE = "unused"
MAX_CHANGES, MAX_WORDS, MAX_BYTES = 4, 60, 5_000
"""The latest changes of a text, words of all of them, and bytes of one that are looked at."""
MAX_STANDING = 3
"""How often the word may stand in the file: a declaration and no use."""
LONGEST_FUNCTION = 80  # lines
_DOCUMENTING = (b"///", b"/**")
_WORD = re.compile(rb"(?<![$" + WORD_BYTES + rb"])" + IDENTIFIER)
_PLAIN = re.compile(rb"=[ \t]*[" + WORD_BYTES + rb".\"'\[\]{}, \t-]*;?\s*\Z")


def unused(moment: Moment) -> Outcome:
    """What is used no more after the latest changes. Raises what the check raises."""
    outcome = Outcome.empty()
    home, table = moment.document, moment.document.syntax.language.scopes
    if table is None or (home.history.pending is not None and not home.idle):
        return outcome
    with interruptible(moment.check):
        for name, byte in _words(moment, home, table):
            outcome.candidates.extend(_declaration(moment, home, table, name, byte))
    return outcome


def _words(moment: Moment, home: Document, table: ScopeTable) -> Iterator[tuple[str, int]]:
    """Words that the latest changes took away and that stand seldom, with the byte of the change."""
    data, seen = home.syntax.buffer.data, set[bytes]()
    renamed = {name for one in renamings(home.history, data) for name in (one.old, one.new)}
    for change in latest(net_changes(home.history, data), MAX_CHANGES):
        moment.check()
        kept = set(_WORD.findall(data[change.start : change.end]))
        for word in _WORD.findall(change.old[:MAX_BYTES]):
            if word in seen or word in kept or len(seen) == MAX_WORDS:
                continue
            seen.add(word)
            name = word.decode("utf-8", "replace")
            special = name in table.keywords or name in table.builtins or name in renamed or name.startswith("__")
            if not special and 0 < home.syntax.count(word) <= MAX_STANDING:
                yield name, change.start


def _declaration(moment: Moment, home: Document, table: ScopeTable, name: str, byte: int) -> Iterator[Consequence]:
    """The removal of what declares a name, where it is the only place that names it."""
    names = moment.resolver(home.uri, home.syntax, Parts(frozenset({name.encode()})))
    standing = names.names(name) if names is not None else []
    if names is None or len(standing) != 1 or standing[0].occurrence.action is not Action.BIND:
        return
    at = standing[0]
    word = whole_word(name)
    if len(word.findall(home.syntax.buffer.data)) > 1:
        return  # a text or a comment names it
    binding = names.binding(at)
    low, high = names.scopes.span(binding.scope) if binding is not None else (0, 0)
    if not low <= byte <= high:
        return  # what went named something else
    made = _removal(moment, home, table, names, at)
    if made is None:
        return
    edit, kind = made
    changes = net_changes(home.history, home.syntax.buffer.data)
    if any(one.start <= edit.old_end and edit.start <= one.end and one.end > one.start for one in changes):
        return  # the user has been there
    group = f"{SOURCE}-{blake2b(f'{home.uri} {name}'.encode(), digest_size=4).hexdigest()}"
    key = f"{group} @ {edit.start}"
    if all(not_rejected(moment.document, one).passed for one in (key, group)):
        like = home.syntax.buffer.line_at(byte)
        yield Consequence(SOURCE, home, edit, group, kind, f"nothing uses `{name}` any more", 1, like, key, group)


def _removal(
    moment: Moment, home: Document, table: ScopeTable, names: Resolver, at: NameAt
) -> tuple[ByteEdit, str] | None:
    """The edit that takes a declaration away, and its kind."""
    data, binding = home.syntax.buffer.data, names.binding(at)
    kind = names.kind(binding) if binding is not None else ""
    if binding is None or kind in ("import", "type-parameter", "label", ""):
        return None
    if kind == "parameter":
        edit = _parameter(moment, home, names, at, binding)
        return (edit, "parameter") if edit is not None else None
    if is_known_by_name(at.occurrence.name):
        return None
    inner = binding.scope[0] >= 0 and names.scopes.kind(binding.scope) not in (ScopeKind.CLASS, ScopeKind.MODULE)
    if kind in ("function", "method", "class"):
        lines = _function(home, table, at, private=inner or _is_private(data, at))
        return (lines, f"{kind}/private") if lines is not None else None
    if not inner and not _is_private(data, at):
        return None  # of values of a module that are not private, none of 7 went
    if table.classes.explicit_self and names.scopes.kind(binding.scope) is ScopeKind.CLASS:
        return None  # those of a Python class are read by its bases and decorators
    removal = removal_of(home.syntax, table, at.start)
    if removal is None or removal.form != "statement" or not without_needed(moment, home, [removal.edit]):
        return None
    path, offset = path_to(home.syntax, at.start)
    statement = next(n for n, node in enumerate(path) if node.start_byte + offset >= removal.edit.start)
    if assigns_more(path[statement:], table) or is_marked(path) or ends_with_an_effect(path, table):
        return None
    plain = _PLAIN.search(removal.edit.removed(data)) is not None
    return removal.edit, f"{kind}/{'plain' if plain else 'computed'}"


def _parameter(moment: Moment, home: Document, names: Resolver, at: NameAt, binding: Binding) -> ByteEdit | None:
    """The edit that takes a parameter away; None where the signature is not the function's own."""
    table = names.table
    function = function_around(home.syntax, table, at.start)
    rows = function.parameters.items if function is not None else ()
    place = next((number for number, item in enumerate(rows) if item.name == at.occurrence.name), None)
    if function is None or place is None or rows[place].form != "plain":
        return None
    facts = names.scopes.local(binding.scope)
    is_object = facts is not None and facts.first_parameter == at.occurrence.name
    if table.classes.explicit_self and (is_object or at.occurrence.name in OBJECTS):
        return None
    if is_marked(path_to(home.syntax, at.start)[0]):
        return None
    if is_signature_shared(moment, home, names, binding.scope, function):
        return None
    row = function.parameters._replace(items=tuple(item._replace(name="") for item in rows))
    return removed(row, place, "")


def _is_private(data: bytes, at: NameAt) -> bool:
    line = data[data.rfind(b"\n", 0, at.start) + 1 : at.start]
    return at.occurrence.name.startswith(("_", "#")) or b"private " in line or line.lstrip().startswith(b"static ")


def _function(home: Document, table: ScopeTable, at: NameAt, *, private: bool) -> ByteEdit | None:
    """A function or class as whole lines, with the comment that documents it; None where others may use it."""
    path, offset = path_to(home.syntax, at.start)
    number = next(
        (
            n
            for n in range(len(path) - 1, 0, -1)
            if path[n].type in table.functions or path[n].type in table.classes.bodies
        ),
        0,
    )
    if not private or number < 1 or is_marked(path[: number + 1]):
        return None
    node, parent = path[number], path[number - 1]
    if number > 1 and (not parent.type.endswith(LISTS) or is_alone(node, parent)):
        return None  # a part of a statement, or exported
    if node.end_point[0] - node.start_point[0] > LONGEST_FUNCTION:
        return None
    start = _documented_from(home, node, offset)
    return whole_lines(home.syntax, start, node.end_byte + offset, with_blank=True)


def _documented_from(home: Document, node: Node, offset: int) -> int:
    """The byte where the comments begin that stand at a function to document it, or the function where none do."""
    buffer, start, before = home.syntax.buffer, node.start_byte + offset, node.prev_named_sibling
    while before is not None and "comment" in before.type:
        text = before.text or b""
        first = before.start_byte + offset
        if not text.startswith(_DOCUMENTING) or buffer.data[first + len(text.rstrip()) : start].count(b"\n") > 1:
            break
        start, before = first, before.prev_named_sibling
    return start
