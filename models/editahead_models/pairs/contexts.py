"""Where a hunk changes code: in which functions, in whose parameters, in the arguments of which calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from editahead.analysis.signatures import Declared, Row, function_around, function_named, path_to
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

from editahead_models.pairs.hunks import ChangedFile, Hunk, Token

MAX_TOKENS = 60
"""Changed tokens of one side of a hunk that are looked at."""
MAX_CALLS, MAX_CALL_LINES = 2, 12
"""Calls around one token, and lines of one."""
_RESULTS = ("return_type", "result", "type", "returns")
_CONSTRUCTORS = frozenset({"__init__", "__new__", "constructor", "new"})


class HeadChange(NamedTuple):
    """A function whose list of parameters a hunk changed. `called`: the names that a call of it bears."""

    name: str
    called: frozenset[str]
    added: frozenset[str]
    removed: frozenset[str]
    moved: bool
    constructs: bool


@dataclass(frozen=True)
class Context:
    """What is around the tokens that a hunk changed, in the version before or after."""

    functions: frozenset[str]  # the names of the innermost functions
    calls: frozenset[str]  # the names of what is called with them as arguments
    results: frozenset[str]  # functions whose declared return type they are part of
    returns: frozenset[str]  # functions in whose return statements they stand
    rows: tuple[tuple[Declared, str], ...]  # parameter lists that they stand in, with the class around


@dataclass(frozen=True)
class HunkContext:
    """Both versions of it, and the functions whose parameters changed."""

    before: Context
    after: Context
    heads: tuple[HeadChange, ...]

    @property
    def functions(self) -> frozenset[str]:
        """The functions around what goes or comes."""
        return self.before.functions | self.after.functions

    @property
    def calls(self) -> frozenset[str]:
        """The functions whose arguments change."""
        return self.before.calls | self.after.calls


def context_of(hunk: Hunk) -> HunkContext:
    """The context of a hunk; empty in a language without a table of scopes."""
    table = hunk.file.before.language.scopes
    if table is None:
        empty = Context(frozenset(), frozenset(), frozenset(), frozenset(), ())
        return HunkContext(empty, empty, ())
    before = _context(hunk.file.before, table, hunk.old)
    after = _context(hunk.file.after, table, hunk.new)
    return HunkContext(before, after, tuple(_heads(hunk.file, table, before, after)))


def _context(syntax: SyntaxSnapshot, table: ScopeTable, tokens: Sequence[Token]) -> Context:
    functions, calls, results, returns = set[str](), set[str](), set[str](), set[str]()
    rows: dict[int, tuple[Declared, str]] = {}
    starts = {token.start for token in tokens}
    for token in tokens[:MAX_TOKENS]:
        path, offset = path_to(syntax, token.start)
        inner = [node for node in reversed(path) if node.type in table.functions and _name_of(node, table)]
        if inner:
            name = _name_of(inner[0], table)
            functions.add(name)
            named = _name_node(inner[0], table)
            stood = named is not None and named.start_byte + offset not in starts
            if stood and any(_holds(inner[0].child_by_field_name(field), token.start - offset) for field in _RESULTS):
                results.add(name)
            if any(node.type.startswith("return") for node in path):
                returns.add(name)
            declared = function_around(syntax, table, token.start)
            if declared is not None:
                rows.setdefault(declared.name_start, (declared, _class_around(path, table)))
        calls.update(_calls(path, table, token.start - offset))
    return Context(frozenset(functions), frozenset(calls), frozenset(results), frozenset(returns), tuple(rows.values()))


def _calls(path: Sequence[Node], table: ScopeTable, byte: int) -> Iterable[str]:
    found: list[str] = []
    for node in reversed(path):
        called, method = table.calls.get(node.type), table.method_calls.get(node.type)
        field = called[0] if called else method[1] if method else table.creations.get(node.type)
        if field is None or node.end_point[0] - node.start_point[0] > MAX_CALL_LINES:
            continue
        if not _holds(node.child_by_field_name("arguments"), byte):
            continue
        callee = node.child_by_field_name(field)
        text = node_text(callee) if callee is not None and callee.end_byte - callee.start_byte < 200 else ""
        name = text.replace("::", ".").replace("->", ".").rsplit(".", 1)[-1].split("<", 1)[0]
        if name.isidentifier():
            found.append(name)
        if len(found) == MAX_CALLS:
            break
    return found


def _heads(file: ChangedFile, table: ScopeTable, before: Context, after: Context) -> Iterable[HeadChange]:
    """The functions that have other parameters after the hunk than before it."""
    seen = set[int]()
    for now, owner in after.rows:
        seen.add(now.name_start)
        then = function_named(file.before, table, file.before_byte(now.name_start))
        change = _head(table, then, now, owner) if then is not None and then.name == now.name else None
        if change is not None:
            yield change
    for then, owner in before.rows:
        later = function_named(file.after, table, file.after_byte(then.name_start))
        if later is not None and later.name == then.name and later.name_start not in seen:
            change = _head(table, then, later, owner)
            if change is not None:
                yield change


def _head(table: ScopeTable, then: Declared, now: Declared, owner: str) -> HeadChange | None:
    old, new = _names(then.parameters), _names(now.parameters)
    added, removed = frozenset(new) - frozenset(old), frozenset(old) - frozenset(new)
    kept = [name for name in old if name in new]
    moved = kept != [name for name in new if name in old]
    if not added and not removed and not moved:
        return None
    constructs = now.name in _CONSTRUCTORS or now.name in (owner, table.classes.constructor)
    called = frozenset({now.name} | ({owner} if constructs and owner else set()))
    return HeadChange(now.name, called, added, removed, moved, constructs)


def _names(row: Row) -> list[str]:
    return [item.name for item in row.items if item.form != "separator" and item.name]


def _class_around(path: Sequence[Node], table: ScopeTable) -> str:
    for node in reversed(path):
        if table.scopes.get(node.type) is ScopeKind.CLASS:
            return _name_of(node, table)
    return ""


def _name_of(node: Node, table: ScopeTable) -> str:
    found = _name_node(node, table)
    text = node_text(found) if found is not None and found.end_byte - found.start_byte < 200 else ""
    return text.rsplit("::", 1)[-1]


def _name_node(node: Node, table: ScopeTable) -> Node | None:
    found = node.child_by_field_name(table.name_field) or node.child_by_field_name("name")
    for _ in range(6):  # the name of a function of C stands inside of its declarator
        inner = found.child_by_field_name(table.name_field) if found is not None else None
        if inner is None:
            break
        found = inner
    return found


def _holds(node: Node | None, byte: int) -> bool:
    return node is not None and node.start_byte <= byte < node.end_byte
