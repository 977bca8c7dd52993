"""Places of a dotted name that give it a value, or take it away: a shorter name there would be another variable."""

from __future__ import annotations

from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.consequences.targets import is_target
from editahead.syntax.snapshot import SyntaxSnapshot

_CASE, _CLASS_CASE = "case_pattern", "class_pattern"  # `case a.b:` compares, but `case b:` takes all


def is_set(syntax: SyntaxSnapshot, start: int, end: int) -> bool:
    """Whether the name in bytes [start, end) is a target of an assignment, or of what does the same."""
    path, offset = path_to(syntax, start)
    while path and path[-1].end_byte + offset < end:
        path.pop()
    if not path:
        return True  # nobody knows
    if any(node.type == _CASE for node in path):
        return len(path) < 2 or path[-2].type != _CLASS_CASE
    return is_target(path, len(path) - 1, items=False)
