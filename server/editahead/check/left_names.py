"""Names of a changed file that mean nothing since the change: their declaration or import went, or is missing."""

from __future__ import annotations

from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.check.given_elsewhere import (
    can_be_inherited,
    class_name,
    class_of_name,
    is_maybe_given_by_name,
    is_maybe_given_by_subclass,
)
from editahead.check.leftover import FileVersions, Leftover
from editahead.suggest.next_edit.consequences.name_changes import renamings
from editahead.syntax.scope_table import Action, ScopeKind

UNBOUND, UNDEFINED = "removed-name", "undefined-name"
MEMBER, UNDEFINED_MEMBER = "removed-member", "undefined-member"
MAX_WORDS = 2000  # different words of the changes of a file
MAX_STANDING = 600  # how often a word may stand in a file to be looked at
_OLD_NAMES = frozenset("basestring cmp execfile file long raw_input reduce reload unichr unicode xrange".split())
"""Names of Python 2: code for both versions uses them where it must."""


def left_names(versions: FileVersions) -> Iterator[Leftover]:
    """The unresolved uses in a changed file that were resolved before, or that the change wrote."""
    document, table = versions.file.document, versions.table
    data = document.syntax.buffer.data
    words = list(dict.fromkeys((*versions.old_words, *versions.new_words)))[:MAX_WORDS]
    new_names: dict[str, str] | None = None
    for word in words:
        name = word.decode("utf-8", "replace")
        if name in table.builtins or name in table.keywords:
            continue
        if not 0 < document.syntax.count(word) <= MAX_STANDING:
            continue
        now = versions.now
        if now is None:
            return
        for at in now.names(name):
            kind = _kind(versions, now, at)
            if not kind:
                continue
            if kind == UNDEFINED:
                reason = f"uses `{name}`, which nothing here declares or imports"
            elif kind == UNDEFINED_MEMBER:
                reason = f"uses `{name}` of a class that does not declare it"
            else:
                if new_names is None:
                    new_names = {renaming.old: renaming.new for renaming in renamings(document.history, data)}
                what = f"renamed to `{new_names[name]}`" if name in new_names else "removed"
                reason = f"uses `{name}`, which this change {what}"
            is_stale = kind in (UNBOUND, MEMBER)
            cause = (document.uri, versions.line_of(name)) if is_stale else None
            yield Leftover(document, at.start, at.end, kind, name, reason, cause, _owner(now, at, kind))


def _owner(now: Resolver, at: NameAt, kind: str) -> str:
    """The name of the class of a member that is reported; empty for anything else."""
    meant = now.binding(at) if kind in (MEMBER, UNDEFINED_MEMBER) else None
    return class_name(now, meant.scope) if meant is not None else ""


def _kind(versions: FileVersions, now: Resolver, at: NameAt) -> str:
    """Which rule an occurrence breaks; empty for none."""
    action, name = at.occurrence.action, at.occurrence.name
    if action is Action.USE:
        if now.binding(at) is not None or now.scopes.has_wildcard_import():
            return ""
        if not versions.is_touched(at.start, at.end):
            gone = _meant_before(versions, at) is not None and not can_be_inherited(now, at)
            return UNBOUND if gone else ""
        written = versions.table.classes.explicit_self and _is_new(versions, name) and not _is_replacement(versions, at)
        return UNDEFINED if written and not versions.has_dynamic_bindings else ""
    if action is Action.ATTRIBUTE and _is_missing_member(now, at) and not _can_be_given(versions, now, at):
        if not versions.is_touched(at.start, at.end):
            return MEMBER if _is_former_member(versions, at) else ""
        return UNDEFINED_MEMBER if versions.table.classes.explicit_self and _is_new_member(versions, at) else ""
    return ""


def _is_new(versions: FileVersions, name: str) -> bool:
    """Whether the file did not already use an unresolved name before, defined somewhere unknown."""
    was = versions.before
    if was is None or name in _OLD_NAMES or was.scopes.has_wildcard_import():
        return False
    return not _is_unknown(was, name)


def _is_replacement(versions: FileVersions, at: NameAt) -> bool:
    """Whether a name replaces another that was not declared either: both are defined somewhere unknown."""
    was, names = versions.before, versions.words_replaced(at.start, at.end)
    return was is not None and any(_is_unknown(was, word.decode("utf-8", "replace")) for word in names)


def _is_unknown(names: Resolver, name: str) -> bool:
    """Whether any use of a name is not declared by the language or the file."""
    if name in names.table.builtins:
        return False
    return any(row.occurrence.action is Action.USE and names.binding(row) is None for row in names.names(name))


def _meant_before(versions: FileVersions, at: NameAt) -> Binding | None:
    was, then = versions.before, versions.name_before(at)
    return was.binding(then) if was is not None and then is not None else None


def _is_missing_member(now: Resolver, at: NameAt) -> bool:
    """Whether a member stands behind an object of a class of the file, all of whose bases stand there, too, in vain."""
    meant = now.binding(at)
    return meant is not None and meant.loose and not now.classes.has_unknown_base(meant.scope)


def _can_be_given(versions: FileVersions, now: Resolver, at: NameAt) -> bool:
    """Whether something else may give a class that member, in the current or in the previous text."""
    meant, was = now.binding(at), versions.before
    if meant is None or not versions.table.classes.explicit_self:
        return False
    syntax = versions.file.document.syntax
    if is_maybe_given_by_name(now, syntax, meant) or is_maybe_given_by_subclass(now, syntax, meant):
        return True
    earlier = class_of_name(was, class_name(now, meant.scope)) if was is not None else None
    if was is None or earlier is None:
        return False
    return is_maybe_given_by_name(was, versions.syntax_before, meant._replace(scope=earlier))


def _is_former_member(versions: FileVersions, at: NameAt) -> bool:
    before, was = _meant_before(versions, at), versions.before
    return before is not None and was is not None and not before.loose and _is_class(was, before)


def _is_new_member(versions: FileVersions, at: NameAt) -> bool:
    """Whether the file did not already use an undeclared member before, given by something unknown."""
    was, name = versions.before, at.occurrence.name
    if was is None or (name.startswith("__") and name.endswith("__")):
        return False
    rows = [row for row in was.names(name) if row.occurrence.action is Action.ATTRIBUTE]
    return not any((meant := was.binding(row)) is not None and meant.loose for row in rows)


def _is_class(names: Resolver, binding: Binding) -> bool:
    return names.scopes.kind(binding.scope) is ScopeKind.CLASS
