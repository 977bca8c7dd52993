"""docs/results/language-models.md: the tables, the claims and the pictures, from saved metrics alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from editahead.text.percent import percentage

from editahead_models.report import plots
from editahead_models.report.claims import verdicts
from editahead_models.report.results import DATA, deviations, load, published, table
from editahead_models.report.verdicts import LANGUAGE_MODELS

LANGUAGES = ("python", "java")
MAIN = ("lstm", "lmatt-50", "spn", "spn-sharing")
"""The models of the papers that every table has."""
CURVES = ("nnlm", "lstm", "lmatt-50", "spn", "spn-sharing", "spn-sharing-all", "product", "product-occurrences")
SERVED = "product-cache"
COLUMNS = (
    ("weights, M", "parameters", 1e-6, 2),
    ("tokens, M", "tokens", 1e-6, 1),
    ("passes", "passes", 1, 2),
    ("PP", "all/perplexity", 1, 2),
    ("PP adj.", "all/adjusted perplexity", 1, 2),
    ("acc", "all/acc", 100, 1),
    ("acc, unknown counts", "all/acc with unknown", 100, 1),
    ("acc@5", "all/acc@5", 100, 1),
    ("MRR@10", "all/MRR@10", 100, 1),
    ("uses acc", "identifier uses/acc", 100, 1),
    ("uses acc@5", "identifier uses/acc@5", 100, 1),
    ("uses MRR", "identifier uses/MRR@10", 100, 1),
    ("other acc", "other/acc", 100, 1),
    ("unknown", "oov", 100, 1),
    ("ECE", "ECE", 1, 3),
    ("tokens / CPU s", "tokens_per_cpu_s", 1, 0),
    ("ms / token", "step_ms", 1, 2),
)
EXTRA_COLUMNS = (
    ("PP", "all/perplexity", 1, 2),
    ("acc", "all/acc", 100, 1),
    ("acc@5", "all/acc@5", 100, 1),
    ("uses acc", "identifier uses/acc", 100, 1),
    ("uses acc@5", "identifier uses/acc@5", 100, 1),
    ("ECE", "ECE", 1, 3),
)

Rows = Mapping[str, Mapping[str, Any]]


def write(docs: Path, data: Path = DATA) -> Path:
    """The page and its pictures below `docs`."""
    tables = {language: load(whole(data, language)) for language in LANGUAGES}
    newer = {name: load(path) for name in LANGUAGES if (path := under_way(data, name)).exists()}
    _pictures({name: drawn_rows(rows, newer.get(name, {})) for name, rows in tables.items()}, docs)
    page = docs / "language-models.md"
    page.write_text(markdown(tables, newer), encoding="utf-8")
    return page


def whole(data: Path, language: str) -> Path:
    """The figures of the last table of which every row was measured."""
    return data / f"language-models-{language}.json"


def under_way(data: Path, language: str) -> Path:
    """The figures of the rows that were measured since, with another budget."""
    return data / f"language-models-{language}-under-way.json"


def drawn_rows(rows: Rows, newer: Rows) -> Rows:
    """The rows of one language that are drawn: those with the larger budget once the papers' main models are there."""
    return newer if all(name in newer for name in MAIN) else rows


def _pictures(tables: Mapping[str, Rows], docs: Path) -> None:
    million, name = "training tokens, millions", "accuracy on identifier uses, %"
    plots.draw(tables, CURVES, plots.learning_curve, docs / "lm-learning.svg", across=million,
               up="perplexity, dev projects", logarithmic=True)  # fmt: skip
    plots.draw(tables, CURVES, plots.uses_curve, docs / "lm-uses.svg", across=million, up=name)
    plots.draw(tables, CURVES, plots.by_position, docs / "lm-position.svg", across="tokens into the file", up=name)
    plots.draw(tables, (*CURVES[1:], "weighted-loss"), plots.reliability, docs / "lm-calibration.svg",
               across="probability of the best token", up="share that was right", diagonal=True)  # fmt: skip


def markdown(tables: Mapping[str, Rows], newer: Mapping[str, Rows] = MappingProxyType({})) -> str:
    """The page's text. `newer`: tables of which only some rows are there."""
    some = next(iter(next(iter(tables.values())).values()))
    budget = max(row.get("budget") or row.get("tokens") or 0 for rows in tables.values() for row in rows.values())
    parts = [
        "# Language models, one table\n",
        "Every row was trained on the same files with the same budget and measured on the same places of projects that "
        "no row has seen. This page is written by `editahead-models report` from the figures in `models/results`.\n",
        f"Budget: {budget / 1e6:g} million tokens a row, vocabulary of 5,000 unless a row says otherwise, one thread "
        f"({some['machine']}). Recipe: `models/recipes/language-models.toml`, which also gives the commands. "
        + " ".join(
            f"{language.capitalize()}: data hash `{next(iter(rows.values()))['data_hash']}`, commits "
            f"{', '.join(f'`{commit}`' for commit in sorted({row['commit'] for row in rows.values()}))}, "
            f"{next(iter(rows.values()))['figures']['all/count']:,.0f} dev tokens scored."
            for language, rows in tables.items()
        )
        + "\n",
        LEGEND,
    ]
    for language, rows in newer.items():
        parts += [f"## {language.capitalize()}: rows with a larger budget\n", _told_of_newer(rows), _figures(rows)]
    for language, rows in tables.items():
        chosen = {name: row for name, row in rows.items() if row["section"] == "papers"}
        parts += [f"## {language.capitalize()}: the models of the papers\n", _figures(chosen)]
    parts += ["## Claims of the papers, and results here\n", *([LARGER] if newer else []), LANGUAGE_MODELS, table(
        ["claim", "in print", *(language.capitalize() for language in tables), "why", "verdict"],
        verdicts(tables, newer),
    )]  # fmt: skip
    for language, rows in tables.items():
        base = [name for name in ("spn-sharing", "product") if name in rows]
        chosen = {name: rows[name] for name in base} | {
            name: row for name, row in rows.items() if row["section"] == "beyond"
        }
        parts += [f"## {language.capitalize()}: beyond the papers, one change at a time\n", _figures(chosen)]
        if SERVED in rows:
            parts.append(_served(rows, language))
        parts += [
            f"### {language.capitalize()}: the same weights, served or measured in another way\n",
            _variants(rows),
        ]
    parts += [deviations("language-models"), PICTURES, "## The published tables\n", PUBLISHED_NOTE]
    for entry in published().values():
        parts += [f"**{entry['title']}** ({entry['source']})\n", _published(entry)]
    return "\n".join(parts)


def _told_of_newer(rows: Rows) -> str:
    """What the rows of a table under way have in common."""
    budgets = sorted({row["budget"] for row in rows.values() if row.get("budget")})
    hashes, commits = (sorted({str(row[key]) for row in rows.values()}) for key in ("data_hash", "commit"))
    millions = " or ".join(f"{budget / 1e6:g}" for budget in budgets)
    return (
        f"The recipe's budget is {millions} million tokens now, and these rows are measured so far: compare them with "
        "one another, not with those below. "
        f"Data hash {', '.join(f'`{one}`' for one in hashes)}, commits {', '.join(f'`{one}`' for one in commits)}.\n"
    )


def _served(rows: Rows, language: str) -> str:
    """Which row finds most identifiers that a file has used before, and which one the server runs."""
    key = "identifier uses/acc@5"
    best = max(rows.values(), key=lambda row: row["figures"].get(key, 0.0))
    served = rows[SERVED]
    runs = "runs it" if best is served else f"runs *{served['label']}* ({percentage(served['figures'][key])} %)"
    return (
        f"Most uses of names are within the first five of *{best['label']}*, {percentage(best['figures'][key])} %. "
        f"The server {runs}, trained longer on more projects: `models/editahead_bundles/spn-{language}-*/CARD.md`.\n"
    )


def _figures(rows: Rows) -> str:
    return table(["", *(title for title, *_ in COLUMNS)], [[_label(row), *_cells(row)] for row in rows.values()])


def _label(row: Mapping[str, Any]) -> str:
    """A row that spent its ration of processor time before its budget of tokens says so."""
    cut = row.get("budget") is not None and row["tokens"] < row["budget"]
    return f"{row['label']} (not at its end)" if cut else str(row["label"])


def _cells(row: Mapping[str, Any], columns: Sequence[tuple[str, str, float, int]] = COLUMNS) -> list[str]:
    cells = []
    for _, key, scale, digits in columns:
        value = row.get(key, row.get("figures", {}).get(key))
        cells.append("" if value is None else f"{value * scale:,.{digits}f}")
    return cells


def _variants(rows: Rows) -> str:
    lines = []
    for row in rows.values():
        plain = {"figures": row["figures"]}
        variants: list[tuple[str, Mapping[str, Any]]] = []
        variants += [(f"memory of {k} when serving", found) for k, found in row.get("again", {}).items()]
        for key, label in (
            ("overwrite", "copies of a name overwrite each other instead of adding up"),
            ("broken", "on half-typed files"),
            ("before", "without the cache, same weights"),
            ("without project", "the cache has read the corpus and this file, not the rest of the project"),
        ):
            if key in row:
                variants.append((label, row[key].get("figures", row[key])))
        if variants:
            lines.append([f"**{row['label']}**", *_cells(plain, EXTRA_COLUMNS)])
            lines += [[f"- {label}", *_cells({"figures": found}, EXTRA_COLUMNS)] for label, found in variants]
    return table(["", *(title for title, *_ in EXTRA_COLUMNS)], lines)


def _published(entry: Mapping[str, Any]) -> str:
    rows = [["" if cell is None else str(cell) for cell in row] for row in entry["rows"]]
    return table([str(column) for column in entry["columns"]], rows)


LEGEND = """
**Columns.** Passes: over the training files; a row that is *not at its end* spent its processor time before its budget
of tokens. PP: perplexity of the true mixture, state carried through whole files. PP adj.: each unknown target costs
a uniform choice among the texts that the vocabulary does not list, so rows with different vocabularies are
comparable. acc, acc@5, MRR@10 over all tokens; an unknown target is a miss. *unknown counts* is the published
metric, in which predicting "unknown" for an unknown token is right. *uses*: a name that the file declares and has
used before; *other*: everything else, introductions of names included. ECE: calibration error of the best token, 15
bins. Tokens / CPU s: training, processor time. ms / token: one step of the exported graph, one thread, median. Rows
see `kind + random number` for every declared name, as the papers do, unless they say otherwise; the n-gram cache and
the spelled rows read real names, so their perplexities belong to another task.
"""

LARGER = (
    "With the millions of tokens in parentheses where every row that a claim needs has the larger budget, else with "
    "the smaller one. Even: within the noise of the scored tokens and, where a row has a second seed, of that; open: "
    "one of the rows read too few tokens for the comparison.\n"
)

PICTURES = """## Plots

![Perplexity on the dev projects while training](lm-learning.svg)

![Accuracy on identifier uses of the dev projects while training](lm-uses.svg)

![Accuracy on identifier uses by distance from the start of the file](lm-position.svg)

![Calibration: share of right predictions by predicted probability](lm-calibration.svg)
"""

PUBLISHED_NOTE = """
Corpora and budgets differ (the Python paper used 137 M tokens for many epochs): order and ratios can be compared,
absolute values cannot.
"""
