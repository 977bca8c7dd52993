"""Types that a file names but does not declare, and the expressions of such types."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import islice

from editahead.analysis.facts.facts import OuterType, Receiver
from editahead.analysis.resolver.classes import MAX_DECLARATIONS, MAX_DEPTH, MAX_SCOPES
from editahead.analysis.resolver.declared_members import class_with_bases
from editahead.analysis.resolver.expression_types import WrittenType
from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.construct_tables import AWAITED
from editahead.syntax.scope_table import Namespace, ScopeKind


def outer_type(
    names: Resolver, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0
) -> OuterType | None:
    """The type of an expression in a scope, or that it names, where another file declares it.

    None where this file declares it or does not say.
    """
    if receiver is None:
        return None
    if depth > MAX_DEPTH:
        names.outer_types.mark_cut_off()
        return None
    kind = receiver.kind
    if kind == "this":
        return type_of_extension(names, scope)
    if kind in ("name", "this-of"):
        return _of_name(names, receiver, unit, scope, depth)
    if kind == "type":
        return OuterType((receiver.name,)) if receiver.base is None else named_type(names, receiver.base)
    if kind == "call":
        return _of_call(names, receiver, unit, scope, depth)
    if kind == "argument":
        given = names.members.parameter_type(receiver, unit, scope)
        return named_type(names, given[0]) if given is not None and names.classes.class_named(*given) is None else None
    if kind == "step":
        return _of_step(names, receiver, unit, scope, depth)
    if kind != "attribute":
        return None
    owner = names.members.class_of(receiver.base, unit, scope)
    if owner is not None:
        rows = names.members.field_declarations(owner, receiver.name)
        around = () if rows else class_with_bases(names, owner)
        inherited = next((base for ref, _ in around for base in names.classes.outer_bases(ref) if base), None)
        if inherited is not None:
            return OuterType(inherited, (receiver.name,))
        return names.outer_types.get((owner, receiver.name), partial(_declared, names, rows, depth))
    base = outer_type(names, receiver.base, unit, scope, depth)
    return base._replace(members=(*base.members, receiver.name)) if base is not None else None


def type_of_extension(names: Resolver, scope: ScopeRef) -> OuterType | None:
    """The class of another file that the block or method around a scope extends: `impl A`, `void A::m()`."""
    for around in islice(names.scopes.around(scope), MAX_SCOPES):
        facts = names.scopes.local(around)
        if facts is not None and facts.is_extension and facts.bases:
            here = names.classes.class_named(facts.bases[0], around[0], names.scopes.parent(around) or scope)
            return named_type(names, facts.bases[0]) if here is None else None
        if names.scopes.kind(around) is ScopeKind.CLASS:
            return None
    return None


def _of_step(names: Resolver, step: Receiver, unit: int, scope: ScopeRef, depth: int) -> OuterType | None:
    """The type of an expression whose type is that of its base, a layer taken off (`await a`, `a[0]`)."""
    written = names.members.types.type_of(step, unit, scope)
    if written is not None:
        return _of_written(names, written)
    inner = names.members.types.type_of(step.base, unit, scope)
    if inner is not None:
        outer = _of_written(names, inner) if step.name == AWAITED else None
        return outer._replace(members=(AWAITED,)) if outer is not None else None  # if its class is no promise
    base = outer_type(names, step.base, unit, scope, depth)
    return base._replace(members=(*base.members, step.name)) if base is not None and step.name else base


def _of_written(names: Resolver, written: WrittenType) -> OuterType | None:
    """A written type of another file; None of a type of this file and of a type parameter."""
    if names.classes.class_named(*written) is not None or is_type_variable(names, *written):
        return None
    return named_type(names, written.type)


def _of_call(names: Resolver, call: Receiver, unit: int, scope: ScopeRef, depth: int) -> OuterType | None:
    """The type of the result of a call; that of a function of another file is named after the function."""
    returned = names.members.types.type_of(call, unit, scope)
    if returned is not None:
        return _of_written(names, returned)
    if call.position > 0 or (call.position == 0 and not names.table.types.result_lists):
        return None
    if names.members.called(call.base, unit, scope) is not None or call.base is None:
        return None  # of this file, which does not say it
    if call.base.kind == "name":
        return OuterType((call.base.name,)) if _is_of_another_file(names, call.base, unit, scope) else None
    return outer_type(names, call.base, unit, scope, depth) if call.base.kind == "attribute" else None


def written_names(names: Resolver) -> list[tuple[str, ...]]:
    """The dotted names of the types that a file writes out but does not declare, by descending frequency."""
    counts = Counter[tuple[str, ...]]()
    for unit in names.scopes.facts.units:
        written = (occurrence.declared_type for occurrence in unit.facts.occurrences if occurrence.is_typed)
        rest = (typed for scope in unit.facts.scopes for typed in (*scope.result_types, *scope.bases))
        types = (layered_type(names, typed) for typed in (*written, *rest))
        counts.update(typed.names for typed in types if typed is not None)
    return [dotted for dotted, _ in counts.most_common() if not _declares_class(names, dotted[0])]


def _declares_class(names: Resolver, name: str) -> bool:
    return any(row.occurrence.kind in ("class", "type-parameter") for row in names.names(name))


def _is_of_another_file(names: Resolver, receiver: Receiver, unit: int, scope: ScopeRef) -> bool:
    """Whether a bare name is imported, or is not declared in this file."""
    start = names.scopes.facts.units[unit].start + receiver.start
    for namespace in dict.fromkeys((Namespace.VALUE, *names.table.namespaces)):
        binding = names.lookup(scope, namespace, receiver.name, start)
        if binding is not None:
            return {row.occurrence.kind for row in names.declarations(binding)} <= {"import"}
    return True


def module_of(names: Resolver, name: str) -> str | None:
    """The module from which a file imports a name, as written; empty where it does not import it."""
    for namespace in names.table.namespaces:
        for row in names.scopes.index(name).all:
            if row.occurrence.namespace is namespace and row.occurrence.kind == "import":
                return row.occurrence.module or row.occurrence.aliased
    return ""


def _of_name(names: Resolver, receiver: Receiver, unit: int, scope: ScopeRef, depth: int) -> OuterType | None:
    narrowed = names.members.narrowed_type(receiver, unit, scope)
    if narrowed is not None and (outer := _of_written(names, narrowed)) is not None:
        return outer
    start = names.scopes.facts.units[unit].start + receiver.start
    for namespace in dict.fromkeys((Namespace.VALUE, *names.table.namespaces)):
        binding = names.lookup(scope, namespace, receiver.name, start)
        if binding is not None:
            rows = names.declarations(binding)
            kinds = {row.occurrence.kind for row in rows}
            if kinds == {"import"}:
                return OuterType((receiver.name,))
            if kinds & {"class", "import"}:
                return None
            return names.outer_types.get(binding, partial(_declared, names, rows, depth))
    return OuterType((receiver.name,))  # a class of the same package, or an unknown name


def _declared(names: Resolver, rows: list[NameAt], depth: int) -> OuterType | None:
    """The type of another file that all declarations of a name agree on; None where there are too many of them."""
    types = {_of_declaration(names, row, depth) for row in names.members.typed_declarations(rows[:MAX_DECLARATIONS])}
    return types.pop() if len(types) == 1 and len(rows) <= MAX_DECLARATIONS else None


def _of_declaration(names: Resolver, row: NameAt, depth: int) -> OuterType | None:
    declared, unit, scope = names.members.type_of_declaration(row)
    if declared is None:
        return None
    if declared.kind in ("call", "step"):
        return outer_type(names, declared, unit, scope, depth + 1)
    if names.classes.class_named(declared, unit, scope) is not None or is_type_variable(names, declared, unit, scope):
        return None
    if declared.kind == "name" and declared.base is None:
        return _of_call(names, Receiver("call", base=declared), unit, scope, depth + 1)
    return named_type(names, declared)


def is_type_variable(names: Resolver, declared: Receiver, unit: int, scope: ScopeRef) -> bool:
    """Whether a declared type is a type parameter of an enclosing class or function."""
    start = names.scopes.facts.units[unit].start + declared.start
    for namespace in names.table.namespaces if declared.kind == "name" else ():
        binding = names.lookup(scope, namespace, declared.name, start)
        if binding is not None and names.declarations(binding)[0].occurrence.kind == "type-parameter":
            return True
    return False


def named_type(names: Resolver, receiver: Receiver | None) -> OuterType | None:
    """A type by its dotted name, of `Optional[A]` that of A; None of any other expression.

    A type with layers is taken for a class that another file of the project declares.
    """
    layered = layered_type(names, receiver)
    if layered is not None and layered.layers:
        return OuterType((receiver.name,)) if receiver is not None and receiver.kind == "name" else None
    return layered


def layered_type(names: Resolver, receiver: Receiver | None, own: str = "") -> OuterType | None:
    """A type by its dotted name, of `Promise<A>` A, with its layers. `own`: the name of the enclosing class."""
    layers = list[str]()
    while receiver is not None and receiver.base is not None and receiver.kind in ("name", "layer"):
        if receiver.base.kind == "layer" and receiver.kind == "name" and not _is_layer(names, receiver.name):
            receiver = receiver._replace(base=None)
            break
        layers += [receiver.name] if receiver.kind == "layer" else []
        receiver = receiver.base
    dotted = receiver.dotted if receiver is not None else ()
    if own and receiver is not None and receiver.kind == "this":
        dotted = (own,)
    return OuterType(dotted, (), tuple(layers)) if dotted else None


def _is_layer(names: Resolver, name: str) -> bool:
    return names.members.types.is_of_language(name)
