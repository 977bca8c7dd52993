"""The relative claims of the papers, each with its test on our rows: reproduced or not is computed, never typed in.

An explanation is printed only with the outcome that it explains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Rows = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Claim:
    """A claim, the rows that it needs, its test, and what stands behind each outcome."""

    text: str
    source: str
    needs: tuple[str, ...]
    test: Callable[[Rows], tuple[bool, str]]
    why: Mapping[bool, str] = field(default_factory=dict)


def _compare(
    better: str, worse: str, figure: str, *, lower: bool = False, percent: bool = True
) -> Callable[[Rows], tuple[bool, str]]:
    def test(rows: Rows) -> tuple[bool, str]:
        a, b = (rows[name]["figures"][figure] for name in (better, worse))
        scale, digits = (100, 1) if percent else (1, 2)
        return (a < b) == lower and a != b, f"{scale * a:.{digits}f} against {scale * b:.{digits}f}"

    return test


def _near_zero(rows: Rows) -> tuple[bool, str]:
    found = rows["lstm"]["figures"]["identifier uses/acc"]
    return found < 0.05, f"{100 * found:.1f} %"


def _ensemble(rows: Rows) -> tuple[bool, str]:
    whole = rows["ensemble-arithmetic"]["figures"]["all/perplexity"]
    best = min(rows[n]["figures"]["all/perplexity"] for n in ("lstm", "lmatt-20", "lmatt-50", "attention-decoder"))
    return whole < best, f"{whole:.2f} against {best:.2f} of its best member"


CLAIMS = (
    Claim("An LSTM finds almost no random names", "Bhoopchand et al.: 2.1 % of identifier uses", ("lstm",), _near_zero),
    Claim(
        "Attention over recent states finds identifiers that an LSTM does not",
        "Bhoopchand et al.: 21.4 against 2.1 %",
        ("lmatt-20", "lstm"),
        _compare("lmatt-20", "lstm", "identifier uses/acc"),
    ),
    Claim(
        "A longer attention window finds more (50 against 20)",
        "Bhoopchand et al.: 30.2 against 21.4 %",
        ("lmatt-50", "lmatt-20"),
        _compare("lmatt-50", "lmatt-20", "identifier uses/acc"),
    ),
    Claim(
        "A pointer finds more identifiers than attention with a memory of the same length",
        "Bhoopchand et al.: 27.3 against 21.4 %",
        ("spn-20", "lmatt-20"),
        _compare("spn-20", "lmatt-20", "identifier uses/acc"),
    ),
    Claim(
        "The pointer network has the lowest perplexity",
        "Bhoopchand et al.: 9.18 against 10.05 (LMAtt-50)",
        ("spn", "lmatt-50"),
        _compare("spn", "lmatt-50", "all/perplexity", lower=True, percent=False),
    ),
    Claim(
        "The pointer network has a lower perplexity than the LSTM",
        "Müller: 38.45 against 39.58",
        ("spn", "lstm"),
        _compare("spn", "lstm", "all/perplexity", lower=True, percent=False),
    ),
    Claim(
        "Attention is more accurate over all tokens than the pointer network",
        "Müller: 63.64 against 60.99 %; Bhoopchand et al.: 63.21 (50) against 62.97",
        ("lmatt-50", "spn"),
        _compare("lmatt-50", "spn", "all/acc"),
    ),
    Claim(
        "Attention sharing lowers the pointer network's perplexity",
        "Müller: 28.73 against 38.45",
        ("spn-sharing-all", "spn"),
        _compare("spn-sharing-all", "spn", "all/perplexity", lower=True, percent=False),
    ),
    Claim(
        "Attention sharing raises its accuracy",
        "Müller: 62.63 against 60.99 %",
        ("spn-sharing-all", "spn"),
        _compare("spn-sharing-all", "spn", "all/acc"),
    ),
    Claim(
        "Sharing over all tokens beats sharing over identifiers alone (the sentence is unfinished in print)",
        "Müller, section 4.2",
        ("spn-sharing-all", "spn-sharing"),
        _compare("spn-sharing-all", "spn-sharing", "all/perplexity", lower=True, percent=False),
    ),
    Claim(
        "Types lower the share of unknown tokens (numbers to 3,000 before, the smallest ranges after)",
        "Müller: 10.3 against 12.4 %",
        ("spn-typed", "spn-wide"),
        _compare("spn-typed", "spn-wide", "oov", lower=True),
    ),
    Claim(
        "Types raise accuracy over the same model with numbers to 3,000",
        "Müller: 62.63 against 60.99 %",
        ("spn-typed", "spn-wide"),
        _compare("spn-typed", "spn-wide", "all/acc"),
    ),
    Claim(
        "Types raise accuracy when both number names in the smallest ranges",
        "not measured in print",
        ("spn-typed", "spn-sharing"),
        _compare("spn-typed", "spn-sharing", "all/acc"),
    ),
    Claim(
        "Masking the generator where a name can be copied does not help",
        "Müller, section 3.3: no gain",
        ("spn-sharing", "spn-masked-copy"),
        _compare("spn-sharing", "spn-masked-copy", "all/acc"),
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
        _compare("lstm", "attention-decoder", "all/perplexity", lower=True, percent=False),
    ),
    Claim(
        "Pre-trained embeddings help the LSTM",
        "Chen and Rivera: the choice of vectors moves perplexity from 138.5 to 129.2",
        ("lstm-vectors", "lstm"),
        _compare("lstm-vectors", "lstm", "all/perplexity", lower=True, percent=False),
    ),
    Claim(
        "The feed-forward model is worse than the LSTM",
        "Chen and Rivera: 296.3 against 129.2",
        ("lstm", "nnlm"),
        _compare("lstm", "nnlm", "all/perplexity", lower=True, percent=False),
    ),
)


def verdicts(tables: Mapping[str, Rows]) -> list[list[str]]:
    """Rows of a table: claim, what is printed, and for each language what we found; then why."""
    lines = []
    for claim in CLAIMS:
        found: list[str] = []
        outcomes: set[bool] = set()
        for rows in tables.values():
            if all(name in rows for name in claim.needs):
                right, figures = claim.test(rows)
                outcomes.add(right)
                found.append(f"{'**yes**' if right else '**no**'}: {figures}")
            else:
                found.append("not run")
        reasons = " ".join(claim.why[outcome] for outcome in sorted(outcomes) if outcome in claim.why)
        lines.append([claim.text, claim.source, *found, reasons])
    return lines
