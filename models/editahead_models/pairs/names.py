"""The names that a hunk takes away and brings, as the resolver reads them in the versions before and after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from editahead.analysis.facts.facts import Occurrence
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.syntax.scope_table import Action, ScopeKind
from editahead.syntax.snapshot import Region, SyntaxSnapshot

from editahead_models.pairs.hunks import Hunk, Token

_MEMBERS = frozenset({"method", "field"})


class Name(NamedTuple):
    """A word that a hunk changed.

    `region`: where it stands. `declares`: it is bound here, `kind` says as what. `binding`: what it means, None where
    the file does not tell. `exported`: other files may name what it means.
    """

    text: str
    start: int
    region: Region
    declares: bool = False
    kind: str = ""
    binding: Binding | None = None
    exported: bool = False


@dataclass(frozen=True)
class NameChanges:
    """The names that go with a hunk, and those that come."""

    gone: tuple[Name, ...]
    come: tuple[Name, ...]


class FileNames:
    """The names of one version of a file."""

    def __init__(self, syntax: SyntaxSnapshot) -> None:
        self._syntax = syntax
        self.resolver: Resolver | None = resolver_of(syntax)
        self._units: dict[int, dict[int, Occurrence]] = {}

    def of(self, tokens: Iterable[Token]) -> tuple[Name, ...]:
        """The words among some tokens as names."""
        return tuple(self._name(token) for token in tokens if token.is_word and not self._is_keyword(token.text))

    def declared(self, name: str) -> bool:
        """Whether anything in the file binds a name."""
        return self.resolver is not None and any(
            one.occurrence.action is Action.BIND or one.occurrence.kind for one in self.resolver.names(name)
        )

    def stands(self, name: str) -> bool:
        """Whether a word stands in the file."""
        return self._syntax.count(name.encode()) > 0

    def _is_keyword(self, text: str) -> bool:
        return self.resolver is not None and text in self.resolver.table.keywords

    def _name(self, token: Token) -> Name:
        resolver = self.resolver
        at = self._occurrence(token.start) if resolver is not None else None
        if at is None or resolver is None:
            return Name(token.text, token.start, self._syntax.region_at(token.start + 1))
        occurrence, binding = at.occurrence, resolver.binding(at)
        declares = occurrence.action is Action.BIND or (occurrence.action is Action.ATTRIBUTE and bool(occurrence.kind))
        kind = resolver.kind(binding) if binding is not None else "field" if declares else ""
        if not declares and occurrence.action in (Action.ATTRIBUTE, Action.KEYWORD, Action.IMPORTED) and not kind:
            kind = occurrence.action.value
        return Name(token.text, token.start, Region.CODE, declares, kind, binding, _exported(resolver, binding, kind))

    def _occurrence(self, byte: int) -> NameAt | None:
        assert self.resolver is not None
        scopes = self.resolver.scopes
        number = scopes.unit_at(byte)
        if number < 0:
            return None
        unit = scopes.facts.units[number]
        if number not in self._units:
            self._units[number] = {one.start: one for one in reversed(unit.facts.occurrences)}
        found = self._units[number].get(byte - unit.start)
        return NameAt(byte, unit.start + found.end, number, found) if found is not None else None


def _exported(resolver: Resolver, binding: Binding | None, kind: str) -> bool:
    if binding is None:
        return kind in ("attribute", "imported")
    return binding.scope == MODULE_SCOPE or resolver.scopes.kind(binding.scope) is ScopeKind.CLASS or kind in _MEMBERS


def name_changes(hunks: Sequence[Hunk]) -> tuple[list[NameChanges], dict[int, tuple[FileNames, FileNames]]]:
    """The names of each hunk, and those of both versions of each file, by the file's identity."""
    files: dict[int, tuple[FileNames, FileNames]] = {}
    changes: list[NameChanges] = []
    for hunk in hunks:
        known = files.get(id(hunk.file))
        if known is None:
            known = files[id(hunk.file)] = (FileNames(hunk.file.before), FileNames(hunk.file.after))
        changes.append(NameChanges(known[0].of(hunk.old), known[1].of(hunk.new)))
    return changes, files
