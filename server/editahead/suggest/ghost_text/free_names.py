"""The free names of a ghost text: each must stand in reach in this file, whatever the n-grams of other files say.

A name is free where the text reads it: not behind a dot, not the name of a keyword argument, and not bound by the text
itself. It is in reach where it stands, not behind a dot either, in the module or in a function around the cursor. In
Java, types and methods may come from the package or from a superclass, which this file does not show: only variables
are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from editahead.analysis.known_names import BUILT_IN
from editahead.encode.language_model.vocabulary import INDENT_OF
from editahead.suggest.types import Document, GateReading, Reason
from editahead.syntax.tokens import Line, Role, TokenKind

_OCCURRENCES = 400  # occurrences of a name that are checked; a name with more is in reach
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_BINDING = frozenset({"def", "class", "as", "global", "nonlocal", "import"})
_JAVA_TYPES = frozenset({">", "]", *"int long short byte char boolean float double var".split()})
_IMPORT = frozenset({"import", "from", "package"})
_QUOTE = re.compile(r"[a-zA-Z]{0,2}(\"{3}|'{3}|\"|')")
_PYTHON_NAMES = BUILT_IN | {"__name__", "__file__", "__doc__", "__class__"}


def first_unbound(
    document: Document, byte: int, before: Sequence[str], texts: Sequence[str], keywords: frozenset[str]
) -> tuple[int, str] | None:
    """The first token of a ghost text that is a free name out of reach: its number and the name.

    None when all are in reach. `before` are the tokens of the cursor's line before it; line ends stand in `texts` as
    such.
    """
    if document.language_id not in ("python", "java"):
        return None
    for number, name in free_names(before, texts, document.language_id, keywords):
        if not is_in_reach(document, byte, name):
            return number, name
    return None


def bound_gate(unbound: tuple[int, str] | None) -> GateReading:
    """Whether all free names of a ghost text are in reach."""
    value = "all names are in reach" if unbound is None else f"{unbound[1]!r} is bound nowhere in reach"
    return GateReading(Reason.NO_FIT, unbound is None, value)


def free_names(
    before: Sequence[str], texts: Sequence[str], language_id: str, keywords: frozenset[str]
) -> Iterator[tuple[int, str]]:
    """The names that a text reads without binding them, each with the number of its token in `texts`."""
    bound: set[str] = set()
    line: list[tuple[int, str]] = [(-1, text) for text in before]
    lines = [line]
    for number, text in enumerate(texts):
        if text in INDENT_OF or text.startswith("\n"):
            lines.append([])
        else:
            lines[-1].append((number, text.strip()))
    for line in lines:
        words = [text for _, text in line]
        if words and (words[0] in _IMPORT or words[0] == "case" or (words[0] == "@" and language_id == "java")):
            continue
        targets = (_python_targets if language_id == "python" else _java_targets)(words, keywords)
        bound.update(targets)
        for at, (number, text) in enumerate(line):
            if number < 0 or not text.isidentifier() or text in keywords or text in bound:
                continue
            if not _is_attribute(words, at) and _is_read(words, at, language_id, len(words) - 1):
                yield number, text


def _is_read(words: Sequence[str], at: int, language_id: str, last: int) -> bool:
    """Whether the word at `at`, no attribute, is a name that must be bound already."""
    text, behind = words[at], words[at + 1] if at < last else ""
    if sum(_QUOTE.fullmatch(word) is not None for word in words[:at]) % 2:
        return False  # inside a string of several tokens
    if language_id == "java":
        return text[:1].islower() and behind not in ("(", "->", "::", "@", ":") and text != "length"
    if text in _PYTHON_NAMES or behind == ":=" or (at and words[at - 1] in _BINDING):
        return False
    inside = sum((word in _OPEN) - (word in _CLOSE) for word in words[:at]) > 0
    return not (behind == "=" and inside) and not (at == 0 and at == last)  # a statement may begin with a new name


def _is_attribute(words: Sequence[str], at: int) -> bool:
    return at > 0 and words[at - 1] in (".", "::", "->") and (words[at - 1] != "->" or at < 2)


def _python_targets(words: Sequence[str], keywords: frozenset[str]) -> Iterator[str]:
    if not words:
        return
    if words[0] in ("def", "class") or words[:2] == ["async", "def"]:
        yield from (word for word in words if word.isidentifier())  # parameters, annotations: not judged
        return
    depth = 0
    assigned: list[str] = []
    for at, word in enumerate(words):
        depth += (word in _OPEN) - (word in _CLOSE)
        if word == "for":
            stop = next((n for n in range(at, len(words)) if words[n] == "in"), len(words))
            yield from (name for name in words[at + 1 : stop] if name.isidentifier())
        elif word == "lambda":
            stop = next((n for n in range(at, len(words)) if words[n] == ":"), len(words))
            yield from (name for name in words[at + 1 : stop] if name.isidentifier())
        elif word == "=" and depth == 0:
            names = (number for number in range(at) if words[number].isidentifier())
            assigned = [words[number] for number in names if not _is_attribute(words, number)]
            if words[1:2] == [":"] or not any(mark in words[:at] for mark in ("[", "(", ".", ":")):
                yield from assigned
        elif word == ":=" and at:
            yield words[at - 1]
    if len(words) > 2 and words[1] == ":" and words[0] not in keywords:
        yield words[0]
    yield from (b for a, b in pairwise(words) if a == "as")


def _java_targets(words: Sequence[str], keywords: frozenset[str]) -> Iterator[str]:
    """The names that a line of Java declares: those behind a type, and the parameters of a lambda."""
    for a, b in pairwise(words):
        typed = a in _JAVA_TYPES or (a.isidentifier() and a not in keywords)
        if typed and b.isidentifier() and b not in keywords:
            yield b
        if b == "->" and a.isidentifier():
            yield a


def is_in_reach(document: Document, byte: int, name: str) -> bool:
    """Whether a name stands in the module, or in a function around a byte, other than as an attribute."""
    syntax, buffer = document.syntax, document.syntax.buffer
    around = functions_around(document, byte)
    looked = 0
    for match in re.finditer(rb"(?<![\w.])" + re.escape(name.encode()) + rb"(?!\w)", buffer.data):
        looked += 1
        if looked > _OCCURRENCES:
            return True
        line = buffer.line_at(match.start())
        if buffer.is_data(line):
            continue
        role = _role(syntax.line_tokens(line), match.start() - int(buffer.line_starts[line]))
        if role is None or role is Role.ARGUMENT:
            continue
        scopes = syntax.scopes_at(match.start())
        if role is Role.FUNCTION:
            scopes = scopes[1:]  # its own name is visible around it
        if not scopes or scopes[0] in around:
            return True
    return False


def functions_around(document: Document, byte: int) -> set[tuple[int, int]]:
    """The functions that text written at a byte would belong to.

    Blanks at the end of a Python function are none of its bytes: there the indentation decides.
    """
    syntax, buffer = document.syntax, document.syntax.buffer
    around = set(syntax.scopes_at(byte))
    if document.language_id == "python":
        begin = buffer.line_span(buffer.line_at(byte))[0]
        column = _indentation(buffer.data[begin:byte])
        above = syntax.scopes_at(max(0, len(buffer.data[:byte].rstrip()) - 1))
        around |= {span for span in above if column > _indentation(buffer.line_bytes(buffer.line_at(span[0])))}
    return around


def _indentation(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def _role(line: Line, column: int) -> Role | None:
    """The role of the name that begins at a column; None where a comment, a string or nothing does."""
    for number, token in enumerate(line):
        if token.start == column and token.kind is not TokenKind.NEWLINE:
            dotted = number > 0 and line[number - 1].text == "."
            return token.role if token.kind is TokenKind.NAME and not dotted else None
    return None
