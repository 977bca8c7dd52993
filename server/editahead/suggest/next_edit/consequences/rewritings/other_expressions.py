"""Other expressions of a kind that the user has rewritten, with what becomes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.consequences.calls.usable_names import blind_places
from editahead.suggest.next_edit.consequences.rewritings.fitting_places import fits, returned_at
from editahead.suggest.next_edit.consequences.rewritings.matching import anchor_of, rewritten, signs_of
from editahead.suggest.next_edit.consequences.rewritings.rewriting import Rewriting
from editahead.suggest.next_edit.consequences.rewritings.rewritten_lines import RewrittenLine
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node
from editahead.text.edits import ByteEdit, apart
from editahead.text.words import WORD_BYTES

SOURCE = "idiom"
REWRITTEN = "rewritten"
"""What says the same with any operands, and what says something of this code: they are rated apart."""
MAX_EDITS = 12
"""Expressions of one kind that are given in all documents."""
MAX_SCANNED = 120
"""Occurrences of a word or sign that are read in one document."""
_CLIMB = 6  # nodes from the word up to the expression
_NEAR = 400  # bytes
_WORDS = re.compile(rb"[" + WORD_BYTES + rb"]+")


def other_expressions(
    moment: Moment, lines: Sequence[RewrittenLine], signature: str, reason: str, rewriting: Rewriting
) -> Iterator[Consequence]:
    """What becomes of other expressions of the kind of some rewritten lines; MAX_EDITS at most.

    They come in the order from the cursor on, then from the top, then in the other open files.
    """
    home, start = moment.document, lines[0].start
    source = SOURCE if rewriting.portable else REWRITTEN
    cause = Cause(source, signature, reason, home.syntax.buffer.line_at(start), len(lines))
    return islice(_consequences(moment, cause, start, rewriting), MAX_EDITS)


def _consequences(moment: Moment, cause: Cause, start: int, rewriting: Rewriting) -> Iterator[Consequence]:
    """The edits of a kind; `start` is a byte of the example."""
    home, times = moment.document, "again" if cause.examples > 1 else "once"
    returned = returned_at(home.syntax, start)
    for document in (home, *(other for other in home.others if other.language_id == home.language_id)):
        rewrites = _rewrites(moment, document, rewriting, returned)
        edits = [pair for pair in rewrites if not moment.is_changed(document, pair[0].start, pair[0].old_end)]
        edits.sort(key=lambda pair: (pair[0].start < moment.byte, pair[0].start))
        added = [(document, edit.start, _added(edit, document.syntax.buffer.data)) for edit, _ in edits]
        blind = blind_places(moment, home, start, added) if cause.source == REWRITTEN else frozenset()
        for edit, form in edits:
            if (document.uri, edit.start) not in blind:
                kind = f"{form}/{times}{'' if document is home else '/other-file'}"
                yield from moment.consequence(cause, document, edit, kind)


def _rewrites(
    moment: Moment, document: Document, rewriting: Rewriting, returned: bytes
) -> Iterator[tuple[ByteEdit, str]]:
    """The rewritten expressions of a document, each with how alike it is to the example."""
    syntax, data = document.syntax, document.syntax.buffer.data
    signs, anchor = signs_of(rewriting), anchor_of(rewriting)
    forms: dict[ByteEdit, str] = {}
    for at in islice(syntax.occurrences(anchor), MAX_SCANNED) if anchor else ():
        moment.check()
        near = b"\n".join(data[max(0, at - _NEAR) : at].split(b"\n")[-2:])
        near += b"\n".join(data[at : at + _NEAR].split(b"\n")[:2])
        if not all(sign in near for sign in signs):
            continue  # they stand within a line of it
        path, offset = path_to(syntax, at)
        for number in range(len(path) - 1, max(0, len(path) - 1 - _CLIMB), -1):
            result = _instead(rewriting, path[number]) if fits(rewriting, path, number, returned) else None
            if result is not None:
                edit = ByteEdit(path[number].start_byte + offset, path[number].end_byte + offset, result[0])
                forms[edit] = result[1]
                break
    yield from ((edit, forms[edit]) for edit in apart(forms) if not edit.is_noop(data))


def _instead(rewriting: Rewriting, node: Node) -> tuple[bytes, str] | None:
    """What becomes of an expression, and how alike it is to the example."""
    if node.type != rewriting.old.type:
        return None
    result = rewritten(rewriting, node)
    if result is None:
        return None
    shared = bool(set(result[1]) & set(rewriting.operands) - {b"None", b"null", b"nil"})
    if not shared and not rewriting.portable and rewriting.form != "swap":
        return None
    return result[0], f"{rewriting.form}/{'same' if shared else 'other'}"


def _added(edit: ByteEdit, data: bytes) -> bytes:
    """What an edit writes, without the words that stand there already."""
    words = set(_WORDS.findall(data[edit.start : edit.old_end]))
    return _WORDS.sub(lambda word: b"" if word.group() in words else word.group(), edit.new)
