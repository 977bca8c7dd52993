"""Earlier contexts that are the same but for names."""

from __future__ import annotations

import random

import pytest
from editahead.runtime.language_model.context_matches import ContextMatch, ContextMatches, derived_name

WORDS = {text: number for number, text in enumerate("def ( ) : return . = + \n".split(" "))}


class Text:
    """A text of words between blanks, as tokens: words of WORDS are no names."""

    def __init__(self, text: str) -> None:
        self.names: list[str] = []
        self.tokens = [self._token(word) for word in text.split(" ")]

    def _token(self, word: str) -> int:
        if word in WORDS:
            return WORDS[word]
        if word not in self.names:
            self.names.append(word)
        return -1 - self.names.index(word)

    def word(self, token: int) -> str:
        return self.names[-1 - token] if token < 0 else next(text for text, n in WORDS.items() if n == token)

    def expected(self) -> tuple[str, ContextMatch] | None:
        matches = ContextMatches()
        matches.extend(self.tokens)
        match = matches.longest()
        return None if match is None else (self.word(match.token), match)


@pytest.mark.parametrize(
    ("text", "word", "length", "same", "renamed"),
    [
        ("a = b + c . d \n a = b + c", ".", 5, 3, 0),
        ("w = self . w \n h = self .", "h", 4, 1, 1),  # the name that stands for w
        ("w = self . w + one \n h = self . h +", "one", 6, 1, 1),  # a name of no context stays itself
        ("def w ( ) : return w \n def h ( ) : return", "h", 6, 0, 1),
        ("a = a . b \n c = d .", "b", 3, 0, 1),  # d cannot stand for the name that c stands for
        ("a = b . x \n c = c .", "x", 3, 0, 1),  # nor c for two names
    ],
)
def test_what_followed_is_expected_with_its_names_replaced(
    text: str, word: str, length: int, same: int, renamed: int
) -> None:
    expected = Text(text).expected()
    assert expected is not None
    assert expected[0] == word
    assert (expected[1].length, expected[1].same, len(expected[1].renamed)) == (length, same, renamed)


def test_nothing_is_expected_where_three_tokens_stand_nowhere_before() -> None:
    assert Text("a = b").expected() is None
    assert Text("a = b \n c + d").expected() is None


def test_the_longer_context_wins_and_names_its_rival() -> None:
    expected = Text("q = a . b ( x \n a . b ) y \n q = a . b").expected()
    assert expected is not None
    assert expected[0] == "("
    assert expected[1].length > expected[1].rival >= 3


def test_a_context_that_was_cut_back_is_forgotten() -> None:
    text = Text("a = b . c \n a = b . c \n a = b")
    kept, again = ContextMatches(), ContextMatches()
    kept.extend(text.tokens)
    kept.truncate(4)
    kept.extend(text.tokens[4:9])
    again.extend(text.tokens[:9])
    assert kept.longest() == again.longest()
    assert len(kept) == 9


def test_cutting_and_adding_at_random_changes_nothing() -> None:
    chooser = random.Random(7)
    grown = ContextMatches()
    tokens: list[int] = []
    for _ in range(300):
        cut = chooser.randrange(max(0, len(tokens) - 6), len(tokens) + 1)
        more = [chooser.choice((0, 1, 2, -1, -2, -3)) for _ in range(chooser.randrange(8))]
        tokens = tokens[:cut] + more
        grown.truncate(cut)
        grown.extend(more)
        fresh = ContextMatches()
        fresh.extend(tokens)
        assert grown.longest() == fresh.longest()


def test_a_long_repetition_costs_no_more_than_a_short_one() -> None:
    matches = ContextMatches()
    matches.extend([0, -1, 1, -2] * 20_000)
    match = matches.longest()
    assert match is not None
    assert match.length == 64


@pytest.mark.parametrize(
    ("name", "old", "new", "derived"),
    [
        ("unpaid", "total_of_unpaid", "total_of_overdue", "overdue"),
        ("UnpaidBill", "total_of_unpaid", "total_of_overdue", "OverdueBill"),
        ("UNPAID_BILLS", "unpaid", "overdue", "OVERDUE_BILLS"),
        ("getWidth", "setWidth", "setHeight", "getHeight"),
        ("user_row", "load_users", "load_orders", "user_row"),  # another word
        ("idle", "id_a", "id_b", "idle"),  # too short
        ("repaid", "paid", "due", "repaid"),  # not a whole word
        ("HTTPServer", "parseHTTP", "parseFTP", "FTPServer"),
    ],
)
def test_words_of_a_name_are_replaced_as_in_other_names(name: str, old: str, new: str, derived: str) -> None:
    assert derived_name(name, [(old, new)]) == derived
