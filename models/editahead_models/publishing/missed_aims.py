"""docs/results/missed-aims.md: the claims in every language, measured aims, and what was tried for those missed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from editahead.text.percent import percentage

from editahead_models.publishing.claims import JudgedClaim, judged
from editahead_models.publishing.measured_aims import JudgedAim, bound_of, judged_aims
from editahead_models.publishing.summary import SHORT
from editahead_models.report.results import LANGUAGE_NAMES, in_order, table, write_page

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).with_suffix(".toml")
NAME = "missed-aims"
ENOUGH = 5
"""Ideas that must have been tried before an aim counts as missed for a reason."""
HEAD = """# Aims that are missed, and what was tried

The claims of [the product](product.md) in all languages: in bold where the whole interval lies on the wrong side of the
aim, in italics where it lies on both sides. Below, aims of one stored figure each, in bold where it misses its bound.
Written by `editahead-models report` from the JSON files in `models/results` and from the ideas in
`models/editahead_models/publishing/missed_aims.toml`. Each idea for a claim was measured on the dev projects, or on the
fit projects crossed by project; its section of `models/LOG.md` has the hypothesis that was written down before, and the
figures."""


class Idea(NamedTuple):
    """What was tried, what came of it, and the section of the log that tells of it."""

    idea: str
    outcome: str
    log: str


class Missed(NamedTuple):
    """Claims, or texts of measured aims, that are missed for one reason."""

    title: str
    claims: tuple[str, ...]
    reason: str
    ideas: tuple[Idea, ...]


def read_missed(path: Path = FILE) -> list[Missed]:
    """The reasons and ideas, in the order of the file. ValueError where the file has another form."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["missed"]
    try:
        return [
            Missed(row["title"], tuple(row["claims"]), row["reason"], tuple(Idea(**idea) for idea in row["ideas"]))
            for row in rows
        ]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path}: {error}") from error


def missed_claims(found: Mapping[str, Any]) -> dict[str, list[str]]:
    """The texts of claims that are missed beyond their interval, each with the languages that miss it."""
    missed: dict[str, list[str]] = {}
    for language, one in in_order(found["languages"]).items():
        for claim in judged(one["tables"]):
            if claim.verdict == "no":
                missed.setdefault(claim.claim.text, []).append(language)
    return missed


def page(found: Mapping[str, Any], reasons: Sequence[Missed], measured: Sequence[JudgedAim] = ()) -> Iterator[str]:
    """The lines of the page."""
    languages = in_order(found["languages"])
    yield from (*HEAD.split("\n"), "")
    claims = {name: {one.claim.text: one for one in judged(entry["tables"])} for name, entry in languages.items()}
    texts = list(dict.fromkeys(text for row in claims.values() for text in row))
    titles = [SHORT.get(name, LANGUAGE_NAMES[name]) for name in languages]
    rows = []
    for text in texts:
        of_claim = [row.get(text) for row in claims.values()]
        claim = next(one for one in of_claim if one is not None).claim
        aim = f"{'at most' if claim.at_most else 'at least'} {percentage(claim.aim)}"
        rows.append([text, aim, *(_cell(one) for one in of_claim)])
    yield table(["claim, in %", "aim", *titles], rows)
    if measured:
        bounds = ([one.aim.text, bound_of(one.aim), _figure_cell(one), f"{one.aim.file}.json"] for one in measured)
        yield table(["aim", "bound", "measured", "stored in"], bounds)
    missed = missed_claims(found)
    figures = {one.aim.text: f"{one.aim.text}: {_with_unit(one)}" for one in measured if one.missed}
    for reason in reasons:
        where = sorted({name for text in reason.claims for name in missed.get(text, ())}, key=list(languages).index)
        short = [figures[text] for text in reason.claims if text in figures]
        if not where and not short:
            continue
        yield from (f"## {reason.title}", "")
        if where:
            short.insert(0, f"in {', '.join(SHORT.get(name, LANGUAGE_NAMES[name]) for name in where)}")
        yield f"Missed {'; '.join(short)}. {reason.reason}"
        yield ""
        for idea in reason.ideas:
            yield f"- {idea.idea} {idea.outcome} (Log: *{idea.log}*)"
        yield ""


def write(docs: Path, data: Path) -> Path | None:
    """Write the page from what is stored. None without figures."""
    reasons, measured = read_missed(), judged_aims(data)
    return write_page(docs, data, "product", lambda found: page(found, reasons, measured), target=NAME)


def _with_unit(one: JudgedAim) -> str:
    figure = one.figure or 0.0
    return f"{figure:{',.0f' if figure >= 1000 else '.3g'}} {one.aim.unit}".rstrip()


def _figure_cell(one: JudgedAim) -> str:
    if one.figure is None:
        return "–"
    mark = "**" if one.missed else ""
    return f"{mark}{_with_unit(one)}{mark}"


def _cell(one: JudgedClaim | None) -> str:
    if one is None:
        return "–"
    figure = percentage(one.share["share"])
    mark = {"no": "**", "undecided": "*"}.get(one.verdict, "")
    return f"{mark}{figure}{mark}"
