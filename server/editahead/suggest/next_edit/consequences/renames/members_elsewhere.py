"""Uses of a member in other open files, behind objects of its class (`store.load()`) and in object literals of it.

Also the members of C++ whose definitions outside of their classes were renamed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.consequences.name_changes import Renaming, reverted_offsets
from editahead.suggest.next_edit.consequences.renames.imported_names import literal_name
from editahead.suggest.next_edit.consequences.renames.objects_elsewhere import ExportedClass, Objects
from editahead.suggest.next_edit.consequences.renames.package_folders import SeenPackages, is_hidden
from editahead.suggest.next_edit.consequences.renames.rename import is_being_typed, revert_renaming
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding, same_overload
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    files_naming,
    has_include,
    path_of,
)
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeKind

_USES = (Action.ATTRIBUTE, Action.USE, Action.KEYWORD)


def renamed_member_uses(
    moment: Moment, document: Document, renamed: RenamedBinding
) -> Iterator[tuple[Document, NameAt]]:
    """Yield the uses of a renamed member of an exported class in the other open documents. Raises Cancelled."""
    declarations, table = renamed.resolver.declarations(renamed.binding), renamed.resolver.table.imports
    for other, _, use in member_uses(moment, document, renamed.resolver, renamed.binding):
        is_seen = not is_hidden(renamed.renaming.new, table, path_of(document.uri), path_of(other.uri))
        if is_seen and use in same_overload(renamed, [*declarations, use]):
            yield other, use


def member_uses(
    moment: Moment, document: Document, resolver: Resolver, binding: Binding
) -> Iterator[tuple[Document, Resolver, NameAt]]:
    """Yield the uses of a member that an exported class of a document declares, in the other open documents.

    `resolver` is that of the document, or of its text before the member was renamed. Raises Cancelled.
    """
    class_name = _exported_class(resolver, binding)
    declaring = ExportedClass(moment, document, resolver, binding.scope, (class_name or "",))
    words = frozenset(name.encode() for name in (binding.name, class_name) if name)
    has_keywords = _is_filled_by_keyword(declaring)
    extensions = resolver.members.extensions.declarations(binding.name)
    extended = [typed for row, typed in extensions if resolver.binding(row) == binding]
    if extended and any(_declares_method(other, binding.name) for other in declaring.related_files()):
        extended = []  # a method of the class, or of a base, goes before an extension
    for other in declaring.related_files() if class_name is not None else ():
        moment.check()
        data, table = other.syntax.buffer.data, resolver.table.imports
        paths = path_of(document.uri), path_of(other.uri)
        types = extended if extended and SeenPackages(data, table, *paths).has_bare_names else []
        if binding.name.encode() not in data or not (types or declaring.is_reachable(other)):
            continue
        theirs = moment.resolver(other.uri, other.syntax, Parts(words, (0,)))
        if theirs is not None:
            objects = Objects(theirs, declaring, other.uri)
            if not objects and not types:
                continue
            names = [use for use in theirs.names(binding.name) if use.occurrence.namespace is binding.namespace]
            members = [use for use in names if _is_undeclared(theirs, use)]
            members = [use for use in members if objects.has_member(use) or _is_extension(theirs, use, types)]
            members = [use for use in members if has_keywords or use.occurrence.action is not Action.KEYWORD]
            for use in chain(members, *map(objects.overriding_uses, names)):
                yield other, theirs, use


def _is_undeclared(resolver: Resolver, use: NameAt) -> bool:
    """Whether a name is used that the file does not declare."""
    if use.occurrence.kind == "function" or use.occurrence.action not in _USES:
        return False
    binding = resolver.binding(use)
    return binding is None or not resolver.declarations(binding)


def _declares_method(document: Document, name: str) -> bool:
    """Whether a text may declare a method of a name: a type stands before it."""
    return re.search(rb"[\w>\]?]\s+" + re.escape(name.encode()) + rb"\s*[(<]", document.syntax.buffer.data) is not None


def _is_extension(resolver: Resolver, use: NameAt, types: list[Receiver]) -> bool:
    """Whether a member stands behind an expression of any of the extended types."""
    row = use.occurrence.receiver, use.unit, resolver.scopes.placed(use.unit, use.occurrence.scope)
    return any(resolver.members.extensions.is_of(*row, extended) for extended in types)


def _is_filled_by_keyword(declaring: ExportedClass) -> bool:
    """Whether calls of the class name the member: `Point(x=1)` of a dataclass, which declares no constructor."""
    resolver, constructor = declaring.resolver, declaring.resolver.table.classes.constructor
    return bool(constructor) and not resolver.scopes.bound_in(declaring.scope, Namespace.VALUE, constructor)


def _exported_class(resolver: Resolver, binding: Binding) -> str | None:
    """The name of the exported class, namespace or object literal that declares a member.

    Empty of what stands without a name among parameters; None if other files cannot see it.
    """
    scope = binding.scope
    facts, transparent = resolver.scopes.local(scope), {ScopeKind.BLOCK}  # around the name of an alias: `type A = {}`
    if resolver.table.imports.includes:  # namespaces are classes
        transparent.add(ScopeKind.CLASS)
    outer_facts = resolver.scopes.local(resolver.scopes.parent(scope) or MODULE_SCOPE)
    is_inner = outer_facts is not None and outer_facts.is_literal  # an object literal in another
    is_unnamed = facts is not None and not facts.name and (is_inner or (not facts.is_literal and facts.name_start >= 0))
    if is_unnamed:
        transparent |= {ScopeKind.CLASS, ScopeKind.FUNCTION}
    around = (each for each in resolver.scopes.around(scope) if each != scope)
    outer = next((each for each in around if resolver.scopes.kind(each) not in transparent), None)
    is_member = resolver.scopes.kind(scope) is ScopeKind.CLASS and binding.namespace is not Namespace.PRIVATE
    if not is_member or facts is None or outer != MODULE_SCOPE:
        return None
    return facts.name or ("" if is_unnamed else literal_name(resolver, scope) or None)


def defined_members(
    moment: Moment, document: Document, renaming: Renaming
) -> Iterator[tuple[Document, RenamedBinding]]:
    """Yield the members of C++ whose definitions outside of their classes were renamed, with the open headers.

    A header declares the member under its old name, once. Raises Cancelled.
    """
    if document is moment.document and is_being_typed(moment, renaming):
        return
    old, original = renaming.old, reverted_offsets(renaming)
    parts = Parts(frozenset({old.encode()}), tuple(change.start for change in original.changes))
    resolver = moment.resolver(document.uri, revert_renaming(document.syntax, renaming), parts)
    names = (resolver.name_at(change.start, old) for change in original.changes) if resolver is not None else ()
    occurrences = (name.occurrence for name in names if name is not None)
    owners = {each.receiver.name for each in occurrences if each.kind == "function" and each.receiver is not None}
    for owner in owners:
        for header, theirs in files_naming(moment, document, owner):
            if has_include(document.syntax.buffer.data, re.escape(path_of(header.uri).name.encode())):
                declared = [name for name in theirs.names(old) if _declaring_class(theirs, name) == owner]
                binding = theirs.binding(declared[0]) if len(declared) == 1 else None
                if binding is not None:
                    yield header, RenamedBinding(theirs, binding, renaming, declared)


def _declaring_class(resolver: Resolver, name: NameAt) -> str:
    """The class that declares a member; empty for a use."""
    facts = resolver.scopes.local(resolver.scopes.placed(name.unit, name.occurrence.scope))
    return facts.name if facts is not None and name.occurrence.action is Action.BIND else ""
