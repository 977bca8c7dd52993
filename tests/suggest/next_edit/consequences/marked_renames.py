"""Texts in which a user has renamed some places, «old>new», and others ought to follow, ‹old>new›."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from editahead.analysis.resolver.resolver import resolver_of
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.next_edit.consequences.source import ConsequenceSource
from editahead.suggest.next_edit.consequences.types import Outcome
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id, by_path
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

_MARK = re.compile("[«‹]([^«»‹›>]*)>([^«»‹›>]*)[»›]")
_DONE = re.compile("«([^»>]*)>([^»>]*)»")


def played(marked: str, uri: str = "file:///w/home.py", *, idle: bool = True, key_by_key: bool = False) -> Document:
    """The document after the marked edits, each settled by the one after it."""
    language = by_path(uri)
    assert language is not None
    clock = 0.0
    buffer = Buffer(_MARK.sub(r"\1", marked).encode())
    syntax, history = open_snapshot(buffer, language), History(buffer, lambda: clock)
    grown = 0  # bytes, in the text before, of what earlier edits added
    plain = re.sub("‹([^›>]*)>[^›>]*›", r"\1", marked)
    shift = 0
    for found in _DONE.finditer(plain):
        old, new = found.group(1).encode(), found.group(2).encode()
        at = len(plain[: found.start()].encode()) - shift + grown
        shift += len(found.group().encode()) - len(old)
        steps = [ByteEdit(at, at + len(old), new)]
        if key_by_key:
            steps = [ByteEdit(at, at + len(old), b"")]
            steps += [ByteEdit(at + n, at + n, new[n : n + 1]) for n in range(len(new))]
        for edit in steps:
            history.push(edit, buffer)
            buffer = buffer.apply(edit)
            syntax = syntax.advance(buffer, [edit])
        grown += len(new) - len(old)
        clock += 10.0
        history.settle(clock)
    return Document(uri, None, language.id, 1, syntax, history.view(), Settings(precision=0.0), now=clock, idle=idle)


def resolving(text: str, language_id: str, name: str) -> Callable[[], None]:
    """Work that reads a text and resolves each occurrence of a name."""
    language = by_id(language_id)
    assert language is not None
    syntax = open_snapshot(Buffer(text.encode()), language)

    def resolve() -> None:
        resolver = resolver_of(syntax)
        assert resolver is not None
        for found in resolver.names(name):
            resolver.binding(found)

    return resolve


def wanted(marked: str) -> list[tuple[int, bytes]]:
    """The places that ought to follow, as bytes of the text after the user's edits, and what they become."""
    after = re.sub("«[^»>]*>([^»>]*)»", r"\1", marked)
    found, shift = [], 0
    for one in re.finditer("‹([^›>]*)>([^›>]*)›", after):
        start = len(after[: one.start()].encode()) - shift
        shift += len(one.group().encode()) - len(one.group(1).encode())
        found.append((start, one.group(2).encode()))
    return found


def outcome(document: Document, byte: int = 0) -> Outcome:
    """What the generators give."""
    return ConsequenceSource().outcome(document, byte, Cancel())


def assert_follows(texts: Mapping[str, str], source: str = "") -> Outcome:
    """The marked places follow from the marked edits, and no others; of several files the first is asked.

    `source` is the one that is looked at; by default all are.
    """
    made = _outcome_of(texts)
    found = {uri: list[tuple[int, bytes]]() for uri in texts}
    for one in made.candidates:
        if source and one.source != source:
            continue
        found[one.document.uri].append((one.edit.start, one.edit.new))
    assert {uri: sorted(rows) for uri, rows in found.items()} == {uri: wanted(text) for uri, text in texts.items()}, (
        made.refusals
    )
    return made


def assert_leads_to(texts: Mapping[str, str], source: str) -> None:
    """The places that a source leads to are the marked ones, ‹text>›, and no others; of several files the first."""
    places = [(one.document.uri, one.start) for one in _outcome_of(texts).places if one.source == source]
    assert sorted(places) == [(uri, start) for uri, text in sorted(texts.items()) for start, _ in wanted(text)]


def _outcome_of(texts: Mapping[str, str]) -> Outcome:
    first, *others = (played(marked, uri) for uri, marked in texts.items())
    return outcome(replace(first, idle=True, others=tuple(others)))


def after(marked: str) -> str:
    """The text with all edits, the user's and those that follow."""
    return re.sub("[«‹]([^«»‹›>]*)>([^«»‹›]*?)[»›]", r"\2", marked)


def followed(document: Document) -> str:
    """The text with all edits that follow."""
    data = document.syntax.buffer.data
    found = sorted((one.edit.start, one.edit.old_end, one.edit.new) for one in outcome(document).candidates)
    for start, end, new in reversed(found):
        data = data[:start] + new + data[end:]
    return data.decode()
