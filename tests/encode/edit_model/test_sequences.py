"""Edit tokens, edit sequences, windows, and the way from a history of byte edits to hunks and back to bytes."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from editahead.encode.edit_model.history import (
    RegionTracker,
    indent_above,
    merge_regions,
    region_edits,
    region_lines,
    trim,
)
from editahead.encode.edit_model.sequences import (
    DISPLACEMENT_BINS,
    EditState,
    displacement_bins,
    hunk_edits,
)
from editahead.encode.edit_model.text_positions import byte_edit, token_positions
from editahead.encode.edit_model.tokens import (
    PARTS,
    SPECIALS,
    EditToken,
    EditVocab,
    lex_line,
    line_keys,
    newline_delta,
    part_ids,
    shape,
    subwords,
)
from editahead.encode.edit_model.window import (
    CUT,
    END,
    START,
    build_window,
    choose_window,
    focus_words,
    line_scores,
    line_words,
)
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import CoalescedEdit, HistoryView, to_coalesced_edit
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import split_lines
from editahead_models.data.edits.instances import render
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.encode.edit_model.reference import apply_sequence, sequence, to_explicit, to_implicit, track

CODE = """import os


class Shop:
    def __init__(self, name, items):
        self.name = name  # the sign
        self.items = items

    def total(self):
        result = 0
        for item in self.items:
            result += item.price * 2

        return result
"""


def letters(text: str) -> list[EditToken]:
    return [START, *(EditToken(letter, 0) for letter in text), END]


def shown(keys: list[EditToken]) -> str:
    return "".join(key.text for key in keys[1:-1])


@pytest.mark.parametrize(
    ("initial", "result", "explicit", "implicit"),
    [
        ("BACA", "BABBCACC", [(2, "B"), (3, "B"), (6, "C"), (7, "C")], [(2, "B"), (6, "B"), (4, "C"), (8, "C")]),
        ("CAAD", "CBBD", [(2, None), (2, None), (1, "B"), (2, "B")], [(2, None), (3, None), (1, "B"), (8, "B")]),
    ],
)
def test_worked_examples(initial: str, result: str, explicit: list, implicit: list) -> None:
    def keyed(pairs: list) -> list:
        return [(at, None if content is None else EditToken(content, 0)) for at, content in pairs]

    start = letters(initial)
    assert to_explicit(keyed(implicit), len(start)) == keyed(explicit)
    assert to_implicit(keyed(explicit), len(start)) == keyed(implicit)
    assert shown(apply_sequence(start, keyed(implicit))) == result


def test_explicit_and_implicit_are_the_same_ten_thousand_times() -> None:
    rng = random.Random(1)
    for _ in range(10_000):
        n0 = rng.randint(2, 8)
        live = n0
        explicit = []
        for _ in range(rng.randint(1, 6)):
            delete = live > 2 and rng.random() < 0.4
            explicit.append((rng.randrange(live), None if delete else EditToken(rng.choice("xyz"), 0)))
            live += -1 if delete else 1
        implicit = to_implicit(explicit, n0)
        assert to_explicit(implicit, n0) == explicit
        tokens: list[EditToken] = [EditToken(str(i), 0) for i in range(n0)]
        expected = list(tokens)
        for at, key in explicit:
            expected[at : at + 1] = [] if key is None else [expected[at], key]
        assert apply_sequence(tokens, implicit) == expected


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
@settings(max_examples=200)
def test_hunk_edits_lead_from_old_to_new(old: str, new: str) -> None:
    start = letters("x" + old + "y")
    edits = hunk_edits(start[2 : 2 + len(old)], letters(new)[1:-1], 2)
    done = sequence([edits], len(start))
    assert shown(apply_sequence(start, [(edit.name, edit.key) for edit in done])) == "x" + new + "y"
    assert [edit.start for edit in done] == [True] * bool(done) + [False] * (len(done) - 1)


def test_a_dead_token_cannot_be_edited() -> None:
    state = EditState(4)
    state.apply(2, None)
    with pytest.raises(ValueError, match="2 is not in list"):
        state.apply(2, EditToken("a", 0))


def test_branches_of_a_state_are_independent() -> None:
    state = EditState(4)
    state.apply(1, EditToken("a", 0))
    twin = state.copy()
    twin.apply(4, EditToken("b", 0))
    assert (state.names, twin.names) == ([0, 1, 4, 2, 3], [0, 1, 4, 5, 2, 3])
    assert twin.root(5) == 1


def test_displacement_bins() -> None:
    state = EditState(100)
    edit = state.apply(50, EditToken("a", 0))
    bins = displacement_bins(np.asarray(state.names), 101, edit)
    assert bins[100] != DISPLACEMENT_BINS - 1
    assert bins[51] == bins[100] + 1
    assert bins[50] == bins[100] - 1
    assert bins[60] == bins[100] + 10
    assert bins[99] < bins[100] + 49
    gone = displacement_bins(np.asarray(state.names), 101, state.apply(51, None))
    assert (gone >= 0).all()
    assert set(gone.tolist()) & set(bins.tolist()) <= {DISPLACEMENT_BINS - 1}
    assert (displacement_bins(np.asarray(state.names), 101, None) == DISPLACEMENT_BINS - 1).all()


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=40))
@settings(max_examples=200)
def test_pieces_cover_a_line(line: str) -> None:
    tokens = lex_line(line)
    assert "".join(line[piece.start : piece.end] for piece in tokens.pieces) == line.strip().rstrip() or any(
        char.isspace() for char in line
    )
    at = tokens.blank_chars
    for piece in tokens.pieces:
        assert piece.start == at
        assert line[piece.start : piece.end].strip() == piece.key.text
        at = piece.end
    assert not line[at:].strip() or not tokens.pieces


def test_canonical_lines_come_back_from_their_tokens() -> None:
    lines = CODE.split("\n")
    keys = [key for line in line_keys(lines, 1, len(lines)) for key in line]
    assert lines[0] + render(keys, 0) == CODE
    assert newline_delta("\n") is None
    assert newline_delta("\n-8") == -8
    with pytest.raises(ValueError, match="not a newline token"):
        newline_delta("x")


def test_subwords_and_shapes() -> None:
    assert subwords("parseHTTPResponse_2") == ("parse", "http", "response", "2")
    assert len(subwords("a_b_c_d_e_f")) == PARTS
    assert len(part_ids("x")) == PARTS
    assert shape("\n+4") == "<newline>"
    assert shape("MAX_SIZE") == "<NAME>"
    assert shape("3.5") == "<number>"
    assert shape("(") == "<other>"


def test_vocabulary() -> None:
    vocab = EditVocab.from_counts({"self": 9, "(": 8, "rare": 1}, len(SPECIALS) + 2)
    assert vocab.id("rare") == vocab.id("other") != vocab.id("self")
    ids, parts = vocab.features(["self", "rare"])
    assert ids.shape == (2,)
    assert parts.shape == (2, PARTS)
    with pytest.raises(ValueError, match="special"):
        EditVocab(["self"])


def test_a_window_shows_the_edited_lines_and_those_that_share_their_words() -> None:
    lines = [f"filler_{number} = {number}" for number in range(400)]
    lines[50] = "connection = open_connection(host, port)"
    lines[300] = "other = open_connection(host, 80)"
    focus = focus_words([lines[50]], ["connection = open_connection(host, port, timeout)"])
    window = choose_window(lines, [(50, 51)], focus, 120)
    assert {48, 49, 50, 51, 52, 300} <= set(window.first_name)
    assert len(window.keys) <= 120
    assert window.keys.count(CUT) >= 2
    low, high = window.span(50, 51) or (0, 0)
    assert [key.text for key in window.keys[low:high]][:4] == ["\n+0", "connection", "=", "open_connection"]
    assert window.span(200, 201) is None
    assert window.span(0, 0) is None  # the top of the file is out of sight
    assert window.span(301, 301) == (window.span(300, 301) or (0, 0))[1:] * 2


def test_lines_are_scored_by_rare_shared_words_their_neighbours_and_their_distance() -> None:
    def plainly(lines: list[str], touched: list[tuple[int, int]], focus: dict[str, float]) -> list[float]:
        shared = [frozenset(focus) & line_words(line) for line in lines]
        counts = Counter(word for found in shared for word in found)
        weight = {word: focus[word] * math.log((len(lines) + 2) / (count + 1)) for word, count in counts.items()}
        raw = [sum(weight[word] for word in found) for found in shared]
        scores = []
        for line, score in enumerate(raw):
            beside = max(raw[line - 1] if line else 0.0, raw[line + 1] if line + 1 < len(raw) else 0.0)
            distance = min(max(first - line, line - last + 1, 0) for first, last in touched)
            scores.append(max(score, 0.45 * beside) + 4.0 * math.exp(-distance / 10.0))
        return scores

    rng = random.Random(4)
    words = ["alpha", "beta", "alphabet", "gamma()", "x", "", "# beta"]
    for _ in range(40):
        lines = [" ".join(rng.choices(words, k=rng.randrange(4))) for _ in range(rng.randrange(1, 60))]
        touched = [tuple(sorted(rng.choices(range(len(lines) + 1), k=2))) for _ in range(rng.randrange(1, 4))]
        focus = {word: rng.uniform(0.5, 2.0) for word in rng.sample(["alpha", "beta", "gamma", "bet", "delta"], 3)}
        found = line_scores(lines, touched, focus, 0, len(lines))  # type: ignore[arg-type]
        assert found.tolist() == plainly(lines, touched, focus)  # type: ignore[arg-type]


def test_a_whole_small_file_has_no_cuts() -> None:
    lines = CODE.split("\n")
    window = build_window(lines, range(len(lines)))
    assert window.keys[0] == START
    assert CUT not in window.keys


LINE = st.sampled_from(["a = 1", "  b", "", "call(x, y)", "\tc()", "é = 'ü'", "def f():", "    return a"])
SCRIPT = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 12), st.lists(LINE, max_size=3)), min_size=1, max_size=8
)


def edits_of(text: str, script: list[tuple[int, int, list[str]]]) -> tuple[list[ByteEdit], bytes]:
    """Edits at character borders, each in coordinates of the text before it."""
    edits, now = [], text
    for place, length, lines in script:
        at = place % (len(now) + 1)
        end = min(len(now), at + length)
        new = "\n".join(lines)
        edits.append(ByteEdit(len(now[:at].encode()), len(now[:end].encode()), new.encode()))
        now = now[:at] + new + now[end:]
    return edits, now.encode()


@pytest.mark.slow
@given(st.lists(LINE, min_size=2, max_size=12), SCRIPT)
@settings(max_examples=150)
def test_regions_rebuild_the_current_text(lines: list[str], script: list[tuple[int, int, list[str]]]) -> None:
    anchor = Buffer.from_text("\n".join(lines))
    edits, expected = edits_of(anchor.text, script)
    regions, buffer = track(anchor, edits)
    assert buffer.data == expected
    old = split_lines(anchor.text)
    built, at = [], 0
    for region in regions:
        built += old[at : region.a0]
        assert region.c0 == len(built)
        built += region_lines(buffer, region.c0, region.c1)
        assert region.c1 == len(built)
        at = region.a1
    assert [*built, *old[at:]] == split_lines(buffer.text)


@pytest.mark.slow
@given(st.lists(LINE, min_size=2, max_size=12), SCRIPT, st.lists(st.integers(0, 12), max_size=6))
@settings(max_examples=150)
def test_regions_followed_from_version_to_version_are_those_of_all_edits(
    lines: list[str], script: list[tuple[int, int, list[str]]], versions: list[int]
) -> None:
    """Whatever was asked before: fewer edits or more, the last of them pending or not."""
    anchor, tracker = Buffer.from_text("\n".join(lines)), RegionTracker()
    edits, now, done = edits_of(anchor.text, script)[0], anchor.data, list[CoalescedEdit]()
    for edit in edits:
        done.append(to_coalesced_edit(edit, now, 0.0))
        now = edit.apply(now)
    for number in [*versions, len(edits)]:
        taken = done[: min(number, len(edits))]
        pending = taken.pop() if number % 2 and taken else None
        view = HistoryView(anchor, tuple(taken), pending, 0)
        expected = track(anchor, [edit.edit for edit in view.edits])
        assert (tracker.track(view)[0], tracker.track(view)[1].data) == (expected[0], expected[1].data)
        assert tracker.missing(view) == int(pending is not None)


@pytest.mark.slow
@given(st.lists(LINE, min_size=2, max_size=12), SCRIPT)
@settings(max_examples=150)
def test_the_edited_state_is_the_current_text(lines: list[str], script: list[tuple[int, int, list[str]]]) -> None:
    """Hunks of a history, applied to the anchor's tokens, give tokens that all have a place in the current text."""
    anchor = Buffer.from_text("\n".join(lines))
    edits, _ = edits_of(anchor.text, script)
    tracked, buffer = track(anchor, edits)
    old = split_lines(anchor.text)
    trimmed = [trim(r, old, region_lines(buffer, r.c0, r.c1)) for r in tracked]
    regions = merge_regions(r for r in trimmed if r is not None)
    assert all(left.a1 < right.a0 for left, right in pairwise(regions))
    window = build_window(old, range(len(old)))
    hunks = [
        region_edits(r, old, region_lines(buffer, r.c0, r.c1), indent_above(buffer, r.c0), window) for r in regions
    ]
    state = EditState(len(window.keys))
    for hunk in reversed(hunks):  # in any order: hunks do not touch
        assert hunk is not None
        base = state.steps
        for anchor_name, key in hunk:
            state.apply(anchor_name if anchor_name >= 0 else state.n0 + base + ~anchor_name, key)
    keys = dict(enumerate(window.keys)) | state.keys
    where = token_positions(state.names, keys, window, regions, buffer)
    for name in state.names:
        if keys[name] in (START, END):
            continue
        text = buffer.data[where[name].start : where[name].end].decode()
        assert text.strip() == keys[name].text.strip("\n+-0123456789") or keys[name].text.strip() == text.strip()


def test_predicted_tokens_become_one_byte_edit() -> None:
    buffer = Buffer.from_text(CODE)
    lines = split_lines(CODE)
    window = build_window(lines, range(len(lines)))
    keys = dict(enumerate(window.keys))
    state = EditState(len(window.keys))
    where = token_positions(state.names, keys, window, [], buffer)
    before = list(state.names)
    price = next(name for name, key in keys.items() if key.text == "price")
    state.apply(price, None)
    first = state.n0 + state.steps
    state.apply(price - 1, EditToken("cost", 0))
    state.apply(first, EditToken("\n-4", 0))
    state.apply(first + 1, EditToken("done", 0))
    edit = byte_edit(before, state.names, keys | state.keys, where, buffer)
    assert edit is not None
    assert buffer.apply(edit).text == CODE.replace("price", "cost\n        done")
    assert byte_edit(before, before, keys, where, buffer) is None


def test_new_lines_take_the_line_ends_and_tabs_of_the_file() -> None:
    buffer = Buffer.from_text("class A {\r\n\tint a;\r\n}\r\n")
    lines = split_lines(buffer.text)
    window = build_window(lines, range(len(lines)))
    keys = dict(enumerate(window.keys))
    state = EditState(len(window.keys))
    where = token_positions(state.names, keys, window, [], buffer)
    before = list(state.names)
    end = next(name for name, key in keys.items() if key.text == ";")
    first = state.n0
    for number, (text, gap) in enumerate([("\n+0", 0), ("int", 0), ("b", 1), (";", 0)]):
        state.apply(end if number == 0 else first + number - 1, EditToken(text, gap))
    edit = byte_edit(before, state.names, keys | state.keys, where, buffer)
    assert edit is not None
    assert buffer.apply(edit).text == "class A {\r\n\tint a;\r\n\tint b;\r\n}\r\n"
