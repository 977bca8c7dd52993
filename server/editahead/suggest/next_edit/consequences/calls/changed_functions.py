"""Changes of parameter lists, with the functions whose they are, and the corresponding edits of argument lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import Declared, Item, Row, function_named, function_with_parameters_at
from editahead.patterns.changes import net_changes, take_latest
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

MAX_CHANGES = 4  # the most recent changes of a text, which are examined


class RowChange(NamedTuple):
    """A parameter that was `added`, `removed` or `retyped`, or parameters in another order (`moved`).

    `at` is the index of the parameter, if removed before the change. `needed`: callers must pass it; `keyword`: by its
    name only. `order`: for each current parameter its index before the change.
    """

    kind: str
    at: int
    name: str
    needed: bool = True
    keyword: bool = False
    order: tuple[int, ...] = ()


def changed_row(before: Row, now: Row, earlier: bytes = b"", data: bytes = b"") -> RowChange | None:
    """The change of a parameter list; None for no change, for a renamed parameter, and for several changes.

    With the texts of both, `earlier` and `data`, also another type of a parameter.
    """
    old, new = before.names, now.names
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    if len(set(old)) < len(old) or len(set(new)) < len(new) or len(gone) + len(come) > 1:
        return None
    if come:
        index = new.index(come[0])
        item = now.items[index]
        if item.form != "plain" or tuple(name for name in new if name != come[0]) != old:
            return None
        before_it = now.items[:index]
        keyword = any(item.form == "rest" or (item.name == "" and item.form != "object") for item in before_it)
        return RowChange("added", index, come[0], not item.optional, keyword)
    if gone:
        index = old.index(gone[0])
        if before.items[index].form != "plain" or tuple(name for name in old if name != gone[0]) != new:
            return None
        return RowChange("removed", index, gone[0])
    movable = all(item.form in ("plain", "object") and not item.optional for item in (*before.items, *now.items))
    if old != new and movable:
        return RowChange("moved", 0, "", order=tuple(old.index(name) for name in new))
    pairs = zip(before.items, now.items, strict=True) if old == new else ()
    texts = [(earlier[was.start : was.end].split(), data[item.start : item.end].split()) for was, item in pairs]
    retyped = [at for at, (was, text) in enumerate(texts) if was != text]
    return RowChange("retyped", retyped[0], new[retyped[0]], needed=False) if len(retyped) == 1 else None


def inserted_argument(row: Row, at: int, name: str, *, keyword: bool, sign: str = "=") -> ByteEdit | None:
    """The insertion of an argument `name`: as a keyword if necessary, or if arguments before it are missing.

    None where it must be a keyword and the language has no `sign` for these.
    """
    positional = sum(not item.name for item in row.items)
    if keyword or at > positional:
        return appended(row, f"{name}{sign}{name}".encode()) if sign else None
    return inserted_parameter(row, at, name)


def argument_place(row: Row, at: int, *, keyword: bool) -> int:
    """The byte where `inserted_argument` writes."""
    positional = sum(not item.name for item in row.items)
    if keyword or at > positional or at >= len(row.items):
        return row.items[-1].end if row.items else row.start
    return row.items[at].start


def inserted_parameter(row: Row, at: int, text: str) -> ByteEdit:
    """The insertion of an item at an index, or behind all items."""
    if at >= len(row.items):
        return appended(row, text.encode())
    start = row.items[at].start
    return ByteEdit(start, start, text.encode() + b", ")


def removed(row: Row, at: int, name: str) -> ByteEdit | None:
    """The deletion of the item with a name, else of the positional argument at an index; None without such an item."""
    named = [number for number, item in enumerate(row.items) if name and item.name == name]
    items, positional = row.items, sum(not item.name for item in row.items)
    if not named and not 0 <= at < positional:
        return None
    at = named[0] if named else at
    if at + 1 < len(items):
        return ByteEdit(items[at].start, items[at + 1].start, b"")
    if at > 0:
        return ByteEdit(items[at - 1].end, items[at].end, b"")
    return ByteEdit(row.start, row.end, b"")


def reordered(row: Row, order: tuple[int, ...], data: bytes) -> ByteEdit | None:
    """The arguments in another order; None unless all of them are positional."""
    return None if any(item.name for item in row.items) else reordered_parameters(row, order, data)


def reordered_parameters(row: Row, order: tuple[int, ...], data: bytes) -> ByteEdit | None:
    """The items in another order; None unless it is an order of all items and changes the text."""
    items: tuple[Item, ...] = row.items
    if len(items) != len(order) or sorted(order) != list(range(len(order))):
        return None
    parts = [data[items[at].start : items[at].end] for at in order]
    gaps = [data[item.end : following.start] for item, following in pairwise(items)]
    text = parts[0] + b"".join(gap + part for gap, part in zip(gaps, parts[1:], strict=True))
    edit = ByteEdit(items[0].start, items[-1].end, text)
    return None if edit.is_noop(data) else edit


def appended(row: Row, text: bytes) -> ByteEdit:
    """The insertion of an item behind all others."""
    if not row.items:
        return ByteEdit(row.start, row.start, text)
    at = row.items[-1].end
    return ByteEdit(at, at, b", " + text)


class ChangedFunction(NamedTuple):
    """A function whose parameters the user changed; `before` stands in the text `earlier`."""

    document: Document
    table: ScopeTable
    names: Resolver
    now: Declared
    before: Declared
    change: RowChange
    earlier: bytes

    @property
    def signature(self) -> str:
        """The function's name and current parameters, for display."""
        return f"{self.now.name}({', '.join(self.now.parameters.names)})"


def changed_functions(moment: Moment, document: Document) -> Sequence[ChangedFunction]:
    """The functions of a document whose parameters were changed, most recent first, without incomplete lists."""
    return moment.once("changed functions", document, lambda: list(_changed_functions(moment, document)))


def _changed_functions(moment: Moment, document: Document) -> Iterator[ChangedFunction]:
    table, syntax = document.syntax.language.scopes, document.syntax
    for now, earlier in _changed_parameters(moment, document):
        assert table is not None
        before = function_named(earlier, table, now.name_start)
        change = (
            changed_row(before.parameters, now.parameters, earlier.buffer.data, syntax.buffer.data) if before else None
        )
        if before is not None and change is not None:
            names = moment.resolver(document.uri, syntax, Parts(frozenset({now.name.encode()}), (now.name_start,)))
            if names is not None:
                yield ChangedFunction(document, table, names, now, before, change, earlier.buffer.data)


def _changed_parameters(moment: Moment, document: Document) -> Iterator[tuple[Declared, SyntaxSnapshot]]:
    """Yield functions of which only the parameters were changed, most recent first, and the text before the changes.

    Parameter lists at the cursor that are still being typed are omitted.
    """
    table, syntax, data = document.syntax.language.scopes, document.syntax, document.syntax.buffer.data
    changes = [change for change in net_changes(document.history, data) if not change.is_undone(data)]
    seen: set[int] = set()
    for change in take_latest(changes, MAX_CHANGES) if table is not None else ():
        assert table is not None
        moment.check()
        now = function_with_parameters_at(syntax, table, change.start) or function_with_parameters_at(
            syntax, table, change.end
        )
        if now is None or now.name_start in seen:
            continue
        seen.add(now.name_start)
        row = now.parameters
        if document is moment.document and not document.idle and row.start <= moment.byte <= row.end:
            continue
        touching = [each for each in changes if each.start < row.end and row.start < each.end]
        inside = [each for each in changes if row.start <= each.start and each.end <= row.end]
        if inside and all(each in inside for each in touching):
            yield now, moment.before(syntax, inside)


def called_binding(names: Resolver, binding: Binding, scope: ScopeRef, name: str) -> Binding | None:
    """The binding that calls of a function in a scope name: the function, or for a constructor the class."""
    if name != names.table.classes.constructor:
        return binding
    owner = names.scopes.local(scope)
    start = names.scopes.span(scope)[0]
    rows = names.names(owner.name) if owner is not None else []
    class_name = next((each for each in rows if each.occurrence.kind == "class" and each.start >= start), None)
    return names.binding(class_name) if class_name is not None else None


def implicit_parameters(names: Resolver, declared: Declared) -> int:
    """The number of first parameters of a function that calls on an object do not pass: `x.m()`."""
    items = declared.parameters.items
    if items and items[0].form == "object":
        return 1
    scope = names.scopes.declared_by(declared.name_start)
    facts = names.scopes.local(scope) if scope is not None else None
    around = names.scopes.parent(scope) if scope is not None else None
    method = around is not None and names.scopes.kind(around) is ScopeKind.CLASS
    return int(names.table.classes.explicit_self and method and facts is not None and not facts.static)


def not_given(names: Resolver, use: NameAt, declared: Declared, declaring: Resolver) -> int:
    """The number of first parameters that a call does not pass; -1 where it passes the object in addition to them.

    `use` is the name that is called, in a file of `names`; the function is declared in a file of `declaring`.
    """
    implicit = implicit_parameters(declaring, declared)
    scope = declaring.scopes.declared_by(declared.name_start)
    owner = declaring.scopes.parent(scope) if scope is not None else None
    facts = declaring.scopes.local(owner) if owner is not None else None
    if not _is_of_class(names, use, facts.name if facts is not None else ""):
        return implicit
    if names.table.classes.method_receivers:  # `T.m(t)` of Go, whose parameters do not hold the object
        return -1
    if not names.table.classes.explicit_self:
        return 0 if names.table.parameters.path_sign else implicit
    facts = declaring.scopes.local(scope) if scope is not None else None
    return implicit if facts is None or facts.first_parameter == "cls" else 0


def _is_of_class(names: Resolver, use: NameAt, class_name: str) -> bool:
    """Whether the receiver of a call is a class of the file, or an import of its name, and not an object."""
    receiver = use.occurrence.receiver
    if use.occurrence.action is not Action.ATTRIBUTE or receiver is None:
        return False
    sign = names.table.parameters.path_sign.encode()
    if sign and names.scopes.facts.data[max(0, use.start - len(sign)) : use.start] == sign:
        return True
    if receiver.kind != "name":
        return False
    scope = names.scopes.placed(use.unit, use.occurrence.scope)
    start = names.scopes.facts.units[use.unit].start + receiver.start
    binding = names.lookup(scope, Namespace.VALUE, receiver.name, start)
    kind = names.kind(binding) if binding is not None else ""
    return kind == "class" or (kind == "import" and receiver.name == class_name)
