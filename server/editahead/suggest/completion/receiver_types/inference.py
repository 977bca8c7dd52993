"""The value of a type expression, as far as declarations say. Bounded: at most STEPS expressions are evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.type_expressions.python_values import TypeExpression, value_in
from editahead.environment.exports import PARAMETERS, Origin, builtin_class
from editahead.environment.module_index import ModuleIndex
from editahead.suggest.completion.ranking.scope_evidence import LineScopes
from editahead.suggest.completion.receiver_types.name_lookup import (
    BUILTINS,
    MAPPINGS,
    TYPING,
    Context,
    Meaning,
    NameLookup,
    Value,
    builtin,
    element,
    item,
    of_every_object,
    part,
    result_of_builtin,
)

STEPS = 400
_MAX_DEPTH = 24
_FIRST_ARGUMENT = frozenset(("Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"))
_ENUMS = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TextChoices", "IntegerChoices"))
_AWAITED = frozenset(("Awaitable", "Coroutine", "Future", "Task"))


class TypeInference:
    """Evaluates expressions at a position."""

    def __init__(self, names: NameLookup) -> None:
        self._names, self._left = names, STEPS

    def value(self, expression: TypeExpression, context: Context, depth: int = 0) -> Value | None:
        """The value of an expression; None where it is unknown."""
        self._left -= 1
        if self._left < 0 or depth > _MAX_DEPTH:
            return None
        kind, parts, deeper = expression.kind, expression.parts, depth + 1
        if kind == "name":
            return self._name(expression.name, context, deeper)
        if kind == "literal":
            return builtin(expression.name, *(self.value(item, context, deeper) for item in parts))
        if kind == "instance":
            return self._instance(parts[0], context, deeper)
        if kind == "function":
            return Value("function", name=expression.name, result=parts[0], context=context)
        if kind == "self":
            return context.owner
        if kind == "either":
            return next((value for item in parts if (value := self.value(item, context, deeper)) is not None), None)
        if kind == "call":
            return self._call(expression, context, deeper)
        held = self.value(parts[0], context, deeper) if parts else None
        if held is None:
            return None
        if kind == "attribute":
            return self._member(held, expression.name, deeper)
        if kind == "item":
            return self._item(held, expression, context, deeper)
        return self._derived(held, expression, deeper)

    def _derived(self, held: Value, expression: TypeExpression, deeper: int) -> Value | None:
        """The result of awaiting, iterating, entering, slicing a value, or of an operator."""
        kind = expression.kind
        if kind == "awaitable":
            return Value("awaitable", arguments=(held,))
        if kind == "awaited":
            awaits = held.kind == "awaitable" or (held.module == TYPING and held.name in _AWAITED)
            return held.arguments[-1] if awaits and held.arguments else None
        if kind == "element":
            return element(held) or self._through(held, ("__iter__", "__aiter__", "__getitem__"), deeper)
        if kind == "entered":
            return self._entered(held, deeper)
        if kind == "part":
            return part(held, expression.name) or self._through(held, ("__getitem__",), deeper)
        same = kind == "slice" or held.module == BUILTINS or (expression.name == "/" and held.name.endswith("Path"))
        return held if kind in ("slice", "operation") and same else None

    def _meaning(self, meaning: Meaning, depth: int) -> Value | None:
        if meaning.expression is not None:
            return self.value(meaning.expression, meaning.context, depth)
        return meaning.value

    def _name(self, name: str, context: Context, depth: int) -> Value | None:
        if name in PARAMETERS and context.module == BUILTINS:
            given = context.arguments
            return given[PARAMETERS.index(name)] if PARAMETERS.index(name) < len(given) else None
        for meaning in self._names.meanings(name, context):
            value = self._meaning(meaning, depth)
            if value is not None:
                return value
        return None

    def _member(self, owner: Value, name: str, depth: int) -> Value | None:
        if owner.kind == "module":
            meanings = self._names.exports(owner.module, name)
        elif owner.kind in ("object", "class"):
            meanings = self._names.member(owner, name)
        else:
            return None
        value = next((value for meaning in meanings if (value := self._meaning(meaning, depth)) is not None), None)
        value = value or of_every_object(owner, name)
        if value is not None and value.kind == "object" and owner.kind == "class" and self._is_enum(owner):
            return owner._replace(kind="object")
        return value

    def _is_enum(self, owner: Value) -> bool:
        return any(base.rpartition(".")[2] in _ENUMS for base in self._names.bases(owner))

    def _call(self, expression: TypeExpression, context: Context, depth: int) -> Value | None:
        callee, *given = expression.parts
        called = self.value(callee, context, depth)
        if called is None and callee.kind == "name":
            argument = self.value(given[0], context, depth) if given else None
            return self._base(context) if callee.name == "super" else result_of_builtin(callee.name, argument)
        if called is not None and called.kind == "class" and called.module == BUILTINS and given:
            argument = self.value(given[0], context, depth)
            return result_of_builtin(called.name, argument) or called._replace(kind="object")
        return self.call(called, depth) if called is not None else None

    def call(self, called: Value, depth: int) -> Value | None:
        """The result of calling a class, a function or an object."""
        if called.kind == "class":
            return called._replace(kind="object")
        if called.kind == "function" and called.result is not None and called.context is not None:
            owner = called.context.owner
            context = called.context._replace(owner=owner._replace(kind="object") if owner is not None else None)
            value = self.value(called.result, context, depth + 1)
            return Value("context", arguments=(element(value),)) if called.name and value is not None else value
        return self._through(called, ("__call__",), depth) if called.kind == "object" else None

    def _through(self, owner: Value, names: tuple[str, ...], depth: int) -> Value | None:
        """The result of the first of some special methods; of an iterator its elements."""
        for name in names if owner.kind == "object" and depth <= _MAX_DEPTH else ():
            method = self._member(owner, name, depth + 1)
            result = self.call(method, depth + 1) if method is not None and method.kind == "function" else None
            if result is not None:
                return element(result) if "iter" in name else result
        return None

    def _entered(self, held: Value, depth: int) -> Value | None:
        if held.kind == "context":
            return held.argument(0)
        result = self._through(held, ("__enter__", "__aenter__"), depth)
        if result is not None and result.kind == "awaitable":
            result = result.argument(0)
        return result or (held if held.kind == "object" else None)

    def _base(self, context: Context) -> Value | None:
        """An object of the first base of the class around."""
        resolver = self._names.resolver
        around = resolver.scopes.class_around(context.scope) if context.scope is not None else None
        if around is None:
            return None
        inner = next(iter(resolver.classes.bases(around)), None)
        if inner is not None:
            return Value("object", scope=inner)
        outer = next(iter(resolver.classes.outer_bases(around)), ())
        named = self._names.dotted(outer, context._replace(scope=around))
        return named._replace(kind="object") if named is not None and named.kind == "class" else None

    def _item(self, held: Value, expression: TypeExpression, context: Context, depth: int) -> Value | None:
        if held.kind == "class":
            if self._is_enum(held):
                return held._replace(kind="object")
            return held._replace(arguments=self._arguments(expression, context, depth))
        return item(held) or self._through(held, ("__getitem__",), depth)

    def _arguments(self, expression: TypeExpression, context: Context, depth: int) -> tuple[Value | None, ...]:
        return tuple(self._instance(part, context, depth + 1) for part in expression.parts[1:])

    def _instance(self, named: TypeExpression, context: Context, depth: int) -> Value | None:
        if depth > _MAX_DEPTH or named.kind in ("none", "unknown"):
            return None
        if named.kind == "either":
            instances = (self._instance(item, context, depth + 1) for item in named.parts)
            return next((value for value in instances if value is not None), None)
        if named.kind == "name" and named.name == "Self" and context.owner is not None:
            return context.owner
        generic = named.kind == "item" and bool(named.parts)
        held = self.value(named.parts[0] if generic else named, context, depth + 1)
        if held is None or held.kind != "class":
            return held if held is not None and named.kind == "name" and named.name in PARAMETERS else None
        if not generic:
            return held._replace(kind="object")
        given = self._arguments(named, context, depth)
        if held.module == TYPING and held.name in _FIRST_ARGUMENT:
            return next(iter(given), None)
        if held.module == TYPING and held.name == "Union":
            return next((value for value in given if value is not None), None)
        if held.name in ("Type", "type") and held.module in (TYPING, BUILTINS):
            return given[0]._replace(kind="class") if given and given[0] is not None else None
        return held._replace(kind="object", arguments=given)


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
