"""docs/results/english.md: the language models of Chen and Rivera 2019 on free prose, beside their figures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from editahead_models.report.results import DATA

FILE = "english.json"


def take_in(figures: Path, data: Path = DATA) -> int:
    """Save the figures of `evaluate penn-treebank --out`; the number of rows. ValueError for another file."""
    try:
        rows = json.loads(figures.read_text(encoding="utf-8"))["rows"]
    except (OSError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{figures}: no figures of `evaluate penn-treebank` ({error})") from error
    data.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(figures, data / FILE)
    return len(rows)


def write(docs: Path, data: Path = DATA) -> Path | None:
    """The page; None when no figures were saved."""
    if not (data / FILE).exists():
        return None
    page = docs / "english.md"
    page.write_text(page_text(json.loads((data / FILE).read_text(encoding="utf-8"))), encoding="utf-8")
    return page


def page_text(found: dict[str, Any]) -> str:
    """The page's text from saved figures."""
    from editahead_models.evaluate.language_models.penn_treebank import page as figures

    protocol, words = found["protocol"], found["words"]
    where = f"Data {found['data']}, commit {found['commit']}, {found['machine']}.\n" if "data" in found else ""
    return f"""# English

The language models of Chen and Rivera 2019, who measured on the Penn Treebank, on prose that is free.
This page is written by `editahead-models report` from the figures in `models/results/{FILE}`.

**Text** {found["source"]}: {words["train"]:,} words to learn, {words["valid"]:,} for validation,
{words["test"]:,} for the test, {words["different"]:,} different ones (ends of sentences count as words).

**Protocol** {protocol["columns"]} columns, chunks of {protocol["steps"]} words, Adam at {protocol["rate"]:g}, at most
{protocol["epochs"]} passes, of which the best on the validation text counts; NNLM and LSTM of width
{protocol["hidden"]} (published: 300), attention of width {protocol["attention"]} (200); seed {protocol["seed"]}.
PP is the perplexity. MAP@20: 20 different guesses a word, never the end of a sentence, the right one at rank r is
worth 1 / r.
{where}
{figures(found["rows"])}
Word vectors were learnt on the training text alone, each kind in its own way (skip-gram, CBOW, GloVe, fastText's
sub-words, character n-grams); the published ones came from corpora of billions of words. So this table can show whether
the start matters, not how much a large corpus gives.

**How the text differs from the Penn Treebank** One novel instead of newspaper articles; half as many words to learn;
sentences are long and full of dialogue, names recur throughout. Blocks of 100 sentences are split, so that validation
and test come from the same book, which makes both easier. Alike: lower case, no punctuation, `N` for numbers, 10,000
words and `<unk>`. So perplexities cannot be compared with the published ones, the order of the models can.
"""
