"""ATIS: what names an entity is decided by the question and by training, never by the form that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead_models.treegen.datasets.atis import Identifier, phrases, plain_form, read_atis, read_lexicon
from editahead_models.treegen.datasets.corpora import read_split

LEXICON = """\
boston :- NP : boston:ci
boston :- NP : bos:ap
boston logan :- NP : bos:ap
new york :- NP :  new_york:ci
denver :- NP : denver:ci
one :- NP : 1:dn
"""
TRAIN = [
    ("flights from boston to new york", "( _lambda $0 e ( _and ( _from $0 boston:_ci ) ( _to $0 new_york:_ci ) ) )"),
    ("one way to boston", "( _lambda $0 e ( _and ( _oneway $0 ) ( _to $0 boston:_ci ) ) )"),
    ("what is boston logan", "bos:_ap"),
]
TEST = [("from denver to boston logan one way", "( _lambda $v1 e ( _from $v1 denver:_ci ) )")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "atis_lexicon.txt").write_text(LEXICON, encoding="utf-8")
    for split, pairs in (("train", TRAIN), ("dev", TEST), ("test", TEST)):
        text = "\n".join(f"{question}\t{form}" for question, form in pairs)
        (tmp_path / f"atis_lambda_{split}.tsv").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_longest_phrase_is_taken(folder: Path) -> None:
    lexicon = read_lexicon(folder / "atis_lexicon.txt")
    assert lexicon[("boston",)] == ["boston:ci", "bos:ap"]
    words = "from boston logan to new york".split()
    assert phrases(words, lexicon, 2) == [(1, 3), (4, 6)]


def test_a_phrase_is_what_it_was_in_training(folder: Path) -> None:
    identify = Identifier(read_lexicon(folder / "atis_lexicon.txt"), TRAIN)
    # Denver was never met: its first entity. `one` named nothing, so it stays a word. Boston twice is one token.
    assert identify("one flight denver boston boston new york") == (
        ("one", "flight", "ci0", "ci1", "ci1", "ci2"),
        {"denver:ci": "ci0", "boston:ci": "ci1", "new_york:ci": "ci2"},
    )


def test_a_form_keeps_what_was_not_identified_and_counts_its_variables() -> None:
    form = "( _f $v1 denver:_ci ( _lambda $0 e ( _loc:_t $0 boston:_ci $v1 ) ) )"
    assert plain_form(form, {"denver:ci": "ci0"}) == "( _f $0 ci0 ( _lambda $1 e ( _loc:_t $1 boston:_ci $0 ) ) )"


def test_the_form_that_is_asked_for_changes_no_question(folder: Path) -> None:
    before = read_atis(folder, "test")[0]
    assert before.source == "( _lambda $0 e ( _from $0 ci0 ) )"
    assert before.description.words == ("from", "ci0", "to", "ap0", "one", "way")
    for split in ("dev", "test"):
        (folder / f"atis_lambda_{split}.tsv").write_text(f"{TEST[0][0]}\tnew_york:_ci", encoding="utf-8")
    after = read_atis(folder, "test")[0]
    assert after.description == before.description
    assert after.source == "new_york:_ci"


def test_the_grammar_is_that_of_training(folder: Path) -> None:
    train, test = (read_split("atis", folder, split) for split in ("train", "test"))
    assert len(train.examples) == 3
    assert [rule.name for rule in train.grammar.rules] == [rule.name for rule in test.grammar.rules]


def test_a_line_without_a_tab_is_named(folder: Path) -> None:
    (folder / "atis_lambda_train.tsv").write_text("a\tb\nno form here", encoding="utf-8")
    with pytest.raises(ValueError, match=r"atis_lambda_train\.tsv: no tab in 'no form here'"):
        read_atis(folder, "train")
