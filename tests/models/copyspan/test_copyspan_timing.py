"""Times of updates and of rewriting: what is timed, not how fast."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from editahead.encode.span_copying.vocabulary import SpanVocabulary
from editahead.runtime.ort import select_providers
from editahead.runtime.span_copying.model import SpanModel
from editahead_models.__main__ import run_verb
from editahead_models.copyspan.evaluate.timing import LINES, cost_of_marginalising, functions, latency
from editahead_models.copyspan.export import export
from editahead_models.copyspan.network.batches import Pair
from editahead_models.copyspan.network.model import CopySpan, CopySpanConfig

VOCABULARY = SpanVocabulary([*"abc", "\n+0", "\n+4", " =", "(", ")"], buckets=3)


def model() -> CopySpan:
    torch.manual_seed(1)
    return CopySpan(CopySpanConfig(VOCABULARY.size, 3, embedding=4, encoder=4, decoder=5, layers=1))


def test_functions_have_about_fifty_lines() -> None:
    for text, first, last in functions(most=3):
        found = {
            (node.lineno - 1, node.end_lineno)
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef)
        }
        assert (first, last) in found
        assert last - first in LINES
    assert len(list(functions(most=3))) == 3


def test_an_update_is_timed_with_and_without_the_sum_over_action_sequences() -> None:
    pairs = [Pair(tuple("abcabc"), tuple("abcbc")), Pair(tuple("ab"), tuple("ba")), Pair(tuple("abc"), tuple("abcc"))]
    found = cost_of_marginalising(model(), VOCABULARY, pairs, size=2, count=5)
    assert found["batches"] == 2
    assert found["ratio"] == pytest.approx((found["marginal_ms"] + found["actions_ms"]) / found["scores_ms"])
    assert min(found["scores_ms"], found["marginal_ms"], found["actions_ms"]) > 0


@pytest.mark.filterwarnings("ignore")
def test_the_served_search_is_timed_on_real_functions(tmp_path: Path) -> None:
    bundle = export(model(), VOCABULARY, tmp_path, language="python", version="0", manifest={"limits": {"tokens": 60}})
    found = latency(SpanModel(bundle, select_providers("cpu")), 2)
    assert 10 < found["served"]["tokens"] <= 60 < found["whole"]["tokens"]
    for each in found.values():
        assert each["functions"] == 2
        assert 0 < each["median_ms"] <= each["p95_ms"]
    with pytest.raises(SystemExit) as end:
        run_verb("evaluate", ["copyspan-times", "--out", str(tmp_path), "--bundle", str(bundle.path), "--most", "1"])
    assert not end.value.code
    assert json.loads((tmp_path / "times.json").read_text())["latency"]["bundle"] == bundle.path.name
    with pytest.raises(SystemExit) as end:
        run_verb("evaluate", ["copyspan-times", "--out", str(tmp_path), "--run", str(tmp_path)])
    assert end.value.code == 2
