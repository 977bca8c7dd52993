"""Slips: one small fault at a time, the way back is the region as it was, and what a model learns from."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

pytest.importorskip("torch")

from editahead.encode.span_copying.tokens import FIRST, RegionTokens
from editahead_models.copyspan.corpora.mine_fixes import REPORT, write_split
from editahead_models.copyspan.corpora.pairs import read_pairs
from editahead_models.copyspan.corpora.synthetic_faults import (
    FAULTS,
    PART,
    SAME,
    doubled,
    is_name,
    left_out,
    mistyped,
    misused,
    some_lines,
    swapped,
    with_fault,
    with_faults,
    wrong_operator,
)
from editahead_models.copyspan.corpora.synthetic_faults_command import LEARNT, prepare
from editahead_models.copyspan.network.batches import Pair
from editahead_models.evaluate.code_actions.fixes import MIXTURE, drawn

LINES = ["def area(width, height):", "    if width == 0:", "        return None", "    return width * height"]
REGION = RegionTokens.of(LINES).texts


def changes(fault: object, count: int = 60) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What goes and what comes, over many draws."""
    found = set()
    for seed in range(count):
        made = fault(list(REGION), random.Random(seed))  # type: ignore[operator]
        if made is None:
            continue
        head = next(at for at, pair in enumerate(zip([*REGION, ""], [*made, ""], strict=False)) if pair[0] != pair[1])
        tail = 0
        while tail < min(len(REGION), len(made)) - head and REGION[-1 - tail] == made[-1 - tail]:
            tail += 1
        found.add((tuple(REGION[head : len(REGION) - tail]), tuple(made[head : len(made) - tail])))
    return found


def test_a_mistyped_name_stands_elsewhere_as_it_should_be() -> None:
    for gone, come in changes(mistyped):
        assert len(gone) == len(come) == 1
        assert gone[0].strip() in ("width", "height")
        assert come[0] not in REGION
        assert come[0].startswith(" ") == gone[0].startswith(" ")
        assert abs(len(come[0]) - len(gone[0])) <= 1


def test_a_misused_name_is_one_of_the_region() -> None:
    names = {"area", "width", "height"}
    assert {(gone[0].strip(), come[0].strip()) for gone, come in changes(misused)} <= {
        (name, two) for name in names for two in names if name != two
    }
    assert not is_name("return")
    assert not is_name(" None")
    assert not is_name("(")
    assert is_name(" width")


def test_operators_change_within_their_kind_and_signs_go() -> None:
    assert changes(wrong_operator) <= {
        ((" ==",), (" !=",)), ((" ==",), (" =",)), ((" ==",), (" is",)), ((" *",), (" /",)),
    }  # fmt: skip
    assert {gone for gone, come in changes(left_out) if not come} >= {("(",), (")",), (":",), ("return",)}
    assert all(len(come) == 1 + len(gone) for gone, come in changes(doubled))
    assert changes(swapped) == {(("width", ",", " height"), ("height", ",", " width"))}


def test_every_slip_can_be_drawn_and_leads_back() -> None:
    made = [with_fault(REGION, random.Random(seed)) for seed in range(200)]
    assert all(pair is not None and pair.target == REGION and pair.source != REGION for pair in made)
    assert len({pair.source for pair in made if pair}) > 60
    assert len(FAULTS) == 6
    assert any(with_fault(("1",), random.Random(seed)) for seed in range(20))  # doubled, at least
    assert with_fault((FIRST,), random.Random(1)) is None


def test_some_lines_begin_like_a_region() -> None:
    for seed in range(30):
        part = some_lines(REGION, 8, random.Random(seed))
        assert part[0] == FIRST
        assert len(part) <= 8 or sum(token.startswith("\n") for token in part) == 1
        assert part[1:] == REGION[REGION.index(part[1]) : REGION.index(part[1]) + len(part) - 1] or part[1] in (
            "return", "if",
        )  # fmt: skip


def test_regions_stay_or_slip_in_their_shares() -> None:
    made = with_faults([REGION] * 2000, random.Random(1), longest=60)
    same = sum(pair.source == pair.target for pair in made) / len(made)
    assert abs(same - SAME) < 0.05
    whole = sum(pair.target == REGION for pair in made) / 2000
    assert 1.0 - PART - 0.05 < whole < 1.0
    assert with_faults([REGION], random.Random(1), longest=5) == []


def test_training_learns_what_can_be_written_dev_keeps_all(tmp_path: Path) -> None:
    other = RegionTokens.of(["x = unheard_of(y)", "return x, y"]).texts
    mined = [Pair(REGION, other), Pair(other, other)]
    write_split(tmp_path, "train", mined * 1, ["a"] * 2)
    write_split(tmp_path, "dev", mined, ["b"] * 2)
    (tmp_path / REPORT).write_text("{}")
    out = tmp_path / "out"
    out.mkdir()
    train = prepare(tmp_path, out, "train", longest=80, known=0, seed=1)
    dev = prepare(tmp_path, out, "dev", longest=80, known=None, seed=1)
    assert (train["repair"], dev["repair"]) == (0, 1)
    assert 0.0 < LEARNT < 1.0
    pairs = read_pairs(out / "dev.source.jsonl", out / "dev.target.jsonl")
    kinds = json.loads((out / "dev.kinds.json").read_text())
    assert len(pairs) == len(kinds) == sum(dev.values())
    assert pairs[kinds.index("repair")] == mined[0]


def test_more_rounds_make_other_faults_of_the_same_regions(tmp_path: Path) -> None:
    write_split(tmp_path, "train", [Pair(REGION, REGION)], ["a"])
    made = {}
    for rounds in (1, 8):
        out = tmp_path / str(rounds)
        out.mkdir()
        made[rounds] = prepare(tmp_path, out, "train", longest=80, known=0, seed=1, rounds=rounds)
        pairs = read_pairs(out / "train.source.jsonl", out / "train.target.jsonl")
        assert len(set(pairs)) == len(pairs) == sum(made[rounds].values())
    assert made[8]["slip"] >= 4 > made[1]["slip"]
    assert made[8]["repair"] == made[1]["repair"] == 0


def test_a_mixture_of_kinds_is_drawn() -> None:
    kinds = ["repair"] * 50 + ["slip"] * 70 + ["same"] * 100
    chosen = drawn(kinds, 100)
    assert {kind: sum(kinds[at] == kind for at in chosen) for kind in MIXTURE} == {"same": 50, "slip": 35, "repair": 15}
    assert len(drawn(kinds[:60], 100)) == 0
