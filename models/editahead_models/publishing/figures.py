"""Tables of one language from what was measured, every share with its interval over the projects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from editahead_models.evaluate.next_edits.candidate_moments import CATEGORIES
from editahead_models.publishing.completions import LETTERS
from editahead_models.publishing.ghost_text import PRECISIONS
from editahead_models.publishing.intervals import keeps, pooled
from editahead_models.publishing.name_roles import ROLES
from editahead_models.publishing.next_edits import is_quiet, is_request
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import CUT, LINE

TOPS = (1, 5)
GROUPS = {
    "locals, parameters, imports": frozenset({"variable", "parameter", "import"}),
    "attributes and methods": frozenset({"field", "method"}),
    "functions and classes": frozenset({"function", "class", "type-parameter"}),
}
"""Kinds of names that are renamed."""
Table = dict[str, Any]


def _share(rows: Sequence[Row], part: Callable[[Row], float], whole: Callable[[Row], float] = lambda row: 1) -> Table:
    return pooled((row["project"], part(row), whole(row)) for row in rows).as_json()


def completion_table(rows: Sequence[Row]) -> Table:
    """Shares of names that are the first choice, and among the first five, by letters typed, role and situation."""
    told = [row for row in rows if row["foreign"] is not None]
    return {
        "all": _ranks(rows),
        "longer": _ranks(rows, "longer"),
        "words": _ranks(rows, "words"),
        "roles": {role: _ranks(some) for role in ROLES if (some := [row for row in rows if row["role"] == role])},
        "situations": {name: _ranks([row for row in rows if row["situation"] == name]) for name in (CUT, LINE)},
        "locals of other functions": _share(told, lambda row: row["foreign"]),
    }


def _ranks(rows: Sequence[Row], key: str = "rank") -> Table:
    return {
        str(letters): {str(top): _first(rows, key, number, top) for top in TOPS}
        for number, letters in enumerate(LETTERS)
    }


def _first(rows: Sequence[Row], key: str, number: int, top: int) -> Table:
    ranks = [(row["project"], row[key][number]) for row in rows]
    return pooled((project, rank is not None and rank < top, 1) for project, rank in ranks).as_json()


def other_server_table(rows: Sequence[Row]) -> Table:
    """What the language's own server is called, and its shares as in `completion_table`."""
    return {"server": rows[0]["server"], "all": _ranks(rows)}


def ghost_text_table(rows: Sequence[Row]) -> Table:
    """By target precision: places where something is shown, its characters, how much is right, whether it is kept."""
    table: Table = {}
    for number, precision in enumerate(PRECISIONS):
        found = [(row["project"], row["shown"][number]) for row in rows]
        shown = [(project, *one) for project, one in found if one is not None]
        table[str(precision)] = {
            "shown": pooled((project, one is not None, 1) for project, one in found).as_json(),
            "characters": pooled((project, length, 1) for project, length, _ in shown).as_json(),
            **_kept(precision, [(project, bool(right)) for project, _, right in shown]),
        }
    return table


def next_edit_table(rows: Sequence[Row]) -> Table:
    """By target precision: requests that are answered, by category and source; moments with nothing to come."""
    requests = [row for row in rows if is_request(row["kind"], row["coming"])]
    quiet = [row for row in rows if is_quiet(row["kind"], row["coming"], row["elsewhere"])]
    return {
        "baseline": _answered(requests, quiet, lambda row: row["baseline"]),
        "precisions": {
            str(precision): _at_precision(rows, requests, quiet, number, precision)
            for number, precision in enumerate(PRECISIONS)
        },
    }


def _at_precision(
    rows: Sequence[Row], requests: Sequence[Row], quiet: Sequence[Row], number: int, precision: float
) -> Table:
    def answer(row: Row) -> Any:
        return row["answers"][number]

    shown = [(row["project"], answer(row)) for row in rows if answer(row) is not None]
    sources = sorted({found["source"] for _, found in shown})
    return {
        **_answered(requests, quiet, answer),
        "categories": {
            name: _answered([row for row in requests if row["category"] == name], (), answer) for name in CATEGORIES
        },
        "sources": {
            source: pooled((p, found["right"], 1) for p, found in shown if found["source"] == source).as_json()
            for source in sources
        },
        **_kept(precision, [(project, found["right"]) for project, found in shown]),
        "places": _kept(precision, [(project, found["right"] or found["place"]) for project, found in shown]),
    }


def _answered(requests: Sequence[Row], quiet: Sequence[Row], answer: Callable[[Row], Any]) -> Table:
    """Shares of requests, then of what is shown at them; `quiet`: of the other moments those without an answer."""
    shown = [row for row in requests if answer(row) is not None]
    return {
        "shown": _share(requests, lambda row: answer(row) is not None),
        "exact": _share(requests, lambda row: bool(answer(row)) and answer(row)["right"]),
        "exact next": _share(requests, lambda row: bool(answer(row)) and answer(row)["first"]),
        "exact of shown": _share(shown, lambda row: answer(row)["right"]),
        "in place of shown": _share(shown, lambda row: answer(row)["right"] or answer(row)["place"]),
        "wrong of shown": _share(shown, lambda row: not (answer(row)["right"] or answer(row)["place"])),
        "quiet": _share(quiet, lambda row: answer(row) is None),
    }


def _kept(precision: float, shown: Sequence[tuple[str, bool]]) -> Table:
    """How much of all that is shown is right, by project, and whether that keeps the target."""
    projects = sorted({project for project, _ in shown})
    counts = {name: (sum(r for p, r in shown if p == name), sum(p == name for p, _ in shown)) for name in projects}
    share = pooled((p, r, 1) for p, r in shown).as_json()
    return {"precision": share, "kept": keeps(precision, counts), "by project": counts}


def rename_table(rows: Sequence[Row]) -> Table:
    """By kind of name: renames that are offered and led to their end, and accepted edits that are right."""
    table: Table = {}
    for name, kinds in GROUPS.items():
        mine = [row for row in rows if row["kind"] in kinds]
        used = [row for row in mine if row["places"] > 1]
        ended = [row for row in used if not row["missed"] and not row["wrong"]]
        nothing_left = [row for row in mine if row["places"] == 1] + ended
        table[name] = {
            "offered": _share(used, lambda row: row["offered"]),
            "right": _share(used, lambda row: row["steps"] - row["wrong"], lambda row: row["steps"]),
            "to the end": _share(used, lambda row: not row["missed"] and not row["wrong"]),
            "half typed": _share(mine, lambda row: row["half_typed"] > 0),
            "nothing left": _share(nothing_left, lambda row: row["after"] if row["places"] > 1 else row["offered"]),
        }
    return table


def check_table(rows: Sequence[Row]) -> Table:
    """Left-out edits that are reported, what is right of these reports, and finished commits with a report."""
    left_out = [row for row in rows if row["forgotten"]]
    commits: dict[tuple[str, str], Row] = {}
    for row in rows:
        if not row["forgotten"]:
            known = commits.setdefault((row["project"], row["commit"]), {"project": row["project"], "reported": 0})
            known["reported"] += row["reported"]
    return {
        "found": _share(left_out, lambda row: row["found"]),
        "right of reported": _share(left_out, lambda row: row["found"], lambda row: row["reported"]),
        "finished commits": _share(list(commits.values()), lambda row: row["reported"] > 0),
    }


TABLES: Mapping[str, Callable[[Sequence[Row]], Table]] = {
    "completions": completion_table,
    "other-server": other_server_table,
    "ghost-text": ghost_text_table,
    "next-edits": next_edit_table,
    "renames": rename_table,
    "check": check_table,
}
"""What is made of the rows of each part (`parts.PARTS`)."""
