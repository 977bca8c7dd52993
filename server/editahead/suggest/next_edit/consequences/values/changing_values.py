"""Expressions whose value may change: an operand is assigned, or calls have different results."""

from __future__ import annotations

import re
from itertools import islice

from editahead.suggest.next_edit.consequences.values.same_meaning import NamedExpression
from editahead.text.words import IDENTIFIER, WORD_BYTES

_MAX_WRITES = 200
"""Assignments that are read."""
_CALLED = re.compile(rb"([" + WORD_BYTES + rb"]+)[ \t]*(?:<[^<>()\n]{0,200}>)?\(")
_NEW = re.compile(rb"(?<![." + WORD_BYTES + rb"])new\s")
_CHANGING = frozenset(
    b"time now Now today monotonic perf_counter process_time elapsed hrtime clock nanoTime currentTimeMillis "
    b"random rand randn randint randrange choice shuffle sample uniform gauss nextInt nextDouble uuid1 uuid4 "
    b"randomUUID next Next pop Pop popleft popitem shift dequeue Dequeue poll take get_nowait recv accept input "
    b"getchar getc fgetc read Read readline readlines readLine ReadLine nextLine fetchone fetchmany fread scanf "
    b"open lock acquire mkdtemp mkstemp fork".split()
)
"""Functions and methods whose result differs from call to call."""
_WRITTEN = (
    rb"(?<![" + WORD_BYTES + rb"])(%b)(?:[ \t]*,[ \t]*[." + WORD_BYTES + rb"]+){0,4}"
    rb"[ \t]*(?:(?:[-+*/%%&|^@]|<<|>>|>>>|\*\*|//|\?\?|&&|\|\|)?=(?![=>])|:=|\+\+|--)"
)


def differs_each_time(text: bytes) -> bool:
    """Whether an expression creates an object, or calls a function whose result differs, by its name."""
    return _NEW.search(text) is not None or not _CHANGING.isdisjoint(_CALLED.findall(text))


def first_write(meaning: NamedExpression, data: bytes, start: int, end: int) -> int:
    """The first byte in [start, end) at which a name or member of an expression is assigned; else `end`.

    Other variables of the same name do not count: `for o in all` in an inner scope.
    """
    text = data[meaning.start : meaning.end]
    names = b"|".join(map(re.escape, sorted(set(re.findall(IDENTIFIER, text)))))
    if not names:
        return end
    for match in islice(re.compile(_WRITTEN % names).finditer(data, start, end), _MAX_WRITES):
        if meaning.has_name(match.start(), match.group(1)):
            return match.start()
    return end
