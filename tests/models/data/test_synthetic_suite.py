"""The synthetic edit suite: representations, what each generator promises, its files, and the matching baseline."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import accumulate, permutations, product
from pathlib import Path

import pytest
from editahead_models.data.synthetic.generate import generate, matched_texts, trigram_sampler
from editahead_models.data.synthetic.instances import (
    Instance,
    TokenEdit,
    from_implicit,
    parse_instance,
    read_instances,
    states,
    write_instances,
)
from editahead_models.data.synthetic.prepare import prepare
from editahead_models.data.synthetic.representation import (
    ExplicitEdits,
    PlacedEdit,
    explicit_edits,
    from_snapshots,
    to_explicit,
    to_implicit,
    with_sentinels,
)
from editahead_models.data.synthetic.tasks import ALL_TASKS, ALPHABET, MAIN_TASKS, PATTERN_TASKS, SCALING_TASKS
from editahead_models.families.pomp import Pomp
from hypothesis import given
from hypothesis import strategies as st


def text_of(state: tuple[str, ...]) -> str:
    assert state[0] == "<S>"
    assert state[-1] == "<E>"
    return "".join(state[1:-1])


def random_edits(rng: random.Random, length: int, steps: int) -> ExplicitEdits:
    """Edits anywhere that can be applied: insertions before `<E>`, deletions between the sentinels."""
    state = with_sentinels(rng.choices(ALPHABET, k=length))
    size, edits = len(state), []
    for _ in range(steps):
        if size > 2 and rng.random() < 0.4:
            edits.append(PlacedEdit(rng.randrange(1, size - 1), None))
            size -= 1
        else:
            edits.append(PlacedEdit(rng.randrange(size - 1), rng.choice(ALPHABET)))
            size += 1
    return explicit_edits(state, edits)


@pytest.mark.parametrize(
    ("snapshots", "explicit", "implicit"),
    [
        (("BACA", "BABBCA", "BABBCACC"), [(2, "B"), (3, "B"), (6, "C"), (7, "C")], [2, 6, 4, 8]),
        (("CAAD", "CBBD"), [(2, None), (2, None), (1, "B"), (2, "B")], [2, 3, 1, 8]),
    ],
    ids=["figure 2", "deletions"],
)
def test_worked_examples(
    snapshots: tuple[str, ...], explicit: list[tuple[int, str | None]], implicit: list[int]
) -> None:
    """Figure 2 of the paper, from its snapshots, in both forms."""
    made, _ = from_snapshots([with_sentinels(text) for text in snapshots])
    assert [edit.position for edit in made.edits] == implicit
    found = to_explicit(made)
    assert list(found.edits) == explicit
    assert text_of(found.states[-1]) == snapshots[-1]
    assert to_implicit(found) == made


def test_conversion_loses_nothing() -> None:
    """Explicit to implicit and back is the identity on ten thousand random sequences, states included."""
    rng = random.Random(4)
    for _ in range(10_000):
        made = random_edits(rng, rng.randrange(6), rng.randrange(9))
        assert to_explicit(to_implicit(made)) == made


@given(st.integers(0, 12), st.integers(0, 30), st.integers())
def test_names_stay_with_their_tokens(length: int, steps: int, seed: int) -> None:
    """A token that is alive has one name for ever: what a name stands for never changes."""
    made = random_edits(random.Random(seed), length, steps)
    implicit = to_implicit(made)
    known = dict(enumerate(made.states[0]))
    names = list(known)
    for (index, content), (name, same), state in zip(made.edits, implicit.edits, made.states, strict=False):
        assert content == same
        assert names[index] == name
        assert tuple(known[alive] for alive in names) == state
        new = len(known)  # a deletion uses up its number too
        known[new] = content or ""
        if content is None:
            del names[index]
        else:
            names.insert(index + 1, new)


def test_representations_refuse_what_cannot_be() -> None:
    state = with_sentinels("AB")
    with pytest.raises(ValueError, match="outside a state"):
        explicit_edits(state, [PlacedEdit(4, "A")])
    with pytest.raises(ValueError, match="names no token"):
        from_implicit(to_implicit(explicit_edits(state, []))._replace(edits=(PlacedEdit(4, "A"),)))
    with pytest.raises(ValueError, match="not the result"):
        to_implicit(ExplicitEdits((state, state), (PlacedEdit(1, "A"),)))


@pytest.mark.slow
@pytest.mark.parametrize("name", PATTERN_TASKS)
def test_pattern_task(name: str) -> None:
    """Every replacement is what `re` makes of the task's pattern with two different letters, match after match."""
    task, made = PATTERN_TASKS[name], generate(name, 40, seed=7)
    letters = set()
    for instance in made:
        texts = [text_of(state) for state in states(instance)]
        ends = [texts[count] for count in accumulate(instance.replacements, initial=0)]
        assert len(instance.initial) == 32
        assert len(instance.replacements) == len(instance.matched) >= 3
        fitting = [
            x + y
            for x, y in permutations(ALPHABET, 2)
            if tuple(m.group() for m in re.finditer(task.pattern.replace("x", x), texts[0])) == instance.matched
            and all(
                end == re.sub(task.pattern.replace("x", x), fill(task.replacement, x, y), texts[0], count=done)
                for done, end in enumerate(ends)
                if done
            )
        ]
        assert fitting
        assert task.meta or "AB" in fitting
        letters.add(fitting[0][0])
        assert instance.conditioning == (instance.replacements[0] if task.meta else 0)
    assert len(letters) >= (5 if task.meta else 1)


def fill(replacement: str, x: str, y: str) -> str:
    return replacement.replace("x", x).replace("y", y)


@pytest.mark.slow
def test_edits_of_a_replacement_are_those_of_the_table() -> None:
    """Table 2 counts edits by difference; a few chance alignments take more of them, none fewer."""
    for name, task in PATTERN_TASKS.items():
        sizes = Counter(size for instance in generate(name, 25, seed=8) for size in instance.replacements)
        assert min(sizes) == task.edits, name
        assert sizes[task.edits] / sizes.total() > 0.98, name


@pytest.mark.parametrize("name", [name for name in MAIN_TASKS if not PATTERN_TASKS[name].meta])
def test_copy_distance_is_that_of_the_table(name: str) -> None:
    """Mean distance, in the final text, from an inserted copy of a letter to the letter that was kept."""
    task = PATTERN_TASKS[name]
    width = {group: len(dots) for group, dots in enumerate(re.findall(r"\((\.+)\)", task.pattern), 1)}
    pieces = [int(digit) if digit else 0 for digit in re.findall(r"\\(\d)|[xy]", task.replacement)]
    starts = list(accumulate((width.get(group, 1) for group in pieces), initial=0))
    anchor = re.findall(r"\\\d|x|y", task.replacement).index("x") if width else 0
    before = re.split("x", task.pattern, maxsplit=1)[0].count("(")
    distances: list[int] = []
    for group, size in width.items():
        places = [start for start, piece in zip(starts, pieces, strict=False) if piece == group]
        own_side = [place for place in places if (place < starts[anchor]) == (group <= before)]
        kept = own_side[-1] if group <= before else own_side[0]
        distances += [abs(place - kept) for place in places if place != kept] * size
    assert (sum(distances) / len(distances) if distances else 0) == task.distance


def test_generators_are_deterministic_and_splits_differ() -> None:
    for name in ("MetaFlip11", "MultiTask", "Scaling10"):
        made = generate(name, 12, seed=1)
        assert made == generate(name, 12, seed=1)
        assert made != generate(name, 12, seed=2)
        assert made != generate(name, 12, split="dev", seed=1)
    assert matched_texts("MetaFlip11", 12) == [instance.matched for instance in generate("MetaFlip11", 12)]
    named = [tuple(text.partition(": ")[2] for text in texts) for texts in matched_texts("MultiTask", 60)]
    assert sorted(named) == sorted(instance.matched for instance in generate("MultiTask", 60))
    assert matched_texts("MultiTask", 60)[1][0].startswith("ContextAppend11: ")


def test_multi_task_has_equal_shares_and_gives_nothing() -> None:
    made = generate("MultiTask", 56)
    assert Counter(instance.task for instance in made) == dict.fromkeys(MAIN_TASKS, 2)
    assert {instance.conditioning for instance in made} == {0}
    assert [instance.task for instance in made[:28]] != list(MAIN_TASKS)


@pytest.mark.parametrize(("name", "insertions"), SCALING_TASKS.items())
def test_scaling_task_inserts_so_many_tokens(name: str, insertions: int) -> None:
    for instance in generate(name, 5, seed=3):
        assert len(instance.edits) == insertions
        assert all(edit.content is not None for edit in instance.edits)
        assert instance.matched == ("A",) * 5
        first, last = (text_of(states(instance)[i]) for i in (0, -1))
        at = first.index("A") + 1
        added = last[at : at + insertions // 5]
        assert last == first.replace("A", "A" + added)


def test_scaling_text_is_drawn_from_one_trigram_model() -> None:
    """What follows two letters is far from uniform, and the same whoever draws."""
    sample = trigram_sampler(1)
    shares = []
    for seed in (1, 2):
        text = sample(random.Random(seed), 60_000)
        counts = Counter(text[i : i + 3] for i in range(len(text) - 2))
        before = Counter(text[i : i + 2] for i in range(len(text) - 2))
        shares.append({a + b + c: counts[a + b + c] / max(before[a + b], 1) for a, b, c in product(ALPHABET, repeat=3)})
    between = sum(abs(shares[0][key] - shares[1][key]) for key in shares[0]) / 100
    from_uniform = sum(abs(share - 0.1) for share in shares[0].values()) / 100
    assert between < 0.2
    assert from_uniform > 0.5


@pytest.mark.parametrize("name", ["MetaReplace2", "MultiTask", "Scaling10"])
def test_files_give_back_what_was_written(name: str, tmp_path: Path) -> None:
    made = generate(name, 30)
    write_instances(tmp_path / "test.jsonl", made)
    assert read_instances(tmp_path / "test.jsonl") == made


def test_plain_files_are_read() -> None:
    """Sentinels may be left out, null deletes like DELETE, unknown keys are passed over."""
    wanted = Instance(with_sentinels("CAAD"), (TokenEdit(2, 2, None), TokenEdit(3, 2, "B")), 1)
    rows = [[2, 2, None], [3, 2, "B"]]
    record = {"initial": ["C", "A", "A", "D"], "edits": rows, "conditioning": 1, "origin": "by hand"}
    assert parse_instance(record) == wanted
    assert parse_instance(record | {"initial": ["<S>", *"CAAD", "<E>"], "edits": [[2, 2, "DELETE"], rows[1]]}) == wanted


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"initial": "AB"}, "initial must be"),
        ({"initial": ["A", "DELETE"]}, "initial must be"),
        ({"edits": [[1, 1]]}, "edits must be"),
        ({"edits": [[True, 1, "A"]]}, "edits must be"),
        ({"edits": [[9, 9, "A"]]}, "names no token"),
        ({"edits": [[1, 2, "A"]]}, "implicit position 1 is at 1, not at 2"),
        ({"conditioning": 2}, "conditioning must be a number from 0 to 1"),
        ({"matched": ["A"], "replacements": [7]}, "cover all edits"),
    ],
)
def test_unsound_lines_are_named(change: dict[str, object], fault: str, tmp_path: Path) -> None:
    path = tmp_path / "task.jsonl"
    sound = {"initial": ["A", "B"], "edits": [[1, 1, "A"]]}
    path.write_text(f"{json.dumps(sound)}\n\n{json.dumps(sound | change)}\n")
    with pytest.raises(ValueError, match=re.escape(f"{path}:3: ") + ".*" + re.escape(fault)):
        read_instances(path)
    with pytest.raises(ValueError, match="cannot be read"):
        read_instances(tmp_path / "missing.jsonl")


def test_prepare_writes_once(tmp_path: Path) -> None:
    sizes = {"train": 4, "dev": 2, "test": 3}
    card = prepare("MetaAppend1", tmp_path, sizes, 1)
    written = (tmp_path / "train.jsonl").read_bytes()
    assert [len(read_instances(tmp_path / f"{split}.jsonl")) for split in sizes] == [4, 2, 3]
    assert prepare("MetaAppend1", tmp_path, sizes, 1) == card
    assert (tmp_path / "train.jsonl").read_bytes() == written
    with pytest.raises(ValueError, match="other settings"):
        prepare("MetaAppend1", tmp_path, sizes, 2)
    with pytest.raises(ValueError, match="unknown task"):
        prepare("Append2", tmp_path / "new", sizes, 1)
    assert len(ALL_TASKS) == 29 + 1 + 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "published", "within"),
    [
        ("Append1", 100.0, 1.5), ("Flip11", 100.0, 1.5), ("ContextAppend31", 100.0, 1.5),
        ("ContextAppend33", 99.7, 1.5), ("ContextAppend52", 37.6, 2.5), ("Surround33", 11.8, 1.5),
        ("MetaAppend1", 100.0, 1.5),
        ("MetaFlip11", 100.0, 1.5), ("MetaContextReverse31", 95.9, 1.5), ("MetaContextReverse51", 11.9, 2.5),
        ("MetaFlip33", 9.2, 1.5),
    ],
)  # fmt: skip
def test_match_pattern_baseline_is_that_of_the_table(task: str, published: float, within: float) -> None:
    model = Pomp.fit(matched_texts(task, 10_000), len(ALPHABET) + 1)
    assert 100 * model.accuracy(matched_texts(task, 4_000, split="test")) == pytest.approx(published, abs=within)


def test_match_pattern_baseline_guesses_what_it_has_not_seen(tmp_path: Path) -> None:
    model = Pomp.fit([("AB", "CB")], 11)
    model.save(tmp_path / "pomp.json")
    assert Pomp.load(tmp_path / "pomp.json") == model
    assert model.accuracy([("CB",), ("DB",)]) == pytest.approx(0.5 + 0.5 / 11)
    with pytest.raises(ValueError, match="matched texts"):
        model.accuracy([()])
