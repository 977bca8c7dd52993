"""Completions from the bytes around the cursor, where the text is too long to be read: nothing is parsed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.suggest.context import name_before
from editahead.suggest.gate import cheap_gates, first_failure, in_code, no_number_before
from editahead.suggest.types import Completion, Completions, Decision, Document, GateReading, Reason, Shown, Suppressed
from editahead.text.words import SCRIPT_IDENTIFIER, is_name

AROUND = 8_000  # bytes on each side of the cursor
_PARSED = 1 << 16  # bytes of a text whose strings and comments are looked for
_NAMES = re.compile(SCRIPT_IDENTIFIER)


def complete_long_line(document: Document, byte: int) -> Decision[Completions]:
    """Names near a byte of a line that is too long to be read, the nearest first."""
    gates = cheap_gates(document, None)
    if all(gate.passed for gate in gates) and len(document.syntax.buffer.data) <= _PARSED:
        gates.append(in_code(document, byte))
    if (failure := first_failure(gates)) is not None:
        return failure
    return complete_by_text(document, byte, gates)


def complete_by_text(document: Document, byte: int, gates: Sequence[GateReading]) -> Decision[Completions]:
    """Names that stand near a byte and begin with what is typed, the nearest first."""
    data = document.syntax.buffer.data
    before = data[max(0, byte - AROUND) : byte]
    text = before.decode("utf-8", "replace")
    prefix = name_before(document.syntax.language, text)
    number = no_number_before(text[-AROUND // 100 :].removesuffix(prefix), prefix, document.syntax.language)
    if not prefix or not number.passed:
        return Suppressed(Reason.EMPTY, "no name has begun", (*gates, number))
    start = byte - len(prefix.encode())
    above = _NAMES.findall(before[: start - byte])
    if len(before) == AROUND:  # the first may be cut
        del above[:1]
    words = (name.decode("utf-8", "replace") for name in [*above[::-1], *_NAMES.findall(data[byte : byte + AROUND])])
    names = [word for word in dict.fromkeys(words) if word.startswith(prefix) and word != prefix and is_name(word)]
    if not names:
        return Suppressed(Reason.EMPTY, "no name nearby begins so", (*gates, number))
    items = tuple(Completion(name, 0.0, "text", "cache") for name in names[: document.max_completions])
    return Shown(Completions(items, start, byte, complete=False), 0.0, (*gates, number))
