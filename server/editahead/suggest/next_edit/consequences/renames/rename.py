"""Edits that complete a rename which the user began: the remaining references take the new name.

The replaced occurrences are reverted in a separate snapshot; the old name is resolved there, and its other references
are the candidates. So it does not matter whether the declaration or a use was renamed first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.consequences.name_changes import (
    Renaming,
    has_replaced,
    renamings,
    reverted_offsets,
    typed_name,
)
from editahead.suggest.next_edit.consequences.renames.documented_names import (
    documentation_lines,
    documented_names,
)
from editahead.suggest.next_edit.consequences.renames.edits_in_other_files import (
    SOURCE,
    edits_in_other_files,
    kind_of,
    rename_candidate,
    shorthand_of,
)
from editahead.suggest.next_edit.consequences.renames.exported_types import exported_strings
from editahead.suggest.next_edit.consequences.renames.manual_lines import (
    find_manual_lines,
    format_note,
    macro_body_offsets,
    whole_words,
)
from editahead.suggest.next_edit.consequences.renames.reexports import reexporting_files
from editahead.suggest.next_edit.consequences.renames.rename_verdict import (
    RenamedBinding,
    is_rebinding,
    refusal_reason,
    same_overload,
    site_of,
)
from editahead.suggest.next_edit.consequences.renames.renamed_uses import is_seen_elsewhere
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import is_exported
from editahead.suggest.next_edit.consequences.types import Consequence, Item, Moment, Refusal
from editahead.suggest.next_edit.edit_candidate import ResolvedRenaming
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeKind
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.edits import ByteEdit, merge_all

MAX_RENAMINGS = 4  # most recent renamings that are followed
MAX_OCCURRENCES = 600  # occurrences of a name in a file, as each function with an occurrence is analysed
MAX_BYTES_READ = 200_000  # of a file all of whose functions may be analysed
_TOO_FREQUENT = f"stands in more than {MAX_OCCURRENCES} places"
_NAME_INCOMPLETE = "the name is still being typed"


Agreeing = Callable[[Moment, Document, RenamedBinding, Renaming], Iterator[Consequence]]
"""Edits of what agrees with a renamed binding beyond its references, from the renaming in the reverted text too."""


def rename(moment: Moment, agreeing: Agreeing) -> Iterator[Item]:
    """Edits of the remaining references to renamed names, most recent renaming first. Raises Cancelled."""
    seen: set[tuple[str, int]] = set()  # an import that was renamed as a consequence has candidates of its own
    for document in (moment.document, *moment.document.others):
        for renaming in renamings(document.history, document.syntax.buffer.data)[:MAX_RENAMINGS]:
            moment.check()
            for item in _collect_edits(moment, document, renaming, agreeing):
                location = (item.document.uri, item.edit.start) if isinstance(item, Consequence) else None
                if location is None or location not in seen:
                    yield item
                if location is not None:
                    seen.add(location)


def _collect_edits(moment: Moment, document: Document, renaming: Renaming, agreeing: Agreeing) -> Iterator[Item]:
    """The candidates of a renaming, why there are none, and whether it is resolved."""
    settled, unknown = list[bool](), frozenset[int]()
    open_documents = (moment.document, *moment.document.others)
    refusals = list[Refusal]()
    for renamed, original in renamed_names(moment, document, renaming, refusals):
        resolver, binding, replaced = renamed.resolver, renamed.binding, renamed.replaced
        if len(replaced) == _count_resolved(renamed, original):
            settled.append(resolver.kind(binding) != "import")  # what is imported may be imported by other files
            unknown |= _offsets_in_text(document, renamed, original)
            names = (resolver.name_at(change.start, renaming.old) for change in original.changes)
            if any(_is_unbound_member(resolver, name) for name in names):
                unknown |= _unbound_members(renamed, original)
        yield from _edits_in_file(moment, document, renamed, original)
        skipped_uris, is_blocked = set[str](), False
        if is_seen_elsewhere(renamed) and (is_exported(binding) or site_of(renamed) == "declaration"):
            uris = [document.uri]
            for uri in uris:
                further = reexporting_files(moment, uri, renamed, open_documents, None)
                uris += [each for each in further if each not in uris]
                edited = edits_in_other_files(moment, document, renamed, open_documents, "other-file", uri=uri)
                skipped_uris, is_blocked = skipped_uris | edited.skipped_uris, is_blocked or edited.is_blocked
                yield from edited.edits
        for item in agreeing(moment, document, renamed, original) if not is_blocked else ():
            if item.document.uri not in skipped_uris:
                yield item
    yield from refusals
    here = moment.document
    by_hand = renamings(here.history, here.syntax.buffer.data) if document is not here else []
    is_by_hand = any((own.old, own.new) == (renaming.old, renaming.new) for own in by_hand)
    if is_by_hand or (document is not here and has_replaced(here.history, renaming.old, renaming.new)):
        return  # the user goes on with it here, where no scope tells what is meant
    if not settled and document is here and _is_renamed_alone(moment, renaming):
        yield ResolvedRenaming(renaming.old, renaming.new, False)
    if settled and (document is moment.document or all(settled)):
        unknown_here = unknown if document is moment.document else frozenset()
        yield ResolvedRenaming(renaming.old, renaming.new, all(settled), unknown_here)


def _is_renamed_alone(moment: Moment, renaming: Renaming) -> bool:
    """Whether a method of a class that another file declares lost the name that methods of other classes have."""
    syntax, words = moment.document.syntax, frozenset({renaming.old.encode(), renaming.new.encode()})
    if _is_too_frequent(moment.document, renaming.old) or _is_too_frequent(moment.document, renaming.new):
        return False
    resolver = moment.resolver(moment.document.uri, syntax, Parts(words))
    if resolver is None:
        return False
    declarations = {
        name.start: name.occurrence.name
        for text in (renaming.old, renaming.new)
        for name in resolver.names(text)
        if name.occurrence.kind == "function" and name.occurrence.action is Action.ATTRIBUTE
    }
    changed = [change for change in renaming.changes if declarations.get(change.start) == renaming.new]
    return len(changed) == 1 and renaming.old in declarations.values()


def renamed_names(
    moment: Moment, document: Document, renaming: Renaming, refusals: list[Refusal]
) -> Iterator[tuple[RenamedBinding, Renaming]]:
    """Yield each renamed binding, with the renaming in the reverted text; the others go to `refusals`."""
    label, table = f"{renaming.old} -> {renaming.new}", document.syntax.language.scopes
    if table is None or (renaming.old in table.keywords and not table.classes.members_need_receiver):
        return  # where members stand behind a receiver, they may bear the names of keywords
    if document is moment.document and is_being_typed(moment, renaming):
        refusals.append(Refusal(SOURCE, label, _NAME_INCOMPLETE))
        return
    if _is_too_frequent(document, renaming.new):
        refusals.append(Refusal(SOURCE, label, f"`{renaming.new}` {_TOO_FREQUENT}"))
        return
    before, original = revert_renaming(document.syntax, renaming), reverted_offsets(renaming)
    offsets = tuple(change.start for change in original.changes)
    new_name = renaming.new.encode()
    resolver = moment.resolver(document.uri, before, Parts(frozenset({new_name}), offsets))
    assert resolver is not None
    occurrences_by_binding = _bindings_at(resolver, renaming.old, offsets)
    are_inner = (
        _is_inner(resolver, binding) and resolver.kind(binding) != "parameter" for binding in occurrences_by_binding
    )
    if not occurrences_by_binding or not all(are_inner):  # it may be used anywhere in the file
        if _is_too_frequent(document, renaming.old):
            refusals.append(Refusal(SOURCE, label, f"`{renaming.old}` {_TOO_FREQUENT}"))
            return
        resolver = moment.resolver(document.uri, before, Parts(frozenset({renaming.old.encode(), new_name}), offsets))
        assert resolver is not None
        occurrences_by_binding = _bindings_at(resolver, renaming.old, offsets)
    if sum(map(len, occurrences_by_binding.values())) < len(offsets):
        refusals.append(Refusal(SOURCE, label, f"no declaration of `{renaming.old}` is known"))
    renamed_bindings = [
        RenamedBinding(resolver, binding, renaming, occurrences)
        for binding, occurrences in _with_linked_bindings(resolver, occurrences_by_binding, renaming)
    ]
    reasons = [refusal_reason(renamed, before) for renamed in renamed_bindings]
    shared_reason = next(filter(None, reasons), None) if len(renamed_bindings) > len(occurrences_by_binding) else None
    for renamed, reason in zip(renamed_bindings, reasons, strict=True):
        if reason or shared_reason:
            refusals.append(Refusal(SOURCE, label, reason or shared_reason or ""))
        else:
            yield renamed, original


def _is_too_frequent(document: Document, name: str) -> bool:
    """Whether a document has more than MAX_OCCURRENCES of a name; parts of longer names count in large files."""
    syntax = document.syntax
    if syntax.count(name.encode()) <= MAX_OCCURRENCES:
        return False
    is_large = len(syntax.buffer.data) > MAX_BYTES_READ
    return is_large or next(islice(whole_words(syntax, name), MAX_OCCURRENCES, None), None) is not None


def _bindings_at(resolver: Resolver, old: str, offsets: tuple[int, ...]) -> dict[Binding, list[NameAt]]:
    """The bindings of the old name at byte offsets, each with its occurrences."""
    occurrences_by_binding: dict[Binding, list[NameAt]] = {}
    for offset in offsets:
        name = resolver.name_at(offset, old)
        binding = resolver.binding(name) if name is not None else None
        if name is not None and binding is not None:
            occurrences_by_binding.setdefault(binding, []).append(name)
    return occurrences_by_binding


def _with_linked_bindings(
    resolver: Resolver, occurrences_by_binding: dict[Binding, list[NameAt]], renaming: Renaming
) -> Iterator[tuple[Binding, list[NameAt]]]:
    """Yield the bindings and those that share a declaration with them: a parameter may also be a field."""
    by_binding, classes = dict(occurrences_by_binding), resolver.table.classes
    if classes.parameter_fields or classes.accessors or classes.embedded:
        uses_by_binding, declares_by_offset = resolver.meanings(renaming.old), dict[int, dict[Binding, bool]]()
        for binding, occurrences in uses_by_binding.items():
            for use in occurrences:
                if not use.occurrence.shorthand:  # a shorthand key and its name can be renamed separately
                    declares_by_offset.setdefault(use.start, {})[binding] = use.occurrence.action is Action.BIND
        pending = list(by_binding)
        while pending:
            binding = pending.pop()
            renamed = RenamedBinding(resolver, binding, renaming, by_binding[binding])
            for use in same_overload(renamed, uses_by_binding.get(binding, [])):
                bindings_here = declares_by_offset.get(use.start, {})
                for other in bindings_here if any(bindings_here.values()) else ():
                    if other not in by_binding:
                        by_binding[other] = by_binding[binding]
                        pending.append(other)
                    elif by_binding[other] is not by_binding[binding]:  # both have been replaced somewhere
                        parts = by_binding[other], by_binding[binding]
                        whole = list({use.start: use for part in parts for use in part}.values())
                        by_binding = {
                            key: whole if any(rows is part for part in parts) else rows
                            for key, rows in by_binding.items()
                        }
    yield from by_binding.items()


def revert_renaming(syntax: SyntaxSnapshot, renaming: Renaming) -> SyntaxSnapshot:
    """The syntax before the renaming: the replaced occurrences have the old name again."""
    buffer, old = syntax.buffer, renaming.old.encode()
    edits = [ByteEdit(change.start, change.end, old) for change in reversed(renaming.changes)]
    return syntax.advance(buffer.apply(merge_all(buffer.data, edits)), edits)


def is_being_typed(moment: Moment, renaming: Renaming) -> bool:
    """Whether the user may still be typing the name: its only replaced occurrence is at the cursor."""
    document = moment.document
    typed = None if document.idle else typed_name(document.history, document.syntax.buffer.data, moment.byte)
    return len(renaming.changes) == 1 and typed == (renaming.old, renaming.new)


def _edits_in_file(
    moment: Moment, document: Document, renamed: RenamedBinding, original: Renaming
) -> Iterator[Consequence]:
    """Edits of the remaining occurrences in the declaring document, in text order from the line of the cursor on."""
    resolver, replaced_offsets = renamed.resolver, {reference.start for reference in renamed.replaced}
    references = same_overload(renamed, resolver.references(renamed.binding))
    remaining = [reference for reference in references if reference.start not in replaced_offsets]
    kind = kind_of(renamed)
    if site_of(renamed) != "use" and any(is_rebinding(renamed, reference) for reference in remaining):
        kind += "/bound-again"
    buffer = document.syntax.buffer
    cursor = min(moment.byte, len(buffer.data)) if document is moment.document else 0
    line_start = buffer.line_span(buffer.line_at(cursor))[0]
    references_by_offset = [
        (_current_offset(reference.start, renamed.renaming, original), reference) for reference in remaining
    ]
    edits = [(start, shorthand_of(renamed, reference, buffer.data, start)) for start, reference in references_by_offset]
    if is_exported(renamed.binding):
        edits += [(start, "") for start in exported_strings(document.syntax, renamed.renaming.old)]
    if resolver.declarations(renamed.binding):
        documented = documented_names(document.syntax, renamed, declared_at(renamed, original))
        edits += [(start, "") for start in documented]
    unresolved = _unbound_members(renamed, original) | _structural_members(document, renamed, original, references)
    in_macros = macro_body_offsets(document.syntax, renamed)
    edits += [(start, "") for start in in_macros]
    manual_lines = find_manual_lines(document, renamed, unresolved, [start for start, _ in edits])
    note = format_note(len(replaced_offsets) + len(edits), manual_lines)
    for start, shorthand in sorted(edits, key=lambda edit: (edit[0] < line_start, edit[0])):
        yield from rename_candidate(moment, document, document, renamed, kind, start, shorthand=shorthand, note=note)
    suffix, (old, new) = resolver.table.classes.attribute_suffix, renamed.renaming[:2]
    is_attribute = bool(suffix) and old.endswith(suffix) and old != suffix  # `[Log]` is a LogAttribute
    if is_attribute and resolver.kind(renamed.binding) == "class":
        names = renamed.renaming._replace(old=old.removesuffix(suffix), new=new.removesuffix(suffix) or new)
        for start in islice(whole_words(document.syntax, names.old), MAX_OCCURRENCES):
            if any(node.type == "attribute" for node in path_to(document.syntax, start)[0][-2:-1]):
                short = renamed._replace(renaming=names)
                yield from rename_candidate(moment, document, document, short, kind, start, shorthand="", note=note)


def _unbound_members(renamed: RenamedBinding, original: Renaming) -> frozenset[int]:
    """Offsets in the current text where the old name of a member stands behind an object of unknown class."""
    resolver, binding = renamed.resolver, renamed.binding
    if resolver.scopes.kind(binding.scope) is not ScopeKind.CLASS or binding.namespace is Namespace.PRIVATE:
        return frozenset()
    return frozenset(
        _current_offset(name.start, renamed.renaming, original)
        for name in resolver.names(renamed.renaming.old)
        if _is_unbound_member(resolver, name)
    )


def _structural_members(
    document: Document, renamed: RenamedBinding, original: Renaming, references: list[NameAt]
) -> frozenset[int]:
    """Offsets in the current text of methods that implement the renamed method, or that it implements, without a word.

    Both have the old name, and an interface holds either of them.
    """
    resolver, interfaces = renamed.resolver, renamed.resolver.table.classes.structural_interfaces
    if not interfaces or resolver.scopes.kind(renamed.binding.scope) is not ScopeKind.CLASS:
        return frozenset()
    methods = [name for name in resolver.names(renamed.renaming.old) if name.occurrence.kind == "function"]
    offsets = {name.start: _current_offset(name.start, renamed.renaming, original) for name in methods}
    interface_members = {
        start
        for start, offset in offsets.items()
        if any(node.type in interfaces for node in path_to(document.syntax, offset)[0])
    }
    followed = {name.start for name in references}
    are_interface = {name.start in interface_members for name in methods if name.start in followed}
    return frozenset(
        offsets[name.start]
        for name in methods
        if name.start not in followed and (name.start in interface_members) not in are_interface
    )


def _is_unbound_member(resolver: Resolver, name: NameAt | None) -> bool:
    """Whether a name is a member of an object of unknown class."""
    return name is not None and name.occurrence.action is Action.ATTRIBUTE and resolver.binding(name) is None


def _count_resolved(renamed: RenamedBinding, original: Renaming) -> int:
    """How many replaced occurrences have a declaration; members of unknown objects and words in strings have none."""
    resolver, old = renamed.resolver, renamed.renaming.old
    names = (resolver.name_at(change.start, old) for change in original.changes)
    return sum(name is not None and resolver.binding(name) is not None for name in names)


def _offsets_in_text(document: Document, renamed: RenamedBinding, original: Renaming) -> frozenset[int]:
    """Offsets of the old name in comments or strings, if it was replaced in at least two of them.

    A parameter's own documentation says nothing of that of others, nor do types in quotes of other strings.
    """
    syntax, renaming, own_lines, resolver = document.syntax, renamed.renaming, range(0), renamed.resolver
    if resolver.kind(renamed.binding) == "parameter":
        own_lines = documentation_lines(syntax, declared_at(renamed, original))
    changes = [
        change
        for change, before in zip(renaming.changes, original.changes, strict=True)
        if syntax.buffer.line_at(change.start) not in own_lines and resolver.name_at(before.start, before.old) is None
    ]
    regions = [syntax.region_at(change.start + 1) for change in changes]
    regions = [region for region in regions if region is not Region.CODE]
    if len(regions) < 2:
        return frozenset()
    offsets = islice(syntax.occurrences(renaming.old.encode()), MAX_OCCURRENCES)
    return frozenset(offset for offset in offsets if syntax.region_at(offset + 1) in regions)


def _is_inner(resolver: Resolver, binding: Binding) -> bool:
    """Whether a binding is local to a function."""
    kinds = {resolver.scopes.kind(ref) for ref in resolver.scopes.around(binding.scope)}
    return not kinds.isdisjoint({ScopeKind.FUNCTION, ScopeKind.COMPREHENSION, ScopeKind.BLOCK})


def declared_at(renamed: RenamedBinding, original: Renaming) -> int:
    """The offset in the current text of the first declaration."""
    declaration = renamed.resolver.declarations(renamed.binding)[0]
    return _current_offset(declaration.start, renamed.renaming, original)


def _current_offset(offset: int, renaming: Renaming, original: Renaming) -> int:
    """The offset in the current text of an offset in the reverted text."""
    count = sum(change.start < offset for change in original.changes)
    return offset + count * (len(renaming.new.encode()) - len(renaming.old.encode()))
