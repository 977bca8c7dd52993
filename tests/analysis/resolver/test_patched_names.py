"""Names that are resolved by those of an earlier version mean what they mean where all of the text is read."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from editahead.analysis.resolver.patched_scopes import PatchedScopes
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.syntax.chunks.chunked import ChunkedSnapshot
from editahead.syntax.language import by_id
from editahead.syntax.nodes import Parts
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.verification.touched_names import WORD

from tests.hard.breakage.human_edits import human_edit
from tests.verification.cost import HEADERS, long_text

URI = "file:///w/a"
EDITS = 25


def meanings(names: Resolver, name: str) -> Iterator[tuple[object, ...]]:
    """Where a name stands, and what declares it there."""
    for use in names.names(name):
        binding = names.binding(use)
        declared = [(row.start, row.end) for row in names.declarations(binding)] if binding is not None else None
        references = len(names.references(binding)) if binding is not None else 0
        yield use.start, use.end, use.occurrence.action, declared, references


@pytest.mark.slow
@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("language_id", HEADERS)
def test_random_edits_lead_to_the_same_meanings(language_id: str, is_cut: bool) -> None:
    language, rng = by_id(language_id), random.Random(f"{language_id} {is_cut}")
    assert language is not None
    buffer, cache, patched = Buffer(long_text(language_id, 400).encode()), ResolverCache(), 0
    syntax = ChunkedSnapshot.cut(buffer, language, 40) if is_cut else SyntaxSnapshot.open(buffer, language)
    for _ in range(EDITS):
        for edit in human_edit(rng, syntax.buffer.data, language_id)[1]:
            syntax = syntax.advance(syntax.buffer.apply(edit), [edit])
        data = syntax.buffer.data
        words = sorted(set(WORD.findall(data)))
        names = [name.decode() for name in {*rng.sample(words, 6), *human_words(data, rng)}]
        parts = Parts(frozenset(name.encode() for name in names))
        current, full = cache.current(URI, syntax, parts), resolver_of(syntax, path=URI)
        assert current is not None
        assert full is not None
        patched += isinstance(current.scopes, PatchedScopes)
        for name in names:
            assert list(meanings(current, name)) == list(meanings(full, name)), name
    assert patched > EDITS // 2


def human_words(data: bytes, rng: random.Random) -> list[bytes]:
    """The names of a random line."""
    return WORD.findall(rng.choice([line for line in data.splitlines() if WORD.search(line)]))


def test_a_class_whose_head_changes_keeps_its_members() -> None:
    language = by_id("java")
    assert language is not None
    text = b"class A {\n  int size;\n}\n\nclass B extends A {\n  int f() {\n    return size;\n  }\n}\n"
    syntax, cache, parts = SyntaxSnapshot.open(Buffer(text), language), ResolverCache(), Parts(frozenset({b"size"}))
    cache.current(URI, syntax, parts)
    at = text.index(b" extends A")
    edit = ByteEdit(at, at + 10, b"")
    after = syntax.advance(syntax.buffer.apply(edit), [edit])
    names = cache.current(URI, after, parts)
    assert names is not None
    assert isinstance(names.scopes, PatchedScopes)
    assert [names.binding(use) is not None for use in names.names("size")] == [True, False]
