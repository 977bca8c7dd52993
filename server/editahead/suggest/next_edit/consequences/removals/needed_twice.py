"""Whether a file needs both of two statements that say the same: one that is written again on purpose is no move.

A name that stands between the two, or is bound again there, needs the first of them. Names are those of the resolver;
where it knows none that a statement binds, nothing is sure.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.consequences.removals.text_between import (
    is_lazy,
    only_imports,
    runs_once,
    statements_between,
)
from editahead.suggest.next_edit.consequences.removals.written_statements import Statement, assigned_end, form_of
from editahead.suggest.next_edit.consequences.targets import is_target
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node, Parts
from editahead.syntax.regions.unfinished_text import Region
from editahead.syntax.scope_table import Action, ScopeTable
from editahead.text.words import IDENTIFIER, WORD_BYTES

MAX_WORDS, MAX_NODES = 60, 2_000
"""Words and nodes of a statement that are looked at."""
MAX_MENTIONS, MAX_LOOKED = 60, 300
"""Places of the names of one statement, and of all, that are looked at between; where there are more, both stay."""
_WORD = re.compile(IDENTIFIER + rb"(?:\$+[" + WORD_BYTES + rb"]*)*")
_DOES = frozenset("call invocation creation new await yield macro receive".split())
"""Parts of the types of nodes that do something each time."""
_BUILDS = _DOES | frozenset("list dictionary set array object composite comprehension literal_value map".split())
"""The same, and of values that may be changed in place."""
_MEMBERS = frozenset("attribute subscript member index field access selector".split())
_DECLARED_ONCE = frozenset(
    {"lexical_declaration", "local_variable_declaration", "local_declaration_statement", "declaration"}
)
"""Declarations that no block may have twice."""
_DECLARATIONS = ("function", "class")


class _Between(NamedTuple):
    """The text between two statements that say the same: bytes [low, high); `below`: the new one stands behind it.

    `left` counts the places of names that may still be looked at.
    """

    moment: Moment
    home: Document
    table: ScopeTable
    resolver: Resolver
    low: int
    high: int
    below: bool
    left: Iterator[int]


def needed_twice(
    moment: Moment, home: Document, table: ScopeTable, new: Sequence[Statement], old: Sequence[Statement], kind: str
) -> bool:
    """Whether the old ones of some statements may not go, though the new ones say the same; `kind` is of `kind_of`."""
    below = old[0].start < new[0].start
    low, high = (old[-1].end, new[0].start) if below else (new[-1].end, old[0].start)
    before = old[0].node.prev_named_sibling
    if before is not None and before.type.startswith("attribute"):
        return True  # it would be one of the statement behind it
    local = any(node.type in table.functions for node in old[0].around)
    if kind == "lines/same" and local:
        return bool(statements_between(home, low, high))
    inner = old[0].around[len(new[0].around) :]
    if kind.endswith("/outer") and not (is_lazy(inner, table) if kind[0] == "i" else runs_once(inner, table)):
        return True
    parts = Parts(frozenset(_words(home, old[0].start, old[-1].end)), (old[0].start, new[0].start))
    resolver = moment.resolver(home.uri, home.syntax, parts)
    if resolver is None:
        return True
    between = _Between(moment, home, table, resolver, low, high, below, iter(range(MAX_LOOKED)))
    pairs = zip(new, old, strict=True)
    return any(_is_needed(between, one, row, kind, local) for one, row in pairs if "comment" not in row.node.type)


def _is_needed(between: _Between, new: Statement, old: Statement, kind: str, local: bool) -> bool:
    between.moment.check()
    form = form_of(between.home.syntax.buffer.data, old, between.table)
    names = _names_of(between, old, form)
    if not names and form == "import":
        return between.below and not only_imports(between.home, between.table, between.low, between.high)
    if not names:
        return True
    own = {between.resolver.binding(one) for one in (*names, *_bound(between, new, new.end))}
    mentions = _mentions(between, {one.occurrence.name for one in names})
    if mentions is None or any(_binds(between, at, own) for at in mentions):
        return True
    if form == "import" and kind.endswith("/outer"):
        return between.below or _is_bound_elsewhere(between, names, (new, old))
    if form == "import":
        return between.below and bool(mentions)
    if form in _DECLARATIONS:
        early = between.home.syntax.language.declares_first
        return between.below and any(early or not _is_deferred(between, at) for at in mentions)
    return _value_is_needed(between, old, mentions, kind, local)


def _names_of(between: _Between, old: Statement, form: str) -> list[NameAt]:
    """What a statement binds for others: not the parameters of a function; nothing where it assigns to a member."""
    if _assigns_members(old):
        return []
    if form == "value" and not _bound(between, old, assigned_end(between.home.syntax.buffer.data, old)):
        return []
    names = _bound(between, old, old.end)
    if form in _DECLARATIONS:
        names = [one for one in names if one.occurrence.kind in (*_DECLARATIONS, "method")][:1]
    return names


def _value_is_needed(between: _Between, old: Statement, mentions: Sequence[int], kind: str, local: bool) -> bool:
    """Whether a value is read, changed or made anew between; `mentions` are the places of the names it is bound to."""
    if mentions and (between.below or any(_changes(between, at) for at in mentions)):
        return True
    does = kind == "value/function" and _has(old.node, _DOES)
    builds = bool(mentions) and (local or _has(old.node, _BUILDS))
    if old.node.type not in _DECLARED_ONCE and (does or builds):
        return True
    data = between.home.syntax.buffer.data
    read = (
        _words(between.home, assigned_end(data, old), old.end) if form_of(data, old, between.table) == "value" else ()
    )
    places = _mentions(between, {word.decode("utf-8", "replace") for word in read})
    return places is None or any(_changes(between, at) for at in places)


def _assigns_members(row: Statement) -> bool:
    """Whether a statement assigns to a member or an item of something, alone or among names."""
    inner = next(iter(row.node.named_children), row.node)
    left = row.node.child_by_field_name("left") or inner.child_by_field_name("left")
    return left is not None and _has(left, _MEMBERS)


def _words(home: Document, start: int, end: int) -> set[bytes]:
    return set(_WORD.findall(home.syntax.buffer.data, start, end)[:MAX_WORDS])


def _bound(between: _Between, row: Statement, end: int) -> list[NameAt]:
    """What a statement binds up to a byte, in text order."""
    found: list[NameAt] = []
    for word in _words(between.home, row.start, end):
        uses = between.resolver.names(word.decode("utf-8", "replace"))
        first = bisect_left(uses, row.start, key=lambda one: one.start)
        for use in (uses[number] for number in range(first, len(uses))):
            if use.start >= end:
                break
            if use.occurrence.action is Action.BIND:
                found.append(use)
    return sorted(found, key=lambda one: one.start)


def _mentions(between: _Between, names: set[str]) -> list[int] | None:
    """The bytes between at which one of some names stands in code; None for too many to look at."""
    if not names or between.low >= between.high:
        return []
    any_name = rb"(?<![\w$])(?:" + b"|".join(re.escape(name.encode()) for name in sorted(names)) + rb")(?![\w$])"
    data, syntax = between.home.syntax.buffer.data[between.low : between.high], between.home.syntax
    places = [between.low + found.start() for found in islice(re.finditer(any_name, data), MAX_MENTIONS + 1)]
    if len(places) > MAX_MENTIONS:
        return None
    found = list[int]()
    for at in places:
        between.moment.check()
        if next(between.left, None) is None:
            return None
        if syntax.region_at(at) is Region.CODE:
            found.append(at)
    return found


def _binds(between: _Between, at: int, own: set[Binding | None]) -> bool:
    """Whether a name at a byte is bound there, and is one of some."""
    path, _ = path_to(between.home.syntax, at)
    name = (path[-1].text or b"").decode("utf-8", "replace") if path else ""
    uses = between.resolver.names(name)
    first = bisect_left(uses, at, key=lambda one: one.start)
    return any(
        use.start == at and use.occurrence.action is Action.BIND and between.resolver.binding(use) in own
        for use in uses[first : first + 2]
    )


def _changes(between: _Between, at: int) -> bool:
    """Whether a name at a byte, or a member or an item of it, is assigned to."""
    path, _ = path_to(between.home.syntax, at)
    return any(is_target(path, number) for number in range(max(1, len(path) - 2), len(path)))


def _is_bound_elsewhere(between: _Between, names: Sequence[NameAt], rows: Sequence[Statement]) -> bool:
    """Whether the scope of some names binds one of them a second time, so that it would be unbound without the first.

    What the statements of `rows` bind does not count.
    """
    for name in names:
        binding = between.resolver.binding(name)
        declared = between.resolver.declarations(binding) if binding is not None else []
        if binding is None or any(not any(row.start <= one.start < row.end for row in rows) for one in declared):
            return True
    return False


def _is_deferred(between: _Between, at: int) -> bool:
    """Whether what stands at a byte is run when a function is called, which is no sooner than both statements."""
    path, _ = path_to(between.home.syntax, at)
    for number, node in enumerate(path[:-1]):
        body = node.child_by_field_name("body") if node.type in between.table.functions else None
        if body is not None and body.id == path[number + 1].id:
            return True
    return False


def _has(root: Node, kinds: frozenset[str]) -> bool:
    """Whether a node has one below it whose type has one of some parts, or more nodes than are looked at."""
    stack = [root]
    for _ in range(MAX_NODES):
        if not stack:
            return False
        node = stack.pop()
        if node.is_named and not kinds.isdisjoint(node.type.split("_")):
            return True
        stack.extend(node.children)
    return True
