"""Edits that are not repeated after a single example: modifiers of declarations, and renames of local names.

An `async` before a function says nothing about the next function, and a parameter of the same name in another function
is a different parameter. Such edits are repeated after two examples, of a rename in two functions.
A change of `cart.add` to `cart.push` is no example for `store.add`, unless both receivers are of the same class or the
examples have different receivers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from enum import IntEnum
from itertools import accumulate, islice
from typing import NamedTuple

from editahead.analysis.resolver.declared_members import class_with_bases
from editahead.analysis.resolver.outer_types import outer_type
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import path_to
from editahead.patterns.changes import NetChange, net_changes
from editahead.patterns.examples import Example, example_of, token_stream
from editahead.patterns.pattern import is_word
from editahead.suggest.next_edit.repeats.pattern_features import role_at
from editahead.suggest.types import Document, GateReading, Reason
from editahead.syntax.nodes import node_text
from editahead.syntax.scope_table import Action
from editahead.syntax.snapshot import Region
from editahead.syntax.tokens import Role, TokenKind
from editahead.text.coalesced_edits import HistoryView
from editahead.text.edits import ByteEdit

_SIGNS = frozenset({".", "->", "::"})
_BEHIND_NAME = frozenset({"?", "!"})  # of `a?.b`
_CLOSED = {")": "(", "]": "[", "}": "{"}
_LINES_ABOVE = 3  # lines of a call chain above the member
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


class MemberObject(NamedTuple):
    """The receiver of a member: its last name, and keys of its class and of the class that declares the member."""

    name: str
    classes: frozenset[Hashable]


class Likeness(IntEnum):
    """Whether a receiver matches those of the examples."""

    OTHER = 0
    UNKNOWN = 1
    SAME = 2


def object_at(document: Document, byte: int, resolver: Resolver | None = None) -> MemberObject | None:
    """The receiver of the member whose name begins at an offset; None if there is no member.

    That of an attribute of a tag is its component.
    There are no classes without `resolver`, and where the file does not tell them.
    """
    buffer = document.syntax.buffer
    line = buffer.line_at(byte)
    tokens = token_stream(buffer, line - _LINES_ABOVE, line + 1)
    index = next((index for index, start in enumerate(tokens.starts) if start == byte and tokens.raw(index)), 0)
    name = _object_before(tokens.texts, index)
    if name is None:
        component = _component_around(document, byte) if "=" in tokens.texts[index + 1 : index + 2] else ""
        return MemberObject(f"<{component}", frozenset()) if component else None
    classes = _classes_of(document.uri, resolver, byte, tokens.texts[index]) if resolver is not None else frozenset()
    return MemberObject(name, classes)


def _component_around(document: Document, byte: int) -> str:
    """The component of the tag whose attribute begins at an offset; empty for elements of HTML."""
    table = document.syntax.language.scopes
    if table is None or not table.literals.tags:
        return ""
    tag = next((node for node in reversed(path_to(document.syntax, byte)[0]) if node.type in table.literals.tags), None)
    name = tag.child_by_field_name(table.literals.tags[tag.type]) if tag is not None else None
    text = node_text(name) if name is not None else ""
    return text if not text[:1].islower() or "." in text else ""


def likeness(receiver: MemberObject, examples: Sequence[MemberObject]) -> Likeness:
    """The likeness of a receiver to those of the examples."""
    classes = frozenset().union(*(example.classes for example in examples))
    if receiver.classes and classes:
        return Likeness.OTHER if receiver.classes.isdisjoint(classes) else Likeness.SAME
    if any(example.name == receiver.name for example in examples):
        return Likeness.SAME
    is_unknown = not receiver.classes and len({example.name for example in examples}) > 1
    return Likeness.UNKNOWN if is_unknown else Likeness.OTHER


def _object_before(texts: Sequence[str], at: int) -> str | None:
    """The last name of the receiver of a member, with the brackets behind it."""
    before = _visible(texts, at - 1)
    if at < 1 or not is_word(texts[at]) or texts[before] not in _SIGNS:
        return None
    before = _visible(texts, before - 1)
    while before > 0 and texts[before] in _BEHIND_NAME:
        before -= 1
    signs = ""
    while before > 0 and texts[before] in _CLOSED:
        signs = f"{texts[before]}{signs}"
        before = _opening(texts, before) - 1
    return f"{texts[before]}{signs}" if before >= 0 else signs


def _visible(texts: Sequence[str], at: int) -> int:
    """The index of the last token up to `at` that is not a line end."""
    while at > 0 and texts[at].startswith("\n"):
        at -= 1
    return max(0, at)


def _opening(texts: Sequence[str], at: int) -> int:
    depth = 0
    for number in range(at, -1, -1):
        depth += (texts[number] in _CLOSED) - (texts[number] in _CLOSED.values())
        if depth == 0:
            return number
    return 0


def _classes_of(uri: str, resolver: Resolver, byte: int, name: str) -> frozenset[Hashable]:
    """Keys of the class of a member's receiver, and of the class that declares the member, or may as its base.

    The new member of an example may be declared by another class than the old: `s.check` became `s.logger.check`.
    """
    member = resolver.name_at(byte, name)
    if member is None or member.occurrence.action is not Action.ATTRIBUTE:
        return frozenset()
    receiver, scope = member.occurrence.receiver, resolver.scopes.placed(member.unit, member.occurrence.scope)
    binding = resolver.binding(member)
    owner = resolver.members.class_of(receiver, member.unit, scope)
    own = [(uri, owner)] if owner is not None else []
    if binding is not None and not binding.loose:
        return frozenset([(uri, binding.scope), *own])
    if owner is not None:
        bases = (base for ref, _ in class_with_bases(resolver, owner) for base in resolver.classes.outer_bases(ref))
        return frozenset([*own, *islice(bases, 1)])
    outer = outer_type(resolver, receiver, member.unit, scope)
    # `a.make<B>()` and `a.make<C>()` give objects of the same class
    if outer is None:
        return frozenset()
    return frozenset({outer._replace(members=tuple(name.partition("<")[0] for name in outer.members))})


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
    """Whether all examples rename a member, and the edit renames no member or that of another receiver.

    Or all examples rename bare names that are used, and the edit a member in the same file.
    """
    objects = [object_at(example.document, example.at) for example in examples]
    members = [member for member in objects if member is not None]
    receiver = object_at(piece.document, piece.at)
    if not members and receiver is not None:
        return all(
            example.document is piece.document and role_at(example.document, example.at) is Role.USE
            for example in examples
        )
    if len(members) < len(objects):
        return False
    return receiver is None or likeness(receiver, members) is Likeness.OTHER


def _in_code(piece: _Replacement) -> bool:
    return piece.document.syntax.region_at(piece.at + 1) is Region.CODE


def _declaring(piece: _Replacement, *names: str) -> tuple[str, int] | None:
    """The URI and first byte of the function around a replacement that declares any of some names as local.

    None where there is none, or where the name is an attribute or a keyword argument.
    """
    document, syntax, buffer = piece.document, piece.document.syntax, piece.document.syntax.buffer
    if syntax.language.scopes is None:  # a function is identified by the line of its parameters
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
