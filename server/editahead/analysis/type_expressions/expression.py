"""Type expressions: what a declaration says about the type of its name, without what the type does not depend on.

Read from the syntax tree, bounded in depth and width, so that they can be kept without the tree.
"""

from __future__ import annotations

from typing import NamedTuple

DEEPEST = 8  # expressions in one another
WIDEST = 8  # elements of a literal, arguments of a type


class TypeExpression(NamedTuple):
    """An expression whose value has the type that is wanted.

    `kind` says what `name` and `parts` are:

    - name: a `name`, looked up where the expression stands; literal: a built-in class, the `parts` its elements
    - attribute: the member `name` of parts[0]; call: the result of parts[0]; item: `parts` are the object or generic
      class and its index or type arguments; either: one of the `parts`; none: no object
    - instance: an object of the class that parts[0] names; function: its calls give parts[0]; awaitable, awaited: of it
    - self: the object of the method around; slice: a piece of parts[0]; operation: what the operator `name` gives
    - element: one of what a loop over parts[0] gives; part: the element number `name` of parts[0]; entered: what
      a context manager gives; unknown: nothing is said
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
    """An object of a built-in class."""
    return TypeExpression("literal", class_name, elements)
