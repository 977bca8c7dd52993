"""What a drawn name does in its file, and which names of the file cannot be used there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.syntax.language import Language
from editahead.syntax.scope_table import Action, ScopeKind
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

IN_SCOPE, NEW, IMPORT, ATTRIBUTE, OTHER = "use in scope", "new binding", "import", "attribute", "other"
ROLES = (IN_SCOPE, NEW, IMPORT, ATTRIBUTE, OTHER)
_IMPORT_LINE = re.compile(rb"\s*(import|from)\b")


class NameRoles:
    """The roles of one file's names, by the file's own scopes. Without rules of names every role is OTHER."""

    def __init__(self, content: bytes, language: Language) -> None:
        self._content = content
        syntax = SyntaxSnapshot.open(Buffer(content), language)
        self._resolver = resolver_of(syntax)
        self._locals: frozenset[str] | None = None

    def role(self, start: int, name: str) -> str:
        """What the name at a byte does: one of ROLES."""
        line = self._content.rfind(b"\n", 0, start) + 1
        if self._resolver is not None and _IMPORT_LINE.match(self._content, line):
            return IMPORT
        at = self._resolver.name_at(start, name) if self._resolver is not None else None
        if self._resolver is None or at is None:
            return OTHER
        one = at.occurrence
        if one.action in (Action.IMPORT_ROOT, Action.IMPORTED) or one.kind == "import":
            return IMPORT
        if one.action is Action.ATTRIBUTE:
            return ATTRIBUTE
        if one.action not in (Action.BIND, Action.USE):
            return OTHER
        binding = self._resolver.binding(at)
        if binding is None:
            return OTHER  # a built-in name, or one from another file
        first = self._resolver.declarations(binding)[:1] == [at]
        return NEW if one.action is Action.BIND and first else IN_SCOPE

    def is_local_elsewhere(self, start: int, name: str) -> bool | None:
        """Whether a name is a local of other functions, and nothing else, at a byte. None without rules of names."""
        if self._resolver is None:
            return None
        if self._locals is None:
            self._locals = frozenset(_only_locals(self._resolver))
        return name in self._locals and not _is_visible(self._resolver, name, start)


def _is_visible(resolver: Resolver, name: str, byte: int) -> bool:
    """Whether a scope around a byte binds a name that can be used there."""
    for distance, scope in enumerate(resolver.scopes.around(resolver.scopes.scope_at(byte))):
        kind = resolver.scopes.kind(scope)
        if kind is ScopeKind.CLASS and distance and not resolver.table.classes.scope_is_inherited:
            continue
        for bound, use in resolver.names_in(scope):
            is_early = kind is ScopeKind.BLOCK and not resolver.table.hoisted and use.start > byte
            if bound == name and not is_early:
                return True
    return False


def _only_locals(resolver: Resolver) -> Iterator[str]:
    """Names of the file that nothing but functions bind, and that are members of nothing."""
    rows: dict[str, list[tuple[int, NameAt]]] = {}
    for number, unit in enumerate(resolver.scopes.facts.units):
        for one in unit.facts.occurrences:
            rows.setdefault(one.name, []).append(
                (number, NameAt(unit.start + one.start, unit.start + one.end, number, one))
            )
    inside = (ScopeKind.FUNCTION, ScopeKind.COMPREHENSION, ScopeKind.BLOCK)
    for name, places in rows.items():
        bound = [at for _, at in places if at.occurrence.action is Action.BIND]
        if not bound or any(at.occurrence.action in (Action.ATTRIBUTE, Action.IMPORT_ROOT) for _, at in places):
            continue
        scopes = [binding.scope for at in bound if (binding := resolver.binding(at)) is not None]
        if scopes and all(resolver.scopes.kind(scope) in inside for scope in scopes):
            yield name
