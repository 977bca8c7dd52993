"""The relative claims of the papers, each with its test on our rows: reproduced or not is computed, never typed in.

Two rows are even where their shares differ by less than two standard errors, or their perplexities by less than 1 %.
An explanation is printed only with the outcome that it explains.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from editahead.text.percent import percentage

from editahead_models.report.verdicts import ENOUGH_TOKENS
from editahead_models.report.verdicts import verdict as verdict_of

Rows = Mapping[str, Mapping[str, Any]]
YES, NO, EVEN, OPEN = "yes", "no", "even", "open"
Test = Callable[[Rows], tuple[str, str]]
_NEXT_TO_NONE = 0.05  # of the uses of identifiers
_COUNTED = {"all/acc": "all/count", "identifier uses/acc": "identifier uses/count", "oov": "all/count"}


@dataclass(frozen=True)
class Claim:
    """A claim, the rows that it needs, its test, and what stands behind each outcome."""

    text: str
    source: str
    needs: tuple[str, ...]
    test: Test
    why: Mapping[str, str] = field(default_factory=dict)
    late: tuple[str, str] | None = None
    """Reasons while the first row finds next to none of the identifiers, and once it does, in the place of `why`."""

    def reason(self, verdict: str, rows: Rows) -> str:
        """What stands behind an outcome; empty where nothing is said of it."""
        if self.late is None:
            return self.why.get(verdict, "")
        return self.late[rows[self.needs[0]]["figures"]["identifier uses/acc"] >= _NEXT_TO_NONE]


def _share(better: str, worse: str, figure: str, *, lower: bool = False) -> Test:
    def test(rows: Rows) -> tuple[str, str]:
        a, b = (float(rows[name]["figures"][figure]) for name in (better, worse))
        n = max(1.0, float(rows[better]["figures"][_COUNTED[figure]]))
        error = math.hypot(math.sqrt((a * (1 - a) + b * (1 - b)) / n), _between_seeds(rows, (better, worse), figure))
        verdict = EVEN if abs(a - b) <= 2 * error else YES if (a < b) == lower else NO
        return verdict, f"{percentage(a)} against {percentage(b)} %"

    return test


def _perplexity(better: str, worse: str) -> Test:
    def test(rows: Rows) -> tuple[str, str]:
        a, b = (float(rows[name]["figures"]["all/perplexity"]) for name in (better, worse))
        noise = max(0.01, 2 * _between_seeds(rows, (better, worse), "all/perplexity") / b)
        verdict = EVEN if abs(a / b - 1) < noise else YES if a < b else NO
        return verdict, f"{a:.2f} against {b:.2f}"

    return test


def _between_seeds(rows: Rows, names: Sequence[str], figure: str) -> float:
    """By how much two runs that differ in their seed differ, of the rows with a second one: what one run's may."""
    pairs = ((rows[name], rows.get(f"{name}-second")) for name in names)
    return max((abs(one["figures"][figure] - two["figures"][figure]) for one, two in pairs if two), default=0.0)


def _near_zero(rows: Rows) -> tuple[str, str]:
    found = rows["lstm"]["figures"]["identifier uses/acc"]
    return YES if found < _NEXT_TO_NONE else NO, f"{percentage(found)} %"


def _finds(row: str) -> Test:
    def test(rows: Rows) -> tuple[str, str]:
        found = rows[row]["figures"]["identifier uses/acc"]
        return NO if found < _NEXT_TO_NONE else YES, f"{percentage(found)} %"

    return test


def _ensemble(rows: Rows) -> tuple[str, str]:
    whole = rows["ensemble-arithmetic"]["figures"]["all/perplexity"]
    best = min(rows[n]["figures"]["all/perplexity"] for n in ("lstm", "lmatt-20", "lmatt-50", "attention-decoder"))
    return YES if whole < best else NO, f"{whole:.2f} against {best:.2f} of its best member"


_TOO_EARLY = (
    "Looking names up by attention takes longer to learn than this budget lasts; the paper used a hundred times more "
    "data."
)
_LATE = "It begins to look names up only after several million tokens: the learning curves below show when."
_GIVEN_UP = (
    "Most likely the weighted losses: each part is trained by its own share of the mixture, which gives the pointer up "
    "before it has learnt anything. These losses alone find nothing either, with the rest as in our row; a longer "
    "memory changes nothing."
)
_NARROW = (
    "In print, names without types had numbers to 3,000 and those with types the smallest ranges; here both have the "
    "smallest ranges, and types alone have nothing. With numbers to 3,000, 17.2 % (Python) and 15.6 % (Java) of our "
    "tokens are unknown: it is the narrow ranges that help, not the types."
)


CLAIMS = (
    Claim(
        "Longer n-grams are better (6 against 3 words)",
        "Bhoopchand et al.: 20.17 against 26.90",
        ("kneser-ney-6", "kneser-ney-3"),
        _perplexity("kneser-ney-6", "kneser-ney-3"),
    ),
    Claim(
        "An LSTM is better than the longest of them",
        "Bhoopchand et al.: 14.01 against 20.17",
        ("lstm", "kneser-ney-6"),
        _perplexity("lstm", "kneser-ney-6"),
    ),
    Claim("An LSTM finds almost no random names", "Bhoopchand et al.: 2.1 % of identifier uses", ("lstm",), _near_zero),
    Claim(
        "Attention over recent states finds identifiers that an LSTM does not",
        "Bhoopchand et al.: 30.2 against 2.1 %",
        ("lmatt-50", "lstm"),
        _share("lmatt-50", "lstm", "identifier uses/acc"),
        late=(_TOO_EARLY, _LATE),
    ),
    Claim(
        "A longer attention window finds more (50 against 20)",
        "Bhoopchand et al.: 30.2 against 21.4 %",
        ("lmatt-50", "lmatt-20"),
        _share("lmatt-50", "lmatt-20", "identifier uses/acc"),
        late=(_TOO_EARLY, _LATE),
    ),
    Claim(
        "A pointer with a short memory finds more identifiers than attention with a memory of 20",
        "Bhoopchand et al.: 27.3 against 21.4 %",
        ("spn", "lmatt-20"),
        _share("spn", "lmatt-20", "identifier uses/acc"),
    ),
    Claim(
        "The pointer network trained exactly as published (declarations in memory, weighted losses, SGD) finds them",
        "Bhoopchand et al.: 27.3 % of identifier uses",
        ("spn-published-20",),
        _finds("spn-published-20"),
        {NO: _GIVEN_UP},
    ),
    Claim(
        "The pointer network has the lowest perplexity",
        "Bhoopchand et al.: 9.18 against 10.05 (LMAtt-50)",
        ("spn", "lmatt-50"),
        _perplexity("spn", "lmatt-50"),
    ),
    Claim(
        "The pointer network has a lower perplexity than the LSTM",
        "Müller: 38.45 against 39.58",
        ("spn", "lstm"),
        _perplexity("spn", "lstm"),
    ),
    Claim(
        "Attention is more accurate over all tokens than the pointer network",
        "Müller: 63.64 against 60.99 %; Bhoopchand et al.: 63.21 (50) against 62.97",
        ("lmatt-50", "spn"),
        _share("lmatt-50", "spn", "all/acc"),
        {
            EVEN: "The gain of the pointer on names is lost on other tokens: its softmax was trained less on them.",
            NO: "The pointer gains more on names than it loses on other tokens.",
        },
    ),
    Claim(
        "Attention sharing lowers the pointer network's perplexity",
        "Müller: 28.73 against 38.45",
        ("spn-sharing-all", "spn"),
        _perplexity("spn-sharing-all", "spn"),
        {YES: "A memory of all tokens also copies keywords and punctuation of similar lines; it finds fewer names."},
    ),
    Claim(
        "Attention sharing raises its accuracy",
        "Müller: 62.63 against 60.99 %",
        ("spn-sharing-all", "spn"),
        _share("spn-sharing-all", "spn", "all/acc"),
    ),
    Claim(
        "Sharing over all tokens beats sharing over identifiers alone (the sentence is unfinished in print)",
        "Müller, section 4.2",
        ("spn-sharing-all", "spn-sharing"),
        _perplexity("spn-sharing-all", "spn-sharing"),
        {YES: "Sharing over names alone has no effect here: their states carry little information about other tokens."},
    ),
    Claim(
        "Types lower the share of unknown tokens",
        "Müller: 10.3 against 12.4 %",
        ("spn-typed", "spn-sharing"),
        _share("spn-typed", "spn-sharing", "oov", lower=True),
        dict.fromkeys((NO, EVEN), _NARROW),
    ),
    Claim(
        "Types raise accuracy",
        "Müller: 62.63 against 60.99 %",
        ("spn-typed", "spn-sharing"),
        _share("spn-typed", "spn-sharing", "all/acc"),
        dict.fromkeys((NO, EVEN), _NARROW),
    ),
    Claim(
        "Masking the generator where a name can be copied does not help",
        "Müller, section 3.3: no gain",
        ("spn-sharing", "spn-masked-copy"),
        _share("spn-sharing", "spn-masked-copy", "all/acc"),
        {EVEN: "It neither helps nor hurts: the network copies what it can without being forced to."},
    ),
    Claim(
        "An ensemble beats its best member",
        "Chen and Rivera: 105.2 against 129.2",
        ("ensemble-arithmetic", "lstm", "lmatt-20", "lmatt-50", "attention-decoder"),
        _ensemble,
    ),
    Claim(
        "Attention does not help an LSTM language model (on short sentences)",
        "Chen and Rivera: 145.1 against 129.2",
        ("lstm", "attention-decoder"),
        _perplexity("lstm", "attention-decoder"),
    ),
    Claim(
        "Pre-trained embeddings help the LSTM",
        "Chen and Rivera: the choice of vectors moves perplexity from 138.5 to 129.2",
        ("lstm-vectors", "lstm"),
        _perplexity("lstm-vectors", "lstm"),
    ),
    Claim(
        "The feed-forward model is worse than the LSTM",
        "Chen and Rivera: 296.3 against 129.2",
        ("lstm", "nnlm"),
        _perplexity("lstm", "nnlm"),
    ),
)


def _budgets(rows: Iterable[Mapping[str, Any]]) -> str:
    """The millions of tokens of rows that are compared, each once: unequal ones must be seen."""
    millions = {f"{round(row['tokens'] / 1e6, 1):g}": None for row in rows if row.get("tokens")}
    return f" ({' and '.join(millions)} M)" if millions else ""


def _are_unequal(rows: Iterable[Mapping[str, Any]]) -> bool:
    """Whether one of the rows read so many fewer tokens than another one that nothing follows."""
    tokens = [row["tokens"] for row in rows if row.get("tokens")]
    return bool(tokens) and min(tokens) < 0.9 * max(tokens)


def _worth(rows: Sequence[Mapping[str, Any]], verdict: str) -> str:
    """Decides or thin, from the tokens that rows read and from the outcome."""
    tokens = min((row["tokens"] for row in rows if row.get("tokens")), default=0)
    short = [f"a row read {tokens / 1e6:.1f} M tokens"] if tokens < ENOUGH_TOKENS else []
    short += ["the difference is within noise"] if verdict == EVEN else []
    return verdict_of((), short, f"all rows read {tokens / 1e6:.1f} M tokens")


def verdicts(tables: Mapping[str, Rows], newer: Mapping[str, Rows] = MappingProxyType({})) -> list[list[str]]:
    """Rows of a table: claim, what is printed, and for each language what we found; then why, and what it is worth.

    `newer`: rows with a larger budget, which decide where all that a claim needs are among them.
    """
    lines = []
    for claim in CLAIMS:
        found: list[str] = []
        worth: list[str] = []
        reasons: dict[str, None] = {}
        for language, whole in tables.items():
            larger = newer.get(language, {})
            rows = larger if all(name in larger for name in claim.needs) else whole
            if all(name in rows for name in claim.needs):
                verdict, figures = claim.test(rows)
                needed = [rows[name] for name in claim.needs]
                budgets = _budgets(needed) if rows is larger else ""
                verdict = OPEN if rows is larger and _are_unequal(needed) else verdict
                found.append(f"**{verdict}**: {figures}{budgets}")
                reasons |= dict.fromkeys(filter(None, (claim.reason(verdict, rows),)))
                worth.append(f"{language.capitalize()} {_worth(needed, verdict)}")
            else:
                found.append("not run")
                worth.append(f"{language.capitalize()} {verdict_of(['a row was not run'], (), '')}")
        lines.append([claim.text, claim.source, *found, " ".join(reasons), "; ".join(worth)])
    return lines
