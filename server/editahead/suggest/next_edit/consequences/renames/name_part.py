"""Edits of names that share a sub-word which the user replaced in several other names, with all their references.

`OldStore` became `NewStore`, and `old_rows` became `new_rows`: so may `make_old`. A single example is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.name_changes import Renaming, renamings, typed_name
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action
from editahead.text.diff import common_ends
from editahead.text.edits import ByteEdit
from editahead.text.words import IDENTIFIER, WORD_BYTES

SOURCE = "name-part"
MAX_RENAMINGS, MAX_NAMES, MAX_PLACES = 8, 12, 20
"""Most recent renamings that are compared, names with the part, and edits in all."""
MAX_OCCURRENCES = 300
MIN_PART_LENGTH = 3
"""Letters of a meaningful part."""
_NAME = re.compile(rb"(?<![$" + WORD_BYTES + rb"])" + IDENTIFIER)
_WORD = re.compile(rb"[$" + WORD_BYTES + rb"]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class Part(NamedTuple):
    """The difference of two names: the removed and the added sub-words."""

    old: tuple[str, ...]
    new: tuple[str, ...]


def name_part(moment: Moment) -> Outcome:
    """Edits of names that share a replaced part, most recent renaming first. Raises Cancelled."""
    outcome = Outcome.empty()
    document, table = moment.document, moment.document.syntax.language.scopes
    if table is None:
        return outcome
    data = document.syntax.buffer.data
    typed = None if document.idle else typed_name(document.history, data, moment.byte)
    with interruptible(moment.check):
        renamings_by_part: dict[Part, list[Renaming]] = {}
        for renaming in renamings(document.history, data)[:MAX_RENAMINGS]:
            part = differing_part(renaming.old, renaming.new)
            if part is not None and (renaming.old, renaming.new) != typed:
                renamings_by_part.setdefault(part, []).append(renaming)
        for part, examples in renamings_by_part.items():
            if len(examples) > 1:  # after one name, 9 of 379 others followed
                outcome.candidates.extend(islice(_renamed_candidates(moment, document, examples, part), MAX_PLACES))
    return outcome


def differing_part(old: str, new: str) -> Part | None:
    """The sub-words in which two names differ; None if either side has too few letters."""
    a, b = (_PART.findall(text) for text in (old, new))
    old_words, new_words = ([part.lower() for part in parts] for parts in (a, b))
    head, tail = common_ends(old_words, new_words)
    removed, added = tuple(old_words[head : len(old_words) - tail]), tuple(new_words[head : len(new_words) - tail])
    return Part(removed, added) if min(len("".join(removed)), len("".join(added))) >= MIN_PART_LENGTH else None


def replace_part(name: str, part: Part) -> str | None:
    """A name with the part replaced in the same spelling; None unless the part occurs exactly once."""
    words = list(_PART.finditer(name))
    lower = [word.group().lower() for word in words]
    size = len(part.old)
    starts = [start for start in range(len(words) - size + 1) if tuple(lower[start : start + size]) == part.old]
    if len(starts) != 1:
        return None
    matched = words[starts[0] : starts[0] + size]
    between = name[matched[0].end() : matched[1].start()] if size > 1 else _separator(name)
    return (
        name[: matched[0].start()]
        + _spell_like([word.group() for word in matched], part.new, between)
        + name[matched[-1].end() :]
    )


def _separator(name: str) -> str:
    """The separator between the sub-words of a name."""
    return "_" if "_" in name.strip("_") or name.islower() else ""


def _spell_like(like: Sequence[str], words: Sequence[str], between: str) -> str:
    if like[0].isupper() and (len(like[0]) > 1 or between == "_"):
        return between.join(word.upper() for word in words)
    title = like[0][:1].isupper()
    inner = "" if between == "_" else "title"
    first = words[0].title() if title else words[0]
    return between.join([first, *(word.title() if title or inner else word for word in words[1:])])


def _renamed_candidates(
    moment: Moment, document: Document, examples: Sequence[Renaming], part: Part
) -> Iterator[Consequence]:
    """Edits that replace the part in the other names of the document, in text order from the cursor on."""
    data = document.syntax.buffer.data
    renamed = {name for renaming in examples for name in (renaming.old, renaming.new)}
    needle = part.old[0].encode()
    words: dict[str, str] = {}
    for match in islice(re.finditer(re.escape(needle), data, re.IGNORECASE), MAX_OCCURRENCES):
        start = data.rfind(b"\n", 0, match.start()) + 1
        words_on_line = _NAME.finditer(data, start, match.end() + 80)
        word = next((word for word in words_on_line if word.end() >= match.end()), None)
        name = word.group().decode("utf-8", "replace") if word is not None else ""
        new = replace_part(name, part) if name not in words and name not in renamed else None
        if new is not None and len(words) < MAX_NAMES and not document.syntax.count(new.encode()):
            words[name] = new
    if not words:
        return
    resolver = moment.resolver(document.uri, document.syntax, Parts(frozenset(word.encode() for word in words)))
    group = f"{SOURCE}-{blake2b(f'{part} {document.uri}'.encode(), digest_size=4).hexdigest()}"
    if resolver is None or not not_rejected(moment.document, group).passed:
        return
    occurrences: list[tuple[bool, int, str, str]] = []
    for name, new in words.items():
        moment.check()
        declarations = (at for at in resolver.names(name) if at.occurrence.action is Action.BIND)
        bindings = dict.fromkeys(map(resolver.binding, declarations))
        for binding in bindings:
            if binding is not None and resolver.kind(binding) != "import":
                kind_of_name = resolver.kind(binding)
                for reference in resolver.references(binding):
                    use = "declaration" if reference.occurrence.action is Action.BIND else "use"
                    start = reference.start
                    occurrences.append((start < moment.byte, start, new, f"{kind_of_name}/{use}"))
    buffer, seen = document.syntax.buffer, set[int]()
    for _, at, new, kind in sorted(occurrences):
        name_end = at + len(_word_at(data, at))
        key = f"{group} @ {new} {' '.join(buffer.line_text(buffer.line_at(at)).split())}"
        if at not in seen and not_rejected(moment.document, key).passed:
            seen.add(at)
            like = buffer.line_at(examples[0].changes[-1].start)
            reason = f"`{examples[0].old}` is now `{examples[0].new}`"
            edit = ByteEdit(at, name_end, new.encode())
            yield Consequence(SOURCE, document, edit, group, kind, reason, len(examples), like, key, group)


def _word_at(data: bytes, start: int) -> bytes:
    match = _WORD.match(data, start)
    return match.group() if match is not None else b""
