"""Whether each name that an edit keeps still refers to the declaration that it referred to before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.syntax.scope_table import Action, ScopeKind
from editahead.text.edits import ByteEdit
from editahead.text.words import SCRIPT_IDENTIFIER, WORD_BYTES
from editahead.verification.positions import PositionMap, whole_words

MAX_NAMES = 240
"""Names of a file that are resolved again; an edit that touches more is refused."""
MAX_OCCURRENCES = 2_000
"""Occurrences of a name that are compared; an edit that concerns more is refused."""
_WORD = re.compile(rb"(?<![$" + WORD_BYTES + rb"])" + SCRIPT_IDENTIFIER)
_SAME_ASSIGNMENT = re.compile(rb"[^=\n]*[^=:\n]=[^=\n][^\n]*")
"""What stands between a target and a part of its value."""
_DECLARE_ONCE = frozenset({"java", "c_sharp"})
"""Languages in which a scope declares a variable once."""
_DECLARE_ALL = frozenset({"python"})
"""Languages in which a file declares or imports every bare name that it uses, builtins aside."""


def touched_names(data: bytes, edits: Sequence[ByteEdit]) -> list[str] | None:
    """The names whose meaning edits may change: those in the changed lines; None where they are too many to verify.

    What the edits remove and insert comes first, and alone decides whether they are too many.
    """
    names: dict[bytes, None] = {}
    for edit in edits:
        names.update(dict.fromkeys(_WORD.findall(data, *whole_words(data, edit))))
        names.update(dict.fromkeys(_WORD.findall(edit.new)))
        if len(names) > MAX_NAMES:
            return None
    for edit in edits:
        low = data.rfind(b"\n", 0, edit.start) + 1
        high = data.find(b"\n", edit.old_end)
        names.update(dict.fromkeys(_WORD.findall(data, low, high if high >= 0 else len(data))))
        if len(names) > MAX_NAMES:
            break
    return [name.decode("utf-8", "replace") for name in list(names)[:MAX_NAMES]]


def binding_conflict(
    before: Resolver, after: Resolver, positions: PositionMap, names: Sequence[str], language_id: str
) -> str:
    """What a name would lose, or confuse with another, in words; empty where each name keeps its meaning."""
    for name in names:
        if name in before.table.keywords:
            continue
        detail = _changed_meaning(before, after, positions, name) or _unknown_name(
            before, after, positions, name, language_id
        )
        if detail:
            return detail
    return _split_change(before, after, positions, language_id)


def _changed_meaning(before: Resolver, after: Resolver, positions: PositionMap, name: str) -> str:
    """What becomes of an occurrence that the edits keep."""
    standing, following = _concerned(before, after, positions, name)
    if len(standing) > MAX_OCCURRENCES:
        return f"too many `{name}` to be verified"
    later: dict[int, list[NameAt]] = {}
    for use in following:
        later.setdefault(use.start, []).append(use)
    for use in standing:
        start = positions.after(use.start, use.end)
        if start is None:
            continue
        meant = before.binding(use)
        if meant is None and name not in before.table.builtins:
            continue
        rows = later.get(start, [])
        same = [row for row in rows if row.occurrence.action is use.occurrence.action] or rows
        now = next((binding for row in same if (binding := after.binding(row)) is not None), None)
        if meant is None:
            if now is not None and use.occurrence.action is Action.USE:
                return f"another `{name}` would hide that of the language"
        elif not rows:
            continue  # it is part of another token now, or of broken text: what the syntax tells
        elif now is None:
            return f"`{name}` would no longer be declared"
        elif not _is_same(before, meant, after, now, positions):
            return f"`{name}` would refer to another declaration"
        elif _has_lost_value(before, use, meant, after, now, positions):
            return f"`{name}` would have another value"
    return ""


def _concerned(
    before: Resolver, after: Resolver, positions: PositionMap, name: str
) -> tuple[list[NameAt], list[NameAt]]:
    """Occurrences, before and after, whose meaning may change: of the edited units, or all if an edit declares."""
    standing = _in_units(before, positions.removed, name)
    following = _in_units(after, positions.inserted, name)
    declares = any(
        use.occurrence.action is not Action.USE and positions.is_removed(use.start, use.end) for use in standing
    ) or any(use.occurrence.action is not Action.USE and positions.is_inserted(use.start, use.end) for use in following)
    return (before.names(name), after.names(name)) if declares else (standing, following)


def _in_units(names: Resolver, spans: Sequence[tuple[int, int]], name: str) -> list[NameAt]:
    """The occurrences of a name in the units that hold some bytes."""
    scopes = names.scopes
    numbers = {number for low, high in spans for number in range(scopes.unit_at(low), scopes.unit_at(high) + 1)}
    return [use for number in sorted(numbers) if number >= 0 for use in scopes.in_unit(number, name)]


def _is_same(before: Resolver, meant: Binding, after: Resolver, now: Binding, positions: PositionMap) -> bool:
    declared = before.declarations(meant)
    kept = {start for use in declared if (start := positions.after(use.start, use.end)) is not None}
    later = after.declarations(now)
    if kept or not declared:
        return not declared or any(use.start in kept for use in later) or not later
    return all(positions.is_inserted(use.start, use.end) for use in later)


def _has_lost_value(
    before: Resolver, use: NameAt, meant: Binding, after: Resolver, now: Binding, positions: PositionMap
) -> bool:
    """Whether the edits take away the declaration that stands next before a use, of several."""
    if use.occurrence.action is not Action.USE:
        return False
    data = before.scopes.facts.data
    declared = [
        row
        for row in before.declarations(meant)
        if row.start < use.start
        and row.occurrence.kind != "import"
        and _SAME_ASSIGNMENT.fullmatch(data, row.end, use.start) is None
    ]
    if len(before.declarations(meant)) < 2 or not declared:
        return False
    last = max(declared, key=lambda row: row.start)
    if positions.after(last.start, last.end) is not None:
        return False
    return not any(positions.is_inserted(row.start, row.end) for row in after.declarations(now))


def _unknown_name(before: Resolver, after: Resolver, positions: PositionMap, name: str, language_id: str) -> str:
    """Whether the edits use a name that nothing declares there, and that the file did not use so before."""
    if name in after.table.builtins:
        return ""
    kept = {positions.after(use.start, use.end) for use in _in_units(before, positions.removed, name)}
    for use in _in_units(after, positions.inserted, name):
        number = positions.insertion_at(use.start, use.end)
        if use.occurrence.action is not Action.USE or (number < 0 and use.start in kept):
            continue
        if number < 0 and _is_unknown(after, use) and positions.is_near(use.start, use.end):
            return f"`{name}` would become a name that nothing declares"
        if number < 0:
            continue
        if _is_declared_later(after, use):
            return f"`{name}` is declared further down"
        if not _is_unknown(after, use) or after.scopes.has_wildcard_import():
            continue
        if _is_unknown_replaced(before, positions.edits[number]):
            continue
        standing = before.names(name)
        bound = any(row.occurrence.action is Action.BIND for row in standing)
        if bound or (language_id in _DECLARE_ALL and not any(_is_unknown(before, row) for row in standing)):
            return f"`{name}` is not declared there"
    return ""


def _is_declared_later(names: Resolver, use: NameAt) -> bool:
    """Whether a variable is used before the scope that it belongs to gives it its first value: `x = x + 1`."""
    binding = names.binding(use)
    if binding is None or names.scopes.placed(use.unit, use.occurrence.scope) != binding.scope:
        return False
    if names.scopes.kind(binding.scope) is ScopeKind.COMPREHENSION:
        return False
    data, declared = names.scopes.facts.data, names.declarations(binding)
    return bool(declared) and all(
        row.occurrence.kind == "variable"
        and (row.start > use.start or _SAME_ASSIGNMENT.fullmatch(data, row.end, use.start) is not None)
        for row in declared
    )


def _is_unknown_replaced(before: Resolver, edit: ByteEdit) -> bool:
    """Whether an edit takes a bare name away that the file does not declare."""
    data = before.scopes.facts.data
    words = {word.decode("utf-8", "replace") for word in _WORD.findall(data, *whole_words(data, edit))}
    return any(
        _is_unknown(before, use)
        for word in words
        for use in before.names(word)
        if use.start < edit.old_end and edit.start < use.end
    )


def _is_unknown(names: Resolver, use: NameAt) -> bool:
    """Whether a bare name is used that the file does not declare."""
    return use.occurrence.action is Action.USE and names.binding(use) is None


def _split_change(before: Resolver, after: Resolver, positions: PositionMap, language_id: str) -> str:
    """Whether uses of a name that means nothing any more would get a new name with several meanings."""
    meanings: dict[tuple[str, str], Binding] = {}
    for old, new, use in _renamed(before, after, positions):
        binding = after.binding(use)
        if binding is None:
            continue
        if meanings.setdefault((old, new), binding) != binding:
            return f"`{new}` would refer to different declarations"
        rows = after.scopes.bound_in(binding.scope, binding.namespace, new)
        kinds = [row.occurrence.kind for row in rows]
        if language_id in _DECLARE_ONCE and sum(kind in ("variable", "parameter") for kind in kinds) > 1:
            return f"`{new}` is declared twice"
    return ""


def _renamed(before: Resolver, after: Resolver, positions: PositionMap) -> Iterator[tuple[str, str, NameAt]]:
    """Bare names without a meaning that edits replace by another name, with the new occurrence."""
    for edit, (start, end) in zip(positions.edits, positions.inserted, strict=True):
        if not _WORD.fullmatch(edit.new):
            continue
        new = edit.new.decode("utf-8", "replace")
        use = after.name_at(start, new)
        low, high = edit.start, edit.old_end
        old = before.scopes.facts.data[low:high]
        if use is None or use.end != end or use.occurrence.action is not Action.USE or not _WORD.fullmatch(old):
            continue
        was = before.name_at(low, old.decode("utf-8", "replace"))
        if was is not None and before.binding(was) is None:
            yield old.decode("utf-8", "replace"), new, use
