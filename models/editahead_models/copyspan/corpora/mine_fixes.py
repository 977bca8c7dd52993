"""`editahead-models mine fixes`: small repairs out of git histories, as pairs of regions before and after.

A region is what the server would rewrite: the function around a changed place, or as much around it as fits. Some pairs
are regions that the commit left alone, so that a model learns to leave code as it is.
"""

from __future__ import annotations

import json
import random
from collections.abc import Container, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

import typer
from editahead.encode.span_copying.tokens import RegionTokens, region_around
from editahead.git import GitError
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

from editahead_models.copyspan.corpora.pairs import write_tokens
from editahead_models.copyspan.network.batches import Pair
from editahead_models.data.corpus.source_files import languages_of_model
from editahead_models.data.edits.instances import LineHunk, line_hunks
from editahead_models.data.mining.git_changes import MAX_LINE, FileChange, file_changes
from editahead_models.data.mining.mine_edits import extensions_of
from editahead_models.data.projects import open_project
from editahead_models.data.splits import languages, projects_of

REPORT = "fixes.json"
ABOUT_FIXES = r"\b(fix(e[sd])?|bugs?|errors?|wrong|broken|correct(ed|ly)?|crash(es)?|regression|typos?|leaks?)\b"
"""Commit messages that speak of a repair (POSIX extended)."""


@dataclass(frozen=True)
class FixLimits:
    """Limits on what is mined.

    Tokens of a region and of its rewriting, hunks of a change of one file, lines of a file, the share of pairs that
    change nothing.
    """

    tokens: int = 120
    after: int = 140
    hunks: int = 5
    lines: int = 3000
    unchanged: float = 0.2


def pairs_of(change: FileChange, language: Language, limits: FixLimits, rng: random.Random) -> Iterator[Pair]:
    """The regions of one changed file: one around each of its hunks, and now and then one that stays."""
    old, new = change.before.split("\n"), change.after.split("\n")
    if max(len(old), len(new)) > limits.lines or max(map(len, (*old, *new))) > MAX_LINE:
        return
    hunks = line_hunks(old, new)
    if not hunks or len(hunks) > limits.hunks:
        return
    syntax = SyntaxSnapshot.open(Buffer(change.before.encode("utf-8", "replace")), language)
    done: set[tuple[int, int]] = set()
    for hunk in hunks:
        lines = region_around(syntax, hunk.a0, max(hunk.a1, hunk.a0 + 1), limits.tokens)
        made = None if lines is None or lines in done else _pair(old, new, hunks, *lines, limits)
        if lines is not None and made is not None:
            done.add(lines)
            yield made
            if rng.random() < limits.unchanged / (1.0 - limits.unchanged):
                yield from _left_alone(old, syntax, hunks, limits, rng)


def _pair(
    old: Sequence[str], new: Sequence[str], hunks: Sequence[LineHunk], low: int, high: int, limits: FixLimits
) -> Pair | None:
    """The region as it was and as it became; None where a hunk crosses its border, or where it became too long."""
    inside = [hunk for hunk in hunks if low <= hunk.a0 and hunk.a1 <= high]
    if any(hunk not in inside and hunk.a0 < high and hunk.a1 > low for hunk in hunks) or not inside:
        return None
    first, last = inside[0], inside[-1]
    after = new[first.b0 - (first.a0 - low) : last.b1 + (high - last.a1)]
    source, target = RegionTokens.of(old[low:high]).texts, RegionTokens.of(after).texts
    if not after or source == target or len(target) > limits.after:
        return None
    return Pair(source, target)


def _left_alone(
    old: Sequence[str], syntax: SyntaxSnapshot, hunks: Sequence[LineHunk], limits: FixLimits, rng: random.Random
) -> Iterator[Pair]:
    """A drawn region of the old file that no hunk touches, if one is found at once."""
    line = rng.randrange(len(old))
    lines = region_around(syntax, line, line + 1, limits.tokens)
    if lines is None or any(hunk.a0 <= lines[1] and hunk.a1 >= lines[0] for hunk in hunks):
        return
    tokens = RegionTokens.of(old[lines[0] : lines[1]]).texts
    if len(tokens) > 5:
        yield Pair(tokens, tokens)


def mine_project(
    mirror: Path, name: str, language_id: str, limits: FixLimits, *, changes: int, commits: int, seed: int
) -> tuple[list[Pair], dict[str, Any]]:
    """The pairs of one project, each once, and its record: commit, licence, counts.

    Languages that share a model are mined together, each by its own grammar.
    """
    project = open_project(mirror, name)
    record: dict[str, Any] = {"project": name, "language": language_id}
    if project is None or project.licence is None:
        return [], record | {"skipped": "not in the mirror" if project is None else "no permissive licence file"}
    grammars = {ending: one for one in languages_of_model(language_id) for ending in one.extensions}
    rng = random.Random(f"{seed}:{name}")
    found: dict[Pair, None] = {}
    try:
        for change in file_changes(
            project.path, extensions_of(language_id), commits=commits, limit=changes, seed=seed, message=ABOUT_FIXES
        ):  # fmt: skip
            grammar = grammars.get(PurePosixPath(change.path).suffix)
            if grammar is not None:
                found.update(dict.fromkeys(pairs_of(change, grammar, limits, rng)))
    except (GitError, OSError) as error:
        return [], record | {"skipped": f"no git history: {type(error).__name__}"}
    pairs = list(found)
    changed = sum(pair.source != pair.target for pair in pairs)
    record |= {"commit": project.commit, "licence": project.licence, "pairs": len(pairs), "changed": changed}
    return pairs, record


def writable(pair: Pair, known: Container[str]) -> bool:
    """Whether a model could write the target: each of its tokens is known, or stands in the source."""
    return all(token in known or token in pair.source for token in pair.target)


def write_split(out: Path, split: str, pairs: Sequence[Pair], owners: Sequence[str]) -> None:
    """Save the pairs of a split, and whose each is."""
    write_tokens(out / f"{split}.source.jsonl", [pair.source for pair in pairs])
    write_tokens(out / f"{split}.target.jsonl", [pair.target for pair in pairs])
    (out / f"{split}.projects.json").write_text(json.dumps(owners), encoding="utf-8")


def mine_fixes(
    mirror: Path, out: Path, language_id: str, limits: FixLimits, *, changes: int, commits: int, seed: int
) -> dict[str, Any]:
    """Write `out`/{train,fit,dev}.{source,target}.jsonl and the report. A pair stands in one split."""
    from rich.progress import track

    records: list[dict[str, Any]] = []
    seen: set[Pair] = set()
    for split in ("dev", "fit", "train"):
        kept: list[Pair] = []
        owners: list[str] = []
        for name in track(projects_of(split, language_id), description=f"mining {split}", transient=True):
            pairs, record = mine_project(mirror, name, language_id, limits, changes=changes, commits=commits, seed=seed)
            fresh = [pair for pair in pairs if pair not in seen]
            seen.update(fresh)
            kept += fresh
            owners += [name] * len(fresh)
            records.append({"split": split, **record})
        order = list(range(len(kept)))
        random.Random(f"{seed}:{split}").shuffle(order)
        write_split(out, split, [kept[at] for at in order], [owners[at] for at in order])
    report = {"limits": asdict(limits), "changes": changes, "commits": commits, "seed": seed, "projects": records}
    (out / REPORT).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return report


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path, typer.Option(help="Where the pairs go.")],
    language: Annotated[str, typer.Option(help="A list of projects, such as python or typescript.")] = "python",
    changes: Annotated[int, typer.Option(help="At most this many file changes a project.")] = 1500,
    commits: Annotated[int, typer.Option(help="At most this many commits a project, newest first.")] = 8000,
    tokens: Annotated[int, typer.Option(help="Tokens of a region at most.")] = 120,
    seed: Annotated[int, typer.Option(help="Which changes are drawn.")] = 7,
) -> None:
    """Mine small repairs of the listed projects into pairs of token files."""
    known = languages()
    if language not in known:
        raise typer.BadParameter(f"--language must be one of {', '.join(known)}, found {language!r}")
    limits = FixLimits(tokens=tokens, after=tokens + 20)
    report = mine_fixes(mirror, out, language, limits, changes=changes, commits=commits, seed=seed)
    for record in report["projects"]:
        print(json.dumps(record))
