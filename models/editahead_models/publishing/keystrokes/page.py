"""What docs/results/keystrokes.md says beside the stored tables: where they come from, and the claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from editahead_models.publishing.claims import judged
from editahead_models.publishing.intervals import beside_aim
from editahead_models.publishing.keystrokes.figures import claims_of
from editahead_models.publishing.page import claim_rows
from editahead_models.report.pages.page import write as write_pages
from editahead_models.report.pages.stored import Group, Row

NAME = "keystrokes"
Table = Mapping[str, Any]


def write(docs: Path, data: Path) -> Path | None:
    """Write the page; None where nothing was measured."""
    return next(iter(write_pages(docs, data, [NAME], derive)), None)


def derive(groups: Mapping[str, Group]) -> None:
    """Add to the tables of each language its recipe and its claims, and to the file the sizes of all of them."""
    languages, file = groups["languages"].rows, groups["file"].rows
    boths = [one["tables"]["saved"]["both"] for one in languages.values()]
    sizes = {name: sum(both[key] for both in boths) for name, key in (("keys", "n"), ("files", "files"))}
    file["all"] = {**file["all"], **sizes, "projects": sum(both["projects"] for both in boths)}
    for language, one in list(languages.items()):
        claims = claim_rows(judged(one["tables"], claims_of(language), _verdict))
        times = _times(one["tables"]["first guesses"]["ratio"])
        ratio = next(row for text, row in claims.items() if "times" in text)
        ratio |= {"aim": ratio["aim"].replace("300.0 %", "3 times"), "figure": times}
        projects = {name: commit[:10] for name, commit in one["projects"].items()}
        derived = {"about": "\n".join(_recipe(one)), "claims": claims, "times": times, "projects": projects}
        languages[language] = {**one, **derived}


def _verdict(share: Table, aim: float, *, at_most: bool) -> str:
    return beside_aim(share["interval"], aim, at_most=at_most)


def _recipe(one: Row) -> Iterator[str]:
    bundles = ", ".join(f"{name} `{hashed}`" for name, hashed in one["bundles"].items()) or "no bundle"
    if one["missing"]:
        yield f"- Not measured: {', '.join(one['missing'])}"
    yield f"- Code: commit {one['commit'][:10]}, {one['date']}; {one['machine']}; seed {one['seed']}"
    yield f"- Stretches `{one['data']}`; bundles, with a hash of what each does: {bundles}"


def _times(found: Table) -> str:
    if found["share"] is None:
        return "no guess of the words is right"
    low, high = found["interval"]
    bounds = "" if low is None else f" ({low:.0f} to {'any' if high is None else f'{high:.0f}'})"
    return f"{found['share']:.1f} times{bounds}"
