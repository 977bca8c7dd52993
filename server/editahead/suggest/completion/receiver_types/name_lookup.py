"""What an expression may be, and what a name means here or in another module: object, class, module or function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.type_expressions.python_declarations import declared
from editahead.analysis.type_expressions.python_values import TypeExpression
from editahead.environment.exports import Export, Origin, builtin_class
from editahead.environment.module_index import ModuleIndex
from editahead.syntax.scope_table import Namespace

ModuleName = tuple[str, ...]
BUILTINS: ModuleName = ("builtins",)
TYPING: ModuleName = ("typing",)  # the module of the generic classes of `typing`, `collections` and `collections.abc`
MAPPINGS = frozenset(
    ("dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict", "ChainMap", "UserDict")
)
_ELEMENTS = {
    "str": "str", "bytes": "int", "bytearray": "int", "range": "int", "TextIOWrapper": "str", "StringIO": "str",
    "BufferedReader": "bytes", "BytesIO": "bytes",
}  # fmt: skip
_ITERABLES = frozenset(("list", "tuple", "set", "frozenset", "sorted", "iter", "reversed"))
_GENERIC_RESULTS = {"sorted": "list", "iter": "Generator", "reversed": "Generator"}
_RESULTS = {
    "open": "TextIOWrapper", "len": "int", "repr": "str", "ascii": "str", "format": "str", "input": "str", "chr": "str",
    "hex": "str", "oct": "str", "bin": "str", "ord": "int", "hash": "int", "id": "int", "round": "int",
    "divmod": "tuple", "dir": "list", "vars": "dict", "globals": "dict", "locals": "dict", "callable": "bool",
    "isinstance": "bool", "hasattr": "bool", "issubclass": "bool",
    "all": "bool", "any": "bool",
}  # fmt: skip
_GENERIC = frozenset((("typing",), ("typing_extensions",), ("collections",), ("collections", "abc")))
_SAME = {"List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Text": "str"}
_MAX_DECLARATIONS = 8  # declarations of a name that are read


class Value(NamedTuple):
    """The value of an expression. `kind`: object, class, module, function, awaitable, context.

    A class is a `scope` of the file, or has a `name` in the module `module`. `arguments`: its type arguments, or
    the result of an awaitable or a context manager. `result` is what a function returns, in `context`.
    """

    kind: str
    module: ModuleName = ()
    name: str = ""
    scope: ScopeRef | None = None
    arguments: tuple[Value | None, ...] = ()
    result: TypeExpression | None = None
    context: Context | None = None

    def argument(self, number: int) -> Value | None:
        """A type argument, or None."""
        return self.arguments[number] if 0 <= number < len(self.arguments) else None


class Context(NamedTuple):
    """Where names are looked up: in another `module`, or from a byte of a scope of the file.

    `owner`: the object whose member is evaluated; `arguments`: what type parameters of a built-in class mean.
    """

    module: ModuleName | None = None
    scope: ScopeRef | None = None
    byte: int = 0
    owner: Value | None = None
    arguments: tuple[Value | None, ...] = ()


def builtin(name: str, *arguments: Value | None) -> Value:
    """An object of a built-in class."""
    return Value("object", BUILTINS, name, arguments=arguments)


def _is_builtin_container(held: Value) -> bool:
    return held.kind == "object" and held.module in (BUILTINS, TYPING)


def element(held: Value) -> Value | None:
    """What a loop over an object of a built-in class gives, or None."""
    if not _is_builtin_container(held):
        return None
    of_text = _ELEMENTS.get(held.name)
    return builtin(of_text) if of_text is not None else held.argument(0)


def item(held: Value) -> Value | None:
    """What an index of a built-in class gives that is no number in the text, or None."""
    return held.argument(1) if _is_builtin_container(held) and held.name in MAPPINGS else element(held)


def part(held: Value, number: str) -> Value | None:
    """The element with a number, of a tuple its own type."""
    if not _is_builtin_container(held) or held.name.lower() != "tuple":
        return item(held)
    element_type = held.argument(int(number)) if number.isdecimal() else None
    varying = len(held.arguments) == 2 and held.arguments[1] is None  # `tuple[T, ...]`
    return element_type or (held.argument(0) if varying else None)


def result_of_builtin(name: str, argument: Value | None) -> Value | None:
    """What a built-in function gives for its first argument, or None."""
    if name in _RESULTS:
        return builtin(_RESULTS[name])
    if argument is None:
        return None
    if name in _ITERABLES:
        return builtin(_GENERIC_RESULTS.get(name, name), element(argument))
    if name == "enumerate":
        return Value("object", TYPING, "Iterable", arguments=(builtin("tuple", builtin("int"), element(argument)),))
    if name == "zip":
        return Value("object", TYPING, "Iterable", arguments=(builtin("tuple", element(argument)),))
    if name in ("next", "min", "max"):
        return element(argument)
    if name == "type":
        return argument._replace(kind="class") if argument.kind == "object" else None
    return argument if name in ("dict", "copy", "deepcopy") else None


def of_every_object(owner: Value, name: str) -> Value | None:
    """An attribute that each object, class or module has, or None."""
    if name == "__class__" and owner.kind == "object":
        return owner._replace(kind="class")
    if name in ("__name__", "__qualname__", "__module__", "__doc__", "__file__"):
        return builtin("str")
    return builtin("dict") if name == "__dict__" else None


class Meaning(NamedTuple):
    """A value, or an expression that is to be evaluated in a context."""

    value: Value | None = None
    expression: TypeExpression | None = None
    context: Context = Context()


class NameLookup:
    """Looks names up at a position. Other files need an index."""

    def __init__(self, resolver: Resolver, index: ModuleIndex | None, imports: Mapping[str, Origin]) -> None:
        self.resolver, self.index, self._imports = resolver, index, imports

    def meanings(self, name: str, context: Context) -> Iterator[Meaning]:
        """What a name may mean, likeliest first."""
        if context.module is None:
            yield from self._in_file(name, context)
        elif context.module != BUILTINS:
            yield from self.exports(context.module, name)
        if builtin_class(name) is not None:
            yield Meaning(Value("class", BUILTINS, name))
        elif context.module == BUILTINS:
            yield Meaning(Value("class", TYPING, name))

    def exports(self, module: ModuleName, name: str) -> Iterator[Meaning]:
        """What a module exports under a name."""
        if module in _GENERIC:
            alias = _SAME.get(name)
            yield Meaning(Value("class", BUILTINS, alias) if alias else Value("class", TYPING, name))
            return
        if self.index is None:
            return
        named = self.index.exports(module)
        held = named.names.get(name) if named is not None else None
        if held is not None and held.origin is not None and held.origin[1] is None:
            yield Meaning(Value("module", held.origin[0]))
        elif held is not None and held.origin is not None and held.origin[0] in _GENERIC:
            yield from self.exports(held.origin[0], held.origin[1] or "")
        elif (definition := self.index.definition(module, name)) is not None:
            yield _of_export(definition[0], name if held is None or not held.origin else held.origin[1], definition[1])
        elif name in self.index.children(module) or self.index.exports((*module, name)) is not None:
            yield Meaning(Value("module", (*module, name)))

    def member(self, owner: Value, name: str) -> Iterator[Meaning]:
        """The possible meanings of the member of an object or class."""
        if owner.scope is not None:
            yield from self._member_in_file(owner, name)
        elif owner.module in (BUILTINS, TYPING):
            held = builtin_class(owner.name)
            result = held.result(name) if held is not None else None
            if result is not None:
                function = TypeExpression("function", parts=(result,))
                yield Meaning(None, function, Context(BUILTINS, owner=owner, arguments=owner.arguments))
        elif self.index is not None:
            member_type = self.index.member_type(owner.module, owner.name, name)
            if member_type is not None:
                yield Meaning(None, member_type[1], Context(member_type[0], owner=owner))

    def bases(self, owner: Value) -> tuple[str, ...]:
        """The bases of a class as they are written."""
        if owner.scope is not None:
            facts = self.resolver.scopes.local(owner.scope)
            return tuple(base.name for base in facts.bases) if facts is not None else ()
        if self.index is None or owner.module == BUILTINS:
            return ()
        held = self.index.export(owner.module, owner.name)
        return held.bases if held is not None else ()

    def _in_file(self, name: str, context: Context) -> Iterator[Meaning]:
        resolver, scope = self.resolver, context.scope
        if scope is None:
            return
        binding = resolver.lookup(scope, Namespace.VALUE, name, context.byte)
        rows = resolver.declarations(binding) if binding is not None else []
        if any(row.occurrence.kind == "import" for row in rows):
            origin = self._imports.get(name)
            if origin is not None:
                yield from self._imported(origin)
            return
        unit = resolver.scopes.unit_at(context.byte)
        if unit >= 0 and not any(row.occurrence.kind == "class" for row in rows):
            start = context.byte - resolver.scopes.facts.units[unit].start
            scope_of_class = resolver.members.class_of(Receiver("name", name, start), unit, scope)
            if scope_of_class is not None:
                yield Meaning(Value("object", scope=scope_of_class))
        before = [row for row in rows if row.start < context.byte][::-1]
        after = [row for row in rows if row.start > context.byte]
        for row in (before + after)[:_MAX_DECLARATIONS]:
            yield from self._declared(row, None)

    def _imported(self, origin: Origin) -> Iterator[Meaning]:
        module, inner = origin
        if inner is None:
            yield Meaning(Value("module", module))
        else:
            yield from self.exports(module, inner)

    def _declared(self, row: NameAt, owner: Value | None) -> Iterator[Meaning]:
        """What a declaration in the file says of its name."""
        scopes = self.resolver.scopes
        if row.occurrence.kind == "class":
            held = scopes.declared_by(row.start)
            if held is not None:
                yield Meaning(Value("class", scope=held))
            return
        node = scopes.facts.units[row.unit].node_at(row.start, row.end)
        expression = declared(node) if node is not None else None
        if expression is not None:
            scope = scopes.placed(row.unit, row.occurrence.scope)
            yield Meaning(None, expression, Context(None, scope, row.start, owner))

    def _member_in_file(self, owner: Value, name: str) -> Iterator[Meaning]:
        members, classes, scope = self.resolver.members, self.resolver.classes, owner.scope
        if scope is None:
            return
        row, seen = [scope], {scope}
        while row:
            current = row.pop(0)
            bound = self.resolver.scopes.bound_in(current, Namespace.VALUE, name)
            for declaration in [*bound, *members.assigned(name, Namespace.VALUE).get(current, [])][:_MAX_DECLARATIONS]:
                yield from self._declared(declaration, owner)
            for dotted in classes.outer_bases(current):
                base = self.dotted(dotted, Context(None, current, self.resolver.scopes.span(current)[0]))
                if base is not None and base.kind == "class":
                    yield from (meaning._replace(context=meaning.context._replace(owner=owner))
                                for meaning in self.member(base, name))  # fmt: skip
            row += [base_ref for base_ref in classes.bases(current) if base_ref not in seen]
            seen.update(row)

    def dotted(self, names: tuple[str, ...], context: Context) -> Value | None:
        """The class or module that a dotted name refers to, or None."""
        first = next(self.meanings(names[0], context), None) if names else None
        value = first.value if first is not None else None
        for name in names[1:]:
            if value is None or value.kind != "module":
                return None
            meaning = next(self.exports(value.module, name), None)
            value = meaning.value if meaning is not None else None
        return value


def _of_export(module: ModuleName, name: str | None, held: Export) -> Meaning:
    """The meaning of a definition of a module."""
    if held.kind == "class":
        return Meaning(Value("class", module, name or ""))
    return Meaning(None, held.type, Context(module))
