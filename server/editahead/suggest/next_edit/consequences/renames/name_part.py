"""Consequences of names of which the same part was renamed: others that the file declares, with all that means them.

`OldStore` became `NewStore`, and `old_rows` became `new_rows`: so may `make_old`. After one name nothing follows.
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
"""The latest renamings that are looked at, names with the part, and places in all."""
MAX_LOOKED = 300
SHORTEST = 3
"""Letters of a part that says something."""
_NAME = re.compile(rb"(?<![$" + WORD_BYTES + rb"])" + IDENTIFIER)
_WORD = re.compile(rb"[$" + WORD_BYTES + rb"]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class Part(NamedTuple):
    """What differs between two names, as the sub-words that go and those that come."""

    old: tuple[str, ...]
    new: tuple[str, ...]


def name_part(moment: Moment) -> Outcome:
    """The names that share a renamed part, those of the latest renaming first. Raises what the check raises."""
    outcome = Outcome.empty()
    home, table = moment.document, moment.document.syntax.language.scopes
    if table is None:
        return outcome
    data = home.syntax.buffer.data
    typed = None if home.idle else typed_name(home.history, data, moment.byte)
    with interruptible(moment.check):
        found: dict[Part, list[Renaming]] = {}
        for renaming in renamings(home.history, data)[:MAX_RENAMINGS]:
            part = differing(renaming.old, renaming.new)
            if part is not None and (renaming.old, renaming.new) != typed:
                found.setdefault(part, []).append(renaming)
        for part, alike in found.items():
            if len(alike) > 1:  # after one name, 9 of 379 others followed
                outcome.candidates.extend(islice(_follow(moment, home, alike, part), MAX_PLACES))
    return outcome


def differing(old: str, new: str) -> Part | None:
    """The sub-words in which two names differ; None where one of the sides has none, or too short ones."""
    a, b = (_PART.findall(text) for text in (old, new))
    one, other = ([part.lower() for part in parts] for parts in (a, b))
    head, tail = common_ends(one, other)
    gone, come = tuple(one[head : len(one) - tail]), tuple(other[head : len(other) - tail])
    return Part(gone, come) if min(len("".join(gone)), len("".join(come))) >= SHORTEST else None


def replaced(name: str, part: Part) -> str | None:
    """A name with the part replaced, in the spelling that it has there; None where it does not hold it once."""
    words = list(_PART.finditer(name))
    lower = [word.group().lower() for word in words]
    size = len(part.old)
    places = [at for at in range(len(words) - size + 1) if tuple(lower[at : at + size]) == part.old]
    if len(places) != 1:
        return None
    found = words[places[0] : places[0] + size]
    between = name[found[0].end() : found[1].start()] if size > 1 else _sign(name)
    return (
        name[: found[0].start()]
        + _spelled([word.group() for word in found], part.new, between)
        + name[found[-1].end() :]
    )


def _sign(name: str) -> str:
    """What stands between the sub-words of a name."""
    return "_" if "_" in name.strip("_") or name.islower() else ""


def _spelled(like: Sequence[str], words: Sequence[str], between: str) -> str:
    if like[0].isupper() and (len(like[0]) > 1 or between == "_"):
        return between.join(word.upper() for word in words)
    title = like[0][:1].isupper()
    inner = "" if between == "_" else "title"
    first = words[0].title() if title else words[0]
    return between.join([first, *(word.title() if title or inner else word for word in words[1:])])


def _follow(moment: Moment, home: Document, alike: Sequence[Renaming], part: Part) -> Iterator[Consequence]:
    data, renamed = home.syntax.buffer.data, {name for one in alike for name in (one.old, one.new)}
    needle = part.old[0].encode()
    words: dict[str, str] = {}
    for found in islice(re.finditer(re.escape(needle), data, re.IGNORECASE), MAX_LOOKED):
        start = data.rfind(b"\n", 0, found.start()) + 1
        word = next((one for one in _NAME.finditer(data, start, found.end() + 80) if one.end() >= found.end()), None)
        name = word.group().decode("utf-8", "replace") if word is not None else ""
        new = replaced(name, part) if name not in words and name not in renamed else None
        if new is not None and len(words) < MAX_NAMES and not home.syntax.count(new.encode()):
            words[name] = new
    if not words:
        return
    names = moment.resolver(home.uri, home.syntax, Parts(frozenset(word.encode() for word in words)))
    group = f"{SOURCE}-{blake2b(f'{part} {home.uri}'.encode(), digest_size=4).hexdigest()}"
    if names is None or not not_rejected(moment.document, group).passed:
        return
    places: list[tuple[bool, int, str, str]] = []
    for name, new in words.items():
        moment.check()
        bindings = {names.binding(one): one for one in names.names(name) if one.occurrence.action is Action.BIND}
        for binding in bindings:
            if binding is not None and names.kind(binding) != "import":
                what = names.kind(binding)
                for one in names.references(binding):
                    use = "declaration" if one.occurrence.action is Action.BIND else "use"
                    places.append((one.start < moment.byte, one.start, new, f"{what}/{use}"))
    buffer, seen = home.syntax.buffer, set[int]()
    for _, at, new, kind in sorted(places):
        name_end = at + len(_word_at(data, at))
        key = f"{group} @ {new} {' '.join(buffer.line_text(buffer.line_at(at)).split())}"
        if at not in seen and not_rejected(moment.document, key).passed:
            seen.add(at)
            like = buffer.line_at(alike[0].places[-1].start)
            reason = f"`{alike[0].old}` is now `{alike[0].new}`"
            edit = ByteEdit(at, name_end, new.encode())
            yield Consequence(SOURCE, home, edit, group, kind, reason, len(alike), like, key, group)


def _word_at(data: bytes, start: int) -> bytes:
    found = _WORD.match(data, start)
    return found.group() if found is not None else b""
