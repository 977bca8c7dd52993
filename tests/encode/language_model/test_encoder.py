"""What a language model reads: the same for a context typed line by line and for one read at once."""

from __future__ import annotations

import numpy as np
import pytest
from editahead.encode.language_model.encoder import (
    NO_NAME,
    NO_TARGET,
    LmArrays,
    LmEncoder,
    NameFlavour,
    detect_indent,
    echoes,
    memory_slots,
)
from editahead.encode.language_model.vocabulary import SPECIALS, SUBWORD_BUCKETS, Vocab, subword_buckets
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line
from editahead.text.buffer import Buffer
from hypothesis import given, settings
from hypothesis import strategies as st

VOCAB = Vocab((*SPECIALS, "def", "(", ")", ":", "return", "self", "=", ".", ",", "class", "items", "1"))
SOURCE = """class Reader:
    def read(self, path):
        # a comment
        items = self.items

        return path

def other(path):
    x = Reader()
    return x.read(path)
"""


def lines_of(text: str) -> list[Line]:
    language = by_id("python")
    assert language is not None
    snapshot = SyntaxSnapshot.open(Buffer(text.encode()), language)
    return [snapshot.line_tokens(number) for number in range(snapshot.line_count)]


def encoded(text: str, flavour: NameFlavour = NameFlavour.SPELLED) -> LmEncoder:
    encoder = LmEncoder(VOCAB, flavour)
    encoder.extend_to(lines_of(text))
    return encoder


def words(encoder: LmEncoder) -> str:
    return " ".join(VOCAB.symbols[step.word] for step in encoder.steps)


def test_words_lines_and_unknown_names() -> None:
    assert words(encoded(SOURCE)) == (
        "<line+0> class <name> : <line+1> def <name> ( self , <name> ) : "
        "<line+1> items = self . items <line+0> return <name> "
        "<line-2> def <name> ( <name> ) : <line+1> <name> = <name> ( ) <line+0> return <name> . <name> ( <name> )"
    )


def test_placeholders_hide_what_the_file_declares_and_renaming_changes_nothing() -> None:
    plain = encoded(SOURCE, NameFlavour.PLACEHOLDER)
    renamed = encoded(SOURCE.replace("path", "items_of").replace("read", "write"), NameFlavour.PLACEHOLDER)
    assert "<new:parameter>" in words(plain)
    assert [step._replace(name=0) for step in plain.steps] == [step._replace(name=0) for step in renamed.steps]


def test_targets_say_what_only_a_copy_can_produce() -> None:
    encoder = encoded(SOURCE)
    by_name = [(encoder.names[step.name], step) for step in encoder.steps if step.name != NO_NAME]
    first_path, second_path = [step for name, step in by_name if name == "path"][:2]
    assert VOCAB.symbols[first_path.target] == "<new:parameter>"
    assert not first_path.seen
    assert second_path.target == NO_TARGET
    assert second_path.seen
    listed = next(step for name, step in by_name if name == "items")
    assert VOCAB.symbols[listed.target] == "items"


def test_types_reach_the_uses_of_a_variable() -> None:
    encoder = encoded(SOURCE)
    uses = [step for step in encoder.steps if step.name != NO_NAME and encoder.names[step.name] == "x"]
    assert all(step.parts[-1] == subword_buckets("Reader")[0] for step in uses)
    assert len(uses) == 2


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 60), st.sampled_from(["x", "\n", "  ", "(", "path", "#"])))
)
def test_going_back_and_forth_equals_reading_from_scratch(edits: list[tuple[int, int, str]]) -> None:
    encoder = LmEncoder(VOCAB, NameFlavour.SPELLED)
    text = SOURCE
    encoder.extend_to(lines_of(text))
    for line, column, piece in edits:
        rows = text.split("\n")
        row = min(line, len(rows) - 1)
        rows[row] = rows[row][:column] + piece + rows[row][column:]
        text = "\n".join(rows)
        encoder.extend_to(lines_of(text))
        fresh = encoded(text)
        assert encoder.steps == fresh.steps
        assert encoder.names == fresh.names
        assert encoder.origins == fresh.origins
        assert encoder.level == fresh.level


def test_only_changed_lines_are_read_again() -> None:
    encoder = LmEncoder(VOCAB, NameFlavour.SPELLED)
    lines = lines_of(SOURCE)
    encoder.extend_to(lines)
    total = len(encoder.steps)
    assert encoder.extend_to(lines) == total
    assert encoder.extend_to(lines[:2]) == len(encoder.steps) < total


def test_memory_holds_the_latest_use_of_each_name_newest_first_without_the_current_step() -> None:
    names = np.array([NO_NAME, 0, 1, NO_NAME, 0, 2, 1], np.int32)
    assert memory_slots(names, 10).tolist() == [5, 4, 2]
    assert memory_slots(names, 2).tolist() == [5, 4]
    assert memory_slots(names[:2], 10).tolist() == []


def test_memory_of_occurrences_holds_every_use_newest_first_without_the_current_step() -> None:
    names = np.array([NO_NAME, 0, 1, NO_NAME, 0, 2, 1], np.int32)
    assert memory_slots(names, 10, "occurrences").tolist() == [5, 4, 2, 1]
    assert memory_slots(names, 3, "occurrences").tolist() == [5, 4, 2]
    assert memory_slots(names[:2], 10, "occurrences").tolist() == []
    assert memory_slots(names[:0], 10, "occurrences").tolist() == []


def test_arrays_are_padded_and_typed() -> None:
    arrays = LmArrays.of(encoded(SOURCE).steps)
    assert arrays.parts.shape == (len(arrays.word), 5)
    assert arrays.parts.max() < SUBWORD_BUCKETS
    assert LmArrays.of([]).parts.shape == (0, 5)


@pytest.mark.parametrize(
    ("name", "parts"), [("getUserName", 3), ("HTTPServer", 2), ("_x", 1), ("a_b_c_d_e", 4), ("x1", 2), ("größe", 3)]
)
def test_names_fall_into_parts(name: str, parts: int) -> None:
    assert len(subword_buckets(name)) == parts


def test_indentation_unit() -> None:
    assert detect_indent(b"if x:\n  y\n  z\n") == 2
    assert detect_indent(b"if x:\n    y\n") == 4
    assert detect_indent(b"if x:\n\ty\n") == 4
    assert detect_indent(b"") == 4


def test_vocabulary_round_trip_and_its_guards() -> None:
    assert Vocab.from_json(VOCAB.to_json()).symbols == VOCAB.symbols
    with pytest.raises(ValueError, match="special"):
        Vocab(("a", "b"))
    with pytest.raises(ValueError, match="twice"):
        Vocab((*SPECIALS, "a", "a"))
    with pytest.raises(ValueError, match="list of texts"):
        Vocab.from_json({"symbols": [1]})


def test_vocabulary_takes_the_most_frequent_with_ties_in_text_order() -> None:
    vocab = Vocab.from_counts({"b": 9, "a": 9, "c": 10, "rare": 1}, len(SPECIALS) + 2)
    assert vocab.symbols[len(SPECIALS) :] == ("c", "a")


def test_echoes_mark_the_slots_of_the_latest_names_the_current_one_included() -> None:
    names = np.array([0, 1, NO_NAME, 2, 1], np.int32)
    slots = memory_slots(names, 10)
    assert slots.tolist() == [3, 1, 0]
    assert echoes(names, slots).tolist() == [
        [False, True, False, False],  # 2, read before 1
        [True, False, True, False],  # 1, read last and third
        [False, False, False, True],
    ]
    long_ago = np.concatenate([names, np.full(60, NO_NAME, np.int32)])
    assert not echoes(long_ago, memory_slots(long_ago, 10)).any()
