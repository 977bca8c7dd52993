"""The places where a repeated edit could go on, in all open documents of one language, with what is to know of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from editahead.patterns.changes import NetChange, net_changes
from editahead.patterns.examples import Example
from editahead.patterns.groups import EditGroup, groups_of
from editahead.patterns.matching import MAX_LINES, Match, lines_with
from editahead.patterns.pattern import Pattern
from editahead.suggest.gate import not_rejected, pattern_key
from editahead.suggest.next_edit.pattern_cache import RepeatMemory
from editahead.suggest.next_edit.pattern_features import GroupView, PlaceSurroundings, features, role_at
from editahead.suggest.next_edit.single_example import declares, in_signature, is_modifier
from editahead.suggest.types import Document
from editahead.syntax.snapshot import Region
from editahead.syntax.tokens import Role
from editahead.text.coalesced_edits import CoalescedEdit, split
from editahead.text.edits import ByteEdit
from editahead.text.history import HistoryView

MAX_SITES = 200
"""Places of one group that are kept, the nearest first."""
MAX_ELSEWHERE = 200
"""Lines of one group that are looked at in documents where the edit was not made yet, all of these together: what a
question costs may not grow with the number of open documents."""


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


class Places(NamedTuple):
    """The places of all repeated edits.

    `repeated`: some edit was made twice or more; `after_undo`: the last thing done was an undo.
    """

    sites: list[Site]
    repeated: bool
    after_undo: bool


def sites(documents: Sequence[Document], memory: RepeatMemory | None = None) -> list[Site]:
    """All places of all groups; `documents` without repetition."""
    return places_of(documents, memory).sites


def places_of(documents: Sequence[Document], memory: RepeatMemory | None = None) -> Places:
    """All places of all groups, and what to know of them together; `documents` without repetition.

    Of documents where an edit was not made yet, MAX_ELSEWHERE lines are looked at, the first documents first. Right
    after an undo only edits that still have two examples go on, and not where the undone one was.
    """
    memory = memory or RepeatMemory()
    memory.begin()
    changes = {document.uri: net_changes(document.history, document.syntax.buffer.data) for document in documents}
    last = max((change.time for known in changes.values() for change in known), default=0.0)
    undone = [document.history.undone_at for document in documents if document.history.undone_at is not None]
    after_undo = bool(undone) and max(undone) >= last
    repeated = False
    by_uri = {document.uri: document for document in documents}
    texts = [(document.uri, document.syntax.buffer, changes[document.uri]) for document in documents]
    found: list[Site] = []
    for group in groups_of(texts):
        repeated = repeated or len(group.samples) > 1
        if after_undo and len(group.samples) == 1:
            continue
        if len(group.samples) == 1 and is_modifier(*_words(group.pattern)):
            continue
        homes = tuple(by_uri[str(sample.where)] for sample in group.samples)
        alike = [document for document in documents if document.language_id == homes[0].language_id]
        found += group_sites(group, homes, alike, changes, memory, MAX_ELSEWHERE)
    memory.end()
    if after_undo:
        gone = {document.uri: undone_spans(document.history) for document in documents}
        found = [
            site for site in found if not any(_overlap(*_span(site.edit), *span) for span in gone[site.document.uri])
        ]
    return Places(apart(found), repeated, after_undo)


def undone_spans(history: HistoryView) -> list[tuple[int, int]]:
    """Where the text stands that an undo brought back, as bytes [start, end) of the current text."""
    spans: list[tuple[int, int]] = []
    redone: list[CoalescedEdit] = []
    for burst in history.undone:
        for part in split(burst):
            start, end = part.start, part.old_end
            for earlier in reversed(redone):  # back to the text in which that was not done again
                if start >= earlier.start:
                    start, end = (max(earlier.start, at - earlier.delta) for at in (start, end))
            spans.append((start, max(start, end)))
            redone.append(part)
    return spans


def _span(edit: ByteEdit) -> tuple[int, int]:
    return edit.start, edit.old_end


def group_sites(
    group: EditGroup,
    homes: tuple[Document, ...],
    documents: Sequence[Document],
    changes: dict[str, list[NetChange]],
    memory: RepeatMemory | None = None,
    elsewhere: int | None = None,
) -> list[Site]:
    """The places of one group in `documents`, all of one language; `homes` are those of its samples.

    No place is one of the `changes` (by URI). `elsewhere` bounds the lines that are looked at in all but the homes.
    """
    memory = memory or RepeatMemory()
    samples = [(home, sample.example) for home, sample in zip(homes, group.samples, strict=True)]
    regions = {home.syntax.region_at(_probe(example)) for home, example in samples}
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
    matches: list[tuple[Document, Match, Role | None, bool]] = []
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
        lines = lines_with(group.pattern.word, buffer, line, most)
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
                matches.append((document, match, role, region is not Region.CODE))
    if not matches:
        return []
    if len(matches) > MAX_SITES:
        home = homes[0]
        matches.sort(key=lambda found: (found[0] is not home, abs(found[1].first - group.samples[0].example.start)))
        del matches[MAX_SITES:]
    order = {document.uri: number for number, document in enumerate(documents)}
    matches.sort(key=lambda found: order[found[0].uri])
    stands = any(role is not None and role.declares for _, _, role, _ in matches)
    lines = [document.syntax.buffer.line_at(match.first) for document, match, _, _ in matches]
    passed = [_skipped(view, document, line) for (document, _, _, _), line in zip(matches, lines, strict=True)]
    found: list[Site] = []
    skips = sum(passed) + turned_down
    for (document, match, role, prose), line, skipped in zip(matches, lines, passed, strict=True):
        memory.check()
        scopes = tuple(document.syntax.scopes_at(match.first))
        around = PlaceSurroundings(document, line, len(matches), skipped, skips, role, scopes, prose, stands)
        key, pattern = _keys(document, match, group.name)
        numbers = features(view, match, around)
        found.append(Site(document, match.edit, line, near, group.name, len(group.samples), key, pattern, numbers))
    return found


def _keys(document: Document, match: Match, group: str) -> tuple[str, str]:
    """What a rejection names: the place, told by the text of its line, and the edit, told by its text or its group."""
    buffer = document.syntax.buffer
    pattern = group if match.pattern.holes else pattern_key(match.edit, buffer.data)
    line = buffer.line_text(buffer.line_at(match.first))
    return f"{pattern} @ {' '.join(line.split())}", pattern


def _probe(example: Example) -> int:
    """A byte inside what is new, to ask whether that is code: behind its first character."""
    return example.first + (example.new_hi > example.lo and example.old_hi > example.lo)


def _touched(match: Match, changes: Sequence[NetChange]) -> bool:
    """Whether the user has just been there; taking a change back counts, too."""
    edit = match.edit
    return any(_overlap(edit.start, edit.old_end, change.start, change.end) for change in changes)


def _overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether two spans share a byte; an empty one counts as its first."""
    return start < max(other_end, other_start + 1) and other_start < max(end, start + 1)


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


def _words(pattern: Pattern) -> tuple[list[str], list[str]]:
    """The tokens that go and those that come; an empty one stands for a hole."""
    old = pattern.elements[pattern.lo : pattern.hi]
    return [elem.text or "" for elem in old], [elem.text or "" for elem in pattern.replacement]


def _skipped(view: GroupView, document: Document, line: int) -> bool:
    """Whether the user passed a place: it stands between the last two examples, both in this text."""
    if len(view.homes) < 2 or document is not view.homes[0] or document is not view.homes[1]:
        return False
    newest, before = (sample.example.line for sample in view.group.samples[:2])
    return min(newest, before) < line < max(newest, before)


def apart(found: Sequence[Site]) -> list[Site]:
    """Without places that lie on a place of an earlier group."""
    kept: list[Site] = []
    if len({site.group for site in found}) < 2:
        return list(found)
    for site in found:
        if not any(
            other.document is site.document
            and other.group != site.group
            and _overlap(other.edit.start, other.edit.old_end, site.edit.start, site.edit.old_end)
            for other in kept
        ):
            kept.append(site)
    return kept
