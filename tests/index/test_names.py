"""Names of a text: as the syntax tree has them, without a tree, and whatever the text is."""

from __future__ import annotations

from pathlib import Path

import editahead.cli.samples
import pytest
from editahead.index.lexicon import MAX_BYTES, MAX_NAMES, NameOccurrences, indexed_extensions, lexicon_of, names_in
from editahead.index.sliced_work import finish
from editahead.syntax.language import by_id, by_path
from editahead.syntax.snapshot import SyntaxSnapshot, TokenKind
from editahead.text.buffer import Buffer
from hypothesis import given
from hypothesis import strategies as st

SAMPLES = sorted(Path(editahead.cli.samples.__file__).parent.glob("*.*"))


def found(text: str | bytes, language: str = "python") -> NameOccurrences:
    known = by_id(language)
    assert known is not None
    lexicon = lexicon_of(known)
    assert lexicon is not None
    buffer = Buffer.from_text(text) if isinstance(text, str) else Buffer.from_bytes(text)
    return finish(names_in(buffer, lexicon))


def counted(text: str | bytes, language: str = "python") -> dict[str, int]:
    names = found(text, language)
    return dict(zip(names.words, names.counts_N.tolist(), strict=True))


def lines(text: str, language: str = "python") -> dict[str, int]:
    names = found(text, language)
    return dict(zip(names.words, names.lines_N.tolist(), strict=True))


@pytest.mark.parametrize("path", [path for path in SAMPLES if by_path(path) is not None], ids=lambda path: path.name)
def test_names_are_those_of_the_syntax_tree(path: Path) -> None:
    language = by_path(path)
    assert language is not None
    buffer = Buffer.from_bytes(path.read_bytes())
    tokens = SyntaxSnapshot.open(buffer, language).tokens()
    expected: dict[str, int] = {}
    for token in tokens:
        if token.kind is TokenKind.NAME and len(token.text) > 1:
            expected[token.text] = expected.get(token.text, 0) + 1
    seen = counted(buffer.data, language.id)
    assert seen.keys() <= expected.keys()  # strings with code in them are not looked into
    assert len(seen) > 0.9 * len(expected) > 10


PASSED_OVER = {
    "comment": ("good = 1  # bad\n", "python"),
    "string": ("good = 'bad' + \"bad\" + f'{bad}' + rb'bad\\' bad'\n", "python"),
    "string of many lines": ("'''bad\n'' bad \"\"\" bad'''\ngood = 1\n", "python"),
    "number": ("good = 0xbad + 1e5 + 1_bad\n", "python"),
    "keyword": ("for good in []: pass\n", "python"),
    "one letter": ("x = good\n", "python"),
    "block comment": ("int good; /* bad\n // bad */ // bad\n", "java"),
    "character": ("char good = 'b'; String s = \"bad'\";\n", "java"),
    "escaped character": ("char good = '\\''; char c = '\\u0bad';\n", "java"),
    "text block": ('String good = """\n bad " bad\n""";\n', "java"),
}


@pytest.mark.parametrize("case", PASSED_OVER)
def test_what_is_no_name_is_passed_over(case: str) -> None:
    names = counted(*PASSED_OVER[case])
    assert "good" in names
    assert "bad" not in names


def test_a_string_that_is_not_closed_ends_with_its_line() -> None:
    assert set(counted("first = 'oh no\nsecond = 2\n")) == {"first", "second"}


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("rust", "fn longest<'abc>(left: &'abc str) -> Shape { 'x' }", {"longest", "left", "Shape"}),
        ("javascript", "const total = `bad ${bad}`; // bad\nother(total)", {"total", "other"}),
        ("go", "func Serve(path string) { raw := `bad\nbad` }", {"Serve", "path", "string", "raw"}),
        ("c", "struct node *next; /* bad */ char end = 'b';", {"node", "next", "end"}),
    ],
)
def test_other_languages(language: str, text: str, names: set[str]) -> None:
    known = by_id(language)
    assert known is not None
    if lexicon_of(known) is None:
        pytest.skip(f"no grammar for {language} is installed")
    seen = set(counted(text, language))
    assert names <= seen
    assert "bad" not in seen


def test_the_line_is_that_of_the_declaration_else_of_the_first_use() -> None:
    text = "price = total(1)\n\n\ndef total(count):\n    return price\n"
    assert lines(text) == {"price": 0, "total": 3, "count": 3}


def test_a_keyword_declares_only_the_name_behind_it() -> None:
    text = "Class<?> type = Shop.class, other; other = 2;\nclass Shop { Shop other; }\n"
    assert lines(text, "java")["Shop"] == 1
    assert lines(text, "java")["other"] == 0


def test_lines_count_every_line_end_that_editors_know() -> None:
    assert lines("aa = 1\rbb = 2\r\ncc = 3\n\ndd = 4") == {"aa": 0, "bb": 1, "cc": 2, "dd": 4}


def test_letters_of_every_alphabet() -> None:
    assert set(counted("größe = “quoted” + 漢字\xa0+ naïve\n")) >= {"größe", "naïve"}
    assert all(name.isidentifier() for name in counted("a“b” = “cd\n"))


@given(st.binary(max_size=400))
def test_any_bytes_give_names_that_can_be_typed(data: bytes) -> None:
    for language in ("python", "java", "javascript"):
        for name, line in lines_of_bytes(data, language).items():
            assert name.isidentifier()
            assert len(name.encode()) <= MAX_BYTES
            assert name in Buffer.from_bytes(data).line_bytes(line).decode()


def lines_of_bytes(data: bytes, language: str) -> dict[str, int]:
    names = found(data, language)
    return dict(zip(names.words, names.lines_N.tolist(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("piece", [b"'", b'"', b'"""', b"\\", b"'\\", b'""" \\', b"/*", b"`", b"'''\"", b"{-", b"x'"])
@pytest.mark.parametrize("language", ["python", "java", "javascript"])
def test_a_hostile_text_is_read_to_its_end(piece: bytes, language: str) -> None:
    """A pattern that tried again and again from each of these would not come back."""
    assert set(counted(piece * 100_000, language)) <= {"x"}


def test_a_text_of_endless_names_is_bounded() -> None:
    often = "kept " * 3
    names = counted(often + " ".join(f"name{n}" for n in range(6 * MAX_NAMES)))
    assert len(names) == MAX_NAMES
    assert names["kept"] == 3


def test_prose_and_data_have_no_names() -> None:
    markdown, json = by_id("markdown"), by_id("json")
    assert markdown is not None
    assert json is not None
    assert lexicon_of(markdown) is lexicon_of(json) is None
    assert ".py" in indexed_extensions()
    assert ".md" not in indexed_extensions()
