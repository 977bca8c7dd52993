"""Members and keys of classes that other files of the project declare, in languages that write types."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from editahead.analysis.facts.facts import OuterType, Receiver
from editahead.analysis.resolver.outer_types import module_of, named_type, outer_type, type_of_extension, written_names
from editahead.analysis.resolver.resolver import resolver_of
from editahead.environment.classes.by_language import CLASS_FILES
from editahead.environment.classes.class_files import ReferencingFile
from editahead.environment.classes.class_index import ClassIndex, ClassMembers
from editahead.exclusion import exclusion
from editahead.suggest.completion.ranking.scope_evidence import LineScopes, ScopeEvidence
from editahead.suggest.types import Document
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.memo import on_forget

_FOLDERS = 4  # workspace folders whose classes are remembered
_MAX_BASES = 8
_MAX_AHEAD = 24  # classes that are read ahead
_indexes: OrderedDict[tuple[Path, tuple[str, ...], tuple[str, ...], bool], ClassIndex] = OrderedDict()
on_forget(_indexes.clear)
_question = list[SyntaxSnapshot]()  # the version of the document of the last request
on_forget(_question.clear)


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
    index = _indexes.pop(key, None) or ClassIndex(root, lambda path: exclusion(settings, path, root) is None)
    _indexes[key] = index
    if not _question or _question[0] is not document.syntax:  # a common budget for all queries of a version
        _question[:] = [document.syntax]
        index.begin()
    while len(_indexes) > _FOLDERS:
        _indexes.popitem(last=False)
    return index
