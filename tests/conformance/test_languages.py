"""What every language with rules of names keeps: on a sample of our own, and on real files.

These are of installed packages, and with --mirror DIR of projects.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from editahead.analysis.facts.file_facts import FactsCache
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.encode.language_model.vocabulary import SPECIALS
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, Shown
from editahead.syntax.chunks.chunked import ChunkedSnapshot, open_snapshot
from editahead.syntax.language import Language
from editahead.syntax.nodes import parsed_parts
from editahead.syntax.normalise import Normaliser
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, TokenKind
from editahead.text.buffer import MAX_LINE_BYTES, Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

from .languages import GOLDEN, installed_files, languages, real_files, sample

ALL = pytest.mark.parametrize("language", languages(), ids=lambda one: one.id)
BOM = b"\xef\xbb\xbf"
# Nodes in which a sign belongs to no child: the separator of a repetition in a macro, `$(...),*`, and the semicolon
# that may follow the body of a type.
SIGN_WITHOUT_NODE = {
    "rust": {"token_repetition", "token_repetition_pattern"},
    "c_sharp": {"class_declaration", "enum_declaration", "interface_declaration", "struct_declaration"},
}
PIECES = [*"x(){}\n\"'`#é𝒳\t.,", "/*", "*/", "//", "name", "= 1\n"]


def snapshot(data: bytes, language: Language) -> SyntaxSnapshot:
    """A text, read from scratch."""
    return open_snapshot(Buffer(data), language)


def lines_of(syntax: SyntaxSnapshot) -> list[Line]:
    """The tokens of all lines."""
    return [syntax.line_tokens(row) for row in range(syntax.line_count)]


def facts_of(names: Resolver | None) -> list[tuple[object, ...]]:
    """All occurrences of a file, with what each means."""
    assert names is not None
    rows: list[tuple[object, ...]] = []
    for number, unit in enumerate(names.scopes.facts.units):
        for one in unit.facts.occurrences:
            at = next(row for row in names.names(one.name) if row.unit == number and row.occurrence is one)
            rows.append((at.start, one.name, one.action.value, one.kind, names.binding(at)))
    return rows


def edits(data: bytes, seed: int, count: int) -> Iterator[tuple[bytes, ByteEdit]]:
    """Random edits, each with the text before it, at borders of characters."""
    rng = random.Random(seed)
    for _ in range(count):
        text = data.decode()
        start = rng.randrange(len(text) + 1)
        stop = min(len(text), start + rng.choice((0, 0, 0, 1, 4)))
        new = "".join(rng.choice(PIECES) for _ in range(rng.choice((0, 1, 1, 2))))
        edit = ByteEdit(len(text[:start].encode()), len(text[:stop].encode()), new.encode())
        yield data, edit
        data = data[: edit.start] + edit.new + data[edit.old_end :]


def has_error(syntax: SyntaxSnapshot) -> bool:
    """Whether a part of a text has a syntax error; `error_count` counts from where a large file was cut."""
    return any(part.tree.root_node.has_error for part in parsed_parts(syntax))


def assert_covers(data: bytes, syntax: SyntaxSnapshot) -> None:
    """Each token is the text where it stands, none twice; without a syntax error all but blanks stands in one.

    Lines that are too long have no tokens, nor has the backslash with which a line of C goes on.
    """
    covered = bytearray(len(data))
    if data.startswith(BOM):
        covered[: len(BOM)] = b"\x01" * len(BOM)
    for row, line in enumerate(lines_of(syntax)):
        start, end = syntax.buffer.line_span(row)
        if end - start > MAX_LINE_BYTES:
            covered[start:end] = b"\x01" * (end - start)
        for token in line:
            if token.kind is TokenKind.NEWLINE:  # the blanks of a line that begins inside of a string
                continue
            span = slice(start + token.start, start + token.end)
            if "..." not in token.text:  # of long literals the middle is left out
                assert data[span].decode() == token.text
            assert not any(covered[span]), token
            covered[span] = b"\x01" * (token.end - token.start)
    if has_error(syntax):
        return
    for part in parsed_parts(syntax):
        for at, seen in enumerate(covered[part.first : part.first + len(part.data)]):
            if not seen and not part.data[at : at + 1].isspace() and part.data[at : at + 2] != b"\\\n":
                node = part.tree.root_node.descendant_for_byte_range(at, at + 1)
                allowed = SIGN_WITHOUT_NODE.get(syntax.language.id, ())
                assert node is not None
                assert node.type in allowed, part.data[max(0, at - 20) : at + 20]


@ALL
def test_the_sample_is_read_without_an_error(language: Language) -> None:
    assert snapshot(sample(language).encode(), language).error_count() == 0


@ALL
def test_tokens_are_the_text(language: Language) -> None:
    data = sample(language).encode()
    assert_covers(data, snapshot(data, language))


@pytest.mark.slow
@ALL
def test_after_random_edits_tokens_and_names_are_those_of_a_fresh_reading(language: Language) -> None:
    data = sample(language).encode()
    syntax, cache, compared = snapshot(data, language), FactsCache(), 0
    for before, edit in edits(data, 7, 40):
        syntax = syntax.advance(syntax.buffer.apply(edit), [edit])
        after = before[: edit.start] + edit.new + before[edit.old_end :]
        fresh = snapshot(after, language)
        if str(syntax.tree.root_node) == str(fresh.tree.root_node):  # a parser may mend what is broken in another way
            assert lines_of(syntax) == lines_of(fresh)
            compared += 1
        assert facts_of(resolver_of(syntax, cache)) == facts_of(resolver_of(syntax))
    assert compared >= 20


@ALL
def test_names_become_placeholders(language: Language) -> None:
    tokens = [token for line in lines_of(snapshot(sample(language).encode(), language)) for token in line]
    for typed in (False, True):
        normaliser = Normaliser(typed=typed)
        declared = [(token.text, str(found)) for token in tokens if (found := normaliser.declare(token)) is not None]
        assert declared
        assert len(set(declared)) == len({text for text, _ in declared}) == len({new for _, new in declared})


@ALL
def test_roles_and_meanings_are_those_of_the_golden_file(language: Language) -> None:
    assert golden(language) == json.loads((GOLDEN / f"{language.id}.json").read_text(encoding="utf-8")), (
        "look at the difference; python -m tests.conformance.write_golden accepts it"
    )


def golden(language: Language) -> list[str]:
    """Each name of the sample with its role and the line of the declaration that it means."""
    data = sample(language).encode()
    syntax = snapshot(data, language)
    names = resolver_of(syntax)
    assert names is not None
    rows = []
    for row, line in enumerate(lines_of(syntax)):
        start = syntax.buffer.line_span(row)[0]
        for token in line:
            if token.kind is TokenKind.NAME:
                at = names.name_at(start + token.start, token.text)
                binding = names.binding(at) if at is not None else None
                declared = names.declarations(binding)[:1] if binding is not None else []
                where = f"line {syntax.buffer.line_at(declared[0].start) + 1}" if declared else "-"
                kind = token.role.name.lower() + (f" {token.type_name}" if token.type_name else "")
                rows.append(f"{row + 1}:{token.start} {token.text} {kind} {where}")
    return rows


@pytest.mark.slow
@ALL
def test_broken_code_is_read(language: Language) -> None:
    data = sample(language).encode()
    for cut in range(0, len(data), 23):
        for text in (data[:cut], data[cut:]):
            whole = text.decode("utf-8", "replace").encode()
            syntax = snapshot(whole, language)
            assert_covers(whole, syntax)
            facts_of(resolver_of(syntax))


@ALL
def test_any_script_stands_in_names_and_strings(language: Language) -> None:
    text = sample(language).replace("größer", "𝒳größer größer").replace("coin", "münze")
    data = text.encode()
    syntax = snapshot(data, language)
    assert_covers(data, syntax)
    names = {token.text for line in lines_of(syntax) for token in line if token.kind is TokenKind.NAME}
    assert any("münze" in name for name in names) or syntax.error_count()


@pytest.mark.slow
@ALL
def test_a_long_file_is_read_in_pieces_where_it_may_be_cut(language: Language) -> None:
    text = sample(language)
    copies = 50_000 // text.count("\n") + 1
    syntax = open_snapshot(Buffer((text + "\n").encode() * copies), language)
    assert isinstance(syntax, ChunkedSnapshot) == (language.cut is not None)
    middle = syntax.line_count // 2
    assert any(syntax.line_tokens(row) for row in range(middle, middle + 40)) or language.cut is None


@pytest.mark.slow
@ALL
def test_no_placeholder_is_ever_shown(language: Language) -> None:
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    text, rng = sample(language), random.Random(3)
    for _ in range(12):
        at = rng.randrange(len(text))
        buffer = Buffer((text[:at] + text[at:]).encode())
        view = History(buffer, lambda: 0.0).view()
        syntax = open_snapshot(buffer, language)
        settings = Settings(precision=0.0, completion_floor=0.0)
        document = Document(f"file:///a{at}", None, language.id, 1, syntax, view, settings)
        byte = len(text[:at].encode())
        found, ghost = engine.complete(document, byte, Cancel()), engine.inline(document, byte, Cancel())
        labels = [item.label for item in found.value.items] if isinstance(found, Shown) else []
        labels += [ghost.value.insert] if isinstance(ghost, Shown) else []
        assert not [label for label in labels if any(special in label for special in SPECIALS)]


def check_files(files: Iterable[tuple[str, bytes]], language: Language) -> int:
    """Read files, each also after two edits; the number of them."""
    count = 0
    for name, raw in files:
        data = raw.decode("utf-8", "replace").replace("\r", "").encode()
        syntax = snapshot(data, language)
        assert_covers(data, syntax)
        cache = FactsCache()
        for _, edit in edits(data, len(name), 2):
            syntax = syntax.advance(syntax.buffer.apply(edit), [edit])
            fresh = snapshot(syntax.buffer.data, language)
            if not has_error(fresh):  # a parser that goes on may mend what is broken in another way
                assert lines_of(syntax) == lines_of(fresh), name
            resolver_of(syntax, cache)
        count += 1
    return count


@pytest.mark.slow
@ALL
def test_files_of_installed_packages_are_read(language: Language) -> None:
    if not check_files(installed_files(language), language):
        pytest.skip(f"no installed package has a file of {language.id}")


@ALL
def test_real_files_are_read(language: Language, mirror: Path) -> None:
    if not check_files(real_files(mirror, language), language):
        pytest.skip(f"no file of {language.id} below {mirror}")
