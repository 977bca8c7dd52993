"""What a request costs, counted: the same on every machine, and at any size of the file."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Any

import pytest
from editahead.analysis.facts.file_facts import facts_kept
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.context import READ_TOKENS
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import next_snapshot, open_snapshot
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History
from editahead.text.memo import forget_texts

from tests.bench.sources import DIALECTS, Session, session

SMALL, LARGE = 1_000, 30_000  # lines
GROWTH = 1.25
"""Calls in a large file, of those in a small one."""
MOST_LAYOUTS, MOST_STREAMS = 5, 8
"""Parts of a file that a next edit lays out, and stretches of lines that it splits into tokens."""
TYPING_GROWTH = 1.2
LINE_GROWTH = 2.5
"""After a line end, where unfinished code may open or close a class, so that all units are placed anew."""
KEYS = 12  # that are typed, behind those of a line
WORK = {
    "nodes": ("FactsWalk._visit",),
    "tokens": ("LmEncoder._step",),
    "graphs": ("GraphSession.run",),
    "resolvers": ("file_facts",),
}
"""What is counted, by the functions that do it: nodes read for scopes, tokens encoded, runs of a graph, readings."""
LIMITS = {"nodes": (450, 450, 11_000), "tokens": (120, 10, 10), "graphs": (54, 6, 6), "resolvers": (2, 2, 3)}
"""The most of each while the keys of a block are typed, after its line ends, and for the next edits of a rename."""
JUMP_LIMITS = {"nodes": 1_500, "tokens": READ_TOKENS, "graphs": 6, "resolvers": 1}
"""The most of each for a completion behind a jump."""
Count = Callable[[Callable[[], object]], Counter[str]]
CALLS = "calls"


def uncounted(work: Callable[[], object]) -> Counter[str]:
    """Do some work."""
    work()
    return Counter()


def counted(work: Callable[[], object]) -> Counter[str]:
    """How often each function of editahead is called, by its qualified name, and all functions together."""
    counts: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event in ("call", "c_call"):
            counts[CALLS] += 1
        if event == "call":
            counts[frame.f_code.co_qualname if sys.version_info >= (3, 11) else frame.f_code.co_name] += 1

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counts


class Typist:
    """A document that is typed in, and the engine that answers."""

    def __init__(self, engine: Engine, typed: Session) -> None:
        language = by_id(typed.language_id)
        assert language is not None
        self.engine, self.session, self.version, self.now = engine, typed, 1, 0.0
        buffer = Buffer(typed.text.encode())
        self.syntax, self.history = open_snapshot(buffer, language), History(buffer, lambda: self.now)

    def byte(self, line: int, column: int) -> int:
        """The byte at a line and a column, both from 0."""
        return int(self.syntax.buffer.line_starts[line]) + column

    def edit(self, start: int, end: int, new: str) -> int:
        """Replace bytes [start, end); the byte behind the new text."""
        self.version, self.now = self.version + 1, self.now + 0.1
        change, before = ByteEdit(start, end, new.encode()), self.syntax.buffer
        self.history.push(change, before)
        self.syntax = next_snapshot(self.syntax, before.apply(change), [change])
        return change.new_end

    def document(self) -> Document:
        """The snapshot for a request."""
        uri, history = f"file:///w/{len(self.session.text)}{self.session.suffix}", self.history.view()
        language_id = self.session.language_id
        return Document(uri, None, language_id, self.version, self.syntax, history, Settings(), now=self.now)

    def rename(self, old: str, new: str, count: Count) -> Counter[str]:
        """Rename in one place after the other: what the requests between cost together."""
        counts = Counter[str]()
        for line, column in self.session.places:
            start = self.byte(line, column)
            behind = self.edit(start, start + len(old), new)
            counts += count(partial(self.engine.next_edit, self.document(), behind, Cancel()))
        return counts

    def type_block(self, count: Count) -> tuple[Counter[str], Counter[str]]:
        """What completions cost while letters of the session's block are typed, and after its first line end."""
        counts, at = (Counter[str](), Counter[str]()), self.byte(self.session.line, 0)
        for key in self.session.block[: self.session.block.index("\n") + KEYS]:
            at = self.edit(at, at, key)
            counts[key == "\n"].update(count(partial(self.engine.complete, self.document(), at, Cancel())))
        return counts


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.mark.slow
@pytest.mark.parametrize("language_id", DIALECTS)
def test_a_next_edit_costs_the_same_in_a_long_file(engine: Engine, language_id: str) -> None:
    """In 50,000 lines it took three times the time of 500: names were counted, and resolved, in all of them."""
    typists = [Typist(engine, session(language_id, lines)) for lines in (SMALL, LARGE)]
    for typist in typists:
        typist.rename(*typist.session.rename, uncounted)  # reads what the requests below find read
    few, many = (typist.rename(typist.session.rename[1], "renamed", counted) for typist in typists)
    assert few[CALLS] > 10_000
    assert many[CALLS] <= GROWTH * few[CALLS], (many - few).most_common(12)
    assert many["file_facts"] <= 1, "resolvers were built"


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs the qualified names of functions")
@pytest.mark.parametrize("language_id", DIALECTS)
def test_names_read_ahead_spare_the_first_next_edit_the_file(engine: Engine, language_id: str) -> None:
    """In 30,000 lines of Go it laid out 101 parts of the file, and took seven times the calls of the next one."""
    typist, counts = Typist(engine, session(language_id, LARGE)), list[Counter[str]]()
    typist.type_block(uncounted)
    engine.read_names(typist.document(), typist.byte(*typist.session.places[0]), Cancel())

    def noted(work: Callable[[], object]) -> Counter[str]:
        counts.append(counted(work))
        return counts[-1]

    old, new = typist.session.rename
    assert typist.rename(old, new, noted)[CALLS] > 10_000
    assert all(count["layout_of"] <= MOST_LAYOUTS for count in counts), [count["layout_of"] for count in counts]
    repeated = typist.rename(new, "renamed", counted)
    assert repeated["_tokens_of"] <= MOST_STREAMS * len(counts), "lines that stay were split into tokens again"


@pytest.mark.slow
@pytest.mark.parametrize("language_id", DIALECTS)
def test_a_completion_costs_the_same_in_a_long_file(engine: Engine, language_id: str) -> None:
    """After a line end in 50,000 lines of Go it took nine times the time of 500: the names of all were read."""
    typists = [Typist(engine, session(language_id, lines)) for lines in (SMALL, LARGE)]
    for typist in typists:
        typist.type_block(uncounted)  # reads what the requests below find read
    few, many = (typist.type_block(counted) for typist in typists)
    for small, large, growth in zip(few, many, (TYPING_GROWTH, LINE_GROWTH), strict=True):
        assert small[CALLS] > 10_000
        assert large[CALLS] <= growth * small[CALLS], (large - small).most_common(12)


@pytest.mark.slow
@pytest.mark.parametrize("language_id", DIALECTS)
def test_caches_do_not_grow_with_what_is_typed(language_id: str) -> None:
    """The layouts of all versions stayed, each with its tree."""
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    forget_texts()
    gc.collect()  # engines of other tests
    before, kept = facts_kept(), list[int]()
    typist = Typist(engine, session(language_id, 200))
    for number in range(5):
        typist.type_block(uncounted)
        typist.rename(*(f"{word}{number}" if number else word for word in typist.session.rename), uncounted)
        kept.append(facts_kept() - before)
    assert 0 < kept[-1] <= 2 * kept[0], kept


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs the qualified names of functions")
@pytest.mark.parametrize("lines", [500, 5_000])
@pytest.mark.parametrize("language_id", DIALECTS)
def test_a_jump_reads_what_stands_next_to_the_cursor(engine: Engine, language_id: str, lines: int) -> None:
    """A jump to another part of a file read 200 lines, and the facts of all that named the method around."""
    typist = Typist(engine, session(language_id, lines))
    typist.type_block(uncounted)
    for line, column in typist.session.places[::2]:
        document = replace(typist.document(), reads_nearest_first=True)
        counts = counted(partial(engine.complete, document, typist.byte(line, column + 2), Cancel()))
        done = {name: sum(counts[function] for function in functions) for name, functions in WORK.items()}
        assert all(done[name] <= most for name, most in JUMP_LIMITS.items()), done


@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs the qualified names of functions")
@pytest.mark.parametrize("lines", [500, 5_000, pytest.param(50_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("language_id", ["python", "java", "typescript"])  # Go's line has twice the keys
def test_a_request_does_so_much_and_no_more(engine: Engine, language_id: str, lines: int) -> None:
    typist = Typist(engine, session(language_id, lines))
    typist.type_block(uncounted)
    typing, after_lines = typist.type_block(counted)
    typist.rename(*typist.session.rename, uncounted)
    renaming = typist.rename(typist.session.rename[1], "renamed", counted)
    done = {
        name: tuple(sum(counts[function] for function in functions) for counts in (typing, after_lines, renaming))
        for name, functions in WORK.items()
    }
    assert all(count <= most for name in WORK for count, most in zip(done[name], LIMITS[name], strict=True)), done
