"""What follows what in a project: against counts made the slow way, and as files come and go."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from editahead.index.lexicon import Lexicon, lexicon_of
from editahead.index.ngram_index import (
    EMPTY_NGRAMS,
    LINE,
    MAX_CONTEXT,
    MIN_TOKENS,
    NUMBER,
    STRING,
    NgramIndex,
    Words,
    normal,
    stream_of,
)
from editahead.index.sliced_work import finish
from editahead.index.stream_table import StreamTable
from editahead.index.view import EMPTY, WorkspaceNames
from editahead.syntax.language import Language, by_id
from editahead.text.buffer import Buffer
from hypothesis import given
from hypothesis import strategies as st

from tests.index.trees import built, plant


def lexicon(language_id: str = "python") -> Lexicon:
    language = by_id(language_id)
    assert isinstance(language, Language)
    found = lexicon_of(language)
    assert found is not None
    return found


def tokens(text: str, language_id: str = "python") -> list[str]:
    words = Words(1000)
    stream = finish(stream_of(Buffer(text.encode()), lexicon(language_id), words))
    return [words.texts[number] for number in stream.tolist()]


def phrases(files: dict[str, str], most: int = 1000) -> NgramIndex:
    streams = StreamTable(most)
    for where, text in files.items():
        finish(streams.read(where, Buffer(text.encode()), lexicon()))
    return finish(streams.ngrams(files)).get("python", EMPTY_NGRAMS)


def test_a_stream_has_words_operators_and_lines_and_nothing_of_what_stands_between_quotes() -> None:
    text = "x = 12345  # a secret\n\n\nif x >= 7 and y[0] != 'password':\n    return f'''two\nlines''' ** 2\n"
    assert tokens(text) == [
        *(LINE, "x", "=", NUMBER, LINE, "if", "x", ">=", "7", "and", "y", "[", "0", "]", "!=", STRING, ":"),
        *(LINE, "return", STRING, "**", "2", LINE),
    ]
    assert tokens("a->b != 'c'; // no\n", "java")[:5] == [LINE, "a", "->", "b", "!="]


@pytest.mark.parametrize("text", ["'a'", '"b"', "'''c'''", "f'd'", "123456", "0x7fff", "name", "12", "==", ""])
def test_a_document_calls_its_tokens_as_streams_do(text: str) -> None:
    found = [word for word in tokens(text) if word != LINE] or [""]
    assert found == [normal(text)]


def test_the_longest_context_counts_most_and_shorter_ones_still_count() -> None:
    found = phrases({"a.py": "a.b.c(1)\na.b.c(1)\nz.b.d(1)\n"}).followers(["a", ".", "b", "."])
    assert found.hits == 5
    assert found.times == 2
    assert found.words["c"] == pytest.approx(1 / 2 + 2 / 3 / 4 + 2 / 3 / 8 + 1 / 3 / 16)
    assert found.words["d"] == pytest.approx(1 / 3 / 4 + 1 / 3 / 8 + 1 / 6 / 16)
    assert sum(found.words.values()) == pytest.approx(1 - 2**-4)  # the empty context says nothing
    assert phrases({"a.py": "a.b"}).followers(["nowhere"]).words == {}


def test_the_files_own_copy_on_disk_does_not_count() -> None:
    found = phrases({"a.py": "a.mine()\n", "b.py": "a.other()\n"})
    assert set(found.followers(["a", "."], "a.py").words) == {"other"}
    assert set(found.followers(["a", "."], "b.py").words) == {"mine"}
    assert set(found.followers(["a", "."]).words) == {"mine", "other"}
    assert set(WorkspaceNames((), EMPTY, "a.py", found).followers(["a", "."]).words) == {"other"}
    assert WorkspaceNames((), EMPTY).followers(["a", "."]).words == {}


def test_a_class_of_texts_is_a_context_and_never_an_answer() -> None:
    found = phrases({"a.py": "f('one', x)\nf('two', y)\n"})
    assert found.followers(["f", "("]).words == {}
    assert {"x", "y"} <= set(found.followers(["f", "(", "'three'", ","]).words)


words = st.sampled_from(["a", "b", "c", ".", "(", ")", "\n"])


@given(st.lists(st.lists(words, max_size=30), min_size=1, max_size=4), st.lists(words, min_size=1, max_size=6))
def test_counts_are_those_of_a_plain_search(files: list[list[str]], context: list[str]) -> None:
    named = {f"{n}.py": " ".join(file) for n, file in enumerate(files)}
    found = phrases(named).followers(context)
    streams = [tokens(text) for text in named.values()]
    joined = [word for stream in streams for word in stream]
    mixed: dict[str, float] = {}
    hits, times = 1, len(joined)
    for length in range(1, min(MAX_CONTEXT, len(context)) + 1):
        before = context[-length:]
        counts = Counter(joined[at] for at in range(length, len(joined)) if joined[at - length : at] == before)
        if not counts:
            break
        mixed = {word: p / 2 for word, p in mixed.items()}
        for word, n in counts.items():
            mixed[word] = mixed.get(word, 0.0) + n / counts.total() / 2
        hits, times = length + 1, counts.total()
    assert (found.hits, found.times) == (hits, times)
    assert found.words == pytest.approx(mixed)


def test_what_is_kept_is_bounded_and_what_is_gone_is_forgotten() -> None:
    streams = StreamTable(10)
    for n in range(30):
        finish(streams.read(f"{n}.py", Buffer(b"one two three four\n" * 3), lexicon()))
    assert streams.tokens <= 80
    assert len(finish(streams.ngrams({"0.py"}))["python"].stream_T) == streams.tokens == 16
    assert not finish(streams.read("0.py", Buffer(b"one two three four\n" * 3), lexicon()))
    assert finish(streams.read("0.py", Buffer(b"five\n"), lexicon()))
    assert "four" not in finish(streams.ngrams({"0.py"}))["python"].followers(["three"]).words


def test_an_index_keeps_its_phrases_up_to_date(tmp_path: Path) -> None:
    root = plant(tmp_path, {"a.py": "shop.sell(item)\n", "b.py": "x = 1\n", "secret.pem": "shop.leak()\n"})
    index = built(root)
    assert set(index.ngrams("python").followers(["shop", "."]).words) == {"sell"}
    plant(root, {"a.py": "sell.shop(item)\n"})  # the same names, in another order
    finish(index.update(["a.py"]))
    assert "sell" not in index.ngrams("python").followers(["shop", "."]).words
    assert index.ngrams("python").followers(["sell", "."]).words == {"shop": 0.75}
    assert index.ngrams("java").followers(["shop"]).words == {}


SECRETS = {
    "a string over a line's end": ("python", '"one \\\r\nLeaked"\r\nkept = 1\r\n'),
    "quotes inside a replacement field": ("python", 'f"{d["Leaked word Leaked2"]}"\nkept = 1\n'),
    "no end, and a backslash": ("python", 'kept = 1\n"""Leaked \\'),
    "a text block": ("java", 'int kept = """\n Leaked \\\r\n "Leaked2" """ + 1;'),
    "a raw string that ends with a backslash": ("go", 'var kept = `\\` + "Leaked" + `Leaked2 "` // `\n'),
    "quotes as characters": ("go", "var kept = []rune{'\"', '`', '\\''}; var other = \"Leaked\"\n"),
    "a string of two lines": ("rust", 'let kept = "one\n Leaked \\" Leaked2 \\\\"; let x = "Leaked3";\n'),
    "raw strings with signs": ("rust", 'let kept = r#"a "Leaked" \\"#; br"Leaked2\\"; r##"Leaked3 "# Leaked4"##;\n'),
    "lifetimes and characters": (
        "rust",
        "fn kept<'a>(x: &'a str, q: char) { q == '\"'; b'\\''; \"Leaked\" }",
    ),
    "comments in comments": ("rust", "/* Leaked /* Leaked2 */ Leaked3 */ let kept = 1;"),
    "a raw string with a name": ("cpp", 'auto kept = R"x(Leaked )" "Leaked2)x" + u8R"(\\" Leaked3)";'),
    "a line that goes on": ("c", 'char *kept = "one \\\n Leaked"; char c = \'"\';\n'),
    "doubled quotes": ("c_sharp", 'var kept = @"C:\\"; var x = $@"a ""Leaked"" {kept}"; var y = "Leaked2";'),
    "raw strings of C#": (
        "c_sharp",
        'var kept = """Leaked "" Leaked2\n Leaked3""""; $"{d["Leaked4 word Leaked5"]}";\n',
    ),
    "a pattern with quotes": ("javascript", "kept(/[\"'`/]Leaked/g); x = /`/; return /\"Leaked2/ ; y = 'Leaked3'"),
    "a division is no pattern": ("typescript", "kept = a / b; c = 'Leaked' / d / `Leaked2`;"),
    "templates in templates": (
        "typescript",
        "kept = `Leaked ${a(`Leaked2`)} Leaked3 ${ {b: 1}.b } Leaked4` + ''",
    ),
    "deeper ones": ("typescript", "kept = `a ${ {b: {c: `x`}} } Leaked` + other;"),
}


@pytest.mark.parametrize(("language_id", "text"), SECRETS.values(), ids=SECRETS)
def test_nothing_that_stands_between_quotes_gets_into_the_index(tmp_path: Path, language_id: str, text: str) -> None:
    language = by_id(language_id)
    assert language is not None
    suffix = language.extensions[0].removeprefix(".")
    (tmp_path / f"a.{suffix}").write_bytes(text.encode())
    index = built(tmp_path)
    kept = {*index.view(language_id).words, *index.ngrams(language_id).words.texts, *tokens(text, language_id)}
    assert "kept" in kept
    assert not any("Leaked" in word for word in kept)
    assert not any("Leaked" in word for word in index._table._words)


def test_languages_whose_strings_no_pattern_tells_have_no_streams(tmp_path: Path) -> None:
    index = built(plant(tmp_path, {"a.sh": "cat <<END\nLeaked word\nEND\n", "b.lua": "kept = 1\n"}))
    assert index._streams.tokens == 0
    assert not index.ngrams("bash").words.texts[4:]


def test_words_that_stand_nowhere_any_more_are_gone_and_the_others_still_follow(tmp_path: Path) -> None:
    root = plant(tmp_path, {"a.py": "first.second(third)\n", "b.py": "gone.missing(third)\n"})
    index = built(root)
    for n in range(20):
        plant(root, {"b.py": f"gone{n}.missing(third)\n"})
        finish(index.update(["b.py"]))
    assert set(index._streams._words["python"].texts) == set(index.ngrams("python").words.texts)
    assert {"gone", "gone18"}.isdisjoint(index.ngrams("python").words.texts)
    assert index.ngrams("python").followers(["missing", "("]).words["third"] > 0.7
    assert index.ngrams("python").followers(["first", "."]).words == {"second": 0.625, "missing": 0.125}


@pytest.mark.parametrize("size", [40, 200, 500_000])
def test_as_many_words_as_may_be_fit_into_the_keys(size: int) -> None:
    words = Words(10_000_000)
    assert words._most < 1 << 21
    found = phrases({"a.py": " ".join(f"w{n}" for n in range(size))}, 10_000_000)
    assert found.followers([f"w{min(size, 90_000) - 2}"]).words == {f"w{min(size, 90_000) - 1}": 0.5}


@pytest.mark.parametrize(
    ("tokens", "context"),
    [(0, 0), (MIN_TOKENS - 1, 0), (MIN_TOKENS, 1), (32_000, 3), (64_000, MAX_CONTEXT), (10**6, MAX_CONTEXT)],
)
def test_a_small_project_is_evidence_for_short_contexts_only(tokens: int, context: int) -> None:
    assert NgramIndex(stream_T=np.zeros(tokens, np.uint32)).reliable_context == context
