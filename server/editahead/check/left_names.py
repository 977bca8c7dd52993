"""Names of a changed file that mean nothing since the change: their declaration or import went, or is missing."""

from __future__ import annotations

from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.check.dynamic_classes import class_name, class_of_name, given_by_derived, given_by_name
from editahead.check.given_elsewhere import may_be_inherited
from editahead.check.leftover import FileVersions, Leftover
from editahead.suggest.next_edit.consequences.name_changes import renamings
from editahead.syntax.scope_table import Action, ScopeKind

UNBOUND, UNDEFINED = "removed-name", "undefined-name"
MEMBER, UNDEFINED_MEMBER = "removed-member", "undefined-member"
MAX_WORDS = 2000
"""Different words of the changes of one file."""
MAX_STANDING = 600
"""How often a word may stand in a file to be looked at."""
_OLD_NAMES = frozenset("basestring cmp execfile file long raw_input reduce reload unichr unicode xrange".split())
"""Names of Python 2: code for both versions uses them where it must."""


def left_names(versions: FileVersions) -> Iterator[Leftover]:
    """The uses in a changed file that mean nothing now: they had a meaning before, or the change wrote them."""
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
                    new_names = {one.old: one.new for one in renamings(document.history, data)}
                what = f"renamed to `{new_names[name]}`" if name in new_names else "removed"
                reason = f"uses `{name}`, which this change {what}"
            gone = kind in (UNBOUND, MEMBER)
            cause = (document.uri, versions.line_of(name)) if gone else None
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
        if not versions.touched(at.start, at.end):
            gone = _meant_before(versions, at) is not None and not may_be_inherited(now, at)
            return UNBOUND if gone else ""
        written = versions.table.classes.explicit_self and _is_new(versions, name) and not _took_unknown(versions, at)
        return UNDEFINED if written and not versions.binds_by_text else ""
    if action is Action.ATTRIBUTE and _is_missing_member(now, at) and not _may_be_given(versions, now, at):
        if not versions.touched(at.start, at.end):
            return MEMBER if _was_member(versions, at) else ""
        return UNDEFINED_MEMBER if versions.table.classes.explicit_self and _is_new_member(versions, at) else ""
    return ""


def _is_new(versions: FileVersions, name: str) -> bool:
    """Whether a name that means nothing is not one that the file used so before: what defines it is unknown."""
    was = versions.before
    if was is None or name in _OLD_NAMES or was.scopes.has_wildcard_import():
        return False
    return not _is_unknown(was, name)


def _took_unknown(versions: FileVersions, at: NameAt) -> bool:
    """Whether a name stands in place of one that nothing declared either: both are defined somewhere unknown."""
    was, names = versions.before, versions.words_replaced(at.start, at.end)
    return was is not None and any(_is_unknown(was, word.decode("utf-8", "replace")) for word in names)


def _is_unknown(names: Resolver, name: str) -> bool:
    """Whether some use of a name means nothing that the language or the file declares."""
    if name in names.table.builtins:
        return False
    return any(one.occurrence.action is Action.USE and names.binding(one) is None for one in names.names(name))


def _meant_before(versions: FileVersions, at: NameAt) -> Binding | None:
    was, then = versions.before, versions.name_before(at)
    return was.binding(then) if was is not None and then is not None else None


def _is_missing_member(now: Resolver, at: NameAt) -> bool:
    """Whether a member stands behind an object of a class of the file, all of whose bases stand there, too, in vain."""
    meant = now.binding(at)
    return meant is not None and meant.loose and not now.classes.has_unknown_base(meant.scope)


def _may_be_given(versions: FileVersions, now: Resolver, at: NameAt) -> bool:
    """Whether something else may give a class that member, in the current text or in the one before."""
    meant, was = now.binding(at), versions.before
    if meant is None or not versions.table.classes.explicit_self:
        return False
    syntax = versions.file.document.syntax
    if given_by_name(now, syntax, meant) or given_by_derived(now, syntax, meant):
        return True
    earlier = class_of_name(was, class_name(now, meant.scope)) if was is not None else None
    if was is None or earlier is None:
        return False
    return given_by_name(was, versions.syntax_before, meant._replace(scope=earlier))


def _was_member(versions: FileVersions, at: NameAt) -> bool:
    before, was = _meant_before(versions, at), versions.before
    return before is not None and was is not None and not before.loose and _is_class(was, before)


def _is_new_member(versions: FileVersions, at: NameAt) -> bool:
    """Whether a member that no class declares did not stand so in the file before: what gives it is unknown."""
    was, name = versions.before, at.occurrence.name
    if was is None or (name.startswith("__") and name.endswith("__")):
        return False
    rows = [one for one in was.names(name) if one.occurrence.action is Action.ATTRIBUTE]
    return not any((meant := was.binding(one)) is not None and meant.loose for one in rows)


def _is_class(names: Resolver, binding: Binding) -> bool:
    return names.scopes.kind(binding.scope) is ScopeKind.CLASS
