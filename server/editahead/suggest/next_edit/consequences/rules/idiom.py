"""Consequences of an expression that was written anew: others of its kind, with their own operands.

After `first == None` became `first is None`, `second == None` may become `second is None`; so with `d["k"]` and
`d.get("k")`, swapped arguments, `%` and f-strings, and `raise` with `from`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import NetChange, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.calls.usable_names import blind_places
from editahead.suggest.next_edit.consequences.rewritings.fitting_places import fits, returned_at
from editahead.suggest.next_edit.consequences.rewritings.format_strings import formatted, is_formatting
from editahead.suggest.next_edit.consequences.rewritings.matching import anchor_of, rewritten, signs_of
from editahead.suggest.next_edit.consequences.rewritings.raise_from import cause_added, causes
from editahead.suggest.next_edit.consequences.rewritings.rewriting import Rewriting, rewriting_of
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Node, Parts
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit, apart, united
from editahead.text.words import WORD_BYTES

SOURCE = "idiom"
REWRITTEN = "rewritten"
"""What says the same with any operands, and what says something of this code: they are rated apart."""
MAX_CHANGES, MAX_PLACES = 3, 12
"""The latest changed lines that are looked at, and expressions that are given in all documents."""
MAX_LOOKED = 120
"""Places of an expression's word or sign that are looked at in one document."""
_CLIMB = 6  # nodes from the changed one up to the expression, and from its word
_NEAR = 400  # bytes
_LONGEST = 2_000  # bytes of changes of one line
_WORDS = re.compile(rb"[" + WORD_BYTES + rb"]+")


class _Example(NamedTuple):
    """What a line's changes did: `signature` is the same for all that do so, `spans` are their bytes."""

    signature: str
    rewriting: Rewriting | None
    spans: tuple[tuple[int, int], ...]
    start: int


class _Place(NamedTuple):
    document: Document
    edit: ByteEdit
    form: str


def idiom(moment: Moment) -> Outcome:
    """Other expressions of the kind that was written anew, the latest first. Raises what the check raises."""
    outcome = Outcome.empty()
    home = moment.document
    with interruptible(moment.check):
        found: dict[str, list[_Example]] = {}
        for example in _examples(moment, home):
            found.setdefault(example.signature, []).append(example)
        for alike in found.values():
            outcome.candidates.extend(islice(_others(moment, alike), MAX_PLACES))
    return outcome


def _examples(moment: Moment, home: Document) -> Iterator[_Example]:
    """What was done to the lines that were changed last; none while the user is still there."""
    syntax, data = home.syntax, home.syntax.buffer.data
    changes = [one for one in net_changes(home.history, data) if not one.undone(data)]
    latest = sorted(changes, key=lambda one: -one.turn)
    here = syntax.buffer.line_at(min(moment.byte, len(data)))
    seen = set[int]()
    for change in latest:
        line = syntax.buffer.line_at(change.start)
        if line in seen or len(seen) == MAX_CHANGES:
            continue
        seen.add(line)
        moment.check()
        alike = [one for one in changes if syntax.buffer.line_at(one.start) == line]
        size = sum(len(one.old) + one.end - one.start for one in alike)
        if size > _LONGEST or not all(one.settled for one in alike) or (line == here and not home.idle):
            continue
        made = _example(syntax, alike)
        if made is not None:
            signature, rewriting = made
            yield _Example(signature, rewriting, tuple((one.start, one.end) for one in alike), alike[0].start)


def _example(syntax: SyntaxSnapshot, changes: Sequence[NetChange]) -> tuple[str, Rewriting | None] | None:
    """What the changes of one line did, by the smallest expression around them that says enough."""
    edits = [ByteEdit(one.start, one.end, one.old) for one in reversed(changes)]
    start, end = changes[0].start, max(one.end for one in changes)
    grown = sum(one.end - one.start - len(one.old) for one in changes)
    old_end = end - grown
    python = syntax.language.id == "python"
    if python:
        cause = cause_added(syntax, start, end)
        if cause is not None and not any(b"from" in one.old for one in changes):
            return f"from {'None' if cause == 'None' else 'error'}", None
    buffer = syntax.buffer.apply(united(syntax.buffer.data, edits))
    before = syntax.advance(buffer, edits)
    (new, shift), (old, offset) = _around(syntax, start, end), _around(before, start, old_end)
    by_span = {(node.start_byte + offset, node.end_byte + offset): node for node in old}
    for node in islice(reversed(new), _CLIMB):
        was = by_span.get((node.start_byte + shift, node.end_byte + shift - grown))
        if node.type.endswith(("_statement", "block", "assignment", "_declaration")):
            return None
        if was is None:
            continue
        if node.type == "type":
            return None  # what an annotation says is no value
        if python and is_formatting(was) and node.type == "string":
            return ("f-string", None) if _quoted(formatted(was, known=True)) == _quoted(node.text) else None
        made = rewriting_of(was, node)
        if made is not None:
            return made.signature, made
    return None


def _around(syntax: SyntaxSnapshot, start: int, end: int) -> tuple[list[Node], int]:
    """The nodes that hold bytes [start, end), outermost first, and where their tree begins."""
    best: tuple[list[Node], int] = ([], 0)
    for at in {start, max(0, start - 1)}:
        path, offset = path_to(syntax, at)
        held = [node for node in path if node.start_byte + offset <= start and end <= node.end_byte + offset]
        best = max(best, (held, offset), key=lambda one: len(one[0]))
    return best


def _others(moment: Moment, alike: Sequence[_Example]) -> Iterator[Consequence]:
    """The others of one kind, from the cursor on, then from the top, then in the other open files."""
    home, first = moment.document, alike[0]
    source = SOURCE if first.rewriting is None or first.rewriting.portable else REWRITTEN
    group = f"{source}-{blake2b(first.signature.encode(), digest_size=4).hexdigest()}"
    if not not_rejected(home, group).passed:
        return
    documents = [home, *(one for one in home.others if one.language_id == home.language_id)]
    for document in documents:
        data, buffer = document.syntax.buffer.data, document.syntax.buffer
        touched = [(one.start, one.end) for one in net_changes(document.history, data)]
        places = [one for one in _places(moment, document, first) if not _touches(one.edit, touched)]
        places.sort(key=lambda one: (one.edit.start < moment.byte, one.edit.start))
        given = [(document, one.edit.start, _added(one.edit, data)) for one in places]
        blind = blind_places(moment, home, first.start, given) if source == REWRITTEN else frozenset()
        for place in places:
            if (document.uri, place.edit.start) in blind:
                continue
            key = f"{group} @ {' '.join(buffer.line_text(buffer.line_at(place.edit.start)).split())}"
            if not not_rejected(home, key).passed:
                continue
            kind = f"{place.form}/{'again' if len(alike) > 1 else 'once'}"
            kind += "" if document is home else "/other-file"
            like = home.syntax.buffer.line_at(first.start)
            yield Consequence(
                source, document, place.edit, group, kind, "another expression of this kind was written so",
                len(alike), like, key, group,
            )  # fmt: skip


def _places(moment: Moment, document: Document, example: _Example) -> Iterator[_Place]:
    syntax, data = document.syntax, document.syntax.buffer.data
    if example.signature.startswith("from "):
        named = example.signature != "from None"
        resolver = moment.resolver(document.uri, syntax, Parts(frozenset({b"except"}))) if named else None
        edits = causes(syntax, resolver, named, MAX_LOOKED, moment.check)
        yield from (_Place(document, edit, "from") for edit in edits)
        return
    rewriting = example.rewriting
    signs = signs_of(rewriting) if rewriting is not None else frozenset[bytes]()
    returned = returned_at(moment.document.syntax, example.start)
    found: dict[ByteEdit, str] = {}
    for anchor in (b"%", b".format(") if rewriting is None else (anchor_of(rewriting),):
        for at in islice(syntax.occurrences(anchor), MAX_LOOKED) if anchor else ():
            moment.check()
            near = b"\n".join(data[max(0, at - _NEAR) : at].split(b"\n")[-2:])
            near += b"\n".join(data[at : at + _NEAR].split(b"\n")[:2])
            if not all(sign in near for sign in signs):
                continue  # they stand within a line of it
            path, offset = path_to(syntax, at)
            for number in range(len(path) - 1, max(0, len(path) - 1 - _CLIMB), -1):
                made = _instead(rewriting, path[number]) if fits(rewriting, path, number, returned) else None
                if made is not None:
                    edit = ByteEdit(path[number].start_byte + offset, path[number].end_byte + offset, made[0])
                    found[edit] = made[1]
                    break
    yield from (_Place(document, edit, found[edit]) for edit in apart(found) if not edit.is_noop(data))


def _instead(rewriting: Rewriting | None, node: Node) -> tuple[bytes, str] | None:
    """What becomes of an expression, and how alike it is to the example."""
    if rewriting is None:
        text = formatted(node)
        return (text, "f-string") if text is not None else None
    if node.type != rewriting.old.type:
        return None
    made = rewritten(rewriting, node)
    if made is None:
        return None
    shared = bool(set(made[1]) & set(rewriting.operands) - {b"None", b"null", b"nil"})
    if not shared and not rewriting.portable and rewriting.form != "swap":
        return None
    return made[0], f"{rewriting.form}/{'same' if shared else 'other'}"


def _added(edit: ByteEdit, data: bytes) -> bytes:
    """What an edit writes, without the words that stand there already."""
    words = set(_WORDS.findall(data[edit.start : edit.old_end]))
    return _WORDS.sub(lambda word: b"" if word.group() in words else word.group(), edit.new)


def _quoted(text: bytes | None) -> bytes | None:
    """A text with quotes of one kind."""
    return text.replace(b"'", b'"') if text is not None else None


def _touches(edit: ByteEdit, touched: Sequence[tuple[int, int]]) -> bool:
    return any(start <= edit.old_end and edit.start <= end for start, end in touched)


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.EXPRESSION}),
    generate=idiom,
    you="rewrite an expression: `x == None` to `x is None`, `==` to `===`, `%` to an f-string",
    follows="others of its kind, with operands of their own",
    examples=("a = b «==>is» None\nc = d ‹==>is› None\n",),
    variants=("rewritten",),
    by_likeness=True,
)
