"""What docs/results/product.md says beside the stored tables: where they come from, the claims, what targets keep."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from editahead.text.percent import percent

from editahead_models.publishing.claims import JudgedClaim, judged
from editahead_models.publishing.intervals import is_kept
from editahead_models.report.pages.stored import Group

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROW_TITLES = {
    "completions": "identifiers",
    "other-server": "of them with the language's own server",
    "ghost-text": "places",
    "next-edits": "moments of commits",
    "renames": "renames",
    "check": "edits that a commit repeats",
}
PART_TITLES = {
    "completions": "completions",
    "other-server": "the language's own server",
    "ghost-text": "ghost text",
    "next-edits": "next edits",
    "renames": "renames",
    "check": "the missed-edit check",
}
UNMEASURED_SERVERS = Path(__file__).with_name("unmeasured_servers.toml")
"""Why a language has no figure of its own server: a sentence a language."""
Table = Mapping[str, Any]


def derive(groups: Mapping[str, Group]) -> None:
    """Add to the tables of each language its recipe, its claims, and whether its target precisions are kept."""
    unmeasured = tomllib.loads(UNMEASURED_SERVERS.read_text(encoding="utf-8"))
    languages = groups["languages"].rows
    for language, one in list(languages.items()):
        about = list(_recipe(one))
        if "other-server" not in one["tables"] and language in unmeasured:
            about.append(f"- No figure of the language's own server: {unmeasured[language]}")
        at_targets = one["tables"].get("next-edits", {}).get("precisions", {})
        words = {
            "ghost text": {target: kept(row) for target, row in one["tables"].get("ghost-text", {}).items()},
            "places": {target: kept(row["places"]) for target, row in at_targets.items()},
            "edits": {target: kept(row) for target, row in at_targets.items()},
        }
        languages[language] = {
            **one, "about": "\n".join(about), "claims": claim_rows(judged(one["tables"])), "kept": words,
        }  # fmt: skip


def claim_rows(claims: Iterable[JudgedClaim]) -> dict[str, dict[str, Any]]:
    """Claims by their text. `marked`: the figure in bold where it misses its aim, in italics where that is open."""
    marks = {"no": "**", "undecided": "*"}
    return {
        row.claim.text: {
            "aim": f"at {'most' if row.claim.at_most else 'least'} {percent(row.claim.aim, 1)}",
            "figure": row.share,
            "n": row.share["n"],
            "verdict": row.verdict,
            "marked": f"{100 * (row.share['share'] or 0.0):.1f}".join([marks.get(row.verdict, "")] * 2),
        }
        for row in claims
    }


def _recipe(one: Table) -> Iterator[str]:
    projects = ", ".join(f"{name} `{commit[:10]}`" for name, commit in one["projects"].items())
    counts = ", ".join(f"{count:,} {ROW_TITLES[part]}" for part, count in one["rows"].items())
    yield f"- Code: commit {one['commit'][:10]}, {one['date']}; {one['machine']}; seed {one['seed']}"
    yield f"- Bundles, with a hash of what each does: {_bundles(one)}"
    for source, parts in _earlier_reads(one):
        yield (
            f"- Measured at commit {source['commit'][:10]}, {source['date']}, with {_bundles(source)}: "
            f"{', '.join(PART_TITLES[part] for part in parts)}"
        )
    yield f"- {len(one['projects'])} projects: {projects}"
    if one["missing"]:
        yield f"- Not measured: {', '.join(one['missing'])}"
    yield f"- Measured: {counts}"
    if one["truth"]:
        yield f"- References for renames by `{one['truth']}`"


def _bundles(source: Table) -> str:
    return ", ".join(f"{name} `{hashed}`" for name, hashed in source["bundles"].items()) or "no bundle"


def _earlier_reads(one: Table) -> list[tuple[Table, list[str]]]:
    """The earlier reads that parts of a language are of, each with these parts."""
    found: dict[str, tuple[Table, list[str]]] = {}
    for part, source in one.get("parts", {}).items():
        found.setdefault(source["read"], (source, []))[1].append(part)
    return list(found.values())


def kept(row: Table) -> str:
    """Whether a target precision is kept, in a word."""
    unsaid = "undecided" if row["precision"]["n"] else "nothing shown"
    return {True: "yes", False: "no", None: unsaid}[is_kept(row)]
