"""The parts of the page on span copying that are prose, or tables of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from editahead.text.percent import percentage

from editahead_models.report.results import table

Run = Mapping[str, Any]

INTRODUCTION = """# Copying spans

Rewriting a sequence by writing tokens and copying spans of it, after Panthaplackel, Allamanis and Brockschmidt 2021.
This page is written by `editahead-models report` from the figures in `models/results/copyspan.json`.

**The split differs.** The pairs are Java methods with numbered names before and after a repair (Tufano et al. 2019).
Of the files that CodeXGLUE distributes, only the validation split was available: 5,835 small and 6,546 medium pairs
instead of 46,680 and 52,364 for training. They were split by a hash of the input: 80 % for training, 8 % for early
stopping, 12 % for measuring; duplicates were removed. So the figures show the order of the rows; they cannot be
compared with the printed ones beside them. A row was trained until dev rested, or for its processor time (Runs). ± is
the standard error of the accuracy: some rows were measured on a sample of the pairs.

**Metrics** as in the paper: accuracy is that of the first output that differs from the input; accuracy@20 and MRR
(1 / rank, 0 outside) use all 20 outputs; structure compares classes of tokens (names and keywords, numbers, strings).
Further metrics: up to names (equal after one renaming, keywords kept), exact (the likeliest output, the input not
skipped), input rank (MRR of the unchanged input), chrF of the changed lines, decoder steps, actions of the likeliest
output, and -ln p of the target per token, summed over all its action sequences.
"""

COMMANDS = """## Commands
SOURCE and TARGET are any parallel pair of files: tokens separated by blanks, or JSON lists (`.jsonl`). `--copy token`
and `--objective longest` or `any` are the other rows. FIXES is a folder that `mine fixes` wrote.
```sh
editahead-models queue add models/recipes/copyspan-runs.toml && editahead-models queue run
editahead-models train copyspan --source SOURCE --target TARGET --out RUNS/small/span   # one row
editahead-models evaluate copyspan RUNS/small/span --source SOURCE --target TARGET --store
editahead-models mine fixes --mirror DIR --out FIXES
editahead-models train copyspan --edits --longest 50 --vocab 6000 --least 11 --out RUNS/edits/span \\
    --source FIXES/train.source.jsonl --target FIXES/train.target.jsonl
editahead-models evaluate copyspan RUNS/edits/span --split all --longest 50 --store \\
    --source FIXES/dev.source.jsonl --target FIXES/dev.target.jsonl
editahead-models evaluate copyspan-times --out RUNS --run RUNS/small/span --source SOURCE --target TARGET
editahead-models evaluate copyspan-times --out RUNS --bundle BUNDLE
editahead-models report --copyspan RUNS
```
"""


def edits(runs: Sequence[Run], printed: Mapping[str, Any]) -> str:
    """Edits as vectors: gold vectors, and one-shot transfer."""
    measured = [(run, run["editor"]) for run in runs if "editor" in run]
    lines = [
        [name, "-", "-", "-", "-", *("-" if value is None else f"{value:g}" for value in values)]
        for name, values in printed["rows"].items()
    ]
    for run, found in measured:
        name = f"{'CopyTok' if run['model']['single'] else 'CopySpan'}, here"
        cells = [percentage(found[column]) for column in ("gold", "gold@5", "transfer", "other")]
        lines.append([name, *cells, "-", "-", "-"])
    if not measured:
        return ""
    columns = ["exact match, %", "own vector", "among 5", "vector of its kind", "of any edit", *printed["columns"]]
    first = measured[0][1]
    text = (
        "An edit is encoded as a vector, and a decoder that reads the vector repeats the edit. Mined Python edits: the "
        "changed lines of a repair with one line on each side, at most 50 tokens, of held-out projects; "
        f"{first['edits']:,} of {first['of']:,}, of which {percentage(first['reachable'], 0)} % need no token that can "
        "neither be written nor copied. One-shot transfer: the vector of an edit is applied to another of its kind, "
        f"with the same deleted and inserted tokens up to names ({first['kinds']} kinds, {first['transfers']:,} "
        "transfers), compared with the vector of an arbitrary edit. The printed figures are from other corpora and "
        "only show the order of the rows."
    )
    return f"## Edits as vectors\n\n{text}\n\n" + table(columns, lines)


def times(results: Mapping[str, Any], printed: Mapping[str, Any]) -> str:
    """What marginalising costs, and how long a rewriting takes."""
    parts = []
    if results.get("cost"):
        scores, more = printed["rows"]["all"]
        lines = [
            [name, str(each["batch"]), *(f"{each[key]:.0f}" for key in ("scores_ms", "marginal_ms")),
             f"{each['actions_ms']:.1f}", f"{each['ratio']:.2f}"]
            for name, each in sorted(results["cost"].items())
        ]  # fmt: skip
        lines.append(["printed", "-", f"{scores:g}", f"{scores + more:g}", "-", f"{(scores + more) / scores:.2f}"])
        columns = ["ms of an update", "pairs", "scores alone", "marginalised", "listing actions", "ratio"]
        parts.append(
            "Forward and backward pass of an update with all action scores, and with the sum over all action "
            "sequences; processor time of one thread:\n\n" + table(columns, lines)
        )
    if results.get("latency"):
        names = {"served": "the region that the server rewrites", "whole": "the whole function at once"}
        lines = [
            [text, *(f"{results['latency'][name][key]:.0f}" for key in ("tokens", "steps", "median_ms", "p95_ms"))]
            for name, text in names.items()
        ]
        first = results["latency"]["served"]
        parts.append(
            f"Rewriting on the served graphs ({results['latency']['bundle']}) with a beam of {first['rays']}, for "
            f"{first['functions']} functions of 50 lines of the Python standard library, requested in the middle; "
            "processor time:\n\n" + table(["", "tokens", "decoder steps", "median, ms", "95 of 100, ms"], lines)
        )
    return "## Times\n\n" + "\n".join(parts) if parts else ""
