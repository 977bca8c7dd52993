"""Consequences of a new helper or constant: the places that it says.

A function that only returns an expression of its parameters takes the place of that expression with other operands; a
constant that is a number takes the place of that number. Values with names of their own are those of `value`. A place
counts if the new name means the new declaration there, and was run before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import NetChange, latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.rewritings.declared_reach import (
    DeclaredReach,
    reach_of,
    same_declared_type,
    takes_no_name,
)
from editahead.suggest.next_edit.consequences.rewritings.fitting_places import fits
from editahead.suggest.next_edit.consequences.rewritings.matching import anchor_of, rewritten
from editahead.suggest.next_edit.consequences.rewritings.new_helpers import (
    MAX_DECLARED,
    Helper,
    free_words,
    new_helpers,
)
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import Region
from editahead.text.buffer import LONGEST_LINE
from editahead.text.edits import ByteEdit, apart

SOURCE = "extracted"
MAX_CHANGES, MAX_PLACES, MAX_LOOKED = 3, 12, 200
"""The latest changes, places that are given, and those that are looked at."""
_CLIMB = 6  # nodes from a word up to the expression that it stands in
_CONSTANT = re.compile(rb"\b([A-Z][A-Z0-9_]{2,})\b[^=\n]*=[ \t]*(\d[\d_]*(?:\.\d+)?)[;,]?[ \t]*\r?$", re.MULTILINE)
_DIGITS = 3  # characters of a number that says something
_ROUND = re.compile(rb"10*|10*\.0*")


def extracted(moment: Moment) -> Outcome:
    """The places of what the latest changes declared. Raises what the check raises."""
    outcome, home, table = Outcome.empty(), moment.document, moment.document.syntax.language.scopes
    if table is None or (home.history.pending is not None and not home.idle):
        return outcome
    data = home.syntax.buffer.data
    with interruptible(moment.check):
        for change in latest(net_changes(home.history, data), MAX_CHANGES):
            moment.check()
            for helper in islice(new_helpers(home, table, change), MAX_DECLARED):
                outcome.candidates.extend(islice(_calls(moment, home, table, helper), MAX_PLACES))
            for found in islice(_CONSTANT.finditer(data, _line_start(data, change.start), change.end), MAX_DECLARED):
                outcome.candidates.extend(islice(_numbers(moment, home, table, change, found), MAX_PLACES))
    return outcome


def _line_start(data: bytes, byte: int) -> int:
    return data.rfind(b"\n", 0, byte) + 1


def _calls(moment: Moment, home: Document, table: ScopeTable, helper: Helper) -> Iterator[Consequence]:
    syntax, buffer = home.syntax, home.syntax.buffer
    anchor = anchor_of(helper.rewriting)
    if len(anchor) < _DIGITS:
        return
    twice = [hole for hole, times in Counter(helper.rewriting.holes.values()).items() if times > 1]
    found = set[ByteEdit]()
    for at in islice(syntax.occurrences(anchor), MAX_LOOKED):
        moment.check()
        path, offset = path_to(syntax, at) if not helper.start <= at < helper.end else ([], 0)
        for number in range(len(path) - 1, max(0, len(path) - 1 - _CLIMB), -1):
            node = path[number]
            made = rewritten(helper.rewriting, node) if node.type == helper.rewriting.old.type else None
            if made is None or any(b"(" in made[1][hole] for hole in twice):  # that would be called once
                continue
            if fits(helper.rewriting, path, number, b""):
                found.add(ByteEdit(node.start_byte + offset, node.end_byte + offset, made[0]))
    words = free_words(helper, table)
    texts = frozenset(text.encode() for text, _ in words)
    starts = [edit.start for edit in found]
    reach = reach_of(moment, home, table, helper.named, helper.name, texts, starts) if found else None
    reason = f"`{helper.name}` says this"
    for edit in sorted(apart(found), key=lambda one: (one.start < moment.byte, one.start)) if reach else ():
        moment.check()
        if not _is_reached(reach, home, edit.start, helper, words):
            continue
        made_of = _consequence(moment, home, edit, helper.name, "helper", reason, buffer.line_at(helper.start))
        if made_of is not None:
            yield made_of


def _is_reached(
    reach: DeclaredReach | None, home: Document, byte: int, helper: Helper, words: Sequence[tuple[str, int]]
) -> bool:
    """Whether a helper can be called at a byte, and all names that it says mean the same there."""
    if reach is None or (reach.of_class and not helper.own and not reach.table.classes.scope_is_inherited):
        return False
    seen = reach.sees(home, byte, own=helper.own)
    return seen and all(reach.means_the_same(name, start, byte) for name, start in words)


def _numbers(
    moment: Moment, home: Document, table: ScopeTable, change: NetChange, declared: re.Match[bytes]
) -> Iterator[Consequence]:
    """The places of a number that a constant was declared with."""
    name, number = declared.groups()
    if len(number) < _DIGITS or _ROUND.fullmatch(number) or number in change.old:
        return
    syntax, data = home.syntax, home.syntax.buffer.data
    whole = re.compile(rb"(?<![\w.])" + re.escape(number) + rb"(?![\w.])")
    like = syntax.buffer.line_at(declared.start(1))
    places = [at for at in islice(syntax.occurrences(number), MAX_LOOKED) if whole.match(data, at)]
    reach = reach_of(moment, home, table, declared.start(1), name.decode(), frozenset(), places)
    typed = [] if syntax.language.converts_numbers else path_to(syntax, declared.start(1))[0]
    for at in sorted(places, key=lambda at: (at < moment.byte, at)) if reach is not None else ():
        moment.check()
        line = syntax.buffer.line_bytes(syntax.buffer.line_at(at))[:LONGEST_LINE]
        if _CONSTANT.search(line.rstrip()) is not None or syntax.region_at(at) is not Region.CODE:
            continue
        path = path_to(syntax, at)[0]
        if takes_no_name(path) or not same_declared_type(typed, path) or reach is None or not reach.sees(home, at):
            continue
        edit = ByteEdit(at, at + len(number), name)
        reason = f"`{name.decode()}` is this number"
        made = _consequence(moment, home, edit, name.decode(), "constant", reason, like)
        if made is not None:
            yield made


def _consequence(
    moment: Moment, home: Document, edit: ByteEdit, name: str, kind: str, reason: str, like: int
) -> Consequence | None:
    """The edit as a consequence; None where the user has been, or it was turned down."""
    buffer = home.syntax.buffer
    group = f"{SOURCE}-{blake2b(f'{kind} {name}'.encode(), digest_size=4).hexdigest()}"
    key = f"{group} @ {' '.join(buffer.line_text(buffer.line_at(edit.start)).split())}"
    changes = net_changes(home.history, buffer.data)
    touched = any(one.start <= edit.old_end and edit.start <= one.end for one in changes)
    if touched or not not_rejected(moment.document, key).passed or not not_rejected(moment.document, group).passed:
        return None
    return Consequence(SOURCE, home, edit, group, kind, reason, 1, like, key, group)
