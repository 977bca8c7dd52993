"""What an expression may be: an object, a class, a module or a function; elements of Python's containers."""

from __future__ import annotations

from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.type_expressions.expression import TypeExpression

ModuleName = tuple[str, ...]
BUILTINS: ModuleName = ("builtins",)
TYPING: ModuleName = ("typing",)  # the module of the generic classes of `typing`, `collections` and `collections.abc`


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
