"""Consequences of a name that was replaced by hand: all other places of what it named take the new name.

The replaced places are taken back in a version of their own; there the old name is resolved, and its references but for
those places are the candidates. So it does not matter whether the declaration or a use was renamed first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.suggest.next_edit.consequences.name_changes import Renaming, moved_places, renamings, typed_name
from editahead.suggest.next_edit.consequences.renames.export_list import exported_strings
from editahead.suggest.next_edit.consequences.renames.left_by_hand import format_note, lines_by_hand
from editahead.suggest.next_edit.consequences.renames.mention import mentions
from editahead.suggest.next_edit.consequences.renames.places_elsewhere import places_elsewhere
from editahead.suggest.next_edit.consequences.renames.rename_edits import (
    SOURCE,
    group_of,
    kind_of,
    rename_candidate,
    shorthand_of,
)
from editahead.suggest.next_edit.consequences.renames.rename_verdict import (
    Renamed,
    binds_anew,
    refused,
    same_overload,
    site_of,
)
from editahead.suggest.next_edit.consequences.renames.renamed_uses import (
    is_seen_elsewhere,
    packages_handing_on,
)
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import is_exported
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome, Refusal
from editahead.suggest.next_edit.resolved_renamings import ResolvedRenaming
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeKind
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.edits import ByteEdit, united

MAX_RENAMINGS = 4
"""The latest renamings that are looked at."""
MAX_STANDING = 600
"""How often a name may stand in a file: the functions that hold it are read one by one."""
_TOO_OFTEN = f"stands in more than {MAX_STANDING} places"
_TYPING = "the name is still being typed"


def rename(moment: Moment) -> Outcome:
    """The places that a renaming by hand leaves, those of the latest renaming first. Raises what the check raises."""
    outcome = Outcome.empty()
    with interruptible(moment.check):
        for home in (moment.document, *moment.document.others):
            for renaming in renamings(home.history, home.syntax.buffer.data)[:MAX_RENAMINGS]:
                moment.check()
                _follow(moment, home, renaming, outcome)
    seen: set[tuple[str, int]] = set()  # an import that was renamed as a consequence has consequences of its own
    for candidate in list(outcome.candidates):
        place = (candidate.document.uri, candidate.edit.start)
        if place in seen:
            outcome.candidates.remove(candidate)
        seen.add(place)
    return outcome


def _follow(moment: Moment, home: Document, renaming: Renaming, outcome: Outcome) -> None:
    settled, unknown = list[bool](), frozenset[int]()
    for renamed, then in renamed_names(moment, home, renaming, outcome):
        names, binding, places = renamed.names, renamed.binding, renamed.done
        if len(places) == _declared(renamed, then):
            settled.append(names.kind(binding) != "import")  # what is imported may be imported by other files
            unknown |= _in_texts(home, renaming)
            if any(_is_unbound_member(names, names.name_at(place.start, renaming.old)) for place in then.places):
                unknown |= _unbound_members(renamed, then)
        outcome.candidates.extend(_candidates(moment, home, renamed, then))
        grown = len(renaming.new.encode()) - len(renaming.old.encode())
        placed = tuple((place.start, grown) for place in then.places)
        outcome.candidates.extend(mentions(moment, home, renamed, group_of(home.uri, renamed), placed))
        if is_seen_elsewhere(names, binding) and (is_exported(binding) or site_of(renamed) == "declaration"):
            files = (moment.document, *moment.document.others)
            for uri in (home.uri, *packages_handing_on(moment, home.uri, renamed, files, None)):
                outcome.candidates.extend(places_elsewhere(moment, home, renamed, files, "other-file", uri=uri).edits)
    if settled and (home is moment.document or all(settled)):
        here = unknown if home is moment.document else frozenset()
        outcome.resolved.append(ResolvedRenaming(renaming.old, renaming.new, all(settled), here))


def renamed_names(
    moment: Moment, home: Document, renaming: Renaming, outcome: Outcome
) -> Iterator[tuple[Renamed, Renaming]]:
    """What a replaced name renames, with its places in the text before; what is refused goes to the outcome."""
    change, table = f"{renaming.old} -> {renaming.new}", home.syntax.language.scopes
    if table is None or (renaming.old in table.keywords and not table.classes.members_need_receiver):
        return  # where members stand behind a receiver, they may bear the names of keywords
    if home is moment.document and _is_typed(moment, renaming):
        outcome.refusals.append(Refusal(SOURCE, change, _TYPING))
        return
    if _stands_too_often(home, renaming.new):
        outcome.refusals.append(Refusal(SOURCE, change, f"`{renaming.new}` {_TOO_OFTEN}"))
        return
    before, then = taken_back(home.syntax, renaming), moved_places(renaming)
    near = tuple(place.start for place in then.places)
    new = renaming.new.encode()
    names = moment.resolver(home.uri, before, Parts(frozenset({new}), near))
    assert names is not None
    done = _bindings(names, renaming.old, near)
    inner = (_is_inner(names, binding) and names.kind(binding) != "parameter" for binding in done)
    if not done or not all(inner):  # then it may be used anywhere in the file
        if _stands_too_often(home, renaming.old):
            outcome.refusals.append(Refusal(SOURCE, change, f"`{renaming.old}` {_TOO_OFTEN}"))
            return
        names = moment.resolver(home.uri, before, Parts(frozenset({renaming.old.encode(), new}), near))
        assert names is not None
        done = _bindings(names, renaming.old, near)
    if sum(map(len, done.values())) < len(near):
        outcome.refusals.append(Refusal(SOURCE, change, f"no declaration of `{renaming.old}` is known"))
    together = [Renamed(names, binding, renaming, places) for binding, places in _with_members(names, done, renaming)]
    reasons = [refused(renamed) for renamed in together]
    linked = next(filter(None, reasons), None) if len(together) > len(done) else None
    for renamed, why in zip(together, reasons, strict=True):
        if why or linked:
            outcome.refusals.append(Refusal(SOURCE, change, why or linked or ""))
        else:
            yield renamed, then


def _stands_too_often(home: Document, name: str) -> bool:
    """Whether a name, or a longer one that holds it, stands in too many places of a file."""
    return home.syntax.count(name.encode()) > MAX_STANDING


def _bindings(names: Resolver, old: str, starts: tuple[int, ...]) -> dict[Binding, list[NameAt]]:
    """What the old name means at some bytes, with the occurrences there."""
    found: dict[Binding, list[NameAt]] = {}
    for start in starts:
        at = names.name_at(start, old)
        binding = names.binding(at) if at is not None else None
        if at is not None and binding is not None:
            found.setdefault(binding, []).append(at)
    return found


def _with_members(
    names: Resolver, done: dict[Binding, list[NameAt]], renaming: Renaming
) -> Iterator[tuple[Binding, list[NameAt]]]:
    """The same, with what else an occurrence of one of them declares or names: a parameter may be a field as well."""
    found, table = dict(done), names.table
    if table.classes.parameter_fields or table.classes.accessors or table.classes.embedded:
        uses, at = names.meanings(renaming.old), dict[int, dict[Binding, bool]]()
        for binding, rows in uses.items():
            for use in rows:
                if not use.occurrence.shorthand:  # a key and a name that stand at one place may part
                    at.setdefault(use.start, {})[binding] = use.occurrence.action is Action.BIND
        row = list(found)
        while row:
            binding = row.pop()
            for use in same_overload(Renamed(names, binding, renaming, found[binding]), uses.get(binding, [])):
                also = at.get(use.start, {})
                for other in also if any(also.values()) else ():
                    if other not in found:
                        found[other] = found[binding]
                        row.append(other)
    yield from found.items()


def taken_back(syntax: SyntaxSnapshot, renaming: Renaming) -> SyntaxSnapshot:
    """The version in which the renamed places hold the old name again."""
    buffer, old = syntax.buffer, renaming.old.encode()
    edits = [ByteEdit(place.start, place.end, old) for place in reversed(renaming.places)]
    return syntax.advance(buffer.apply(united(buffer.data, edits)), edits)


def _is_typed(moment: Moment, renaming: Renaming) -> bool:
    """Whether the user may still be typing the name: it stands at one place only, where the cursor is."""
    document = moment.document
    typed = None if document.idle else typed_name(document.history, document.syntax.buffer.data, moment.byte)
    return len(renaming.places) == 1 and typed == (renaming.old, renaming.new)


def _candidates(moment: Moment, home: Document, renamed: Renamed, then: Renaming) -> Iterator[Consequence]:
    """An edit for each place that still holds the old name, in reading order from the line of the cursor on."""
    names, done = renamed.names, {one.start for one in renamed.done}
    left = [one for one in same_overload(renamed, names.references(renamed.binding)) if one.start not in done]
    kind = kind_of(renamed)
    if site_of(renamed) != "use" and any(binds_anew(renamed, one) for one in left):
        kind += "/bound-again"
    buffer = home.syntax.buffer
    byte = min(moment.byte, len(buffer.data)) if home is moment.document else 0
    here = buffer.line_span(buffer.line_at(byte))[0]
    at = [(_now(one.start, renamed.renaming, then), one) for one in left]
    places = [(start, shorthand_of(renamed, one, buffer.data, start)) for start, one in at]
    if is_exported(renamed.binding):
        places += [(start, "") for start in exported_strings(home.syntax, renamed.renaming.old)]
    note = format_note(len(done) + len(places), lines_by_hand(home, renamed, _unbound_members(renamed, then)))
    for start, shorthand in sorted(places, key=lambda place: (place[0] < here, place[0])):
        yield from rename_candidate(moment, home, home, renamed, kind, start, shorthand=shorthand, note=note)


def _unbound_members(renamed: Renamed, then: Renaming) -> frozenset[int]:
    """Where the old name of a member of a class is an attribute of something unknown, as bytes of the current text."""
    names, binding = renamed.names, renamed.binding
    if names.scopes.kind(binding.scope) is not ScopeKind.CLASS or binding.namespace is Namespace.PRIVATE:
        return frozenset()
    return frozenset(
        _now(at.start, renamed.renaming, then)
        for at in names.names(renamed.renaming.old)
        if _is_unbound_member(names, at)
    )


def _is_unbound_member(names: Resolver, at: NameAt | None) -> bool:
    """Whether a name stands behind an object of which nobody knows the class."""
    return at is not None and at.occurrence.action is Action.ATTRIBUTE and names.binding(at) is None


def _declared(renamed: Renamed, then: Renaming) -> int:
    """How many of the renamed places have a declaration; members of unknown objects and words in texts have none."""
    names, old = renamed.names, renamed.renaming.old
    known = (names.name_at(place.start, old) for place in then.places)
    return sum(at is not None and names.binding(at) is not None for at in known)


def _in_texts(home: Document, renaming: Renaming) -> frozenset[int]:
    """Where the old name stands in comments or strings, if it was replaced in two: one may be a mention alone."""
    syntax = home.syntax
    regions = [syntax.region_at(place.start + 1) for place in renaming.places]
    regions = [region for region in regions if region is not Region.CODE]
    if len(regions) < 2:
        return frozenset()
    at = islice(syntax.occurrences(renaming.old.encode()), MAX_STANDING)
    return frozenset(start for start in at if syntax.region_at(start + 1) in regions)


def _is_inner(names: Resolver, binding: Binding) -> bool:
    """Whether a function declares a binding for itself."""
    kinds = {names.scopes.kind(ref) for ref in names.scopes.around(binding.scope)}
    return not kinds.isdisjoint({ScopeKind.FUNCTION, ScopeKind.COMPREHENSION, ScopeKind.BLOCK})


def _now(start: int, renaming: Renaming, then: Renaming) -> int:
    """Where a byte of the version with the old names stands in the current text."""
    passed = sum(place.start < start for place in then.places)
    return start + passed * (len(renaming.new.encode()) - len(renaming.old.encode()))
