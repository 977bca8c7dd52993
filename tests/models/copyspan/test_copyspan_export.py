"""The exported graphs against the model, and the search over them against the marginal likelihood."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from editahead.encode.span_copying.tokens import SpanVocabulary
from editahead.runtime.ort import select_providers
from editahead.runtime.span_copying.model import SpanModel
from editahead.runtime.span_copying.tree import SpanLimits
from editahead_models.copyspan.export import export
from editahead_models.copyspan.network.batches import Pair, make_batch
from editahead_models.copyspan.network.model import CopySpan, CopySpanConfig
from editahead_models.copyspan.network.objective import loss_of

TOKENS = ("\n+0", "x", " =", " 1", " 2", "\n+4")
SOURCE = ("\n+0", "name", " =", " 1")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[CopySpan, SpanModel]:
    torch.manual_seed(3)
    vocabulary = SpanVocabulary(TOKENS, buckets=4)
    config = CopySpanConfig(vocabulary.size, 4, embedding=8, encoder=6, decoder=10)
    model = CopySpan(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2.0)
    out = tmp_path_factory.mktemp("bundles")
    bundle = export(model, vocabulary, out, language="python", version="0", manifest={"limits": {"tokens": 9}})
    return model, SpanModel(bundle, select_providers("cpu"))


@pytest.mark.slow
def test_probabilities_are_those_of_training(served: tuple[CopySpan, SpanModel]) -> None:
    model, runtime = served
    limits = SpanLimits(beam=4000, actions=200, longer=0)
    found = {one.texts: one.logp for one in runtime.search(SOURCE, limits).outputs}
    model.eval()
    short = [texts for texts in found if len(texts) <= 2][:40]
    assert len(short) > 10
    for texts in short:
        batch = make_batch([Pair(SOURCE, texts)], runtime.vocabulary)
        with torch.no_grad():
            expected = -float(loss_of(model, batch, "marginal")) * (len(texts) + 1)
        assert found[texts] == pytest.approx(expected, abs=2e-3), texts


def test_rewritings_leave_the_input_out_and_sum_to_one_at_most(served: tuple[CopySpan, SpanModel]) -> None:
    _, runtime = served
    made = runtime.rewrite(SOURCE)
    assert SOURCE not in dict(made.outputs)
    assert 0.0 <= made.unchanged <= 1.0
    assert made.unchanged + sum(share for _, share in made.outputs) <= 1.0 + 1e-6
    texts = [text for output, _ in made.outputs for text in output]
    assert not {"<pad>", "<unk>", "<s>", "</s>"} & set(texts)
    assert runtime.encoder_runs >= 1


def test_an_input_that_is_too_long_is_refused(served: tuple[CopySpan, SpanModel]) -> None:
    with pytest.raises(ValueError, match="10 tokens of at most 9"):
        served[1].rewrite(("x",) * 10)


@pytest.mark.parametrize("more", [{"edit": 3}, {"single": True}])
def test_only_the_model_that_is_served_is_exported(tmp_path: Path, more: dict[str, Any]) -> None:
    vocabulary = SpanVocabulary(TOKENS)
    model = CopySpan(CopySpanConfig(vocabulary.size, embedding=4, encoder=4, decoder=4, **more))
    with pytest.raises(ValueError, match="cannot be exported"):
        export(model, vocabulary, tmp_path, language="python", version="0", manifest={})
