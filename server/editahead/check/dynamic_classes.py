"""Classes of Python that may have members which no declaration in their file tells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.analysis.signatures import decorators
from editahead.check.declared_functions import PLAIN_CLASS_DECORATORS
from editahead.syntax.snapshot import SyntaxSnapshot

_MAX_CLASSES = 50  # bases of a class, and classes derived from it, that are looked at
_BY_NAME = re.compile(
    rb"\bsetattr\s*\(|\.__dict__\b|\bvars\s*\(|\b__getattr(?:ibute)?__\b|"
    rb"\bmetaclass\s*=(?!\s*(?:abc\s*\.\s*)?ABCMeta\b)"
)
"""What gives a class or its objects members by name."""
_DERIVED = rb"\bclass\s+(\w+)(?:\s*\[[^\]]{0,500}\])?\s*\([^)]{0,1000}(?<!\w)%s(?!\w)"


def derived_classes(data: bytes, name: str) -> Iterator[str]:
    """The names of classes that a text derives from the class of a name."""
    if name.encode() in data:
        for match in re.finditer(_DERIVED % re.escape(name.encode()), data):
            yield match[1].decode("utf-8", "replace")


def class_name(names: Resolver, owner: ScopeRef) -> str:
    """The name of a class; empty where it has none."""
    facts = names.scopes.local(owner)
    return facts.name if facts is not None else ""


def class_of_name(names: Resolver, name: str) -> ScopeRef | None:
    """The class of a file that a name declares; the first of several."""
    rows = (at for at in names.names(name) if at.occurrence.kind == "class")
    return next((scope for at in rows if (scope := names.scopes.declared_by(at.start)) is not None), None)


def is_maybe_given_by_name(names: Resolver, syntax: SyntaxSnapshot, member: Binding) -> bool:
    """Whether a class is a mixin, or it, a base in the file or a decorator may give its objects a member by name."""
    data = syntax.buffer.data
    quoted = re.compile(rb"(['\"])" + re.escape(member.name.encode()) + rb"\1")
    for owner in _with_bases(names, member.scope):
        start, end = names.scopes.span(owner)
        if class_name(names, owner).endswith("Mixin") or _BY_NAME.search(data, start, end):
            return True
        if data.find(b"__slots__", start, end) >= 0 and quoted.search(data, start, end):
            return True
        if not PLAIN_CLASS_DECORATORS.issuperset(decorators(syntax, names.table, names.scopes.name_start(owner))):
            return True
    return False


def is_maybe_given_by_subclass(names: Resolver, syntax: SyntaxSnapshot, member: Binding) -> bool:
    """Whether a class that the file derives from that of a member has that member, or may have it."""
    for name in list(derived_classes(syntax.buffer.data, class_name(names, member.scope)))[:_MAX_CLASSES]:
        derived = class_of_name(names, name)
        if derived is None or names.classes.has_unknown_base(derived):
            return True
        if names.members.owner(derived, member.namespace, member.name) is not None:
            return True
    return False


def _with_bases(names: Resolver, owner: ScopeRef) -> list[ScopeRef]:
    classes = [owner]
    for current in classes:
        classes += [base for base in names.classes.bases(current) if base not in classes]
        if len(classes) > _MAX_CLASSES:
            break
    return classes
