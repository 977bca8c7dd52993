"""What needs a declaration besides its uses in the file: a framework, a base class, who has a function as a value."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import Declared, call_of, path_to
from editahead.suggest.next_edit.consequences.removals.removed_name import LISTS
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node, Parts
from editahead.syntax.scope_table import Action, ScopeKind, ScopeTable

OBJECTS = ("self", "cls")
"""What the object of a method is called where it is a parameter."""
MAX_USES = 200
"""Uses of a function's name that are looked at."""
_MARKS = frozenset(
    "decorator annotation marker_annotation attribute_list attribute_item attribute_declaration attribute_specifier "
    "ms_declspec_modifier".split()
)
_KNOWN = frozenset(
    "serialVersionUID serialPersistentFields readObject readObjectNoData readResolve writeObject writeReplace".split()
)
"""Names that serialization in Java looks for."""
_CONTRACTS = frozenset({"trait_item", "interface_declaration"})
_CLASS_TYPES = frozenset({"type_identifier", "qualified_identifier", "template_type"})
_SHARED = re.compile(rb"\b(?:abstract|override|virtual)\b")


def is_known_by_name(name: str) -> bool:
    """Whether others look for a name in a class: `_fields_`, `_repr_html_`, `serialVersionUID`."""
    return name in _KNOWN or (name.startswith("_") and name.endswith("_"))


def is_marked(path: Sequence[Node]) -> bool:
    """Whether a decorator, an annotation or an attribute stands at the last of some nodes, or at what declares it."""
    for number in range(len(path) - 1, 0, -1):
        node, before = path[number], path[number].prev_named_sibling
        while before is not None and "comment" in before.type:
            before = before.prev_named_sibling
        held = [child for child in node.children if child.type == "modifiers"]
        held = [*node.children, *(inner for child in held for inner in child.children)]
        if (before is not None and before.type in _MARKS) or any(child.type in _MARKS for child in held):
            return True
        if path[number - 1].type.endswith(LISTS):
            return False
    return False


def ends_with_an_effect(path: Sequence[Node], table: ScopeTable) -> bool:
    """Whether a name, the last of some nodes, is that of an object of a class of C++: the end of a lock frees it."""
    number = next((n for n in range(len(path) - 1, 0, -1) if path[n].type == "declaration"), 0)
    typed = path[number].child_by_field_name("type") if number and table.classes.outside_names else None
    if typed is None or typed.type not in _CLASS_TYPES:
        return False
    return not any(node.type.startswith(("pointer_", "reference_")) for node in path[number:])


def is_signature_shared(moment: Moment, home: Document, names: Resolver, scope: ScopeRef, function: Declared) -> bool:
    """Whether something outside of a function says which parameters it has."""
    table, data = names.table, home.syntax.buffer.data
    path, offset = path_to(home.syntax, function.parameters.start)
    number = next((n for n in range(len(path) - 1, 0, -1) if path[n].type in table.functions), 0)
    path = path[: number + 1]
    if not number or path[number].type in table.classes.method_receivers or is_marked(path):
        return True
    if any(node.type in _CONTRACTS for node in path):
        return True
    if table.classes.outside_names and data[: function.name_start].endswith(b"::"):
        return True  # `A::m`, which the class declares
    if function.name.startswith("__") and function.name != table.classes.constructor:
        return True
    if _SHARED.search(_head(path, offset, data)) is not None or _is_inherited(names, scope):
        return True
    constructs = "constructor" in path[number].type  # types have its name
    return not constructs and _is_value(moment, home, function)


def _head(path: Sequence[Node], offset: int, data: bytes) -> bytes:
    """What stands before the body of the function that some nodes lead to."""
    number = len(path) - 1
    while number > 1 and not path[number - 1].type.endswith(LISTS):
        number -= 1
    bodies = (node.child_by_field_name("body") for node in path[number:])
    body = next((body for body in bodies if body is not None), None)
    end = body.start_byte if body is not None else path[number].end_byte
    return data[path[number].start_byte + offset : end + offset]


def _is_inherited(names: Resolver, scope: ScopeRef) -> bool:
    """Whether a function is a member of a class with bases, or of an object that others take functions from."""
    owner = names.scopes.parent(scope)
    facts = names.scopes.local(owner) if owner is not None else None
    if owner is None or facts is None or names.scopes.kind(owner) is not ScopeKind.CLASS:
        return False
    bases = facts.bases[1:] if facts.is_extension else facts.bases
    return facts.is_literal or any(base.name != "object" for base in bases)


def _is_value(moment: Moment, home: Document, function: Declared) -> bool:
    """Whether a function is declared once more, or named where it is not called: who has it as a value calls it."""
    names = moment.resolver(home.uri, home.syntax, Parts(frozenset({function.name.encode()})))
    at = names.name_at(function.name_start, function.name) if names is not None else None
    if names is None or at is None:
        return False
    binding = names.binding(at)
    for use in names.names(function.name)[:MAX_USES]:
        meant, action = names.binding(use), use.occurrence.action
        if use.start == at.start or (meant is not None and meant != binding):
            continue
        if action is Action.BIND or (
            action in (Action.USE, Action.ATTRIBUTE) and call_of(home.syntax, names.table, use.start) is None
        ):
            return True
    return False
