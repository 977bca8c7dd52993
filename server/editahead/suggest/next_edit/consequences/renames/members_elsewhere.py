"""Uses of a member in other open files, behind objects whose class is written there: `store.load()`.

The class is imported, or declared in the same folder where its files form a module. Objects are resolved by their
annotations, constructor calls, fields and the class around them; others are omitted.
"""

from __future__ import annotations

from collections.abc import Iterator

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    is_exported,
    uses_elsewhere,
)
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.next_edit.related_documents import is_related
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeKind

_MAX_DEPTH = 4  # bases that are followed


def member_uses(moment: Moment, document: Document, renamed: RenamedBinding) -> Iterator[tuple[Document, NameAt]]:
    """Yield the uses of a renamed member of an exported class in the other open documents. Raises Cancelled."""
    name, old = _exported_class(renamed), renamed.renaming.old
    words = [word.encode() for word in (name, old)]
    for other in (moment.document, *moment.document.others) if name else ():
        moment.check()
        data = other.syntax.buffer.data
        if other is document or not is_related(other, document) or any(word not in data for word in words):
            continue
        resolver = moment.resolver(other.uri, other.syntax, Parts(frozenset(words), (0,)))
        if resolver is not None and (objects := _Objects(resolver, name, document.uri, other.uri)):
            uses = (use for use in resolver.names(old) if use.occurrence.namespace is renamed.binding.namespace)
            yield from ((other, use) for use in uses if _is_undeclared(resolver, use) and objects.has_member(use))


def _is_undeclared(resolver: Resolver, use: NameAt) -> bool:
    """Whether a name stands behind an object, and the file does not declare it."""
    if use.occurrence.action is not Action.ATTRIBUTE:
        return False
    binding = resolver.binding(use)
    return binding is None or not resolver.declarations(binding)


def _exported_class(renamed: RenamedBinding) -> str:
    """The name of the exported class that declares a member; empty if other files cannot see it."""
    resolver, binding = renamed.resolver, renamed.binding
    facts, outer = resolver.scopes.local(binding.scope), resolver.scopes.parent(binding.scope)
    is_member = resolver.scopes.kind(binding.scope) is ScopeKind.CLASS and binding.namespace is not Namespace.PRIVATE
    return facts.name if is_member and facts is not None and outer == MODULE_SCOPE else ""


class _Objects:
    """The objects of a class in a file that is not the class's own. False if the file does not name the class."""

    def __init__(self, resolver: Resolver, name: str, declaring_uri: str, uri: str) -> None:
        self._resolver = resolver
        uses = uses_elsewhere(resolver, name, declaring_uri, uri)
        bindings = ((use, resolver.binding(use)) for use in uses)
        self._bindings = {binding for _, binding in bindings if binding is not None and is_exported(binding)}
        self._starts = {use.start for use in uses}

    def __bool__(self) -> bool:
        return bool(self._starts)

    def has_member(self, use: NameAt) -> bool:
        """Whether a member stands behind an object of the class, or behind the class itself."""
        receiver, unit = use.occurrence.receiver, use.unit
        if receiver is None:
            return False
        scope = self._resolver.scopes.placed(unit, use.occurrence.scope)
        own = self._resolver.members.class_of(receiver, unit, scope)
        if own is not None:
            return self._is_subclass(own)
        if self._is_class_name(receiver, unit, scope):
            return True
        if receiver.kind in ("call", "creation") and self._is_class_name(receiver.base, unit, scope):
            return True
        written = self._resolver.members.types.type_of(receiver, unit, scope)
        return written is not None and self._is_class_name(written.type, written.unit, written.scope)

    def _is_subclass(self, ref: ScopeRef, depth: int = 0) -> bool:
        """Whether a class of the file has the class as a base."""
        scopes = self._resolver.scopes
        outer = scopes.parent(ref)
        for unit, head in scopes.heads(ref) if outer is not None and depth < _MAX_DEPTH else ():
            if outer is not None and any(self._is_class_name(base, unit, outer) for base in head.bases):
                return True
        return any(
            self._is_subclass(base, depth + 1) for base in self._resolver.classes.bases(ref) if depth < _MAX_DEPTH
        )

    def _is_class_name(self, receiver: Receiver | None, unit: int, scope: ScopeRef) -> bool:
        if receiver is None or receiver.kind not in ("name", "type", "attribute"):
            return False
        start = self._resolver.scopes.facts.units[unit].start + receiver.start
        if start in self._starts:
            return True
        if receiver.kind == "attribute":
            return False
        for namespace in self._resolver.table.namespaces:
            binding = self._resolver.lookup(scope, namespace, receiver.name, start)
            if binding is not None:
                return binding in self._bindings
        return False
