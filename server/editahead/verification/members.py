"""Whether the class of an object has the member that an edit writes behind it."""

from __future__ import annotations

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.scope_table import Action
from editahead.verification.proposal import PositionMap, whole_words


def unknown_member(before: Resolver, after: Resolver, positions: PositionMap) -> str:
    """Whether an edit replaces a member of an object by a name that its class lacks, with its declaration kept.

    The file may use the name so already: then the user is about to declare it.
    """
    data = before.scopes.facts.data
    for edit, (start, end) in zip(positions.edits, positions.inserted, strict=True):
        low, high = whole_words(data, edit)
        old = data[low:high].decode("utf-8", "replace")
        was = before.name_at(low, old)
        if was is None or was.end != high or was.occurrence.action is not Action.ATTRIBUTE:
            continue
        first, last = start - (edit.start - low), end + high - edit.old_end
        new = after.scopes.facts.data[first:last].decode("utf-8", "replace")
        use, meant = after.name_at(first, new), before.binding(was)
        if use is None or use.end != last or use.occurrence.action is not Action.ATTRIBUTE or meant is None:
            continue
        is_kept = any(positions.after(row.start, row.end) is not None for row in before.declarations(meant))
        now, owner = after.binding(use), _known_owner(after, use)
        if not is_kept or owner is None or (now is not None and after.declarations(now)):
            continue
        if not any(_known_owner(after, row) == owner for row in after.names(new) if row.start != use.start):
            return f"nothing declares `{new}` in the class of the object"
    return ""


def _known_owner(names: Resolver, use: NameAt) -> ScopeRef | None:
    """The class of the object before a member; None where other files may declare members of it."""
    if use.occurrence.action is not Action.ATTRIBUTE:
        return None
    owner = names.members.owner_of(use.occurrence, use.unit, names.scopes.placed(use.unit, use.occurrence.scope))
    return owner if owner is not None and not names.classes.has_unknown_base(owner) else None
