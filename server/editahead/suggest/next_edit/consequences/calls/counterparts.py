"""Declarations that agree with a changed function: what a method overrides or implements, a header and its source.

Two declarations of the same name agree if they had the same parameters and are tied: a class inherits from the other,
a method of Go has the parameters and results of an interface's method in its package, and C declares what it defines.
The change of a parameter list is written into each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from editahead.analysis.facts.facts import ScopeFacts
from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import Declared, Item, Row, function_named, path_to
from editahead.patterns.changes import net_changes
from editahead.suggest.next_edit.consequences.calls.changed_functions import (
    ChangedFunction,
    inserted_parameter,
    removed,
    reordered_parameters,
)
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import has_include, path_of
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.next_edit.related_documents import is_related
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node, Parts, node_text
from editahead.syntax.scope_table import Action, Namespace, ScopeKind
from editahead.text.edits import ByteEdit

MAX_OCCURRENCES = 200  # occurrences of the name that are examined in each document
MAX_HEADING = 400  # bytes between a parameter list and the body that are read
C_FAMILY = frozenset({"c", "cpp"})
_OWN_PREFIXES = {
    "java": re.compile(r"final\s+"),
    "rust": re.compile(r"mut\s+"),
    **dict.fromkeys(("typescript", "tsx"), re.compile(r"(?:@[\w.]+(?:\([^()]*\))?\s+)+")),
}
"""What stands before a parameter and concerns that declaration alone."""
_DEFAULT = re.compile(r"(?<![=!<>])=(?![=>])")
_OVERLOADING = frozenset({"java", "c_sharp", "go", *C_FAMILY})
"""Languages in which types distinguish methods of the same name."""
_DECLARED_BEHIND_DOT = frozenset({"c_sharp"})  # `string IStore.Load()`
_QUALIFIERS = re.compile(rb"\)\s*((?:const|volatile|&|\s)*)")
_TYPE_ARGUMENTS = re.compile(r"<.*>", re.DOTALL)
_HEADING_END = re.compile(rb"[{;]")
_WORD = re.compile(r"\w+")
_NOT_OVERRIDING: dict[str, set[bytes]] = {"java": {b"static"}, "c_sharp": {b"static", b"new"}}
"""Modifiers of methods that replace no method of a base."""
_OVERRIDING: dict[str, set[bytes]] = {"cpp": {b"virtual", b"override", b"final"}}
"""Modifiers that stand at a method which overrides another, or at that other."""
_PACKAGE = re.compile(r"\b(\w+)\.")


class Declaration(NamedTuple):
    """A function where it is declared: its parameters as `texts`, and what it belongs to.

    `path`: the names of the scopes around it, outermost first. `scope`: that of its class, with its `facts`.
    """

    document: Document
    names: Resolver
    declared: Declared
    texts: tuple[str, ...]
    path: tuple[str, ...]
    scope: ScopeRef | None
    facts: ScopeFacts | None
    node: Node
    modifiers: frozenset[bytes]
    is_private: bool

    @property
    def owner(self) -> tuple[str, tuple[str, ...], ScopeRef | None, str]:
        """What tells it from functions of another class."""
        return self.document.uri, self.path, self.scope, node_text(self.node.child_by_field_name("receiver"))

    @property
    def bases(self) -> frozenset[str]:
        """The last names of what its class inherits, without what the file declares itself; a trait of its `impl`."""
        if self.facts is None or self.scope is None:
            return frozenset()
        if self.facts.is_extension:
            return frozenset(base.name for base in self.facts.bases[1:])
        return frozenset(names[-1] for names in self.names.classes.outer_bases(self.scope) if names)


def counterparts(moment: Moment, changed: ChangedFunction) -> Iterator[Declaration]:
    """The declarations in open files that still have the former parameters of a changed function."""
    language = changed.document.syntax.language.id
    old = parameter_texts(changed.before.parameters, changed.earlier, language)
    origin = _declaration(moment, changed.document, changed.now.name_start, changed.now.name)
    if origin is None:
        return
    declarations = list(_declarations(moment, changed.document, changed.now.name_start, changed.now.name))
    is_overload = any(each.owner == origin.owner and each.texts == old for each in declarations)
    if is_overload and language not in C_FAMILY:
        return
    for other in declarations:
        if not _has_former_parameters(changed, other, old) or not _is_tied(origin, other):
            continue
        has_overload = any(each.owner == other.owner and each.texts == origin.texts for each in declarations)
        if not has_overload and not _is_undone(other):
            yield other


def renamed_counterparts(moment: Moment, document: Document, byte: int, old: str, new: str) -> Iterator[Declaration]:
    """The declarations named `old` in other open files that agree with a function which is `new` at a byte now.

    Of functions that are overloaded there, none is given.
    """
    origin = _declaration(moment, document, byte, new)
    declarations = list(_declarations(moment, document, byte, old)) if origin is not None else []
    for other in declarations:
        is_overloaded = any(each.owner == other.owner and each.texts != other.texts for each in declarations)
        is_elsewhere = other.document.uri != document.uri and not is_overloaded
        if origin is not None and is_elsewhere and other.texts == origin.texts and _is_tied(origin, other):
            yield other


def split_parameter(text: str, language: str) -> tuple[str, str, str]:
    """What concerns a declaration alone (`final`), name and type, and the default value with the sign before it."""
    prefix = _OWN_PREFIXES[language].match(text) if language in _OWN_PREFIXES else None
    start = prefix.end() if prefix is not None else 0
    sign = _DEFAULT.search(text, start)
    end = sign.start() if sign is not None else len(text)
    return text[:start], text[start:end], text[end:]


def parameter_texts(row: Row, data: bytes, language: str) -> tuple[str, ...]:
    """The parameters with single blanks, without defaults; of Go in a single text, as several may share a type."""
    spans = [(row.start, row.end)] if language == "go" and row.items else [(item.start, item.end) for item in row.items]
    texts = (split_parameter(data[start:end].decode("utf-8", "replace"), language)[1] for start, end in spans)
    return tuple(" ".join(text.split()) for text in texts)


def _declarations(moment: Moment, origin: Document, start: int, name: str) -> Iterator[Declaration]:
    """The functions of a name in the open files of the language, but for that at a byte of a document."""
    for target in (moment.document, *moment.document.others):
        theirs = target.syntax.language.id
        if not is_related(target, origin):
            continue
        for byte in islice(target.syntax.occurrences(name.encode()), MAX_OCCURRENCES):
            moment.check()
            is_itself = target.uri == origin.uri and byte == start
            is_member = target.syntax.buffer.data[max(0, byte - 2) : byte].endswith((b".", b"->"))
            is_use = is_member and theirs not in _DECLARED_BEHIND_DOT
            other = _declaration(moment, target, byte, name) if not is_itself and not is_use else None
            if other is not None:
                yield other


def _declaration(moment: Moment, document: Document, byte: int, name: str) -> Declaration | None:
    """The function whose name is at a byte; None for a function in another, and where the syntax does not tell."""
    table, language, data = document.syntax.language.scopes, document.syntax.language.id, document.syntax.buffer.data
    declared = function_named(document.syntax, table, byte) if table is not None else None
    if table is None or declared is None:
        return None
    names = moment.resolver(document.uri, document.syntax, Parts(frozenset({name.encode()}), (byte,)))
    if names is None:
        return None
    row, at = declared.parameters, names.name_at(byte, name)
    nodes, _ = path_to(document.syntax, byte)
    qualified = next((node for node in nodes if node.type == "qualified_identifier"), None)
    holder = next((node for node in reversed(nodes) if node.child_by_field_name("parameters") is not None), nodes[-1])
    scope = names.scopes.placed(at.unit, at.occurrence.scope) if at is not None else None
    kind = names.scopes.kind(scope) if scope is not None else None
    if kind not in (ScopeKind.CLASS, ScopeKind.MODULE) and qualified is None:
        return None
    around = [names.scopes.local(ref) for ref in names.scopes.around(scope)]
    path = [facts.name for facts in reversed(around) if facts is not None and facts.name]
    if qualified is not None:  # `A::size`, outside of its class
        path += [part.strip() for part in _TYPE_ARGUMENTS.sub("", node_text(qualified)).split("::")[:-1]]
    is_member = kind is ScopeKind.CLASS and qualified is None
    start = names.scopes.facts.units[at.unit].start if at is not None else byte
    heading = data[start:byte] + _HEADING_END.split(data[row.end : row.end + MAX_HEADING], maxsplit=1)[0]
    is_private = at is not None and (
        at.occurrence.namespace is Namespace.PRIVATE
        or (at.occurrence.access == "private" and language not in C_FAMILY)
        or (table.classes.explicit_self and name.startswith("__") and not name.endswith("__"))
    )
    return Declaration(
        document, names, declared, parameter_texts(row, data, language), tuple(path), scope if is_member else None,
        names.scopes.local(scope) if is_member and scope is not None else None, holder,
        frozenset(heading.split()), is_private,
    )  # fmt: skip


def _has_former_parameters(changed: ChangedFunction, other: Declaration, old: tuple[str, ...]) -> bool:
    """Whether a declaration has the former parameters; in the same file, without overloads, their names are enough."""
    is_same_file = other.document.uri == changed.document.uri
    is_name_enough = is_same_file and other.document.syntax.language.id not in _OVERLOADING
    return other.texts == old or (is_name_enough and other.declared.parameters.names == changed.before.parameters.names)


def _is_tied(origin: Declaration, other: Declaration) -> bool:
    language = origin.document.syntax.language.id
    is_same_file = origin.document.uri == other.document.uri
    if language == "go":
        is_pair = {origin.node.type, other.node.type} == {"method_elem", "method_declaration"}
        is_same_folder = path_of(origin.document.uri).parent == path_of(other.document.uri).parent
        return is_pair and is_same_folder and bool(other.texts) and _result(origin) == _result(other)
    if language in C_FAMILY and _is_same_path(origin.path, other.path) and _qualifiers(origin) == _qualifiers(other):
        pair = origin.document, other.document
        return is_same_file or _is_included(*pair) or _is_included(*reversed(pair))
    if b"partial" in origin.modifiers & other.modifiers and origin.path == other.path:
        return True
    if origin.scope is None or other.scope is None or origin.is_private or other.is_private:
        return False
    modifiers, needed = origin.modifiers | other.modifiers, _OVERRIDING.get(language, set())
    if modifiers & _NOT_OVERRIDING.get(language, set()) or (needed and not modifiers & needed):
        return False
    extensions = sum(each.facts is not None and each.facts.is_extension for each in (origin, other))
    if language == "rust" and extensions != 1:  # a trait with a supertrait does not override its methods
        return False
    if is_same_file and not extensions:
        classes = origin.names.classes
        return classes.inherits(other.scope, origin.scope) or classes.inherits(origin.scope, other.scope)
    return _is_subclass(origin, other) or _is_subclass(other, origin)


def _is_subclass(origin: Declaration, other: Declaration) -> bool:
    """Whether the class of a declaration names that of another, in any file, as a base."""
    name = other.path[-1] if other.path else ""
    if name not in origin.bases or (other.facts is not None and other.facts.is_extension):
        return False
    imported = [at.occurrence.module for at in origin.names.names(name) if at.occurrence.kind == "import"]
    parts = {path_of(other.document.uri).stem, *path_of(other.document.uri).parts}
    return all(_WORD.findall(module)[-1:] in ([], *([part] for part in parts)) for module in imported)


def _is_same_path(path: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether a path ends with another; the empty path only with itself."""
    size = min(len(path), len(other))
    return path[-size:] == other[-size:] if size else path == other


def _qualifiers(declaration: Declaration) -> bytes:
    """What stands behind the parameters of a method and tells it from others: `const`, `&`."""
    data, end = declaration.document.syntax.buffer.data, declaration.declared.parameters.end
    match = _QUALIFIERS.match(data, end, end + MAX_HEADING)
    return b" ".join(match[1].split()) if match is not None else b""


def _result(declaration: Declaration) -> str:
    return node_text(declaration.node.child_by_field_name("result"))


def _is_undone(declaration: Declaration) -> bool:
    """Whether the user took a change of its parameters back."""
    document, row = declaration.document, declaration.declared.parameters
    data = document.syntax.buffer.data
    changes = net_changes(document.history, data)
    return any(row.start <= change.start and change.end <= row.end and change.is_undone(data) for change in changes)


def _is_included(header: Document, source: Document) -> bool:
    """Whether a file of C includes another file, by the last part of its path."""
    return has_include(source.syntax.buffer.data, re.escape(header.uri.rpartition("/")[2].encode()))


def agreeing_edit(moment: Moment, changed: ChangedFunction, other: Declaration) -> ByteEdit | None:
    """The same change in another declaration, which keeps its own default values; None where it would not be right.

    That is where the declaration takes no default value, where a local has the name of the parameter, and where the
    file does not import what the parameter names.
    """
    change, row, origin = changed.change, other.declared.parameters, changed.document
    data, language, text = other.document.syntax.buffer.data, origin.syntax.language.id, ""
    if change.kind in ("added", "retyped"):
        text = _text(origin, changed.now.parameters.items[change.at])
        if change.kind == "added" and _is_local(other, change.name):
            return None
        if not _has_types(moment, changed, other, text):
            return None
    before, now = changed.before.parameters, changed.now.parameters
    is_same_row = changed.earlier[before.start : before.end] == data[row.start : row.end]
    prefix, _, default = split_parameter(text, language)
    is_whole = change.kind == "added" and is_same_row and not prefix and not default
    if language == "go" or is_whole:  # in Go several parameters may share a type
        text_now = origin.syntax.buffer.data[now.start : now.end]
        return ByteEdit(row.start, row.end, text_now).trim(data)
    if change.kind == "added":
        return _inserted(changed, other, text)
    if change.kind == "retyped":
        return _retyped(changed, other, text)
    if change.kind == "removed":
        return removed(row, change.at, change.name)
    if change.kind == "moved" and all(item.form == "plain" for item in row.items):
        return reordered_parameters(row, change.order, data)
    return None


def _inserted(changed: ChangedFunction, other: Declaration, text: str) -> ByteEdit | None:
    _, head, default = split_parameter(text, other.document.syntax.language.id)
    if default and other.node.type.endswith("_signature"):
        return None
    if changed.table.prototypes:  # a default value stands in the header alone
        default = ""
    return inserted_parameter(other.declared.parameters, changed.change.at, f"{head}{default}".rstrip())


def _retyped(changed: ChangedFunction, other: Declaration, text: str) -> ByteEdit:
    language, item = other.document.syntax.language.id, other.declared.parameters.items[changed.change.at]
    prefix, their_head, their_default = split_parameter(_text(other.document, item), language)
    blanks = their_head[len(their_head.rstrip()) :]
    _, head, _ = split_parameter(text, language)
    return ByteEdit(item.start, item.end, f"{prefix}{head.rstrip()}{blanks}{their_default}".encode())


def _text(document: Document, item: Item) -> str:
    return document.syntax.buffer.data[item.start : item.end].decode("utf-8", "replace")


def _is_local(other: Declaration, name: str) -> bool:
    """Whether the body of a function declares a name itself, or a parameter has it."""
    names = other.names
    function = names.scopes.scope_at(other.declared.parameters.start)
    for use in names.names(name):
        scope = names.scopes.placed(use.unit, use.occurrence.scope)
        if use.occurrence.action is Action.BIND and function in (scope, names.scopes.parent(scope)):
            return True
    return False


def _has_types(moment: Moment, changed: ChangedFunction, other: Declaration, text: str) -> bool:
    """Whether a declaration can name what a parameter names: what its file imports, type parameters of its class."""
    origin, target, data = changed.document, other.document, other.document.syntax.buffer.data
    if origin.syntax.language.id == "go":
        return all(f"{package}.".encode() in data for package in _PACKAGE.findall(text))
    words = frozenset(_WORD.findall(text))
    parts = Parts(frozenset(word.encode() for word in words), (changed.now.name_start, other.declared.name_start))
    ours, theirs = (moment.resolver(each.uri, each.syntax, parts) for each in (origin, target))
    if ours is None or theirs is None:
        return False
    if not changed.table.prototypes and not _class_parameters(ours, changed.now.name_start, words) <= _class_parameters(
        theirs, other.declared.name_start, words
    ):
        return False
    imported = (word for word in words if any(use.occurrence.kind == "import" for use in ours.names(word)))
    return theirs.scopes.has_wildcard_import() or all(map(theirs.scopes.is_bound, imported))


def _class_parameters(names: Resolver, byte: int, words: frozenset[str]) -> frozenset[str]:
    """Those of some words that are type parameters of a class around a byte."""
    around = set(names.scopes.around(names.scopes.parent(names.scopes.scope_at(byte))))
    return frozenset(
        word
        for word in words
        for use in names.names(word)
        if use.occurrence.kind == "type-parameter" and names.scopes.placed(use.unit, use.occurrence.scope) in around
    )
