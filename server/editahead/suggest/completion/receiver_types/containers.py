"""Elements and results of Python's containers and built-in functions."""

from __future__ import annotations

from editahead.suggest.completion.receiver_types.values import BUILTINS, TYPING, Value, builtin

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
