"""Prose becomes files like those of the Penn Treebank."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from editahead_models.data.english.penn_treebank import read_treebank
from editahead_models.data.english.plain_text import BLOCK, TURN, main, read_texts, sentences, split_of

PAGE = """<html><head><title>not this</title></head><body><h1>One</h1><p>It was <i>la grippe</i>.</p>
<p>Nobody came.</p><script>var x</script></body></html>"""


def test_sentences_are_words_without_marks() -> None:
    text = "“Well, Prince, it is 1,805 already!” he didn’t say. A new one\u2014here; don't stop\n\nLast words"
    assert [" ".join(words) for words in sentences(text)] == [
        "well prince it is N already he didn t say",
        "a new one here don t stop",
        "last words",
    ]


def test_markup_is_left_out_and_chapters_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "chapter-10.xhtml").write_text("<p>The tenth one.</p>", encoding="utf-8")
    (tmp_path / "chapter-2.xhtml").write_text(PAGE, encoding="utf-8")
    (tmp_path / "notes.md").write_text("Not read at all.", encoding="utf-8")
    found = [" ".join(words) for text in read_texts([tmp_path]) for words in sentences(text)]
    assert found == ["it was la grippe", "nobody came", "the tenth one"]


def test_one_block_in_twelve_is_for_validation_and_one_for_the_test() -> None:
    splits = [split_of(number) for number in range(2 * BLOCK * TURN)]
    assert (splits.count("valid"), splits.count("test")) == (2 * BLOCK, 2 * BLOCK)
    assert splits[: BLOCK * TURN] == splits[BLOCK * TURN :]


def test_rare_words_are_unknown_and_the_files_are_read_back(tmp_path: Path) -> None:
    text = "".join(
        f"The {'cat' if n % 2 else 'dog'} sat on mat number {n} word{chr(97 + n % 26)}.\n" for n in range(2400)
    )
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    main([tmp_path / "a.txt"], tmp_path / "out", words=9)
    bank = read_treebank(tmp_path / "out")
    assert set(bank.symbols) == {"the", "sat", "on", "mat", "number", "N", "cat", "dog", "<unk>", "<eos>", "<pad>"}
    assert len(bank.valid) == len(bank.test) == 2 * BLOCK * 9
    (tmp_path / "b.txt").write_text("One line only. And two.", encoding="utf-8")
    with pytest.raises(typer.BadParameter, match="too few"):
        main([tmp_path / "b.txt"], tmp_path / "out")
