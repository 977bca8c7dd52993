"""The evidence of the file's scopes at the cursor: visible names, hidden names, and names that are not bound yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from editahead.analysis.facts.facts import Facts, Receiver
from editahead.analysis.facts.file_facts import Unit
from editahead.analysis.resolver.declared_members import class_with_bases, is_open, member_names
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, ScopeRef
from editahead.analysis.resolver.resolver import Resolver, VisibleName
from editahead.suggest.completion.ranking.slots import Slot, SlotKind
from editahead.suggest.completion.ranking.stand_in import NAME
from editahead.suggest.completion.ranking.visible_names import Reach, visible_names
from editahead.syntax.scope_table import Action, Namespace, ScopeKind, ScopeTable
from editahead.text.memo import kept_while_equal, remembered_by_identity

_BODIES = (ScopeKind.MODULE, ScopeKind.CLASS, ScopeKind.FUNCTION)


class ScopeEvidence(NamedTuple):
    """Names by what they are here.

    `visible`: names that a use may mean, with kind and distance. `hidden`: bound in the file, but not visible.
    `unbound`: used below and bound nowhere in the file, with the byte of the first use. `members`: of the receiver,
    or None where its class is unknown; `levels`: of members the steps to the nearest base that declares them, where
    classes are resolved; `declared`: those that a class of the file declares, in their order; `owner_name`: the
    dotted name of the module or imported class that the receiver is, or whose object it is. `outer_bases`: bases of
    that class that the file does not hold, by dotted name; `class_names`: it and those in the file. `attributes`:
    that stand behind some dot of the file; `only_members`: those of them that nothing in the file uses otherwise.
    `parameters`: of the function that is called here; `keywords`: parameters that some call of the file names.
    `complete`: `members` leaves none out; `object_members`: those of every object, None where an object may have
    more than its class says. `fields_are_called`: in this language an object rarely shows a field to others, so
    that `int size = box.` is not followed by `size`. `at_top`: no scope but the file's is around; `in_class`: some
    class is; `body`: the kind of the nearest that is no block, None in broken code. `builtins`: of the language.
    `unfinished`: classes whose body is being run here, so that their names are not bound yet; `unfinished_around`:
    the same for the head of the function around. `method_around`: the method that is being written, where its
    declaration alone names it behind a dot; `members_on_line`: behind a dot before the cursor.
    """

    visible: Mapping[str, VisibleName]
    hidden: frozenset[str]
    unbound: Mapping[str, int]
    members: frozenset[str] | None
    attributes: frozenset[str]
    parameters: frozenset[str]
    keywords: frozenset[str] = frozenset()
    outer_bases: tuple[tuple[str, ...], ...] = ()
    complete: bool = True
    fields_are_called: bool = False
    object_members: frozenset[str] | None = None
    at_top: bool = False
    in_class: bool = True
    body: ScopeKind | None = None
    only_members: frozenset[str] = frozenset()
    builtins: frozenset[str] = frozenset()
    unfinished: frozenset[str] = frozenset()
    unfinished_around: frozenset[str] = frozenset()
    method_around: frozenset[str] = frozenset()
    members_on_line: frozenset[str] = frozenset()
    levels: Mapping[str, int] = MappingProxyType({})
    declared: tuple[str, ...] = ()
    owner_name: str = ""
    class_names: tuple[str, ...] = ()

    @property
    def has_all_members(self) -> bool:
        """Whether `members` is complete and not empty; a type without resolved members may have any."""
        return bool(self.members) and self.complete and not self.outer_bases


class LineScopes(NamedTuple):
    """What the scopes say for all places of a line: the evidence without what depends on a slot, and how to get that.

    `scope` is where the line belongs; `byte` is an offset on it, in the text that `resolver` has read.
    """

    resolver: Resolver
    scope: ScopeRef
    byte: int
    evidence: ScopeEvidence


def line_scopes(resolver: Resolver, last_token: int, byte: int, column: int, reach: Reach) -> LineScopes:
    """What the scopes say for a line.

    `last_token`: the byte where the text before the line ends; `byte`: where the line's text begins; `column`: its
    indentation, which in Python decides whether the block above continues. Of code beyond `reach` only the names of its
    declarations count, so that a long file costs little more than a short file.
    """
    scope = _scope_for(resolver, last_token, byte, column)
    near = [resolver.scopes.facts.units[number] for number in reach.units_in(resolver.scopes)]
    bound, attributes, keywords, unsure, used = set[str](), set[str](), set[str](), set[str](), set[str]()
    for unit in near:
        names = names_of_facts(unit.facts, resolver.table)
        bound |= names.bound
        if unit.facts.errors:  # who can tell where its scopes end
            unsure |= names.bound
        attributes |= names.attributes
        used |= names.uses.keys()
        keywords |= names.keywords
    visible = visible_names(resolver, scope, byte, reach)
    visible.pop(NAME, None)
    hidden = frozenset(bound.difference(visible, unsure, {NAME}))
    unbound = _unbound(resolver, near, bound | {NAME}, visible, byte)
    evidence = ScopeEvidence(
        visible, hidden, unbound, None, frozenset(attributes), frozenset(), frozenset(keywords),
        fields_are_called=not resolver.table.classes.explicit_self,
        object_members=resolver.table.classes.object_members,
        method_around=_method_around(resolver, scope),
        at_top=scope == MODULE_SCOPE, in_class=resolver.scopes.class_around(scope) is not None,
        body=_body(resolver, scope, near, byte), builtins=resolver.table.builtins,
        only_members=_only_members(resolver, attributes, bound | used | visible.keys()),
    )  # fmt: skip
    if resolver.table.classes.explicit_self:
        function = scope if resolver.scopes.kind(scope) is ScopeKind.FUNCTION else None
        around = resolver.scopes.parent(function) if function is not None else scope
        evidence = evidence._replace(
            unfinished=_unfinished(resolver, scope), unfinished_around=_unfinished(resolver, around)
        )
    return LineScopes(resolver, scope, byte, evidence)


def slot_scopes(line: LineScopes, slot: Slot, on_line: frozenset[str]) -> ScopeEvidence:
    """What the scopes say at a slot of a line. `on_line`: names that stand on it before the cursor."""
    evidence, resolver = line.evidence, line.resolver
    if new := frozenset(name for name in on_line if name not in evidence.visible):
        evidence = evidence._replace(visible=_with_names(evidence.visible, new), hidden=evidence.hidden - new)
    if slot.loops:  # each turn of the loop binds them first; an assignment may continue a loop that is not readable yet
        evidence = evidence._replace(hidden=evidence.hidden | slot.targets.difference(evidence.visible))
    if slot.kind is SlotKind.MEMBER and slot.receiver:
        owner = _receiver_class(resolver, slot, line.scope, line.byte)
        return with_class_members(evidence, resolver, owner) if owner is not None else evidence
    if slot.kind is SlotKind.ARGUMENT and slot.callee:
        return evidence._replace(parameters=frozenset(_parameters(resolver, slot, line.scope, line.byte)))
    return evidence


@kept_while_equal()
def _with_names(visible: Mapping[str, VisibleName], new: frozenset[str]) -> Mapping[str, VisibleName]:
    """Visible names and others of the cursor's line: whoever wrote them there can use them there.

    Kept for the next letter.
    """
    return {**{name: VisibleName(name, "variable", 0) for name in sorted(new)}, **visible}


class FactNames(NamedTuple):
    """The names of a unit, by what they do there. `uses`: first use of each, in bytes from the unit's start."""

    bound: frozenset[str]
    attributes: frozenset[str]
    keywords: frozenset[str]
    uses: Mapping[str, int]


@remembered_by_identity
def names_of_facts(facts: Facts, table: ScopeTable) -> FactNames:
    """The names of a unit as they are written, without labels."""
    bound, attributes, keywords, uses = set[str](), set[str](), set[str](), dict[str, int]()
    for occurrence in facts.occurrences:
        if occurrence.namespace is Namespace.LABEL:
            continue
        name = table.as_written(occurrence.namespace, occurrence.name)
        if occurrence.action in (Action.BIND, Action.IMPORT_ROOT):
            bound.add(name)
        elif occurrence.action is Action.ATTRIBUTE:
            attributes.add(name)
        elif occurrence.action is Action.KEYWORD:
            keywords.add(occurrence.name)
        elif occurrence.action is Action.USE:
            uses.setdefault(occurrence.name, occurrence.start)
    return FactNames(frozenset(bound), frozenset(attributes), frozenset(keywords), uses)


def _scope_for(resolver: Resolver, last_token: int, byte: int, column: int) -> ScopeRef:
    """The scope that a statement at a byte belongs to."""
    scopes = resolver.scopes
    inside = scopes.scope_at(byte)
    if not resolver.table.classes.explicit_self:
        return inside
    before = scopes.scope_at(last_token)
    for ref in scopes.around(before):
        if ref in (MODULE_SCOPE, inside):
            return ref
        if scopes.kind(ref) is ScopeKind.COMPREHENSION:
            if scopes.span(ref)[1] > last_token:  # else the text before has closed it
                return ref
            continue
        if resolver.column(scopes.span(ref)[0]) < column:
            return ref
    return inside


def _only_members(resolver: Resolver, attributes: set[str], others: set[str]) -> frozenset[str]:
    """The `attributes` that are not among the names used otherwise, where a member is no name without its object."""
    table = resolver.table
    return frozenset() if table.classes.scope_is_inherited else frozenset(attributes - others - table.builtins)


def _body(resolver: Resolver, scope: ScopeRef, near: list[Unit], byte: int) -> ScopeKind | None:
    """The kind of the nearest scope that holds statements or members; None where an error may have moved its end."""
    if any(unit.facts.errors and unit.start <= byte < unit.end for unit in near):
        return None
    kinds = (resolver.scopes.kind(ref) for ref in resolver.scopes.around(scope))
    return next((kind for kind in kinds if kind in _BODIES), None)


def _method_around(resolver: Resolver, scope: ScopeRef) -> frozenset[str]:
    """The name of the method around, in languages whose methods stand outside of their class, if nothing uses it."""
    function = resolver.scopes.function_around(scope) if resolver.table.classes.method_receivers else None
    facts = resolver.scopes.local(function) if function is not None else None
    if facts is None or not facts.name:
        return frozenset()
    is_used = resolver.scopes.facts.data.find(f".{facts.name}".encode()) >= 0  # the facts of all its uses take long
    return frozenset() if is_used else frozenset({facts.name})


def _unfinished(resolver: Resolver, scope: ScopeRef | None) -> frozenset[str]:
    """The classes whose body a scope is a part of, with no function between."""
    names = set[str]()
    for ref in resolver.scopes.around(scope):
        kind, facts = resolver.scopes.kind(ref), resolver.scopes.local(ref)
        if kind is ScopeKind.FUNCTION:
            break
        if kind is ScopeKind.CLASS and facts is not None:
            names.add(facts.name)
    return frozenset(names)


def _unbound(
    resolver: Resolver, units: list[Unit], bound: set[str], visible: Mapping[str, VisibleName], byte: int
) -> dict[str, int]:
    """Names used below a byte that nothing in reach binds, with the byte of their first use."""
    first_uses: dict[str, int] = {}
    table = resolver.table
    for unit in units:
        for name, start in names_of_facts(unit.facts, table).uses.items():
            at = unit.start + start
            if at <= byte or name in bound or name in visible or name in table.builtins:
                continue
            first_uses[name] = min(at, first_uses.get(name, at))
    return first_uses


def _receiver_class(resolver: Resolver, slot: Slot, scope: ScopeRef, byte: int) -> ScopeRef | None:
    """The class that the receiver is an instance of, or is; None where the file does not say."""
    unit = resolver.scopes.unit_at(byte)
    receiver = _receiver(resolver, slot.receiver, unit, byte) if unit >= 0 else None
    return resolver.members.class_of(receiver, unit, scope)


def with_class_members(evidence: ScopeEvidence, resolver: Resolver, owner: ScopeRef) -> ScopeEvidence:
    """Evidence with the members of a class of the file and of its bases there, and its bases elsewhere."""
    levels, outer, class_names = dict[str, int](), dict[tuple[str, ...], int](), dict[str, None]()
    declared: list[str] = []
    for ref, level in class_with_bases(resolver, owner):
        facts = resolver.scopes.local(ref)
        class_names[facts.name if facts is not None else ""] = None
        names = member_names(resolver, ref)
        declared = declared or names
        for name in names:
            levels.setdefault(name, level)
        for base in resolver.classes.outer_bases(ref):
            outer.setdefault(base, level + 1)
    return evidence._replace(
        members=frozenset(levels), levels=levels, declared=tuple(declared), outer_bases=tuple(outer),
        class_names=tuple(name for name in class_names if name), complete=not is_open(resolver, owner),
    )  # fmt: skip


def _parameters(resolver: Resolver, slot: Slot, scope: ScopeRef, byte: int) -> Iterable[str]:
    unit = resolver.scopes.unit_at(byte)
    if unit < 0:
        return ()
    called = resolver.members.called(_receiver(resolver, slot.callee, unit, byte), unit, scope)
    facts = resolver.scopes.local(called) if called is not None else None
    if facts is None or called is None or called[0] < 0:
        return ()
    rows = resolver.scopes.facts.units[called[0]].facts.occurrences
    parameters = [name for (_, name), at in facts.bound.items() if rows[at[0]].kind == "parameter"]
    around = resolver.scopes.parent(called)
    bound_to_object = around is not None and resolver.scopes.kind(around) is ScopeKind.CLASS and not facts.static
    return [name for name in parameters if not bound_to_object or name != facts.first_parameter]


def _receiver(resolver: Resolver, names: tuple[str, ...], unit: int, byte: int) -> Receiver:
    start = byte - resolver.scopes.facts.units[unit].start
    first = names[0]
    kind = first if first in ("this", "super") else "this" if first in resolver.table.classes.this_nodes else "name"
    receiver = Receiver(kind, first, start)
    for name in names[1:]:
        receiver = Receiver("attribute", name, start, receiver)
    return receiver
