"""The words of a line, found without lexing it, are those that the lexer finds."""

from __future__ import annotations

from editahead.encode.edit_model.tokens import indent_of, lex_line, word_texts
from editahead.encode.edit_model.window import line_words
from hypothesis import given
from hypothesis import strategies as st


@given(
    st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=60)
    | st.from_regex(r"[a-z_0-9.+/*'\" ]{0,40}", fullmatch=True)
)
def test_words_without_lexing_equal_the_words_of_the_tokens(line: str) -> None:
    texts = [piece.key.text for piece in lex_line(line).pieces]
    found = word_texts(line)
    assert indent_of(line) == lex_line(line).indent
    assert [text for text in texts if text in set(found)] == found
    assert line_words(line) == frozenset(
        text for text in texts if text[0] == "_" or (len(text) > 1 and text[0].isalnum())
    )
