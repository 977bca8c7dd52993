"""Edits that are not repeated after a single example: modifiers of declarations, and renames of local names.

An `async` before a function says nothing about the next function, and a parameter of the same name in another function
is a different parameter. Such edits are repeated after two examples, of a rename in two functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from editahead.patterns.changes import NetChange, net_changes
from editahead.patterns.examples import Example, example_of
from editahead.patterns.pattern import is_word
from editahead.suggest.next_edit.repeats.member_objects import Likeness, likeness, object_at
from editahead.suggest.next_edit.repeats.pattern_features import role_at
from editahead.suggest.types import Document, GateReading, Reason
from editahead.syntax.snapshot import Region
from editahead.syntax.tokens import Role, TokenKind
from editahead.text.edits import ByteEdit
from editahead.text.history_view import HistoryView

MODIFIERS = frozenset(
    "abstract async const constexpr crate default explicit export extern final friend inline internal lateinit mut "
    "mutable native open operator override partial private protected pub public readonly sealed static strictfp "
    "suspend synchronized transient unsafe virtual volatile".split()
)
_MAX_CHANGES = 30  # the most recent changes, which are compared
_CONTROL = frozenset("if for foreach while switch match catch return with elif unless until".split())
_HEADS = frozenset("def fn fun func function proc sub".split())
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_BEHIND_HEAD = frozenset({"{", "=>", "->"})

_Words = tuple[int, tuple[str, ...], tuple[str, ...]]  # a byte, the removed words, the inserted words


class _Replacement(NamedTuple):
    """A replacement of words at a byte of a document; `old` or `new` may be empty."""

    document: Document
    at: int
    old: tuple[str, ...]
    new: tuple[str, ...]


def not_on_one_example(document: Document, edit: ByteEdit) -> GateReading:
    """Whether an edit repeats no single example of a modifier or of a rename of another function's own name."""
    pieces = list(_pieces(document, edit))
    documents = (document, *document.others) if pieces else ()
    examples = [example for each in documents for example in _examples(each)]
    for piece in pieces:
        same = [example for example in examples if (example.old, example.new) == (piece.old, piece.new)]
        if len(same) == 1 and is_modifier(piece.old, piece.new):
            return GateReading(Reason.NO_FIT, False, f"one example of {' '.join(piece.new or piece.old)!r}")
        if same and is_rename(piece.old, piece.new) and _is_of_another_function(piece, same):
            return GateReading(Reason.NO_FIT, False, f"{piece.old[0]!r} is another function's own name here")
        if same and is_rename(piece.old, piece.new) and _is_of_another_object(piece, same):
            return GateReading(Reason.NO_FIT, False, f"{piece.old[0]!r} is no member of the same object here")
    return GateReading(Reason.NO_FIT, True, "repeats no single example of a modifier or of a function's own name")


def is_modifier(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether a replacement only inserts or removes modifiers of a declaration."""
    return bool(old or new) and MODIFIERS.issuperset(old) and MODIFIERS.issuperset(new)


def is_rename(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether a single word is replaced by another word."""
    return len(old) == len(new) == 1 and is_word(old[0]) and is_word(new[0])


def in_signature(document: Document, byte: int) -> bool:
    """Whether a byte is in the parameters of a function, by the tokens of its line alone."""
    line = document.syntax.buffer.line_at(byte)
    tokens = [token for token in document.syntax.line_tokens(line) if token.kind is not TokenKind.NEWLINE]
    column = byte - int(document.syntax.buffer.line_starts[line])
    opened: list[int] = []
    for number, token in enumerate(tokens):
        if token.start >= column:
            break
        if token.text in _OPEN:
            opened.append(number)
        elif token.text in _CLOSE and opened:
            opened.pop()
    if not opened or tokens[opened[0]].text != "(":
        return False
    texts = [token.text for token in tokens]
    if _HEADS.intersection(texts[: opened[0]]):
        return True
    depths = accumulate((text in _OPEN) - (text in _CLOSE) for text in texts[opened[0] :])
    behind = next((at for at, depth in enumerate(depths, opened[0] + 1) if depth == 0), len(texts))
    owner = texts[opened[0] - 1] if opened[0] else ""
    return owner not in ("", *_CONTROL) and texts[behind : behind + 1] != [] and texts[behind] in _BEHIND_HEAD


def _is_of_another_function(piece: _Replacement, examples: Sequence[_Replacement]) -> bool:
    """Whether all examples rename a local name of the same function, and the edit another name.

    Examples in comments and strings do not count.
    """
    functions = {_declaring(example, example.old[0], example.new[0]) for example in examples if _in_code(example)}
    if len(functions) != 1 or None in functions:
        return False
    here = _declaring(piece, piece.old[0]) or _declaring(piece, piece.new[0])
    if here is None:  # a field or a name of the module; arguments and prose may name the parameter
        return role_at(piece.document, piece.at) not in (Role.ARGUMENT, None)
    (function,) = functions
    return function != here


def _is_of_another_object(piece: _Replacement, examples: Sequence[_Replacement]) -> bool:
    """Whether all examples rename a member, and the edit renames no member or that of another receiver."""
    objects = [object_at(example.document, example.at) for example in examples]
    members = [member for member in objects if member is not None]
    if len(members) < len(objects):
        return False
    receiver = object_at(piece.document, piece.at)
    return receiver is None or likeness(receiver, members) is Likeness.OTHER


def _in_code(piece: _Replacement) -> bool:
    return piece.document.syntax.region_at(piece.at + 1) is Region.CODE


def _declaring(piece: _Replacement, *names: str) -> tuple[str, int] | None:
    """The URI and first byte of the function around a replacement that declares any of some names as local.

    None where there is none, or where the name is an attribute or a keyword argument.
    """
    document, syntax, buffer = piece.document, piece.document.syntax, piece.document.syntax.buffer
    if not syntax.language.has_scopes:  # a function is identified by the line of its parameters
        return (document.uri, buffer.line_at(piece.at)) if in_signature(document, piece.at) else None
    if role_at(document, piece.at) in (Role.ATTRIBUTE_USE, Role.ATTRIBUTE, Role.ARGUMENT):
        return None
    for start, end in syntax.scopes_at(piece.at):
        if declares(document, start, end, names):
            return document.uri, start
    return None


def declares(document: Document, start: int, end: int, names: Sequence[str]) -> bool:
    """Whether the function at bytes [start, end) declares any of some names as local."""
    buffer = document.syntax.buffer
    lines = document.syntax.lines(buffer.line_at(start), buffer.line_at(end) + 1)
    return any(
        token.text in names and token.role in (Role.PARAMETER, Role.VARIABLE) for tokens in lines for token in tokens
    )


def _examples(document: Document) -> Iterator[_Replacement]:
    """Yield the most recent changes of a document."""
    buffer = document.syntax.buffer

    def read(view: HistoryView, data: bytes) -> list[_Words]:
        changes = sorted(net_changes(view, data), key=lambda change: -change.turn)
        examples = [example_of(buffer, [change]) for change in changes[:_MAX_CHANGES]]
        return [_words(example) for example in examples if example is not None]

    for at, old, new in document.history.derive("latest_examples", buffer.data, read):
        yield _Replacement(document, at, old, new)


def _words(example: Example) -> _Words:
    old, new = (tuple(key.text for key in keys) for keys in (example.old, example.new))
    return example.first, old, new


def _pieces(document: Document, edit: ByteEdit) -> Iterator[_Replacement]:
    """Yield the replacements of an edit, token by token, at bytes of the text before it."""
    data = document.syntax.buffer.data
    after = document.syntax.buffer.apply(edit)
    example = example_of(after, [NetChange(edit.start, edit.new_end, edit.old_bytes(data), 0.0, 0)])
    if example is None:
        return
    old, new = ([key.text for key in keys] for keys in (example.old, example.new))
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            starts = example.before.starts
            yield _Replacement(document, example.offset + starts[example.lo + a], tuple(old[a:b]), tuple(new[c:d]))
