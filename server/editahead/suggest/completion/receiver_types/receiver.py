"""Members of what stands before the dot at the cursor, by its inferred type."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.type_expressions.python_values import value_in
from editahead.environment.builtin_types import builtin_class
from editahead.environment.exports import Origin
from editahead.environment.module_index import ModuleIndex
from editahead.suggest.completion.ranking.scope_evidence import LineScopes
from editahead.suggest.completion.receiver_types.containers import MAPPINGS
from editahead.suggest.completion.receiver_types.inference import TypeInference
from editahead.suggest.completion.receiver_types.name_lookup import NameLookup
from editahead.suggest.completion.receiver_types.values import BUILTINS, TYPING, Context, Value

_ABSTRACT = ("_collections_abc",)


class ReceiverMembers(NamedTuple):
    """The members of a receiver's class. `complete`: there are no others; `scope`: the class, where the file holds it.

    `levels`: the steps from the class to the base that declares each member. Of a class of the file it is empty.
    `owner_name`: the dotted name of a class or module of another file.
    """

    levels: Mapping[str, int] = MappingProxyType({})
    complete: bool = True
    scope: ScopeRef | None = None
    owner_name: str = ""


def receiver_members(
    text: str, line: LineScopes, index: ModuleIndex | None, imports: Mapping[str, Origin]
) -> ReceiverMembers | None:
    """The members of the expression `text` on a line; None where its type is unknown."""
    expression = value_in(text) if text else None
    if expression is None:
        return None
    inference = TypeInference(NameLookup(line.resolver, index, imports))
    value = inference.value(expression, Context(None, line.scope, line.byte))
    return _members(value, index) if value is not None else None


def _members(value: Value, index: ModuleIndex | None) -> ReceiverMembers | None:
    if value.kind not in ("object", "class", "module"):
        return None
    if value.scope is not None:
        return ReceiverMembers(scope=value.scope)
    held = builtin_class("dict" if value.module == TYPING and value.name in MAPPINGS else value.name)
    if value.module in (BUILTINS, TYPING) and held is not None:
        builtin_levels = dict.fromkeys(held.names, 0)
        return ReceiverMembers(builtin_levels, value.module == BUILTINS, owner_name=f"builtins.{value.name}")
    if index is None:
        return None
    if value.kind == "module":
        names = index.names(value.module)
        if names is None:
            return None
        is_complete = index.is_complete(value.module)
        return ReceiverMembers(dict.fromkeys(names, 0), is_complete, owner_name=".".join(value.module))
    levels = index.member_levels(_ABSTRACT if value.module == TYPING else value.module, value.name)
    return ReceiverMembers(levels, owner_name=".".join((*value.module, value.name))) if levels is not None else None
