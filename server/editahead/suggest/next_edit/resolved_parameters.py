"""Added and removed parameters with their resolved calls, so that no other source edits calls of other functions.

A source that compares texts repeats a new argument in all calls of that name, whatever function they refer to.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from editahead.analysis.signatures import call_around, function_around
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit


class ResolvedParameter(NamedTuple):
    """A parameter of a function, resolved in the file `uri`.

    `others` are the bytes at which the function's name refers to another function, `unusable` those of calls in whose
    scope no variable has the parameter's name.
    """

    uri: str
    function: str
    parameter: str
    others: frozenset[int]
    unusable: frozenset[int]

    def refuses(self, syntax: SyntaxSnapshot, edit: ByteEdit) -> bool:
        """Whether an edit of the file gives another function the argument or parameter, or an argument out of scope."""
        table, data = syntax.language.scopes, syntax.buffer.data
        if table is None or not (self.others or self.unusable):
            return False
        small = edit.trim(data)
        gone = small.old_bytes(data)
        named = _count(self.parameter, small.new) > _count(self.parameter, gone)
        call = call_around(syntax, table, small.start)
        if call is not None and call.name == self.function and named and call.name_start in self.unusable:
            return True
        row = (call.name, call.name_start, call.arguments) if call is not None else None
        declared = function_around(syntax, table, small.start) if row is None else None
        row = (declared.name, declared.name_start, declared.parameters) if declared is not None else row
        if row is None or row[0] != self.function or row[1] not in self.others:
            return False
        return not row[2].items or small.new.count(b",") != gone.count(b",")


def _count(word: str, text: bytes) -> int:
    """How often a text uses a name, neither as a member nor as a keyword of an argument."""
    return len(re.findall(rb"(?<![\w$.])" + re.escape(word.encode()) + rb"(?![\w$])(?!\s*[=:](?!=))", text))
