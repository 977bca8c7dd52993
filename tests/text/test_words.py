"""The word before a place is what a search for it would find, only faster."""

from __future__ import annotations

import re
import time

import pytest
from editahead.text.words import IDENTIFIER, whole_word, word_before, word_offsets
from hypothesis import example, given
from hypothesis import strategies as st


@given(st.text(alphabet=st.sampled_from("ab9_$ .²٣éß日\n"), max_size=12))
@example("x = 12abc")
@example("$scope")
@example("²x")
def test_it_is_what_a_search_finds(text: str) -> None:
    for also, pattern in (("", r"[^\W\d]\w*\Z"), ("$", r"[^\W\d][\w$]*\Z")):
        found = re.search(pattern, text)
        assert word_before(text, also) == (found.group() if found else "")


@pytest.mark.parametrize(("text", "word"), [("a.$b", "$b"), ("`${b", "b"), ("1$", "$"), ("a$1", "a$1"), ("$$", "$$")])
def test_some_languages_begin_names_with_a_sign(text: str, word: str) -> None:
    assert word_before(text, "$", "$") == word


@given(st.text(alphabet=st.sampled_from("ab9_ .éß日\n"), max_size=12))
def test_identifiers_in_bytes_are_those_of_the_text(text: str) -> None:
    found = [one.decode() for one in re.findall(IDENTIFIER, text.encode())]
    assert found == re.findall(r"[^\W\d]\w*", text)


@given(st.text(alphabet=st.sampled_from("ab9_$ .éß日\n"), max_size=12), st.text("aß", min_size=1, max_size=2))
def test_a_whole_word_is_no_part_of_a_longer_one(text: str, name: str) -> None:
    found = [text.encode()[: one.start()].decode() for one in whole_word(name).finditer(text.encode())]
    assert found == [text[: one.start()] for one in re.finditer(rf"(?<![\w$]){name}(?![\w$])", text)]


@given(st.text(alphabet=st.sampled_from("ab9_$ .éß日\n"), max_size=24), st.text("ab$ß", min_size=1, max_size=2))
@example("$$$ $$ $$$$", "$$")
def test_offsets_of_a_word_are_those_of_its_pattern(text: str, name: str) -> None:
    data = text.encode()
    for start, end in ((0, len(data)), (len(data) // 3, len(data) - len(data) // 4)):
        expected = [match.start() for match in whole_word(name).finditer(data) if start <= match.start()]
        assert list(word_offsets(data, name, start, end)) == [at for at in expected if at + len(name.encode()) <= end]


@pytest.mark.parametrize("word", ["e\u0301dite\u0301", "मात्रा", "भंडार"])
def test_accents_and_vowel_signs_are_parts_of_words(word: str) -> None:
    for letters in range(1, len(word) + 1):
        assert word_before(f"x = {word[:letters]}") == word[:letters]
    assert word_before("= \u0301a") == "a", "none begins with one"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["QUJD" * 500_000 + '"', "9" * 2_000_000, "a" * 2_000_000])
def test_a_line_of_data_takes_no_longer_than_its_length_asks(text: str) -> None:
    began = time.process_time()
    word_before(text)
    assert time.process_time() - began < 10.0  # a search from every place would take hours
