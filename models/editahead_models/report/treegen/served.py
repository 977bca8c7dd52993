"""The section of the page on what the server offers: bodies of functions, and how often they are right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from editahead.text.percent import percentage

FIGURES = "treegen-served.json"
ASKED = ("0.5", "0.65", "0.8", "0.9")
_WHY = {
    "too many statements": "more than four statements", "too long": "more than 64 rules",
    "no body": "no body", "overload": "overloads", "not implemented": "only raise NotImplementedError (nine of ten)",
    "definitions inside": "definitions inside", "outside the grammar": "outside the grammar",
    "seen before": "the third of one name and body in a project",
}  # fmt: skip


def served(results: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the section; none when nothing was measured."""
    if not results:
        return
    yield "## Served: a function's body from its description"
    yield ""
    figures, training, mined = results["figures"], results["training"], results["mining"]["train"]
    yield "A small model of this family is in the server. It reads name, parameters, decorators, class, docstring,"
    yield "names in scope and the bodies of the two most similar functions of the file, and writes a"
    yield f"body from its vocabulary and copies. It was trained on functions of {mined['projects']} projects and"
    yield f"is measured on {figures['projects']} others, with files as they are before a body is written."
    yield ""
    dropped = ", ".join(f"{mined[key]:,} {why}" for key, why in _WHY.items() if mined.get(key))
    yield f"Of {mined['functions']:,} functions, these were left out: {dropped}. Of the others {training['left out']:,}"
    yield f"need several texts that are neither in the vocabulary nor copied; {training['functions']:,} were"
    yield f"used, {training['epochs']:.1f} times in {training['minutes']:.0f} processor minutes."
    yield ""
    yield from _rightness(figures)
    yield from _precision(figures)
    yield from _offered(results["thresholds"])


def _rightness(figures: Mapping[str, Any]) -> Iterator[str]:
    yield "Right means: the real body, apart from layout, quotes and names of local variables. Of all"
    short = _percent(figures["short"])
    yield f"{figures['functions']:,} functions with a body ({short} are short enough to be written at all):"
    yield ""
    yield "| | all | short ones | with a docstring |"
    yield "|---|---|---|---|"
    first = (figures[key] for key in ("first_right", "first_right_short", "first_right_documented"))
    yield f"| the first body is right | {' | '.join(map(_percent, first))} |"
    five = (_percent(figures[key]) for key in ("five_right", "five_right_short"))
    yield f"| one of five is right | {' | '.join(five)} | - |"
    yield ""
    each = (f"{name} {_percent(share)}" for name, share in figures["by_project"].items())
    yield f"By project, the first one: {', '.join(each)}."
    yield f"{figures['bodies_dropped_for_names']:,} bodies were dropped because they use an undefined name;"
    yield f"{figures['right_ones_dropped_for_names']:,} of these were right. Nothing was found for"
    yield f"{_percent(figures['nothing_found'])}."
    yield ""


def _precision(figures: Mapping[str, Any]) -> Iterator[str]:
    yield "The probability is calibrated, and the calibration is measured on projects that it was not fitted on"
    yield f"(expected calibration error {figures['calibration_error']:.3f}):"
    yield ""
    yield "| asked precision | offered | of these right |"
    yield "|---|---|---|"
    for asked in ASKED:
        shown, right = figures[f"shown_{asked}"], figures[f"right_{asked}"]
        yield f"| {asked} | {_percent(shown)} of functions | {_percent(right) if shown else '-'} |"
    yield ""


def _offered(thresholds: Mapping[str, float | None]) -> Iterator[str]:
    """Up to which target precision the bundle offers bodies."""
    reached = [asked for asked, least in thresholds.items() if least is not None]
    yield "The bundle has a threshold if the lower end of the 99 % interval of the share of right bodies reaches the"
    if not reached:
        yield "target precision. None does: it is never offered."
    elif len(reached) == len(thresholds):
        yield f"target precision: at all, up to {reached[-1]}."
    else:
        yield f"target precision: this is the case up to {max(reached)}. At a higher one nothing is offered, so"
        yield "ghost text, at 0.80 by default, has no bodies, and the code action, at 0.50, has."
    yield ""


def _percent(share: float) -> str:
    return f"{percentage(share)} %"
