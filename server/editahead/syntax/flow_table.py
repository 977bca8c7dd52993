"""The part of a table of names for tests that bind a name, which is seen where they have come out true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class FlowTable:
    """Names that a test binds: `o instanceof A a && a.x()`. Node types and fields are those of a grammar.

    A name is seen in what runs only after its test came out true, or after the opposite of the test came out false.
    """

    tests: frozenset[str] = frozenset()  # expressions that bind such names
    patterns: frozenset[str] = frozenset()  # nodes between a name and its test
    brackets: frozenset[str] = frozenset()  # expressions that have the value of the expression in them
    operators: str = "operator"  # the field of the sign in the expressions below
    negations: Mapping[str, str] = field(default_factory=dict)  # expressions: the sign of the opposite, `!`
    both: Mapping[str, str] = field(default_factory=dict)  # of two, `left` and `right`: the sign of both, `&&`
    either: Mapping[str, str] = field(default_factory=dict)  # the sign of either, `||`
    branches: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=dict)
    """What a `condition` decides: the fields of what runs where it is true, and where it is false."""
    choices: frozenset[str] = frozenset()  # of these, statements whose successor runs unless a branch leaves
    loops: frozenset[str] = frozenset()  # those behind which the next statement runs when the condition is false
    lists: frozenset[str] = frozenset()  # nodes around statements that run in sequence
    staying: frozenset[str] = frozenset()  # statements that do not leave a list before its end
    unclear: frozenset[str] = frozenset()  # nodes around a test whose names are seen wherever their scope is
