"""`mine --repo`: what is mined leads from version to version; what is trained on it is measured on whole tokens."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("torch")

from editahead_models.data.edits.chains import Chain, ChainLimits, chains, row_of
from editahead_models.data.edits.subword_edits import SubwordLimits, instance_of
from editahead_models.data.mining.file_history import histories
from editahead_models.data.mining.mine_history import HistorySettings, load_subwords, mine_history
from editahead_models.data.subwords import ALPHABET, END_MARK, FOREIGN, Subwords, ends_token
from editahead_models.data.synthetic.instances import read_instances, states
from editahead_models.train.mined import train_mined
from editahead_models.train.synthetic import SyntheticRecipe

from tests.models.fake_device import NAME, FakeDevice

LINES = ["def read(self, key):", "    value = load(self.path, key)", "    return value", "", "class Store:", "x = 'é'"]
LAST = "end = True"  # what comes after a window's last line is outside
WIDE = ChainLimits(tokens=100_000, edits=100_000, hunk=10_000)


def versions(seed: int, count: int = 6) -> list[str]:
    """Successive texts that differ in a few lines each."""
    rng = random.Random(seed)
    lines = rng.choices(LINES, k=12)
    found = ["\n".join([*lines, LAST])]
    while len(found) < count:
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(lines) + 1)
            lines[at : at + rng.randint(0, 2)] = [f"{rng.choice(LINES)}  # {rng.randint(0, 9)}"] * rng.randint(0, 2)
        found.append("\n".join([*lines, LAST]))
    return found


def tokens_of(text: str) -> list[str]:
    return [token for line in text.split("\n") for token in row_of(line)]


def after(chain: Chain) -> list[str]:
    tokens = list(chain.initial)
    for start, end, new in chain.hunks:
        tokens[start:end] = new
    return tokens


@pytest.fixture(scope="module")
def subwords() -> Subwords:
    counts = {token: 5 for seed in range(4) for text in versions(seed) for token in tokens_of(text)}
    return Subwords.learn(counts, 260)


@pytest.mark.parametrize("seed", range(25))
def test_a_chain_of_a_whole_file_leads_to_its_last_version(seed: int, subwords: Subwords) -> None:
    texts = versions(seed)
    for chain in chains(texts, WIDE, random.Random(seed)):
        assert list(chain.initial) in [tokens_of(text) for text in texts]
        assert after(chain) == tokens_of(texts[-1])
        made = instance_of(chain.record(), subwords, SubwordLimits(100_000, 100_000), "t")
        assert made is not None
        assert list(states(made)[-1][1:-1]) == [piece for token in after(chain) for piece in subwords.split(token)]
        assert sum(made.replacements) == len(made.edits)


@pytest.mark.parametrize("seed", range(10))
def test_a_narrow_window_follows_its_own_lines(seed: int) -> None:
    before = [f"a{number} = {number}" for number in range(200)]
    middle, last = list(before), []
    middle[0:0] = ["import os"]  # above the window: it moves, and nothing else happens
    at = 100 + seed
    middle[at] = "changed = 1"
    last = [*middle[:at], "more = 2", *middle[at:]]
    texts = ["\n".join(lines) for lines in (before, middle, last)]
    found = [chain for chain in chains(texts, ChainLimits(tokens=80), random.Random(seed)) if chain.hunks]
    for chain in found:
        assert len(chain.initial) < 80
        text = "\n" + "".join(f"{token} " for token in after(chain))
        assert text.strip() in " ".join(tokens_of(texts[-1]))


def test_limits_end_a_chain_and_cut_an_instance(subwords: Subwords) -> None:
    texts = versions(3, 30)
    short = list(chains(texts, ChainLimits(tokens=400, edits=10), random.Random(1)))
    assert len(short) > len(list(chains(texts, WIDE, random.Random(1))))
    for chain in short:
        made = instance_of(chain.record(), subwords, SubwordLimits(400, 7), "t")
        assert made is None or len(made.edits) <= 7
    assert instance_of(short[0].record(), subwords, SubwordLimits(5, 7), "t") is None


def test_subwords_lose_nothing_of_ascii_and_know_every_letter(subwords: Subwords) -> None:
    for token in ("zebra_Quux", "\n12", "{", "~", "a"):
        pieces = subwords.split(token)
        assert "".join(pieces) == token + pieces[-1][-1]
        assert [ends_token(piece) for piece in pieces] == [False] * (len(pieces) - 1) + [True]
        assert set(pieces) <= set(subwords.texts)
    assert subwords.split("ü")[0].startswith(FOREIGN)
    assert {letter + end for letter in ALPHABET for end in ("", END_MARK)} <= set(subwords.texts)
    again = Subwords(subwords.texts, subwords.merges)
    assert [again.split(text) for text in LINES] == [subwords.split(text) for text in LINES]


def test_subwords_are_the_same_each_time(subwords: Subwords) -> None:
    counts = {token: 5 for seed in range(4) for text in versions(seed) for token in tokens_of(text)}  # many ties
    again = Subwords.learn(dict(reversed(counts.items())), 260)
    assert (again.texts, again.merges) == (subwords.texts, subwords.merges)


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path, seeds: range, *, licence: bool = True) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    if licence:
        (folder / "LICENSE").write_text("Permission is hereby granted, free of charge, to any person obtaining a copy")
    for number in range(6):
        for seed in seeds:
            (folder / f"file{seed}.py").write_text(versions(seed)[number])
        (folder / "notes.txt").write_text(str(number))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "change")
    return folder


def test_histories_are_the_versions_of_a_file(tmp_path: Path) -> None:
    project = repository(tmp_path / "p", range(2))
    found = list(histories(project, [".py"], commits=100, files=10, versions=40, seed=1))
    distinct = {f"file{seed}.py": tuple(dict.fromkeys(versions(seed))) for seed in range(2)}
    assert {history.path: history.texts for history in found} == distinct


@pytest.mark.slow
def test_mining_repositories_end_to_end(tmp_path: Path) -> None:
    train, closed = repository(tmp_path / "one", range(3)), repository(tmp_path / "two", range(9, 10), licence=False)
    held = [repository(tmp_path / name, range(at, at + 2)) for name, at in (("three", 3), ("four", 5))]
    out, settings = tmp_path / "out", HistorySettings(("python",), tokens=300, edits=40)
    report = mine_history([train, closed, tmp_path], held, out, settings, vocab=260, workers=1)
    records = {record["project"]: record for record in report["projects"]}
    assert "licence" in records["two"]["skipped"]
    assert "no git history" in records[tmp_path.name]["skipped"]
    assert records["one"]["sequences"]["kept"] == report["splits"]["train"]["instances"]
    for split, project in (("train", "one"), ("dev", "three"), ("test", "four")):
        instances = read_instances(out / f"{split}.jsonl")
        assert {instance.task for instance in instances} == {project}
        assert {content for i in instances for *_, content in i.edits} - {None} <= set(load_subwords(out).texts)
    for project in (train, *held):
        shutil.rmtree(project)  # finished ones are not read again
    assert mine_history([train], held, out, settings, vocab=260, workers=1)["data"] == report["data"]
    with pytest.raises(ValueError, match="other settings"):
        mine_history([train], held, out, HistorySettings(("python",), edits=41), workers=1)
    with pytest.raises(ValueError, match="no instance"):
        mine_history([closed], [], tmp_path / "nothing", settings, vocab=260, workers=1)


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mined")
    places = [repository(folder / f"p{at}", range(at, at + 3)) for at in (0, 3, 6)]
    mine_history(places[:1], places[1:], folder / "out", HistorySettings(tokens=300, edits=12), vocab=260, workers=1)
    return folder / "out"


@pytest.mark.slow
@pytest.mark.parametrize("family", ["E", "IR", "IA-ag"])
def test_a_run_keeps_to_its_device(mined: Path, tmp_path: Path, family: str) -> None:
    recipe = SyntheticRecipe(family, hidden=16, batch=2, steps=2, evaluate_every=2)
    with FakeDevice() as gpu:
        train_mined(mined, tmp_path, recipe, minutes=5, device=NAME)
    assert gpu.calls > 100


@pytest.mark.slow
@pytest.mark.parametrize("family", ["E", "IR", "IA-ag"])
def test_a_run_ends_with_its_figures(mined: Path, tmp_path: Path, family: str) -> None:
    recipe = SyntheticRecipe(family, hidden=16, batch=2, steps=4, evaluate_every=2)
    found = train_mined(mined, tmp_path, recipe, minutes=5)
    assert found["steps_done"] == 4
    kinds = found["test"]["kinds"]
    assert kinds["deletions"]["edits"] + kinds["insertions"]["edits"] == found["test"]["edits"]
    assert kinds["first of a hunk"]["edits"] + kinds["continuations"]["edits"] == found["test"]["edits"]
    assert found["test"]["live"]["position"] >= found["test"]["position"]  # only what could not be is left out
    again = train_mined(mined, tmp_path, recipe, minutes=5)
    assert (again["steps_done"], again["test"]) == (4, found["test"])
