"""Names as sub-words: what is cut comes back, words are cut alike everywhere, a beginning narrows the choice."""

from __future__ import annotations

import pytest
from editahead.encode.language_model.name_pieces import ALPHABET, END, FORMS, MAX_NAME, Pieces, piece_form
from hypothesis import given
from hypothesis import strategies as st

WORDS = ["get", "user", "_user", "User", "name", "Name", "na", "HTTP", "er", "_n", "__"]
PIECES = Pieces([*ALPHABET, *WORDS])
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,30}", fullmatch=True)


def texts(name: str) -> list[str]:
    return [PIECES.texts[piece] for piece in PIECES.split(name)]


@given(NAMES)
def test_every_name_is_cut_into_listed_pieces_that_spell_it(name: str) -> None:
    cut = PIECES.split(name)
    assert END not in cut
    assert PIECES.text(cut) == name


def test_words_are_cut_alike_wherever_they_stand() -> None:
    assert texts("get_userName") == ["get", "_user", "Name"]
    assert texts("username") == ["user", "name"]
    assert texts("HTTPUser") == ["HTTP", "User"]
    assert texts("x_name") == ["x", "_", "name"]  # not `_n` and a torn rest
    assert texts("__user") == ["__", "user"]  # two underscores are not listed with this word


@pytest.mark.parametrize("name", ["", "a$b", "naïve", "1st", "a-b", "x" * (MAX_NAME + 1)])
def test_what_is_no_plain_name_is_not_cut(name: str) -> None:
    assert PIECES.split(name) == ()


@given(NAMES.filter(bool), st.integers(1, 31))
def test_a_beginning_allows_exactly_the_pieces_that_agree_with_it(name: str, length: int) -> None:
    rest = name[:length]
    allowed = {PIECES.texts[piece] for piece in PIECES.continuing(rest)}
    assert allowed == {text for text in PIECES.texts if text and (text.startswith(rest) or rest.startswith(text))}


def test_spellings_of_a_word_share_their_core() -> None:
    looks = [piece_form(text) for text in ("name", "_name", "Name", "__Name", "NAME", "_NAME")]
    assert {found.core for found in looks} == {"name"}
    assert len({found.form for found in looks}) == len(looks)
    assert all(0 <= piece_form(text).form < FORMS for text in [*PIECES.texts, "____", "___X"])


@pytest.mark.parametrize("broken", [[*WORDS], [*ALPHABET, "a"], [*ALPHABET, "ä"], [*ALPHABET, ""]])
def test_a_list_that_cannot_spell_every_name_is_refused(broken: list[str]) -> None:
    with pytest.raises(ValueError, match="pieces must"):
        Pieces(broken)
