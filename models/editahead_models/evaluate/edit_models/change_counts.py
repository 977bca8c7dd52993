"""`editahead-models evaluate changes`: what is there to win beyond the paper, counted on held-out changes.

One hunk of a change is given, drawn; the others are to come. Counted are the places that a window shows, and what the
hunks to come insert: tokens of the file, tokens that the given hunk or one before inserted, or new ones.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.encode.edit_model.sequences import hunk_edits
from editahead.encode.edit_model.tokens import EditToken, line_keys
from editahead.encode.edit_model.window import choose_window, focus_words
from editahead.runtime.bundle import load_bundle

from editahead_models.data.edits.instances import LineHunk, line_hunks
from editahead_models.data.mining.git_changes import FileChange, file_changes
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import open_project
from editahead_models.data.splits import projects_of

WINDOWS = (320, 640)
MOST_LINES, MOST_CHANGED = 6000, 400


class Step:
    """A hunk as a token edit: what it deletes and inserts, each text in a row, without blanks."""

    def __init__(self, old: Sequence[str], new: Sequence[str], hunk: LineHunk) -> None:
        before = [key for line in line_keys(old, hunk.a0, hunk.a1) for key in line]
        after = [key for line in line_keys(new, hunk.b0, hunk.b1) for key in line]
        edits = hunk_edits([EditToken(key.text, 0) for key in before], [EditToken(key.text, 0) for key in after], 1)
        self.inserted = tuple(key.text for _, key in edits if key is not None)
        deleted = tuple(before[anchor - 1].text for anchor, key in edits if key is None)
        self.program = (deleted, self.inserted)

    def __bool__(self) -> bool:
        return any(self.program)


def counts(changes: Iterator[FileChange], rng: random.Random, listed: frozenset[str] = frozenset()) -> Counter[str]:
    """Sums over changes of several hunks; see `shares` for what is made of them. `listed`: a fixed vocabulary."""
    total: Counter[str] = Counter()
    for change in changes:
        old, new = change.before.split("\n"), change.after.split("\n")
        hunks = line_hunks(old, new) if len(old) <= MOST_LINES else None
        if hunks and len(hunks) > 1 and sum(h.a1 - h.a0 + h.b1 - h.b0 for h in hunks) <= MOST_CHANGED:
            total += _of_change(old, new, hunks, rng, listed)
    return total


def _of_change(
    old: Sequence[str], new: Sequence[str], hunks: Sequence[LineHunk], rng: random.Random, listed: frozenset[str]
) -> Counter[str]:
    total: Counter[str] = Counter()
    given = rng.randrange(len(hunks))
    chosen = hunks[given]
    words = focus_words(old[chosen.a0 : chosen.a1], new[chosen.b0 : chosen.b1])
    views = {
        f"{name} {limit}": choose_window(old, [(chosen.a0, chosen.a1)], focus, limit)
        for limit in WINDOWS
        for name, focus in (("shared", words), ("nearest", {}))
    }
    standing = {key.text for line in line_keys(old, 0, len(old)) for key in line}
    first = Step(old, new, chosen)
    programs, inserted = {first.program}, set(first.inserted)
    for hunk in (hunk for number, hunk in enumerate(hunks) if number != given):
        step = Step(old, new, hunk)
        if not step:
            continue
        total["hunks"] += 1
        repeats = step.program in programs
        total["repeats"] += repeats
        for name, window in views.items():
            inside = window.span(hunk.a0, hunk.a1) is not None
            total[f"inside {name}"] += inside
            total[f"repeat inside {name}"] += inside and repeats
        total["from edits"] += inserted.issuperset(step.inserted)
        total["from state"] += standing.issuperset(step.inserted)
        total["from either"] += (standing | inserted).issuperset(step.inserted)
        for text in step.inserted:
            where = "state" if text in standing else "edits" if text in inserted else "new"
            total["tokens"] += 1
            total[f"token {where}"] += 1
            if text.isidentifier():
                total["names"] += 1
                total[f"name {where}"] += 1
                total["name listed"] += text in listed
                total["name reachable"] += where != "new" or text in listed
        programs.add(step.program)
        inserted |= set(step.inserted)
    total["changes"] += 1
    return total


def shares(total: Counter[str]) -> dict[str, float]:
    """Counts as they are, the rest in shares of the later hunks, of those that repeat, of inserted tokens, of names."""
    base = {"token": "tokens", "name": "names", "repeat": "repeats"}
    whole = ("changes", "hunks", "tokens", "names")
    parts = sorted(set(total) - set(whole))
    found = {key: round(total[key] / max(total[base.get(key.split(" ")[0], "hunks")], 1), 4) for key in parts}
    return {key: total[key] for key in whole} | found


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path | None, typer.Option(help="Also write the figures to this JSON file.")] = None,
    changes: Annotated[int, typer.Option(help="File changes a project.")] = 300,
    commits: Annotated[int, typer.Option(help="At most this many commits a project, newest first.")] = 4000,
    bundle: Annotated[Path | None, typer.Option(help="An edit bundle: its vocabulary is counted too.")] = None,
    seed: Annotated[int, typer.Option(help="Which changes and which hunks are drawn.")] = 7,
) -> None:
    """Count on the dev projects what copying, longer or better windows and repetition could win."""
    listed = frozenset() if bundle is None else frozenset(load_bundle(bundle).vocab()["tokens"])
    found: dict[str, Any] = {"seed": seed, "changes a project": changes, "commits": commits}
    for language in EXTENSIONS:
        total: Counter[str] = Counter()
        for name in projects_of("dev", language):
            project = open_project(mirror, name)
            if project is not None and project.licence is not None:
                drawn = file_changes(project.path, EXTENSIONS[language], commits=commits, limit=changes, seed=seed)
                total += counts(drawn, random.Random(f"{seed}:{name}"), listed)
        found[language] = shares(total)
    text = json.dumps(found, indent=1)
    if out is not None:
        out.write_text(text + "\n", encoding="utf-8")
    print(text)
