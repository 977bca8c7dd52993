"""Every family of the synthetic suite: no leak, impossible positions, padding, scoring, and learning by heart."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from editahead_models.data.synthetic.batches import Encoded, Vocabulary, collate, encode  # noqa: E402
from editahead_models.data.synthetic.generate import generate  # noqa: E402
from editahead_models.data.synthetic.instances import Instance, from_implicit  # noqa: E402
from editahead_models.data.synthetic.representation import (  # noqa: E402
    PlacedEdit,
    explicit_edits,
    to_implicit,
    with_sentinels,
)
from editahead_models.data.synthetic.tasks import ALPHABET  # noqa: E402
from editahead_models.evaluate.edit_models.synthetic import accuracy, chunks  # noqa: E402
from editahead_models.families.edit_families import EDIT_FAMILIES, build  # noqa: E402
from editahead_models.families.edit_model import EditModel, EditModelConfig, EditScores  # noqa: E402
from editahead_models.families.explicit_lstm import ExplicitLstm  # noqa: E402

VOCABULARY = Vocabulary(ALPHABET)
every_family = pytest.mark.parametrize("family", EDIT_FAMILIES)
implicit_family = pytest.mark.parametrize("family", [name for name in EDIT_FAMILIES if name != "E"])


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)


def model_of(family: str, hidden: int = 16) -> EditModel:
    config = EditModelConfig(family, VOCABULARY.size, VOCABULARY.classes, hidden, initial=40, edits=30)
    return build(config).eval()


def encoded(instance: Instance) -> Encoded:
    return encode(instance, VOCABULARY, with_states=True)


def an_instance(seed: int, length: int, steps: int, shared: int = 0) -> Instance:
    """A random instance; instances of equal seed and length have equal states and equal first `shared` edits."""
    first, rest = random.Random(seed), random.Random(f"{seed} {steps} {shared}")
    state = with_sentinels(first.choices(ALPHABET, k=length))
    edits: list[PlacedEdit] = []
    for step in range(steps):
        rng = first if step < shared else rest
        now = explicit_edits(state, edits).states[-1]
        delete = len(now) > 3 and rng.random() < 0.3
        edits.append(PlacedEdit(rng.randrange(delete, len(now) - 1), None if delete else rng.choice(ALPHABET)))
    return from_implicit(to_implicit(explicit_edits(state, edits)))


@every_family
def test_scores_are_distributions_over_what_is_possible(family: str) -> None:
    batch = collate([encoded(an_instance(seed, 12, 8)) for seed in range(3)], VOCABULARY)
    scores = model_of(family)(batch)
    for found in scores:
        torch.testing.assert_close(found.exp().sum(-1), torch.ones(found.shape[:2]))
    assert scores.content_BTC.shape[-1] == len(ALPHABET) + 1
    possible = scores.position_BTP > -1e6
    if family == "E":
        assert batch.state_length_BT is not None
        assert torch.equal(possible.sum(-1), batch.state_length_BT)
    else:
        assert torch.equal(possible, batch.allowed_BTP)
        assert [int(count) for count in possible[0].sum(-1)] == [14 + time for time in range(8)]


@every_family
@pytest.mark.parametrize("shared", [0, 3, 6])
def test_nothing_leaks_from_later_edits(family: str, shared: int) -> None:
    """The first `shared` edits are equal: so are their contents, and all positions up to the edit after them."""
    one, other = an_instance(1, 12, 8, shared), an_instance(1, 12, 9, shared)
    other = other._replace(edits=other.edits[:8])
    assert one.edits[:shared] == other.edits[:shared]
    assert one.edits[shared] != other.edits[shared]
    model = model_of(family)
    a, b = (model(collate([encoded(item)], VOCABULARY)) for item in (one, other))
    width = min(14 + shared, a.position_BTP.shape[-1], b.position_BTP.shape[-1])
    torch.testing.assert_close(a.position_BTP[:, : shared + 1, :width], b.position_BTP[:, : shared + 1, :width])
    torch.testing.assert_close(a.content_BTC[:, :shared], b.content_BTC[:, :shared])
    assert not torch.allclose(a.content_BTC[:, shared + 1 :], b.content_BTC[:, shared + 1 :])


@every_family
def test_a_prefix_scores_as_it_does_inside_the_whole(family: str) -> None:
    """What is known before edit t decides its scores: decoding step by step sees the same model as the full pass."""
    whole, model = an_instance(3, 10, 9), model_of(family)
    full = model(collate([encoded(whole)], VOCABULARY))
    for t in range(9):
        step = model(collate([encoded(whole._replace(edits=whole.edits[: t + 1]))], VOCABULARY))
        width = step.position_BTP.shape[-1] - (family != "E")
        torch.testing.assert_close(
            step.position_BTP[0, t, :width], full.position_BTP[0, t, :width], atol=1e-5, rtol=1e-5
        )
        torch.testing.assert_close(step.content_BTC[0, t], full.content_BTC[0, t], atol=1e-5, rtol=1e-5)


@every_family
def test_padding_changes_nothing(family: str) -> None:
    """Alone or beside a longer state and more edits: the same scores of every real edit."""
    small, large = encoded(an_instance(5, 9, 6)), encoded(an_instance(6, 17, 11))
    model = model_of(family)
    alone_batch, both_batch = collate([small], VOCABULARY), collate([small, large], VOCABULARY)
    alone, both = model(alone_batch), model(both_batch)
    columns = list(range(alone.position_BTP.shape[-1]))
    if family != "E":  # names of edits begin where the longest state ends
        columns = [*range(11), *range(19, 19 + 6)]
    torch.testing.assert_close(both.position_BTP[0, :6][:, columns], alone.position_BTP[0], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(both.content_BTC[0, :6], alone.content_BTC[0], atol=1e-5, rtol=1e-5)
    assert both_batch.scored_BT.sum(1).tolist() == [6, 11]


@implicit_family
def test_live_positions_only(family: str) -> None:
    """With the live mask deleted tokens, the names of deletions and `<E>` are impossible as well."""
    state = with_sentinels("ABC")
    edits = [PlacedEdit(2, None), PlacedEdit(1, "D"), PlacedEdit(1, "E")]
    item = encoded(from_implicit(to_implicit(explicit_edits(state, edits))))
    position = model_of(family)(collate([item], VOCABULARY, live=True)).position_BTP[0]
    names = [set(torch.nonzero(row > -1e6).flatten().tolist()) for row in position]
    assert names == [{0, 1, 2, 3}, {0, 1, 3}, {0, 1, 3, 6}]


def test_position_tables_end_where_training_ended() -> None:
    """IR has a row for each place it was built with, no more; the others take any length."""
    long = collate([encoded(an_instance(1, 45, 3))], VOCABULARY)
    with pytest.raises(ValueError, match="40 initial tokens and 30 edits, found 47 and 3"):
        model_of("IR")(long)
    with pytest.raises(ValueError, match="unknown family"):
        model_of("IB")
    assert model_of("E")(long).content_BTC.shape == (1, 3, 11)


class Oracle(EditModel):
    """Knows everything but the content of one edit and the position of another."""

    def __init__(self, wrong_content: int, wrong_position: int) -> None:
        super().__init__(EditModelConfig("oracle", VOCABULARY.size, VOCABULARY.classes))
        self.wrong_content, self.wrong_position = wrong_content, wrong_position

    def forward(self, batch: object) -> EditScores:
        name, content = batch.name_BT.clone(), batch.content_BT.clone()  # type: ignore[attr-defined]
        name[:, self.wrong_position] += 1
        content[:, self.wrong_content] = (content[:, self.wrong_content] + 1) % VOCABULARY.classes
        columns = batch.allowed_BTP.shape[-1] + 1  # type: ignore[attr-defined]
        one_hot = torch.nn.functional.one_hot
        return EditScores(one_hot(name, columns).float(), one_hot(content, VOCABULARY.classes).float())


def test_accuracy_counts_both_right_after_the_conditioning() -> None:
    made = an_instance(1, 12, 6)
    whole = accuracy(Oracle(1, 4), [encoded(made)], VOCABULARY)
    assert whole["edits"] == 6
    assert (whole["position"], whole["content"], whole["joint"]) == pytest.approx((5 / 6, 5 / 6, 4 / 6))
    given = replace_given(made, 2)
    assert accuracy(Oracle(1, 4), [encoded(given)], VOCABULARY)["joint"] == pytest.approx(3 / 4)
    assert accuracy(Oracle(4, 4), [encoded(given)], VOCABULARY)["joint"] == pytest.approx(3 / 4)
    assert "after_first" not in whole
    later = accuracy(Oracle(1, 4), [encoded(made._replace(replacements=(3, 3)))], VOCABULARY)
    assert later["after_first"] == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="no edit is left"):
        accuracy(Oracle(1, 4), [encoded(replace_given(made, 6))], VOCABULARY)


def test_tasks_weigh_the_same_whatever_their_edits() -> None:
    short, long = an_instance(1, 12, 3)._replace(task="A"), an_instance(1, 12, 12)._replace(task="B")
    found = accuracy(Oracle(0, 1), [encoded(short), encoded(long)], VOCABULARY)
    assert found["joint"] == pytest.approx(11 / 15)
    assert found["by_task"] == pytest.approx({"A": 1 / 3, "B": 10 / 12})
    assert found["mean_of_tasks"] == pytest.approx((1 / 3 + 10 / 12) / 2)
    assert "by_task" not in accuracy(Oracle(0, 1), [encoded(short)], VOCABULARY)


def replace_given(instance: Instance, given: int) -> Instance:
    return instance._replace(conditioning=given)


@every_family
@torch.no_grad()
def test_given_edits_cost_nothing(family: str) -> None:
    """The loss is the sum over scored edits alone."""
    made, model = an_instance(2, 12, 6), model_of(family)
    batch = collate([encoded(made)], VOCABULARY)
    total, scores = model.loss_sum(batch)
    truth = model.truth(batch)[0]
    each = [
        -float(scores.position_BTP[0, t, truth[t]] + scores.content_BTC[0, t, batch.content_BT[0, t]]) for t in range(6)
    ]
    assert float(total) == pytest.approx(sum(each), rel=1e-5)
    late, _ = model.loss_sum(replace(batch, scored_BT=torch.arange(6).unsqueeze(0) >= 4))
    assert float(late) == pytest.approx(sum(each[4:]), rel=1e-5)


@torch.no_grad()
def test_an_explicit_batch_in_parts_is_the_same_batch() -> None:
    items = [encoded(an_instance(seed, 8, 3 + seed)) for seed in range(5)]
    parts = list(chunks(items, True, limit=200))
    assert len(parts) > 2
    assert sorted(map(id, (item for part in parts for item in part))) == sorted(map(id, items))
    model = model_of("E")
    whole, _ = model.loss_sum(collate(items, VOCABULARY))
    summed = sum(float(model.loss_sum(collate(part, VOCABULARY))[0]) for part in parts)
    assert summed == pytest.approx(float(whole), rel=1e-5)
    assert list(chunks(items, False, limit=200)) == [items]


@torch.no_grad()
def test_explicit_states_are_read_beside_the_state_before() -> None:
    """A token of the state before is seen at its own index, and from there on; the first state has none before it."""
    model = model_of("E")
    assert isinstance(model, ExplicitLstm)
    state_BTL = torch.randint(0, 10, (1, 3, 6))
    changed = state_BTL.clone()
    changed[0, 0, 3] = (changed[0, 0, 3] + 1) % 10
    a, b = model.read(state_BTL), model.read(changed)
    for row in (0, 1):
        torch.testing.assert_close(a[0, row, :3], b[0, row, :3])
        assert not torch.isclose(a[0, row, 3:], b[0, row, 3:]).all(-1).any()
    torch.testing.assert_close(a[0, 2], b[0, 2])


def test_closed_vocabulary() -> None:
    vocabulary = Vocabulary.of([an_instance(1, 12, 6)])
    assert set(vocabulary.tokens) <= set(ALPHABET)
    assert vocabulary.ids([None, "<S>", "<E>"]).tolist() == [
        vocabulary.delete,
        vocabulary.delete + 1,
        vocabulary.delete + 2,
    ]
    with pytest.raises(ValueError, match="'Z' is not among the 10"):
        VOCABULARY.ids(["A", "Z"])


@pytest.mark.slow
@every_family
def test_learns_ten_instances_by_heart(family: str) -> None:
    model = model_of(family, hidden=64).train()
    items = [encoded(instance) for instance in generate("ContextAppend31", 10, seed=6)]
    batch = collate(items, VOCABULARY)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3 if family.startswith("IA") else 8e-3)
    for step in range(260):
        loss, scores = model.loss_sum(batch)
        optimizer.zero_grad()
        (loss / batch.scored_BT.sum()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        position, content = model.right(batch, scores)
        if step % 10 == 9 and bool((position & content)[batch.scored_BT].all()):
            return
    pytest.fail(f"joint accuracy {(position & content)[batch.scored_BT].float().mean():.3f} after 260 steps")
