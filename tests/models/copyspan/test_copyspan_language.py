"""Corrections of prose: GLEU, edits counted by ERRANT, a corpus folder."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")

from editahead_models.copyspan.corpora.language import errant_scores, gleu, read_jfleg

SOURCE = tuple("he go to the school yesterday".split())
GOLD = tuple("he went to school yesterday".split())


def test_gleu_is_one_for_the_reference_and_less_for_the_source() -> None:
    assert gleu([SOURCE], [[GOLD]], [GOLD]) == pytest.approx(1.0)
    longer = (*GOLD, *"and he liked it very much".split())
    source = (*SOURCE, *"and he liked it very much".split())
    kept, better = gleu([source], [[longer]], [source]), gleu([source], [[longer]], [longer])
    assert 0.0 < kept < better == pytest.approx(1.0)


def test_gleu_takes_off_what_only_the_source_has() -> None:
    """Counted by hand: the reference changes the fifth of nine tokens."""
    source, gold = tuple("a b c d e g h i j".split()), tuple("a b c d f g h i j".split())
    # The source again: 9, 8, 7, 6 n-grams, 8, 6, 4, 2 of them in the reference, 1, 2, 3, 4 in the source alone.
    assert gleu([source], [[gold]], [source]) == 0.0
    # Another last word: 8, 7, 6, 5 of them are the reference's, none is the source's alone.
    output = (*gold[:-1], "z")
    expected = math.exp(sum(math.log(share) for share in (8 / 9, 7 / 8, 6 / 7, 5 / 6)) / 4)
    assert gleu([source], [[gold]], [output]) == pytest.approx(expected)
    # Longer, so that four-grams are left: 12, 11, 10, 9 n-grams, less 1, 2, 3, 4 twice over.
    more = tuple("k l m".split())
    expected = math.exp(sum(math.log(share) for share in (10 / 12, 7 / 11, 4 / 10, 1 / 9)) / 4)
    assert gleu([(*source, *more)], [[(*gold, *more)]], [(*source, *more)]) == pytest.approx(expected)


def test_several_references_are_averaged_and_short_outputs_pay() -> None:
    one, two = gleu([SOURCE], [[GOLD]], [GOLD]), gleu([SOURCE], [[SOURCE]], [GOLD])
    assert gleu([SOURCE], [[GOLD, SOURCE]], [GOLD]) == pytest.approx((one + two) / 2)
    assert gleu([SOURCE], [[GOLD]], [GOLD[:4]]) == pytest.approx(math.exp(1 - 5 / 4))


class Annotator:
    """Stands in for the package's: an edit is a place where the words differ."""

    def parse(self, text: str) -> list[str]:
        return text.split()

    def annotate(self, before: Sequence[str], after: Sequence[str]) -> list[SimpleNamespace]:
        pairs = enumerate(zip(before, after, strict=True))
        return [SimpleNamespace(o_start=k, o_end=k + 1, c_str=b) for k, (a, b) in pairs if a != b]


def test_errant_counts_edits_of_the_reference_that_fits_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "errant", SimpleNamespace(load=lambda language: Annotator()))
    source = tuple("a b c d".split())
    found = errant_scores(
        [source, source],
        [[tuple("a x c d".split()), tuple("a b y z".split())], [tuple("p b c q".split())]],
        [tuple("a b y d".split()), tuple("p b x d".split())],
    )
    # First: y is right, z is missing (second reference). Second: p is right, x is wrong, q is missing.
    assert found is not None
    assert (found["precision"], found["recall"]) == (pytest.approx(2 / 3), pytest.approx(2 / 4))
    assert found["f0.5"] == pytest.approx(1.25 * (2 / 3) * 0.5 / (0.25 * (2 / 3) + 0.5))


def test_without_errant_there_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "errant", None)
    assert errant_scores([SOURCE], [[GOLD]], [GOLD]) is None

    def missing(language: str) -> Annotator:
        raise OSError("no language data")

    monkeypatch.setitem(sys.modules, "errant", SimpleNamespace(load=missing))
    assert errant_scores([SOURCE], [[GOLD]], [GOLD]) is None


def test_a_corpus_folder_is_read_with_all_its_corrections(tmp_path: Path) -> None:
    folder = tmp_path / "corpus" / "dev"
    folder.mkdir(parents=True)
    (folder / "dev.src").write_text("He go .\nI is .\n", encoding="utf-8")
    (folder / "dev.ref0").write_text("He goes .\nI am .\n", encoding="utf-8")
    (folder / "dev.ref1").write_text("He went .\nI was .\n", encoding="utf-8")
    read = read_jfleg(tmp_path / "corpus", "dev")
    assert read[0] == (("He", "go", "."), [("He", "goes", "."), ("He", "went", ".")])
    assert len(read) == 2
    with pytest.raises(ValueError, match=r"expected test/test\.src"):
        read_jfleg(tmp_path / "corpus", "test")
    (folder / "dev.ref1").write_text("He went .\n", encoding="utf-8")
    with pytest.raises(ValueError, match="numbers of lines"):
        read_jfleg(tmp_path / "corpus", "dev")
