"""Whether equal expressions mean the same, with their names resolved, and whether their value may change."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import ScopeKind
from editahead.text.words import IDENTIFIER, WORD_BYTES

_WORD = re.compile(rb"(?<![." + WORD_BYTES + rb"])" + IDENTIFIER)
_MAX_WORDS = 40


class NamedExpression(NamedTuple):
    """The names of a file, an expression in it, and the declaration that gives it a name."""

    names: Resolver
    words: tuple[tuple[int, str], ...]  # of the expression, by their bytes in it
    start: int
    end: int
    declared: Binding
    this: ScopeRef | None  # the function whose `this` it uses; None if it uses none

    def means_the_same(self, start: int) -> bool:
        """Whether the equal expression at another byte means the same, and the declared name is visible there."""
        names, declared = self.names, self.declared
        seen = names.lookup(names.scopes.scope_at(start), declared.namespace, declared.name, start)
        if seen != declared or (self.this is not None and _function_of_this(names, start) != self.this):
            return False
        return all(_meant(names, self.start + at, word) == _meant(names, start + at, word) for at, word in self.words)

    def has_name(self, start: int, text: bytes) -> bool:
        """Whether the name at another byte is a name of the expression, or possibly a member in it."""
        word = text.decode("utf-8", "replace")
        own = next((self.start + at for at, name in self.words if name == word), None)
        return own is None or _meant(self.names, own, word) == _meant(self.names, start, word)


def named_expression(moment: Moment, document: Document, name: tuple[int, str], span: tuple[int, int]) -> (
    NamedExpression | None
):  # fmt: skip
    """The expression at a span, to which a declaration gives a name at a byte; None where that declares nothing."""
    text = document.syntax.buffer.data[span[0] : span[1]]
    matches = islice(_WORD.finditer(text), _MAX_WORDS)
    words = tuple((match.start(), match.group().decode("utf-8", "replace")) for match in matches)
    required = frozenset(word.encode() for word in (name[1], *(word for _, word in words)))
    names = moment.resolver(document.uri, document.syntax, Parts(required, (name[0],)))
    at = names.name_at(*name) if names is not None else None
    declared = names.binding(at) if names is not None and at is not None else None
    if names is None or declared is None:
        return None
    has_this = names.table.classes.outer_objects and any(word in names.table.classes.this_nodes for _, word in words)
    return NamedExpression(names, words, *span, declared, _function_of_this(names, span[0]) if has_this else None)


def _meant(names: Resolver, start: int, word: str) -> Binding | None:
    at = names.name_at(start, word)
    return names.binding(at) if at is not None else None


def _function_of_this(names: Resolver, byte: int) -> ScopeRef | None:
    """The innermost function at a byte that has a `this` of its own."""
    for ref in names.scopes.around(names.scopes.scope_at(byte)):
        facts = names.scopes.local(ref)
        if names.scopes.kind(ref) is ScopeKind.FUNCTION and facts is not None and not facts.outer_object:
            return ref
    return None


_MAX_WRITES = 200  # assignments that are read
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
