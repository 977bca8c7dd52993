"""What an expression may be: an object, a class, a module or a function, and where its name is looked up."""

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
