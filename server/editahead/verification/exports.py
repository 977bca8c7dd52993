"""Declarations that other files use, and that an edit deletes or turns into something else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.scope_table import Action
from editahead.verification.positions import PositionMap
from editahead.verification.proposal import IsUsedElsewhere
from editahead.verification.touched_names import is_renaming
from editahead.verification.unused_names import is_exported

_LIST = re.compile(rb"^__all__\b[^=\n]*=\s*[\[(]([^\])]*)", re.MULTILINE)


def lost_export(
    before: Resolver,
    after: Resolver,
    positions: PositionMap,
    names: Sequence[str],
    uri: str,
    is_used_elsewhere: IsUsedElsewhere,
) -> str:
    """A name that another file may take from here and that edits take away; empty where there is none.

    A declaration counts as used where nobody knows. A rename leads to other files by itself, if `__all__` does not keep
    the old name.
    """
    data = before.scopes.facts.data
    for name in names:
        for use in before.scopes.in_spans(positions.removed, name):
            edit = next((edit for edit in positions.edits if edit.start < use.end and use.start < edit.old_end), None)
            if edit is None or not _is_lost(before, after, positions, use):
                continue
            if edit.new.strip():
                if _is_listed(after, name):
                    return name
                binding = before.binding(use)
                if is_renaming(data, edit) or binding is None or binding.scope != MODULE_SCOPE:
                    continue
            if is_used_elsewhere(uri, name) is not False:
                return name
    return ""


def _is_lost(before: Resolver, after: Resolver, positions: PositionMap, use: NameAt) -> bool:
    """Whether an occurrence declares what other files can use, and nothing declares it after the edits."""
    if use.occurrence.action is not Action.BIND or use.occurrence.kind == "import":
        return False
    binding = before.binding(use)
    if binding is None or not is_exported(before, before.scopes.facts.data, use, binding):
        return False
    if any(positions.after(row.start, row.end) is not None for row in before.declarations(binding)):
        return False
    return not any(
        row.occurrence.action is Action.BIND and positions.is_inserted(row.start, row.end)
        for row in after.scopes.in_spans(positions.inserted, use.occurrence.name)
    )


def _is_listed(names: Resolver, name: str) -> bool:
    """Whether the `__all__` of a module of Python has a name."""
    quoted = re.compile(rb"[\"']" + re.escape(name.encode()) + rb"[\"']")
    lists = _LIST.finditer(names.scopes.facts.data) if names.table.classes.explicit_self else ()
    return any(quoted.search(row.group(1)) for row in lists)
