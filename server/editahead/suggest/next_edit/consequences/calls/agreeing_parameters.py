"""The change of a parameter list, written in a declaration that agrees with it."""

from __future__ import annotations

import re

from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import Item
from editahead.suggest.next_edit.consequences.calls.changed_functions import ChangedFunction
from editahead.suggest.next_edit.consequences.calls.counterparts import Declaration, split_parameter
from editahead.suggest.next_edit.consequences.row_changes import inserted_parameter, removed, reordered_parameters
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action
from editahead.text.edits import ByteEdit

_WORD = re.compile(r"\w+")
_PACKAGE = re.compile(r"\b(\w+)\.")


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
