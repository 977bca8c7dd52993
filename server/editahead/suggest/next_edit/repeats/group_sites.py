"""The sites of a repeated edit, each with its features.

The results of the last request are cached by text: only the edited file is searched again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, cast

from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.patterns.changes import NetChange
from editahead.patterns.examples import Example
from editahead.patterns.groups import EditGroup
from editahead.patterns.matching import MAX_LINES, Match, find_matches, lines_with
from editahead.patterns.pattern import Pattern
from editahead.suggest.gate import not_rejected, pattern_key
from editahead.suggest.next_edit.repeats.pattern_features import GroupView, SiteContext, features, role_at
from editahead.suggest.next_edit.repeats.single_example import (
    Likeness,
    MemberObject,
    declares,
    in_signature,
    likeness,
    object_at,
)
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.syntax.tokens import Role
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import style_of

T = TypeVar("T")
MAX_SITES = 200  # sites of a group; the nearest are kept


def _continue() -> None:
    """Never end a request."""


class PatternCache:
    """Results about texts, kept from a request to the next only. Not thread-safe.

    `check` is called repeatedly during a request, and may raise to end it; results so far are kept for the next.
    """

    def __init__(self) -> None:
        self.check: Callable[[], None] = _continue
        self._last: dict[Hashable, tuple[object, object]] = {}
        self._current: dict[Hashable, tuple[object, object]] = {}
        self._is_complete = True
        self._resolvers = ResolverCache()

    def begin(self) -> None:
        """Begin a request; drop what the last completed request did not use."""
        self._last, self._current = (self._current if self._is_complete else {**self._last, **self._current}), {}
        self._is_complete = False

    def end(self) -> None:
        """Complete the request."""
        self._is_complete = True

    def forget(self) -> None:
        """Drop all results."""
        self._last, self._current, self._resolvers = {}, {}, ResolverCache()

    def names(self, document: Document, words: frozenset[str], near: Sequence[int]) -> Resolver | None:
        """The names of a document, of a large document in the parts with some words or bytes."""
        self.check()
        parts = Parts(frozenset(word.encode() for word in words), tuple(near))
        return self._resolvers.of(document.uri, document.syntax, parts)

    def matches(self, pattern: Pattern, buffer: Buffer, near: int, lines: Sequence[int]) -> list[Match]:
        """The matches of a pattern in some lines of a text, those near a line first."""

        def find() -> list[Match]:
            tabs, eol = style_of(buffer.data)
            return find_matches(pattern, buffer, near, tabs=tabs, eol=eol, lines=lines, check=self.check)

        return self._get((pattern.signature(), pattern.anchor, id(buffer), near, tuple(lines)), buffer, find)

    def errors(self, syntax: SyntaxSnapshot, edits: Sequence[ByteEdit]) -> int:
        """The number of syntax errors after some edits."""
        self.check()
        return self._get((tuple(edits), id(syntax)), syntax, lambda: syntax.errors_with(edits))

    def _get(self, key: Hashable, owner: object, compute: Callable[[], T]) -> T:
        """The cached result of a key with the id of an owner, else that of `compute`."""
        row = self._current.get(key) or self._last.get(key)
        if row is None or row[0] is not owner:  # the id may have been reused
            row = (owner, compute())
        self._current[key] = row
        return cast(T, row[1])


@dataclass(frozen=True, slots=True)
class Site:
    """A site of a repeated edit: the edit of its document, and its features.

    The user did `examples`, the newest in line `like` of its document. `key` and `pattern` are as in QueuedEdit.
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


class _SiteMatch(NamedTuple):
    """A match that no rule excludes; `key` and `pattern` are as in Site."""

    document: Document
    match: Match
    role: Role | None
    prose: bool
    key: str
    pattern: str


def group_sites(
    group: EditGroup,
    sample_documents: tuple[Document, ...],
    documents: Sequence[Document],
    changes: dict[str, list[NetChange]],
    memory: PatternCache | None = None,
    elsewhere: int | None = None,
) -> list[Site]:
    """The sites of a group in `documents`, all of the same language; `sample_documents` are those of its samples.

    No site overlaps any of the `changes` (by URI). `elsewhere` bounds the lines that are searched in other documents
    than those of the samples.
    """
    memory = memory or PatternCache()
    samples = [(document, sample.example) for document, sample in zip(sample_documents, group.samples, strict=True)]
    regions = {document.syntax.region_at(byte) for document, example in samples for byte in _probes(example)}
    view = GroupView(
        group,
        sample_documents,
        tuple(role_at(document, example.first) for document, example in samples),
        tuple(tuple(document.syntax.scopes_at(example.first)) for document, example in samples),
    )
    local = _local_scope(view)
    near = group.samples[0].example.line
    # Without scopes, the rename of a parameter is repeated in no other signature.
    is_lone_signature = (
        len(samples) == 1
        and group.pattern.renames is not None
        and sample_documents[0].syntax.language.scopes is None
        and in_signature(sample_documents[0], samples[0][1].first)
    )
    sample_ids = {id(document) for document in sample_documents}
    matches: list[_SiteMatch] = []
    rejected = 0
    lines_left = elsewhere
    for document in sorted(documents, key=lambda document: id(document) not in sample_ids):
        memory.check()
        if local is not None and document is not local[0]:
            continue
        has_samples = id(document) in sample_ids
        if not has_samples and lines_left is not None and (lines_left <= 0 or len(matches) >= MAX_SITES):
            break
        buffer, word = document.syntax.buffer, group.pattern.word
        line = near if document is sample_documents[0] else 0
        limit = MAX_LINES if has_samples or lines_left is None else min(lines_left, MAX_LINES)
        lines = lines_with(word, buffer, line, limit, document.syntax.parts_with(word.encode()))
        if lines_left is not None and not has_samples:
            lines_left -= len(lines)
        for match in memory.matches(group.pattern, buffer, line, lines):
            memory.check()
            role = role_at(document, match.first)
            if _is_changed(match, changes[document.uri]) or not _is_in_scope(match, role, local):
                continue
            if is_lone_signature and in_signature(document, match.first):
                continue
            region = document.syntax.region_at(match.first + (match.hi > match.lo))
            if region not in regions:
                continue
            key, pattern = _keys(document, match, group.name)
            if not not_rejected(document, key).passed:
                rejected += 1
            elif not_rejected(document, pattern).passed:
                matches.append(_SiteMatch(document, match, role, region is not Region.CODE, key, pattern))
    matches = _with_like_receivers(samples, matches, memory)
    if not matches:
        return []
    if len(matches) > MAX_SITES:
        newest, start = sample_documents[0], group.samples[0].example.start
        matches.sort(key=lambda site: (site.document is not newest, abs(site.match.first - start)))
        del matches[MAX_SITES:]
    order = {document.uri: number for number, document in enumerate(documents)}
    matches.sort(key=lambda site: order[site.document.uri])
    has_declaration = any(site.role is not None and site.role.is_declaration for site in matches)
    lines = [site.document.syntax.buffer.line_at(site.match.first) for site in matches]
    skipped = [_is_skipped(view, site.document, line) for site, line in zip(matches, lines, strict=True)]
    skips = sum(skipped) + rejected
    sites: list[Site] = []
    for (document, match, role, prose, key, pattern), line, is_skipped in zip(matches, lines, skipped, strict=True):
        memory.check()
        scopes = tuple(document.syntax.scopes_at(match.first))
        context = SiteContext(document, line, len(matches), is_skipped, skips, role, scopes, prose, has_declaration)
        numbers = features(view, match, context)
        sites.append(Site(document, match.edit, line, near, group.name, len(group.samples), key, pattern, numbers))
    return sites


def _with_like_receivers(
    samples: Sequence[tuple[Document, Example]], matches: list[_SiteMatch], memory: PatternCache
) -> list[_SiteMatch]:
    """The matches with receivers like those of the samples, if the edit is of a member; else all matches.

    What replaces a bare name that is used replaces no member and no keyword of an argument in the same file.
    """
    if not matches or not all(example.old_hi > example.lo < example.new_hi for _, example in samples):
        return matches
    are_members = [object_at(document, example.first) is not None for document, example in samples]
    if not any(are_members) and all(role_at(document, example.first) is Role.USE for document, example in samples):
        own = {id(document) for document, _ in samples}
        return [
            site
            for site in matches
            if id(site.document) not in own
            or (site.role is not Role.ARGUMENT and object_at(site.document, site.match.first) is None)
        ]
    if not all(are_members):
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
    sites_by_likeness: dict[Likeness, list[_SiteMatch]] = {}
    for site in matches:
        receiver = object_of(site.document, site.match.first)
        rank = likeness(receiver, examples) if receiver is not None else Likeness.OTHER
        sites_by_likeness.setdefault(rank, []).append(site)
    return sites_by_likeness.get(Likeness.SAME) or sites_by_likeness.get(Likeness.UNKNOWN) or []


def overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether two spans share a byte; an empty span counts as its first byte."""
    return start < max(other_end, other_start + 1) and other_start < max(end, start + 1)


def _keys(document: Document, match: Match, group: str) -> tuple[str, str]:
    """The keys of a rejection: of the site, by the text of its line, and of the edit, by its text or its group."""
    buffer = document.syntax.buffer
    pattern = group if match.pattern.holes else pattern_key(match.edit, buffer.data)
    line = buffer.line_text(buffer.line_at(match.first))
    return f"{pattern} @ {' '.join(line.split())}", pattern


def _probes(example: Example) -> tuple[int, ...]:
    """The bytes that tell whether an example is in code: behind the first new character, and at that character.

    Text that was put in quotes was in code before, and text that was taken out of quotes was not.
    """
    replaced = example.new_hi > example.lo and example.old_hi > example.lo
    return (example.first + 1, example.first) if replaced else (example.first,)


def _is_changed(match: Match, changes: Sequence[NetChange]) -> bool:
    """Whether the user has changed the text of a match, including by undo."""
    edit = match.edit
    return any(overlap(edit.start, edit.old_end, change.start, change.end) for change in changes)


def _is_in_scope(match: Match, role: Role | None, local: tuple[Document, int, int] | None) -> bool:
    """Whether a match may be of a renamed local name: a plain name inside its function."""
    if local is None:
        return True
    is_plain = role not in (Role.ATTRIBUTE_USE, Role.ATTRIBUTE, Role.ARGUMENT)
    return is_plain and local[1] <= match.first < local[2]


def _local_scope(view: GroupView) -> tuple[Document, int, int] | None:
    """The function whose parameter or variable the examples rename; None where they rename no local name."""
    names = view.group.pattern.renames
    if names is None or any(role in (Role.ATTRIBUTE_USE, Role.ATTRIBUTE, Role.ARGUMENT) for role in view.roles):
        return None
    functions: set[tuple[str, int, int] | None] = set()
    for document, scopes in zip(view.sample_documents, view.scopes, strict=True):
        functions.add(next(((document.uri, a, b) for a, b in scopes if declares(document, a, b, names)), None))
    function = functions.pop() if len(functions) == 1 else None
    return None if function is None else (view.sample_documents[0], function[1], function[2])


def _is_skipped(view: GroupView, document: Document, line: int) -> bool:
    """Whether the user skipped a line: it is between the last two examples, both in this document."""
    last_two = view.sample_documents[:2]
    if len(last_two) < 2 or any(document is not other for other in last_two):
        return False
    newest, before = (sample.example.line for sample in view.group.samples[:2])
    return min(newest, before) < line < max(newest, before)
