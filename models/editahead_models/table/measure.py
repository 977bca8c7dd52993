"""What a finished row is worth on the dev projects: the figures that the table shows."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from editahead_models.data.corpus.name_views import View
from editahead_models.evaluate.language_models.metrics import LmMetrics, measure, measure_ensemble
from editahead_models.evaluate.language_models.runs import Corpus, RunFolders, open_run
from editahead_models.families.ensemble import arithmetic, geometric
from editahead_models.layers.recurrent import parameters
from editahead_models.table.rows import Row
from editahead_models.train.lm import EVALUATION_LANES

COMBINE = {"arithmetic": arithmetic, "geometric": geometric}


def measure_run(run: Path, corpus: Corpus) -> dict[str, Any]:
    """All figures of a neural row."""
    trained = open_run(run, corpus)
    stream, slots = trained.stream(corpus.dev)
    found = measure(trained.model, stream, EVALUATION_LANES, slots, corpus.dev_tokens)
    log = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    speeds = [entry["tokens_per_cpu_s"] for entry in log if "tokens_per_cpu_s" in entry]
    return figures(found, corpus, trained.view) | {
        "parameters": parameters(trained.model),
        "tokens_per_cpu_s": speeds[-1] if speeds else None,
        "slots": slots,
        "vocabulary": trained.view.size,
        "names": trained.recipe.names,
        "tokens": log[-1]["tokens"],
        "budget": trained.recipe.tokens,
        "passes": log[-1]["passes"],
        "seed": trained.recipe.seed,
    }


def measure_combined(row: Row, runs: RunFolders, corpus: Corpus) -> dict[str, Any]:
    """All figures of an ensemble of rows. ValueError when its members do not share a vocabulary."""
    members = [open_run(runs.of(name), corpus) for name in row.ensemble]
    if len({member.view.symbols for member in members}) != 1:
        raise ValueError(f"row {row.name}: its members see names in different ways")
    streams, slots = zip(*(member.stream(corpus.dev) for member in members), strict=True)
    models = [member.model for member in members]
    found = measure_ensemble(models, streams, EVALUATION_LANES, slots, COMBINE[row.combine], corpus.dev_tokens)
    return figures(found, corpus, members[0].view) | {
        "parameters": sum(parameters(model) for model in models),
        "vocabulary": members[0].view.size,
        "names": members[0].recipe.names,
    }


def figures(found: LmMetrics, corpus: Corpus, view: View) -> dict[str, Any]:
    """Metrics with the perplexity that can be compared between vocabularies."""
    report = found.report()
    classes = max(2, int(corpus.described["distinct_symbols"]) - view.size)
    adjusted = math.log(report["all/perplexity"]) + report["oov"] * math.log(classes)
    return {"figures": report | {"all/adjusted perplexity": math.exp(adjusted)}}
