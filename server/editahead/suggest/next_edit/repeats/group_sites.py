"""The places where one repeated edit could go on, with what is to know of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from editahead.patterns.changes import NetChange
from editahead.patterns.examples import Example
from editahead.patterns.groups import EditGroup
from editahead.patterns.matching import MAX_LINES, Match, lines_with
from editahead.suggest.gate import not_rejected, pattern_key
from editahead.suggest.next_edit.repeats.member_objects import Likeness, MemberObject, likeness, object_at
from editahead.suggest.next_edit.repeats.pattern_cache import PatternCache
from editahead.suggest.next_edit.repeats.pattern_features import GroupView, PlaceSurroundings, features, role_at
from editahead.suggest.next_edit.repeats.single_example import declares, in_signature
from editahead.suggest.types import Document
from editahead.syntax.snapshot import Region
from editahead.syntax.tokens import Role
from editahead.text.edits import ByteEdit

MAX_SITES = 200
"""Places of one group that are kept, the nearest first."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place to go on: the edit of its document's text, and its features.

    `examples` were made by the user, the newest in line `like` of its document. `key` and `pattern` are as in
    QueuedEdit.
    """

    document: Document
    edit: ByteEdit
    line: int
    like: int
    group: str
    examples: int
    key: str
    pattern: str
    features: tuple[float, ...]


class _Place(NamedTuple):
    """A match that nothing speaks against; `key` and `pattern` are as in Site."""

    document: Document
    match: Match
    role: Role | None
    prose: bool
    key: str
    pattern: str


def group_sites(
    group: EditGroup,
    homes: tuple[Document, ...],
    documents: Sequence[Document],
    changes: dict[str, list[NetChange]],
    memory: PatternCache | None = None,
    elsewhere: int | None = None,
) -> list[Site]:
    """The places of one group in `documents`, all of one language; `homes` are those of its samples.

    No place is one of the `changes` (by URI). `elsewhere` bounds the lines that are looked at in all but the homes.
    """
    memory = memory or PatternCache()
    samples = [(home, sample.example) for home, sample in zip(homes, group.samples, strict=True)]
    regions = {home.syntax.region_at(byte) for home, example in samples for byte in _probes(example)}
    view = GroupView(
        group,
        homes,
        tuple(role_at(home, example.first) for home, example in samples),
        tuple(tuple(home.syntax.scopes_at(example.first)) for home, example in samples),
    )
    local = _local_scope(view)
    near = group.samples[0].example.line
    # Where no scopes are known, the parameter of one function is renamed in no other one's signature.
    lone_signature = (
        len(samples) == 1
        and group.pattern.renames is not None
        and not homes[0].syntax.language.has_scopes
        and in_signature(homes[0], samples[0][1].first)
    )
    matches: list[_Place] = []
    turned_down = 0
    left = elsewhere
    for document in sorted(documents, key=lambda one: not any(one is home for home in homes)):
        memory.check()
        if local is not None and document is not local[0]:
            continue
        at_home = any(document is home for home in homes)
        if not at_home and left is not None and (left <= 0 or len(matches) >= MAX_SITES):
            break
        buffer = document.syntax.buffer
        line = near if document is homes[0] else 0
        most = MAX_LINES if at_home or left is None else min(left, MAX_LINES)
        lines = lines_with(
            group.pattern.word, buffer, line, most, document.syntax.parts_with(group.pattern.word.encode())
        )
        if left is not None and not at_home:
            left -= len(lines)
        for match in memory.matches(group.pattern, buffer, line, lines):
            memory.check()
            role = role_at(document, match.first)
            if _touched(match, changes[document.uri]) or not _inside(match, role, local):
                continue
            if lone_signature and in_signature(document, match.first):
                continue
            region = document.syntax.region_at(match.first + (match.hi > match.lo))
            if region not in regions:
                continue
            key, pattern = _keys(document, match, group.name)
            if not not_rejected(document, key).passed:
                turned_down += 1
            elif not_rejected(document, pattern).passed:
                matches.append(_Place(document, match, role, region is not Region.CODE, key, pattern))
    matches = _with_like_receivers(samples, matches, memory)
    if not matches:
        return []
    if len(matches) > MAX_SITES:
        home = homes[0]
        start = group.samples[0].example.start
        matches.sort(key=lambda place: (place.document is not home, abs(place.match.first - start)))
        del matches[MAX_SITES:]
    order = {document.uri: number for number, document in enumerate(documents)}
    matches.sort(key=lambda place: order[place.document.uri])
    stands = any(place.role is not None and place.role.is_declaration for place in matches)
    lines = [place.document.syntax.buffer.line_at(place.match.first) for place in matches]
    passed = [_skipped(view, place.document, line) for place, line in zip(matches, lines, strict=True)]
    found: list[Site] = []
    skips = sum(passed) + turned_down
    for (document, match, role, prose, key, pattern), line, skipped in zip(matches, lines, passed, strict=True):
        memory.check()
        scopes = tuple(document.syntax.scopes_at(match.first))
        around = PlaceSurroundings(document, line, len(matches), skipped, skips, role, scopes, prose, stands)
        numbers = features(view, match, around)
        found.append(Site(document, match.edit, line, near, group.name, len(group.samples), key, pattern, numbers))
    return found


def _with_like_receivers(
    samples: Sequence[tuple[Document, Example]], matches: list[_Place], memory: PatternCache
) -> list[_Place]:
    """The matches of an edit of a member whose receivers are like those of the samples."""
    if not matches or not all(example.old_hi > example.lo < example.new_hi for _, example in samples):
        return matches
    if any(object_at(document, example.first) is None for document, example in samples):
        return matches
    near: dict[str, list[int]] = {}
    for document, example in samples:
        near.setdefault(document.uri, []).append(example.first)
    words = frozenset(
        text for _, example in samples for text in (example.before.texts[example.lo], example.after.texts[example.lo])
    )

    def object_of(document: Document, byte: int) -> MemberObject | None:
        return object_at(document, byte, memory.names(document, words, near.get(document.uri, ())))

    receivers = [object_of(document, example.first) for document, example in samples]
    examples = [receiver for receiver in receivers if receiver is not None]
    sites_by_likeness: dict[Likeness, list[_Place]] = {}
    for site in matches:
        receiver = object_of(site.document, site.match.first)
        rank = likeness(receiver, examples) if receiver is not None else Likeness.OTHER
        sites_by_likeness.setdefault(rank, []).append(site)
    return sites_by_likeness.get(Likeness.SAME) or sites_by_likeness.get(Likeness.UNKNOWN) or []


def overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether two spans share a byte; an empty one counts as its first."""
    return start < max(other_end, other_start + 1) and other_start < max(end, start + 1)


def _keys(document: Document, match: Match, group: str) -> tuple[str, str]:
    """What a rejection names: the place, told by the text of its line, and the edit, told by its text or its group."""
    buffer = document.syntax.buffer
    pattern = group if match.pattern.holes else pattern_key(match.edit, buffer.data)
    line = buffer.line_text(buffer.line_at(match.first))
    return f"{pattern} @ {' '.join(line.split())}", pattern


def _probes(example: Example) -> tuple[int, ...]:
    """Bytes to ask whether an example is in code: behind the first character of what is new, and where that begins.

    A name that was put between quotes stood in code before, and a string that was taken out of them did not.
    """
    replaced = example.new_hi > example.lo and example.old_hi > example.lo
    return (example.first + 1, example.first) if replaced else (example.first,)


def _touched(match: Match, changes: Sequence[NetChange]) -> bool:
    """Whether the user has just been there; taking a change back counts, too."""
    edit = match.edit
    return any(overlap(edit.start, edit.old_end, change.start, change.end) for change in changes)


def _inside(match: Match, role: Role | None, local: tuple[Document, int, int] | None) -> bool:
    """Whether a place may be meant when a function's own name is renamed: a plain name inside that function."""
    if local is None:
        return True
    plain = role not in (Role.ATTRIBUTE_USE, Role.ATTRIBUTE, Role.ARGUMENT)
    return plain and local[1] <= match.first < local[2]


def _local_scope(view: GroupView) -> tuple[Document, int, int] | None:
    """The function whose own name (parameter or variable) the examples rename, when syntax tells."""
    names = view.group.pattern.renames
    if names is None or any(role in (Role.ATTRIBUTE_USE, Role.ATTRIBUTE, Role.ARGUMENT) for role in view.roles):
        return None
    found: set[tuple[str, int, int] | None] = set()
    for home, scopes in zip(view.homes, view.scopes, strict=True):
        found.add(next(((home.uri, a, b) for a, b in scopes if declares(home, a, b, names)), None))
    only = found.pop() if len(found) == 1 else None
    return None if only is None else (view.homes[0], only[1], only[2])


def _skipped(view: GroupView, document: Document, line: int) -> bool:
    """Whether the user passed a place: it stands between the last two examples, both in this text."""
    if len(view.homes) < 2 or document is not view.homes[0] or document is not view.homes[1]:
        return False
    newest, before = (sample.example.line for sample in view.group.samples[:2])
    return min(newest, before) < line < max(newest, before)
