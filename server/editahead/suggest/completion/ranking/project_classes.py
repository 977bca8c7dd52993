"""Members and keys of classes that other files of the project declare, in languages that write types.

And the keys of a literal whose class a file declares: `const a: A = { | }`, `A{ | }`, `f({ | })`, `<Tag | />`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import OuterType, Receiver
from editahead.analysis.facts.literals import literal_key
from editahead.analysis.resolver.declared_members import class_with_bases, literal_keys
from editahead.analysis.resolver.outer_types import module_of, named_type, outer_type, type_of_extension, written_names
from editahead.analysis.resolver.resolver import resolver_of
from editahead.analysis.signatures import path_to
from editahead.environment.classes.by_language import CLASS_FILES
from editahead.environment.classes.class_files import ReferencingFile
from editahead.environment.classes.class_index import ClassIndex, ClassMembers
from editahead.exclusion import exclusion
from editahead.suggest.completion.ranking.scope_evidence import LineScopes, ScopeEvidence
from editahead.suggest.context import CursorContext
from editahead.suggest.types import Document
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, Edge, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.memo import RecentEntries, on_forget

_FOLDERS = 4  # workspace folders whose classes are remembered
_MAX_BASES = 8
_MAX_AHEAD = 24  # classes that are read ahead
_indexes = RecentEntries[tuple[object, ...], ClassIndex](_FOLDERS)
on_forget(_indexes.clear)
_question = list[SyntaxSnapshot]()  # the version of the document of the last request
on_forget(_question.clear)
_LOOKED_BACK = 400  # bytes, for the sign before an entry
_MAX_ENTRIES = 256  # of a literal
_MAX_KEY_DEPTH = 4  # nodes from an entry down to its key
_SIGNS = (b"{", b",")
_BEFORE_BRACE = 4  # nodes of a pattern before its brace


def read_named(document: Document) -> None:
    """Read the classes of other files that a document names, so that no completion waits for them."""
    source = _referencing_file(document)
    names = resolver_of(document.syntax) if source is not None else None
    if source is None or names is None:
        return
    for row in written_names(names)[:_MAX_AHEAD]:
        checkpoint()
        index = _index_of(document, source)
        index.begin()
        index.members(source, OuterType(row), module_of(names, row[0]) or "")


def with_project_members(
    evidence: ScopeEvidence, document: Document, line: LineScopes, receiver: Receiver
) -> ScopeEvidence:
    """Evidence with the members of a receiver where another file of the project declares its class."""
    source, unit = _referencing_file(document), line.resolver.scopes.unit_at(line.byte)
    if source is None or unit < 0:
        return evidence
    index = _index_of(document, source)
    wanted = outer_type(line.resolver, receiver, unit, line.scope)
    if wanted is None:
        return evidence
    module = module_of(line.resolver, wanted.names[0]) or ""
    if len(wanted.names) == 1 and not wanted.members:
        exported = index.package_names(source, wanted.names[0], module)
        if exported is not None:
            levels = dict.fromkeys(exported, 0)
            return evidence._replace(members=frozenset(levels), levels=levels, declared=exported)
    inside = not wanted.members and wanted == type_of_extension(line.resolver, line.scope)
    members = index.members(source, wanted, module, from_inside=inside)
    if members is None:
        return evidence
    own = tuple(name for name, level in members.levels.items() if not level)
    return evidence._replace(
        members=frozenset(members.levels), levels=members.levels, declared=own, complete=members.complete
    )


def with_added_members(evidence: ScopeEvidence, document: Document) -> ScopeEvidence:
    """Evidence with the members that other files add to the class which its members are of, or to bases of it."""
    source = _referencing_file(document) if evidence.class_names and evidence.members is not None else None
    if source is None or evidence.members is None:
        return evidence
    index, levels = _index_of(document, source), dict(evidence.levels)
    for level, name in enumerate(evidence.class_names):
        for member in index.added_members(source, name):
            levels.setdefault(member, level)
    return evidence._replace(members=evidence.members | levels.keys(), levels=levels)


def with_project_bases(evidence: ScopeEvidence, document: Document, line: LineScopes) -> ScopeEvidence:
    """Evidence with the inherited members of bases that other files declare."""
    source = _referencing_file(document)
    if source is None or evidence.members is None:
        return evidence
    index, unresolved = _index_of(document, source), list[tuple[str, ...]]()
    levels = dict(evidence.levels)
    for names in evidence.outer_bases[:_MAX_BASES]:
        module = module_of(line.resolver, names[0]) or "" if names else ""
        members = index.members(source, OuterType(names), module) if names else None
        if members is None or not members.complete:
            unresolved.append(names)
        for name, level in members.levels.items() if members is not None else ():
            levels.setdefault(name, level + 1)
    return evidence._replace(
        members=evidence.members | levels.keys(), levels=levels,
        outer_bases=(*unresolved, *evidence.outer_bases[_MAX_BASES:]),
    )  # fmt: skip


def project_keys(
    document: Document, line: LineScopes, receiver: Receiver | None, unit: int, bases: Sequence[tuple[str, ...]] = ()
) -> tuple[str, ...] | None:
    """The keys of a literal of a class that another file declares, or of `bases`; None where they are incomplete."""
    source = _referencing_file(document)
    if source is None:
        return None
    index, classes = _index_of(document, source), list[ClassMembers | None]()
    qualified = named_type(line.resolver, receiver)  # `a.B {}`; of a member of a literal the class is no name
    named = qualified if qualified is not None else outer_type(line.resolver, receiver, unit, line.scope)
    for wanted in islice([OuterType(base) for base in bases] if bases else [named], _MAX_BASES):
        if wanted is None or not wanted.names:
            return None
        classes.append(index.members(source, wanted, module_of(line.resolver, wanted.names[0]) or ""))
    keys = dict[str, None]()
    for members in classes:
        if members is None or members.keys is None:
            return None
        keys.update(dict.fromkeys(members.keys))
    return tuple(keys) if keys or bases else None


def _referencing_file(document: Document) -> ReferencingFile | None:
    """Where a document is in its project; None where other files are not to be read."""
    language, path = document.syntax.language.id, document.path
    if language not in CLASS_FILES or path is None or not document.settings.index_enabled:
        return None
    root, elsewhere = document.root or path.parent, document.elsewhere
    named = elsewhere.files_named if elsewhere is not None else lambda name: ()
    return ReferencingFile(path, root, language, document.syntax.buffer.data, named)


def _index_of(document: Document, source: ReferencingFile) -> ClassIndex:
    settings, root = document.settings, source.root
    key = (root, settings.exclude, settings.secrets, settings.respect_gitignore)
    index = _indexes.get(key) or ClassIndex(root, lambda path: exclusion(settings, path, root) is None)
    if not _question or _question[0] is not document.syntax:  # a common budget for all queries of a version
        _question[:] = [document.syntax]
        index.begin()
    return _indexes.keep(key, index)


def with_literal_keys(
    evidence: ScopeEvidence, document: Document, cursor: CursorContext, line: LineScopes
) -> ScopeEvidence | None:
    """Evidence with the keys that an entry of a literal may have; None where no entry begins, or its class is unknown.

    Keys that the literal has already are excluded.
    """
    resolver = line.resolver
    literals = resolver.table.literals
    if literals.designator:
        return None
    path, offset = path_to(document.syntax, cursor.start)
    holder = _literal(path, cursor.start - offset, document.syntax.buffer.data, offset, resolver.table)
    unit = resolver.scopes.unit_at(line.byte)
    if holder < 0 or unit < 0:
        return None
    read = Expressions(resolver.table, resolver.scopes.facts.units[unit].start - offset)
    stack = [NodeContext(node, node.type, Edge(), 0) for node in path[: holder + 1]]
    action, receiver = literal_key(resolver.table, read, stack)
    names = _keys(document, line, receiver, unit) if action is Action.ATTRIBUTE else None
    if names is None:
        return None
    entries = list(_entries(path[holder], cursor.start - offset))
    if any(entry.type in literals.positional for entry in entries):
        return None
    given = {_key(entry) for entry in entries}
    of_tags = literals.tag_keys if path[holder].type in literals.tags else ()
    levels = {name: level for level, row in ((1, of_tags), (0, names)) for name in row if name not in given}
    return evidence._replace(
        members=frozenset(levels),
        levels=levels,
        declared=tuple(name for name in names if name in levels),
        complete=True,
        object_members=frozenset(),
    )


def _literal(path: Sequence[Node], at: int, data: bytes, offset: int, table: ScopeTable) -> int:
    """The number of the node of a literal of which an entry begins at a byte of its tree; -1 where none does."""
    number = len(path) - 1
    while number > 0 and (path[number].start_byte >= at or not path[number].child_count):
        number -= 1
    node, around = path[number], path[number - 1].type if number else ""
    before = data[max(0, at + offset - _LOOKED_BACK) : at + offset]
    if node.type in table.literals.tags:
        name = node.child_by_field_name(table.literals.tags[node.type])
        return number if name is not None and name.end_byte < at and before[-1:].isspace() else -1
    inside = node.type in table.literals.objects or node.type in table.literals.lists or around in table.literals.keys
    opens = inside and data[node.start_byte + offset : node.start_byte + offset + 1] == b"{"
    opens |= node.type in table.literals.keys and any(child.type == "{" for child in node.children[:_BEFORE_BRACE])
    return number if opens and before.rstrip()[-1:] in _SIGNS else -1


def _keys(document: Document, line: LineScopes, receiver: Receiver | None, unit: int) -> tuple[str, ...] | None:
    """The keys that literals of a class may have, in the order of their declaration; None where nobody knows all."""
    resolver = line.resolver
    owner = resolver.members.class_of(receiver, unit, line.scope)
    if owner is None:
        return project_keys(document, line, receiver, unit)
    keys = literal_keys(resolver, owner)
    if keys is None or resolver.table.classes.embedded:
        return keys or None  # of a type without fields, like a map, who knows
    bases = [base for ref, _ in class_with_bases(resolver, owner) for base in resolver.classes.outer_bases(ref)]
    inherited = project_keys(document, line, None, unit, bases) if bases else ()
    return (tuple(dict.fromkeys((*keys, *inherited))) or None) if inherited is not None else None


def _entries(literal: Node, at: int) -> Iterator[Node]:
    """The entries of a literal, that at a byte aside."""
    for number in range(min(literal.named_child_count, _MAX_ENTRIES)):
        entry = literal.named_child(number)
        if entry is not None and entry.start_byte != at:
            yield entry


def _key(entry: Node) -> str:
    """The key of an entry: its first leaf."""
    key = entry
    for _ in range(_MAX_KEY_DEPTH):
        inner = key.named_child(0) if key.named_child_count else None
        if inner is None:
            break
        key = inner
    return node_text(key)
