"""The figures of programs and forms: what counts as equal, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from editahead.grammar.tree import read
from editahead_models.treegen.datasets.hearthstone import camel_case, describe, read_cards
from editahead_models.treegen.datasets.logic import derive_forms, form_of, ordered, read_forms, tree_of
from editahead_models.treegen.evaluate import measure, same_form
from editahead_models.treegen.grammar.write import write
from editahead_models.treegen.metrics import bleu, pieces, renamed_equal, sentence_bleu, string_equal
from editahead_models.wilson_interval import wilson

from tests.models.treegen.cards import card, in_memory, write_cards

GOLD = "def f(self, a):\n    for x in a:\n        self.x = x\n"


def test_exact_ignores_layout_and_quotes_alone() -> None:
    assert string_equal("f( 'a' ,1 )", 'f("a", 1)\n')
    assert not string_equal("f('a', 1)", "f('a', 2)")
    assert not string_equal("f(", "f(")
    assert not string_equal("if a:\n    b\n    c", "if a:\n    b\nc")


def test_locals_may_be_renamed_and_nothing_else() -> None:
    assert renamed_equal("def f(self, b):\n    for y in b:\n        self.x = y\n", GOLD)
    assert not renamed_equal("def f(self, a):\n    for x in a:\n        self.y = x\n", GOLD)  # an attribute
    assert not renamed_equal("def g(self, a):\n    for x in a:\n        self.x = x\n", GOLD)
    assert not renamed_equal("def f(self, a):\n    for x in a:\n        self.x = a\n", GOLD)  # another variable
    assert not renamed_equal("def f(self, a):\n    for x in b:\n        self.x = x\n", GOLD)  # a global
    assert renamed_equal("def f(a):\n    return lambda a, c: a + c", "def f(x):\n    return lambda x, y: x + y")
    assert not renamed_equal("def f(a):\n    return lambda a, c: a + c", "def f(x):\n    return lambda y, z: x + z")
    assert not renamed_equal("def f(:", "def f(:")


def test_bleu_of_a_text_with_itself_is_one() -> None:
    pair = (GOLD, GOLD)
    assert bleu([pair]) == pytest.approx(1.0)
    assert sentence_bleu([pair]) == pytest.approx(1.0)
    assert 0 < bleu([(GOLD, GOLD.replace("for", "while"))]) < 1
    assert bleu([("", GOLD)]) == 0.0
    assert pieces("MinionCard(\"a_b\", 'c')") == ["Minion", "Card", "(", "'", "a_b", "'", ",", "'", "c", "'", ")"]
    short = bleu([("a b c d e", "a b c d e f g h i j")])
    assert short == pytest.approx(2.718281828**-1.0)  # the brevity penalty alone


def test_the_interval_of_a_share() -> None:
    low, high = wilson(21, 66)
    assert (round(100 * low), round(100 * high)) == (22, 44)
    assert wilson(0, 0) == (0.0, 1.0)


def test_cards_are_read_with_their_fields() -> None:
    line, _ = card(4)
    rows = describe(line, "structural")
    marker = rows.words.index("NAME_END")
    assert rows.copies[marker] == {"str": "Al'Dur Guard", "name": "AlDurGuard"}
    assert rows.copies[rows.words.index("TYPE_END")] == {"name": "MinionCard"}
    assert {"MAGE", "COMMON", "NIL"} <= set(rows.words)
    assert "deal" in rows.words
    plain = describe(line, "plain")
    assert not any(word.endswith("_END") for word in plain.words)
    # A copy of one of the first words is of all words up to it: where the name ends is not told.
    assert plain.words[:5] == ("al", "'", "dur", "guard", "1")
    assert [copies["str"] for copies in plain.copies[2:5]] == ["Al'Dur", "Al'Dur Guard", "Al'Dur Guard 1"]
    assert [copies["name"] for copies in plain.copies[2:4]] == ["AlDur", "AlDurGuard"]
    assert plain.copies[4]["int"] == "1"
    assert plain.copies[12] == {"name": "Common", "str": "Common"}
    assert camel_case("Tin-o-Golem the Old") == "TinoGolemTheOld"
    with pytest.raises(ValueError, match="not a card"):
        describe("no card", "structural")
    with pytest.raises(ValueError, match="setting must be one of"):
        describe(line, "other")


def test_a_folder_of_cards_is_read(tmp_path: Path) -> None:
    examples, vocabulary = in_memory()
    again = read_cards(write_cards(tmp_path), "test", "structural", vocabulary.grammar)
    assert [e.source for e in again] == [e.source for e in examples]
    with pytest.raises(OSError, match="dev_hs"):
        read_cards(tmp_path / "none", "dev", "structural", vocabulary.grammar)


def test_forms_come_back_and_know_their_order() -> None:
    form = "( lambda $0 e ( and ( river:t $0 ) ( loc:t $0 s0 ) ( or ( a $0 ) ) ) )"
    grammar = derive_forms([tree_of(form)])
    assert form_of(read(grammar, write(grammar, tree_of(form)))) == form
    assert same_form(form, "( lambda $0 e ( and ( or ( a $0 ) ) ( loc:t $0 s0 ) ( river:t $0 ) ) )")
    assert not same_form("( loc:t $0 s0 )", "( loc:t s0 $0 )")
    assert ordered("( broken") == "( broken"
    for wrong in ("( a", "( a ) )", ")", ""):
        with pytest.raises(ValueError, match="brackets do not match"):
            tree_of(wrong)


def test_questions_are_read_with_their_forms(tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_text("where is c0\t( lambda $0 e ( loc:t c0 $0 ) )\n")
    (example,) = read_forms(tmp_path / "f.txt")
    assert example.description.positions("atom", "c0") == [2]
    (tmp_path / "g.txt").write_text("no form\n")
    with pytest.raises(ValueError, match="no tab"):
        read_forms(tmp_path / "g.txt")


def test_figures_of_predictions() -> None:
    examples, vocabulary = in_memory()
    predictions = [[examples[0].source], [examples[0].source, examples[1].source], []]
    figures = measure(vocabulary, examples[:3], predictions, True)
    assert (figures["right"], figures["accuracy"], figures["among all beams"]) == (1, 33.3, 66.7)
    assert (figures["nothing found"], figures["parse"], figures["ceiling"]) == (1, 66.7, 100.0)
    assert 40 < figures["bleu"] < 70
