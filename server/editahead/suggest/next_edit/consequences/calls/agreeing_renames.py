"""Renames in other open files beyond imports: what agrees with a renamed function, and arguments by keyword."""

from __future__ import annotations

from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import call_of, function_with_parameters_at
from editahead.suggest.next_edit.consequences.calls.counterparts import renamed_counterparts
from editahead.suggest.next_edit.consequences.name_changes import Renaming, renamings
from editahead.suggest.next_edit.consequences.renames.edits_in_other_files import kind_of, rename_candidate
from editahead.suggest.next_edit.consequences.renames.members_elsewhere import (
    defined_members,
    member_uses,
    renamed_member_uses,
)
from editahead.suggest.next_edit.consequences.renames.rename import MAX_RENAMINGS, declared_at, rename
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding, site_of
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import files_naming, is_exported, uses_elsewhere
from editahead.suggest.next_edit.consequences.types import Consequence, Item, Moment
from editahead.suggest.types import Document


def follow_renames(moment: Moment) -> Iterator[Item]:
    """Edits of the remaining references to renamed names, also of what agrees with them. Raises Cancelled."""
    yield from rename(moment, _agreeing_edits)
    for document in (moment.document, *moment.document.others):
        table = document.syntax.language.scopes
        if table is None or not table.imports.includes:
            continue
        for renaming in renamings(document.history, document.syntax.buffer.data)[:MAX_RENAMINGS]:
            for header, renamed in defined_members(moment, document, renaming):
                kind = f"{kind_of(renamed)}/other-file"
                for use in renamed.resolver.references(renamed.binding):
                    yield from rename_candidate(moment, document, header, renamed, kind, use.start, shorthand="")
                for other, use in renamed_member_uses(moment, header, renamed):
                    yield from rename_candidate(moment, document, other, renamed, kind, use.start, shorthand="")


def _agreeing_edits(
    moment: Moment, document: Document, renamed: RenamedBinding, original: Renaming
) -> Iterator[Consequence]:
    """Edits that follow a declaration renamed in `document`; `original` is the renaming in the reverted text."""
    if site_of(renamed) == "declaration" and not renamed.resolver.table.imports.names_package:
        yield from _keyword_arguments(moment, document, renamed, original)
        yield from _counterparts(moment, document, renamed, original)
        for other, use in renamed_member_uses(moment, document, renamed):
            kind, shorthand = f"{kind_of(renamed)}/other-file", use.occurrence.shorthand
            yield from rename_candidate(moment, document, other, renamed, kind, use.start, shorthand=shorthand)


def _keyword_arguments(
    moment: Moment, document: Document, renamed: RenamedBinding, original: Renaming
) -> Iterator[Consequence]:
    """Edits of the keyword arguments of a renamed parameter, in other open files that import its function."""
    resolver, old, table = renamed.resolver, renamed.renaming.old, renamed.resolver.table
    if resolver.kind(renamed.binding) != "parameter" or not table.parameters.keyword_arguments:
        return
    function = function_with_parameters_at(document.syntax, table, declared_at(renamed, original))
    if function is None:
        return
    binding = resolver.binding_at(_reverted_offset(function.name_start, renamed.renaming), function.name)
    kind = f"{kind_of(renamed)}/other-file"
    for other, use in _uses_elsewhere(moment, document, resolver, binding) if binding is not None else ():
        call = call_of(other.syntax, table, use.start)
        for item in call.items if call is not None else ():
            if item.name == old:
                yield from rename_candidate(moment, document, other, renamed, kind, item.start, shorthand="")


def _uses_elsewhere(
    moment: Moment, document: Document, resolver: Resolver, function: Binding
) -> Iterator[tuple[Document, NameAt]]:
    """Yield the uses of a function in the other open documents."""
    called = _called_name(resolver, function)
    if not called:
        yield from ((other, use) for other, _, use in member_uses(moment, document, resolver, function))
    for other, theirs in files_naming(moment, document, called) if called else ():
        yield from ((other, use) for use in uses_elsewhere(theirs, called, document.uri, other.uri))


def _called_name(resolver: Resolver, function: Binding) -> str:
    """The name by which other files call a function; that of its class for a constructor; empty if it is a method."""
    if is_exported(function):
        return function.name
    facts = resolver.scopes.local(function.scope)
    is_constructor = function.name == resolver.table.classes.constructor
    is_outermost = resolver.scopes.parent(function.scope) == MODULE_SCOPE
    return facts.name if facts is not None and is_constructor and is_outermost else ""


def _counterparts(
    moment: Moment, document: Document, renamed: RenamedBinding, original: Renaming
) -> Iterator[Consequence]:
    """Edits of what agrees with a renamed function in other open files, and of its uses there.

    That is what it overrides or implements, and its header or source.
    """
    old, new = renamed.renaming.old, renamed.renaming.new
    kind = f"{kind_of(renamed)}/other-file"
    for other in renamed_counterparts(moment, document, declared_at(renamed, original), old, new):
        binding = other.names.binding_at(other.declared.name_start, old)
        uses = other.names.references(binding) if binding is not None else []
        if binding is None or not other.names.exists(new, binding.scope):
            for start in sorted({other.declared.name_start, *(use.start for use in uses)}):
                yield from rename_candidate(moment, document, other.document, renamed, kind, start, shorthand="")


def _reverted_offset(offset: int, renaming: Renaming) -> int:
    """The offset in the reverted text of an offset in the current text."""
    count = sum(change.start < offset for change in renaming.changes)
    return offset - count * (len(renaming.new.encode()) - len(renaming.old.encode()))
