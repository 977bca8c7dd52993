"""Checks whether a renaming can be followed: the reason against it, such as a conflict with an existing name."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from editahead.analysis.resolver.declared_members import are_parts
from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import decorators, path_to
from editahead.suggest.next_edit.consequences.name_changes import Renaming
from editahead.syntax.scope_table import Action, Namespace, ScopeKind
from editahead.syntax.snapshot import SyntaxSnapshot

DECLARED_ONCE = frozenset({"function", "accessor", "class", "parameter", "type-parameter"})
"""Kinds of declarations that are unique in a scope; a second declaration is most likely a copy."""
_BEHIND_OWNER = (Action.ATTRIBUTE, Action.KEYWORD)  # actions of names that no scope can hide
_MACRO = re.compile(rb"[ \t]*#[ \t]*define\b")
_AUGMENTED_ASSIGNMENT = re.compile(rb"[ \t]*(?:[-+*/%@&|^]|//|\*\*|<<|>>)=")


class RenamedBinding(NamedTuple):
    """A binding of which the user replaced some occurrences; all offsets are in the text before the renaming."""

    resolver: Resolver
    binding: Binding
    renaming: Renaming
    replaced: list[NameAt]


def site_of(renamed: RenamedBinding) -> str:
    """The role of the replaced occurrences: the first `declaration`, a later `assignment`, or a `use`."""
    declarations = renamed.resolver.declarations(renamed.binding)
    if declarations and any(name.start == declarations[0].start for name in renamed.replaced):
        return "declaration"
    is_assignment = any(_is_declaration(name) and not _is_update(renamed, name) for name in renamed.replaced)
    return "assignment" if is_assignment else "use"


def is_rebinding(renamed: RenamedBinding, name: NameAt) -> bool:
    """Whether an occurrence binds the name to a new value, independent of the previous value."""
    return name.occurrence.action is Action.BIND and not _is_update(renamed, name)


def _is_update(renamed: RenamedBinding, assignment: NameAt) -> bool:
    """Whether an assignment updates an earlier binding: it is augmented, or of a global or nonlocal name."""
    scopes, name = renamed.resolver.scopes, assignment.occurrence.name
    facts = scopes.local(_scope_of(renamed, assignment))
    is_outer = facts is not None and (name in facts.global_names or name in facts.nonlocal_names)
    return is_outer or _AUGMENTED_ASSIGNMENT.match(scopes.facts.data, assignment.end) is not None


def refusal_reason(renamed: RenamedBinding, syntax: SyntaxSnapshot) -> str | None:
    """The reason not to follow a renaming, from the syntax before it; None where its references take the new name."""
    resolver, old, new = renamed.resolver, renamed.renaming.old, renamed.renaming.new
    if new in resolver.table.keywords:
        return f"`{new}` is a keyword"
    if resolver.table.classes.explicit_self and old.startswith("__") and old.endswith("__"):
        return f"`{old}` is a name of the language"
    if any(base[-1:] and base[-1] in resolver.table.classes.keyed_bases for base in _outer_bases(renamed)):
        return f"`{old}` is a key in strings"
    declarations = resolver.declarations(renamed.binding)
    is_declared = site_of(renamed) != "use"
    replaced_offsets = {name.start for name in renamed.replaced}
    if not declarations and not is_declared:
        return f"no declaration of `{old}` is known"
    if not is_declared and resolver.kind(renamed.binding) == "import":
        return f"`{old}` is imported"  # those uses now mean something else
    if resolver.table.classes.overloads and resolver.table.prototypes and _has_overloads(renamed, declarations):
        return f"`{old}` is overloaded"
    if is_declared and _is_copy(renamed, syntax, declarations, replaced_offsets):
        return f"`{old}` is declared again"
    if not is_declared and new in resolver.table.builtins:
        return f"`{new}` is a name of the language"
    return _conflict_reason(renamed, is_declared)


def _outer_bases(renamed: RenamedBinding) -> list[tuple[str, ...]]:
    """The bases of the class of a member that the file does not declare, as dotted names."""
    classes, scope = renamed.resolver.classes, renamed.binding.scope
    if not renamed.resolver.table.classes.keyed_bases or renamed.resolver.scopes.kind(scope) is not ScopeKind.CLASS:
        return []
    return [base for ref in classes.with_bases(scope) for base in classes.outer_bases(ref)]


def _is_copy(
    renamed: RenamedBinding, syntax: SyntaxSnapshot, declarations: list[NameAt], replaced_offsets: set[int]
) -> bool:
    """Whether the scope still declares the old name in the same form, so that the renamed declaration is a copy.

    Declarations in subclasses are the same method; overloads and accessors differ in their parameters or are marked;
    the parts of a class differ in their members; branches of an `if` or `try` declare a variable twice, which is
    ambiguous.
    """
    scopes = renamed.resolver.scopes
    single_declarations = [declaration for declaration in declarations if declaration.occurrence.kind in DECLARED_ONCE]
    replaced = [declaration for declaration in single_declarations if declaration.start in replaced_offsets]
    for declaration in single_declarations:
        for other in replaced if declaration.start not in replaced_offsets else ():
            same_scope = scopes.placed(declaration.unit, declaration.occurrence.scope) == scopes.placed(
                other.unit, other.occurrence.scope
            )
            has_variants = renamed.resolver.table.classes.overloads or declaration.occurrence.kind == "accessor"
            same_form = not has_variants or declaration.occurrence.arguments == other.occurrence.arguments
            both_named = (declaration.occurrence.declared_type is None) == (other.occurrence.declared_type is None)
            if not (same_scope and same_form and both_named):  # `typedef struct a a`
                continue
            if declaration.occurrence.kind == "class":
                is_other = are_parts(scopes, declaration.start, other.start)
            else:
                is_other = any(_is_variant(syntax, name.start) for name in (declaration, other))
            if not is_other:
                return True
    return False


def _is_variant(syntax: SyntaxSnapshot, byte: int) -> bool:
    """Whether a function's name at a byte is declared besides the function: an overload's signature, a setter."""
    table = syntax.language.scopes
    if table is None or not (table.classes.signatures or table.classes.variant_decorators):
        return False
    is_signature = any(node.type in table.classes.signatures for node in path_to(syntax, byte)[0][-2:])
    return is_signature or not table.classes.variant_decorators.isdisjoint(decorators(syntax, table, byte))


def same_overload(renamed: RenamedBinding, references: list[NameAt]) -> list[NameAt]:
    """The references that may be the renamed method: of several overloads, those with its number of arguments."""
    table = renamed.resolver.table
    if not (renamed.binding.namespace is Namespace.METHOD and table.classes.overloads and table.method_calls):
        return references
    declared_arities = {
        _argument_count(reference) for reference in references if reference.occurrence.kind in ("function", "accessor")
    }
    replaced_arities = {_argument_count(reference) for reference in renamed.replaced}
    if len(declared_arities) < 2:
        return references
    return [reference for reference in references if _argument_count(reference) in replaced_arities]


def _argument_count(name: NameAt) -> int:
    """The number of parameters or arguments of a method: 0 for an accessor, -1 for a method reference (`C::m`)."""
    count, is_method = name.occurrence.arguments, name.occurrence.namespace is Namespace.METHOD
    return 0 if count < 0 and (name.occurrence.kind == "accessor" or not is_method) else count


def _has_overloads(renamed: RenamedBinding, declarations: list[NameAt]) -> bool:
    """Whether a scope declares or defines a name more than once; a prototype and a definition are no overloads.

    Nor are `typedef struct a a`, and the macros of two branches.
    """
    scopes = renamed.resolver.scopes
    if scopes.kind(renamed.binding.scope) not in (ScopeKind.CLASS, ScopeKind.MODULE):
        return False
    data = scopes.facts.data
    forms = [
        (declaration.occurrence.kind, declaration.occurrence.action)
        for declaration in declarations
        if declaration.occurrence.kind != "class"
        and not _MACRO.match(data, data.rfind(b"\n", 0, declaration.start) + 1)
    ]
    return len(forms) > len(set(forms))


def _conflict_reason(renamed: RenamedBinding, is_declared: bool) -> str | None:
    """The conflict of the new name with an existing binding or use; None if there is none."""
    resolver, new = renamed.resolver, renamed.renaming.new
    scopes, binding = resolver.scopes, renamed.binding
    namespace = binding.namespace
    if scopes.kind(binding.scope) is ScopeKind.CLASS:
        if resolver.members.owner(binding.scope, namespace, new) is not None or _is_in_subclass(renamed, namespace):
            return f"the class has `{new}` already"
        if all(name.occurrence.action is Action.ATTRIBUTE for name in renamed.replaced):
            return None
    elif (binding.scope, namespace) in scopes.index(new).bound and binding.at < 0:
        return f"`{new}` exists in that scope already"
    references = resolver.references(binding)
    if namespace is not Namespace.PRIVATE:
        references = [name for name in references if name.occurrence.action not in _BEHIND_OWNER]
    reference_scopes = {_scope_of(renamed, name) for name in references}
    if any(_is_shadowed(renamed, scope) for scope in reference_scopes) or any(
        _is_implicit(renamed, name) for name in references
    ):
        return f"`{new}` exists in a scope that uses it"
    if not is_declared:
        for name in renamed.replaced:
            if name.occurrence.action is Action.USE and resolver.lookup(
                _scope_of(renamed, name), namespace, new, name.start
            ):
                return f"`{new}` is another name that can be used there"
    elif any(_is_captured(renamed, name) for name in scopes.index(new).all):
        return f"`{new}` is used there for something else"
    return None


def _scope_of(renamed: RenamedBinding, name: NameAt) -> ScopeRef:
    return renamed.resolver.scopes.placed(name.unit, name.occurrence.scope)


def _is_shadowed(renamed: RenamedBinding, scope: ScopeRef) -> bool:
    """Whether a scope between a reference and the binding binds the new name."""
    scopes = renamed.resolver.scopes
    for scope_between in scopes.around(scope):
        if scope_between == renamed.binding.scope:
            return (
                renamed.binding.at >= 0
                and (scope_between, renamed.binding.namespace) in scopes.index(renamed.renaming.new).bound
            )
        if (scope_between, renamed.binding.namespace) in scopes.index(renamed.renaming.new).bound:
            is_private = renamed.binding.namespace is Namespace.PRIVATE
            is_visible = is_private or renamed.resolver.table.classes.scope_is_inherited
            return is_visible or scopes.kind(scope_between) is not ScopeKind.CLASS
    return False


def _is_implicit(renamed: RenamedBinding, reference: NameAt) -> bool:
    """Whether the new name is that of an implicit value in the scope of a reference: `value` of an accessor."""
    scopes = renamed.resolver.scopes
    inner_scopes = itertools.takewhile(
        lambda ref: ref != renamed.binding.scope, scopes.around(_scope_of(renamed, reference))
    )
    facts_by_scope = (scopes.local(ref) for ref in inner_scopes if reference.occurrence.action is Action.USE)
    return any(facts is not None and facts.implicit_name == renamed.renaming.new for facts in facts_by_scope)


def _is_captured(renamed: RenamedBinding, name: NameAt) -> bool:
    """Whether the renamed binding would capture an existing use of the new name."""
    resolver, binding = renamed.resolver, renamed.binding
    if name.occurrence.action is not Action.USE or binding.namespace is not name.occurrence.namespace:
        return False
    start, end = resolver.scopes.span(binding.scope)
    if not start <= name.start < end or resolver.scopes.kind(binding.scope) is ScopeKind.CLASS:
        return False
    return resolver.binding(name) is not None or renamed.renaming.new in resolver.table.builtins


def _is_in_subclass(renamed: RenamedBinding, namespace: Namespace) -> bool:
    """Whether a subclass of the class of the binding declares the new name."""
    members, classes, scopes = renamed.resolver.members, renamed.resolver.classes, renamed.resolver.scopes
    if namespace is Namespace.PRIVATE:
        return False
    holders = {
        scope for scope, bound_namespace in scopes.index(renamed.renaming.new).bound if bound_namespace is namespace
    }
    holders |= set(members.assigned(renamed.renaming.new, namespace))
    return any(
        scopes.kind(holder) is ScopeKind.CLASS
        and holder != renamed.binding.scope
        and classes.inherits(holder, renamed.binding.scope)
        for holder in holders
    )


def _is_declaration(name: NameAt) -> bool:
    return name.occurrence.action is Action.BIND or (
        name.occurrence.action is Action.ATTRIBUTE and name.occurrence.kind != ""
    )
