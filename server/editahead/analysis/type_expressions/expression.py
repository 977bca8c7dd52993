"""Type expressions: what a declaration says about the type of its name, reduced to what the type depends on.

Read from the syntax tree, bounded in depth and width, so that they can be stored without the tree.
"""

from __future__ import annotations

from typing import NamedTuple

MAX_DEPTH = 8  # of nested expressions
MAX_WIDTH = 8  # elements of a literal, arguments of a type


class TypeExpression(NamedTuple):
    """An expression whose value has the type in question.

    `kind` determines the meaning of `name` and `parts`:

    - name: a `name`, looked up at the expression; literal: an object of a builtin class, `parts` its elements
    - attribute: the member `name` of parts[0]; call: the result of parts[0]; item: `parts` are the object or generic
      class and its index or type arguments; either: any of the `parts`; none: no object
    - instance: an object of the class that parts[0] names; function: its calls return parts[0]; awaitable, awaited: of
      parts[0]
    - self: the object of the enclosing method; slice: a slice of parts[0]; operation: the result of the operator `name`
    - element: an element of parts[0]; part: the element number `name` of parts[0]; entered: the value that the context
      manager parts[0] yields; unknown: no information
    """

    kind: str
    name: str = ""
    parts: tuple[TypeExpression, ...] = ()


NONE = TypeExpression("none")
UNKNOWN = TypeExpression("unknown")


def instance_of(named: TypeExpression) -> TypeExpression:
    """An object of the class that an annotation names."""
    return TypeExpression("instance", parts=(named,))


def literal(class_name: str, *elements: TypeExpression) -> TypeExpression:
    """An object of a builtin class."""
    return TypeExpression("literal", class_name, elements)
