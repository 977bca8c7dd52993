"""Names to placeholders and back."""

from __future__ import annotations

from editahead.syntax.language import by_id
from editahead.syntax.normalise import Normaliser
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Token
from editahead.text.buffer import Buffer
from hypothesis import given, settings
from hypothesis import strategies as st

SOURCE = """
class Reader:
    def read(self, path: str):
        lines = os.listdir(path)
        return [Reader.__name__, lines, later]

later = Reader()
"""


def tokens_of(text: str) -> list[Token]:
    language = by_id("python")
    assert language is not None
    return SyntaxSnapshot.open(Buffer(text.encode("utf-8", "replace")), language).tokens()


def texts(normaliser: Normaliser, tokens: list[Token]) -> list[str]:
    """The texts of a whole file with every declared name replaced, uses before their declaration too."""
    for token in tokens:
        normaliser.declare(token)
    return [str(normaliser.declare(token) or token.text) for token in tokens]


def test_declared_names_become_kind_and_number_and_others_stay() -> None:
    assert " ".join(text for text in texts(Normaliser(), tokens_of(SOURCE)) if text.strip()) == (
        "class class:1 : def function:2 ( self , parameter:3 : str ) : variable:4 = os . listdir ( parameter:3 ) "
        "return [ class:1 . __name__ , variable:4 , variable:5 ] variable:5 = class:1 ( )"
    )


def test_types_join_the_placeholder_when_asked() -> None:
    normaliser = Normaliser(typed=True)
    texts(normaliser, tokens_of(SOURCE))
    assert str(normaliser.lookup("path")) == "parameter-str:3"
    assert str(normaliser.lookup("later")) == "variable-Reader:5"
    assert str(normaliser.lookup("read")) == "function:2"  # functions and classes stay untyped


def test_forgetting_gives_the_map_of_the_shorter_text() -> None:
    tokens = tokens_of(SOURCE)
    normaliser = Normaliser()
    for token in tokens[:12]:
        normaliser.declare(token)
    short = [str(normaliser.lookup(name)) for name in ("Reader", "read", "path", "later")]
    kept = len(normaliser)
    for token in tokens:
        normaliser.declare(token)
    normaliser.forget_after(kept)
    assert [str(normaliser.lookup(name)) for name in ("Reader", "read", "path", "later")] == short


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab_=.(): \n\"'#def class:0"), max_size=120), st.booleans())
def test_a_placeholder_stands_for_one_name(text: str, typed: bool) -> None:
    tokens = tokens_of(text)
    replaced = texts(Normaliser(typed=typed), tokens)
    changed = {(new, token.text) for new, token in zip(replaced, tokens, strict=True) if new != token.text}
    assert len(changed) == len({new for new, _ in changed}) == len({old for _, old in changed})
