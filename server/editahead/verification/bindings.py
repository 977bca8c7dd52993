"""Whether each name that an edit keeps still refers to the declaration that it referred to before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.scope_table import Action, ScopeKind
from editahead.text.edits import ByteEdit
from editahead.text.memo import cache_texts
from editahead.text.words import WORD_BYTES
from editahead.verification.members import unknown_member
from editahead.verification.proposal import PositionMap, whole_words
from editahead.verification.touched_names import WORD, UnaffectedNames, is_augmented, is_declaration

MAX_OCCURRENCES = 2_000  # occurrences of a name that are compared; an edit that concerns more is refused
_SAME_ASSIGNMENT = re.compile(rb"[^=\n]*[^=:\n]=[^=\n][^\n]*")  # what stands between a target and a part of its value
_RECEIVER = re.compile(rb"(?<![" + WORD_BYTES + rb"])[" + WORD_BYTES + rb"]+(?:\??\.|->|::)\Z")
_MACRO_TEST = re.compile(rb"[ \t]*#[ \t]*(?:ifn?def|if|elif)\b")
_LAZY_TYPES = re.compile(rb"^from __future__ import .*\bannotations\b", re.MULTILINE)
"""The statement that keeps Python from evaluating type hints."""
_HINT = re.compile(rb"(?:->|\w *:)[\w\[\], .|]*\Z")
"""What stands before a name in a type hint, from the name of the variable or the end of the parameters on."""
_DECLARE_ONCE = frozenset({"java", "c_sharp"})  # languages in which a scope declares a variable once
_BODY_SHARES_PARAMETERS = frozenset({"java", "c_sharp", "javascript", "typescript", "tsx", "go", "c", "cpp"})
"""Languages in which the block of a function cannot declare the name of a parameter again."""
_DECLARE_ALL = frozenset({"python"})
"""Languages in which a file declares or imports every bare name that it uses, builtins aside."""


def binding_conflict(
    before: Resolver, after: Resolver, positions: PositionMap, names: Sequence[str], language_id: str
) -> str:
    """What a name would lose, or confuse with another, in words; empty where each name keeps its meaning."""
    unaffected = UnaffectedNames(before, after, positions)
    for name in names:
        if unaffected.is_unaffected(name):
            continue
        detail = _changed_meaning(before, after, positions, name) or _unknown_name(
            before, after, positions, name, language_id
        )
        if not detail and language_id in _BODY_SHARES_PARAMETERS:
            detail = _redeclared_parameter(after, positions, name)
        if detail:
            return detail
    return unknown_member(before, after, positions) or _split_change(before, after, positions, language_id)


def _changed_meaning(before: Resolver, after: Resolver, positions: PositionMap, name: str) -> str:
    """What becomes of an occurrence that the edits keep."""
    standing = _concerned(before, after, positions, name)
    if len(standing) > MAX_OCCURRENCES:
        return f"too many `{name}` to be verified"
    later: dict[int, dict[int, list[NameAt]]] = {}  # by unit and byte
    for use in standing:
        start = positions.after(use.start, use.end)
        if start is None:
            continue
        meant = before.binding(use)
        if meant is None and name not in before.table.builtins:
            continue
        number = after.scopes.unit_at(start)
        if number not in later:
            later[number] = _by_start(after.scopes.in_unit(number, name))
        rows = later[number].get(start, [])
        same = [row for row in rows if row.occurrence.action is use.occurrence.action] or rows
        now = next((binding for row in same if (binding := after.binding(row)) is not None), None)
        if meant is None:
            if now is not None and use.occurrence.action is Action.USE:
                return f"another `{name}` would hide that of the language"
        elif not rows:
            continue  # it is part of another token now, or of broken text: what the syntax tells
        elif now is None:
            if not _is_used_member(before, after, positions, start, use.end - use.start):
                return f"`{name}` would no longer be declared"
        elif not _is_same(before, meant, after, now, positions):
            return f"`{name}` would refer to another declaration"
        elif _is_declared_later(after, same[0]) and not _is_declared_later(before, use):
            return f"`{name}` would be declared further down"
        elif _has_lost_value(before, use, meant, after, now, positions):
            return f"`{name}` would have another value"
    return ""


def _is_used_member(before: Resolver, after: Resolver, positions: PositionMap, start: int, size: int) -> bool:
    """Whether an edit puts an object before a bare name, of which the file uses the same member already."""
    data, low = after.scopes.facts.data, next((low for low, high in positions.inserted if high == start), start)
    receiver = _RECEIVER.search(data[low:start])
    if receiver is None:
        return False
    return _has_member(before.scopes.facts.data, receiver[0] + data[start : start + size])


@cache_texts(16)
def _has_member(data: bytes, member: bytes) -> bool:
    """Whether a text has a receiver with a member, such as `a.b`."""
    return re.search(rb"\b" + re.escape(member) + rb"\b", data) is not None


def _by_start(rows: Sequence[NameAt]) -> dict[int, list[NameAt]]:
    by_start: dict[int, list[NameAt]] = {}
    for row in rows:
        by_start.setdefault(row.start, []).append(row)
    return by_start


def _concerned(before: Resolver, after: Resolver, positions: PositionMap, name: str) -> list[NameAt]:
    """Occurrences whose meaning may change: those of the edited units; where an edit declares something, others too."""
    standing = before.scopes.in_spans(positions.removed, name)
    following = after.scopes.in_spans(positions.inserted, name)
    gone = [use for use in standing if is_declaration(use) and positions.is_removed(use.start, use.end)]
    come = [use for use in following if is_declaration(use) and positions.is_inserted(use.start, use.end)]
    if not gone and not come:
        return standing
    lost = {_scope_of(before, use) for use in gone if not _is_local(before, use)}
    new = {_scope_of(after, use) for use in come if not _is_local(after, use)}
    if lost or new:
        everywhere = before.names(name)
        is_module = any(before.scopes.kind(scope) is not ScopeKind.CLASS for scope in lost) or any(
            after.scopes.kind(scope) is not ScopeKind.CLASS for scope in new
        )
        has_other_numbers = after.scopes.facts.parts is not before.scopes.facts.parts
        too_many = len(everywhere) > MAX_OCCURRENCES or name in before.table.builtins
        if is_module or has_other_numbers or too_many or before.table.modules:
            return everywhere
        inside = {
            scope for scope in new if scope[0] >= 0
        }  # nothing outside of its unit can mean a new literal's member
        units = frozenset(before.scopes.units_of(positions.removed))
        return _of_members(before, name, frozenset(lost | (new - inside)), units)
    if any(use.occurrence.kind == "parameter" for use in (*gone, *come)):
        return _joined(standing, before.scopes.keywords(name))
    return standing


def _scope_of(names: Resolver, use: NameAt) -> ScopeRef:
    """The scope that an occurrence declares something in; the module where nothing tells."""
    binding = names.binding(use)
    return binding.scope if binding is not None else MODULE_SCOPE


def _of_members(names: Resolver, name: str, classes: frozenset[ScopeRef], units: frozenset[int]) -> list[NameAt]:
    """The occurrences of a name that the members of some classes can concern, and those in some units."""
    rows: list[NameAt] = []
    for binding, uses in names.meanings(name).items():
        is_class = names.scopes.kind(binding.scope) is ScopeKind.CLASS
        if binding.scope in classes or (is_class and _has_base(names, binding.scope, classes)):
            rows += uses
        else:
            rows += [use for use in uses if use.unit in units or _is_inside(names, use, classes)]
    return rows


def _has_base(names: Resolver, scope: ScopeRef, classes: frozenset[ScopeRef]) -> bool:
    return any(names.classes.inherits(scope, owner) for owner in classes)


def _is_inside(names: Resolver, use: NameAt, classes: frozenset[ScopeRef]) -> bool:
    """Whether an occurrence may name a member of some classes without an object: inside of them, or in a call."""
    if use.occurrence.action in (Action.ATTRIBUTE, Action.KEYWORD):
        return use.occurrence.action is Action.KEYWORD
    around = (ref for ref in names.scopes.around(names.scopes.placed(use.unit, use.occurrence.scope)) if ref[0] < 0)
    inner = [ref for ref in around if names.scopes.kind(ref) is ScopeKind.CLASS]
    return any(ref in classes or _has_base(names, ref, classes) for ref in inner)


def _joined(rows: list[NameAt], others: list[NameAt]) -> list[NameAt]:
    units = {row.unit for row in rows}
    return [*rows, *(row for row in others if row.unit not in units)]


def _is_local(names: Resolver, use: NameAt) -> bool:
    """Whether an occurrence declares what nothing outside of its unit can name, arguments of calls aside."""
    if use.occurrence.action is not Action.BIND:
        return False
    binding = names.binding(use)
    if binding is None or binding.scope[0] < 0 or names.modules.is_module(binding.scope):
        return False
    return names.scopes.kind(binding.scope) is not ScopeKind.CLASS


def _is_same(before: Resolver, meant: Binding, after: Resolver, now: Binding, positions: PositionMap) -> bool:
    if meant.at < 0 and now.at < 0:  # of a member, to look for its assignments may read the whole file
        bound = before.scopes.bound_in(meant.scope, meant.namespace, meant.name)
        starts = {positions.after(use.start, use.end) for use in bound}
        if any(use.start in starts for use in after.scopes.bound_in(now.scope, now.namespace, now.name)):
            return True
    declared = before.declarations(meant)
    kept = {start for use in declared if (start := positions.after(use.start, use.end)) is not None}
    later = after.declarations(now)
    if kept or not declared:
        if not declared or not later or any(use.start in kept for use in later):
            return True
        # a base class is declared again: use and declaration mean its member together
        rows = (after.name_at(start, now.name) for start in kept)
        return any(row is not None and after.binding(row) == now for row in rows)
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
    kept = {positions.after(use.start, use.end) for use in before.scopes.in_spans(positions.removed, name)}
    for use in after.scopes.in_spans(positions.inserted, name):
        number = positions.insertion_at(use.start, use.end)
        if number >= 0 and _is_only_augmented(after, use):
            return f"`{name}` has no value there"
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
        if _is_unknown_there(before, positions.removed[number], name):
            continue
        if before.scopes.is_bound(name):
            return f"`{name}` is not declared there"
        if _is_unknown_replaced(before, positions.edits[number]):
            continue
        edit = positions.edits[number]
        if not before.names(name) and _is_bound_replaced(before, edit):
            return f"nothing declares `{name}`"
        if language_id in _DECLARE_ALL and not any(_is_unknown(before, row) for row in before.names(name)):
            return f"`{name}` is not declared there"
    return ""


def _redeclared_parameter(after: Resolver, positions: PositionMap, name: str) -> str:
    """Whether the edits give a function a parameter that the block of its body declares again."""
    standing = after.scopes.in_spans(positions.inserted, name)
    for use in standing:
        if use.occurrence.kind != "parameter" or not positions.is_inserted(use.start, use.end):
            continue
        function = after.scopes.placed(use.unit, use.occurrence.scope)
        for other in standing:
            block = after.scopes.placed(other.unit, other.occurrence.scope)
            is_body = after.scopes.kind(block) is ScopeKind.BLOCK and after.scopes.parent(block) == function
            if is_body and other.occurrence.action is Action.BIND and other.occurrence.kind == "variable":
                return f"`{name}` would be declared twice"
    return ""


def _is_only_augmented(names: Resolver, use: NameAt) -> bool:
    """Whether a variable is changed that nothing gives a value: `x += 1` alone."""
    if use.occurrence.action is not Action.BIND or not is_augmented(names, use):
        return False
    binding = names.binding(use)
    return binding is not None and all(is_augmented(names, row) for row in names.declarations(binding))


def _is_declared_later(names: Resolver, use: NameAt) -> bool:
    """Whether code that runs where it stands uses a name that gets its first value further down: `x = x + 1`."""
    binding = names.binding(use) if use.occurrence.action is Action.USE else None
    if binding is None or not _is_run_in(names, use, binding.scope):
        return False
    data, declared = names.scopes.facts.data, names.declarations(binding)
    is_later = bool(declared) and all(
        row.start > use.start or _SAME_ASSIGNMENT.fullmatch(data, row.end, use.start) is not None for row in declared
    )
    kinds = {row.occurrence.kind for row in declared} if is_later else set[str]()
    if is_later and _MACRO_TEST.match(data, data.rfind(b"\n", 0, use.start) + 1):
        return False  # the guard of a header asks for the macro that it defines below
    if kinds == {"variable"}:
        return True
    in_order = names.table.classes.explicit_self and "parameter" not in kinds  # each declaration is a statement
    return is_later and in_order and not _is_lazy_type(data, use)


def _is_lazy_type(data: bytes, use: NameAt) -> bool:
    """Whether a type hint of Python may name what is declared further down: in quotes, or with a future import."""
    before = data[data.rfind(b"\n", 0, use.start) + 1 : use.start]
    if before.count(b'"') % 2 == 1 or before.count(b"'") % 2 == 1:
        return True
    return _HINT.search(before) is not None and _has_lazy_types(data)


@cache_texts(4)
def _has_lazy_types(data: bytes) -> bool:
    return _LAZY_TYPES.search(data) is not None


def _is_run_in(names: Resolver, use: NameAt, scope: ScopeRef) -> bool:
    """Whether a use stands in a scope itself, or, in Python, in a class or comprehension that runs as part of it."""
    if names.scopes.kind(scope) is ScopeKind.COMPREHENSION:
        return False
    at_once = (ScopeKind.CLASS, ScopeKind.COMPREHENSION) if names.table.classes.explicit_self else ()
    for around in names.scopes.around(names.scopes.placed(use.unit, use.occurrence.scope)):
        if around == scope:
            return True
        if names.scopes.kind(around) not in at_once:
            return False
    return False


def _is_unknown_there(names: Resolver, span: tuple[int, int], name: str) -> bool:
    """Whether a span of the text already uses a name that nothing declares, as macros of other files."""
    uses = names.scopes.in_spans((span,), name)
    return any(_is_unknown(names, use) and span[0] <= use.start and use.end <= span[1] for use in uses)


def _is_unknown_replaced(before: Resolver, edit: ByteEdit) -> bool:
    """Whether an edit takes a bare name away that the file does not declare."""
    data = before.scopes.facts.data
    words = {word.decode("utf-8", "replace") for word in WORD.findall(data, *whole_words(data, edit))}
    return any(
        _is_unknown(before, use)
        for word in words
        for use in before.scopes.in_spans(((edit.start, edit.old_end),), word)
        if use.start < edit.old_end and edit.start < use.end
    )


def _is_bound_replaced(before: Resolver, edit: ByteEdit) -> bool:
    """Whether an edit takes a bare name away that the file declares, or a word of the language such as `null`."""
    data = before.scopes.facts.data
    low, high = whole_words(data, edit)
    word = data[low:high].decode("utf-8", "replace")
    if word in before.table.keywords:
        return True
    uses = before.scopes.in_spans(((low, high),), word)
    rows = [use for use in uses if (use.start, use.end) == (low, high) and use.occurrence.action is Action.USE]
    return any(before.binding(use) is not None for use in rows)


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
        if not WORD.fullmatch(edit.new):
            continue
        new = edit.new.decode("utf-8", "replace")
        use = after.name_at(start, new)
        low, high = edit.start, edit.old_end
        old = before.scopes.facts.data[low:high]
        if use is None or use.end != end or use.occurrence.action is not Action.USE or not WORD.fullmatch(old):
            continue
        was = before.name_at(low, old.decode("utf-8", "replace"))
        if was is not None and before.binding(was) is None:
            yield old.decode("utf-8", "replace"), new, use
