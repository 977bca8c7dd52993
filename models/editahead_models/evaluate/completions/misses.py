"""Where completions miss: what kind of name was due, and whether it stood in the file, on the dev projects.

The engine knows names and n-grams of up to FILES_AROUND files of the project; settings are the default ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from editahead.git import ask_git
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.completion.ranking.slots import SlotKind, slot_at
from editahead.suggest.context import place_at
from editahead.suggest.engine import Engine
from editahead.suggest.types import Shown
from editahead.syntax.grammar_words import grammar_words
from editahead.syntax.tokens import names_of

from editahead_models.data.projects import Project, open_project
from editahead_models.data.splits import languages, projects_of
from editahead_models.evaluate.places.neighbours import Neighbourhood
from editahead_models.evaluate.places.product import document_of, language_of
from editahead_models.publishing.intervals import pooled
from editahead_models.publishing.name_roles import ATTRIBUTE, IMPORT, NEW, NameRoles
from editahead_models.replay.places import DrawnPlace, draw, source_files
from editahead_models.report.results import LANGUAGE_NAMES

LETTERS = (0, 1)
FILES_AROUND = 150  # of the project, that are read
_BY_ROLE = {NEW: "new name", IMPORT: "import", ATTRIBUTE: "attribute"}
_BY_SLOT = {
    SlotKind.MEMBER: "attribute", SlotKind.STATEMENT: "start of a statement", SlotKind.VALUE: "behind `=`",
    SlotKind.ARGUMENT: "argument", SlotKind.TYPE: "type",
}  # fmt: skip
KEYWORD, OTHER = "keyword", "other expression"
KINDS = tuple(dict.fromkeys((*_BY_ROLE.values(), *_BY_SLOT.values(), OTHER, KEYWORD)))


class Answer(NamedTuple):
    """The rank of the due word in the list, None where it is not listed, at a place of a language and a kind."""

    language: str
    kind: str
    letters: int
    rank: int | None
    is_in_file: bool


class Pair(NamedTuple):
    """What two sets of bundles answer at one place of a project."""

    project: str
    before: Answer
    now: Answer


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    count: Annotated[int, typer.Option(help="Names of a language; half as many tokens are drawn for keywords.")] = 200,
    seed: Annotated[int, typer.Option(help="Which places are drawn.")] = 7,
    out: Annotated[Path, typer.Option(help="Where the page goes.")] = Path("docs/results"),
    language: Annotated[list[str] | None, typer.Option(help="With --against: these alone.")] = None,
    bundle: Annotated[list[Path] | None, typer.Option(help="Bundles in place of those that ship.")] = None,
    against: Annotated[
        list[Path] | None, typer.Option(help="Bundles to compare with, place by place: prints, and writes no page.")
    ] = None,
) -> None:
    """Ask at drawn places of the dev projects, and write where the due word is missing."""
    engine = _engine(bundle or ())
    other = _engine(against) if against else None
    answers: list[Answer] = []
    pairs: list[Pair] = []
    for language_id in language or languages("dev"):
        found = [open_project(mirror, name) for name in projects_of("dev", language_id)]
        projects = [project for project in found if project is not None]
        for project in projects:
            asked = -(-count // len(projects))
            now = list(measure(engine, project, language_id, asked, seed))
            answers += now
            if other:
                before = measure(other, project, language_id, asked, seed)
                pairs += [Pair(project.name, *both) for both in zip(before, now, strict=True)]
            print(f"{language_id}: {project.name}", flush=True)
    if other:
        print("\n".join(comparison(pairs)))
        return
    commit = ask_git(Path.cwd(), "rev-parse", "--short=10", "HEAD").decode().strip()
    out.mkdir(parents=True, exist_ok=True)
    (out / "misses.md").write_text("\n".join(page(answers, seed, commit)) + "\n", encoding="utf-8")


def _engine(bundles: Sequence[Path]) -> Engine:
    return Engine.load(find_bundles(bundles), "cpu", lambda text, share: None)


def comparison(pairs: Sequence[Pair]) -> list[str]:
    """What two sets of bundles list first and among five at the same places, and how often either alone is right."""
    lines = []
    for language_id, letters in dict.fromkeys((pair.now.language, pair.now.letters) for pair in pairs):
        at = [pair for pair in pairs if (pair.now.language, pair.now.letters) == (language_id, letters)]
        for most in (1, 5):
            before, now = ([_is_within(answer, most) for answer in side] for side in _sides(at))
            gain = pooled((pair.project, float(b - a), 1.0) for pair, a, b in zip(at, before, now, strict=True))
            bounds = (
                "" if gain.low is None or gain.high is None else f" ({100 * gain.low:+.1f} to {100 * gain.high:+.1f})"
            )
            won = sum(b and not a for a, b in zip(before, now, strict=True))
            lost = sum(a and not b for a, b in zip(before, now, strict=True))
            shares = f"{100 * sum(before) / len(at):.1f} > {100 * sum(now) / len(at):.1f} %{bounds} of {len(at)}"
            lines.append(f"{language_id}, {letters} letters, first {most}: {shares}, won {won}, lost {lost}")
    return lines


def _sides(pairs: Sequence[Pair]) -> tuple[list[Answer], list[Answer]]:
    return [pair.before for pair in pairs], [pair.now for pair in pairs]


def _is_within(answer: Answer, most: int) -> bool:
    return answer.rank is not None and answer.rank < most


def measure(engine: Engine, project: Project, language_id: str, count: int, seed: int) -> Iterator[Answer]:
    """The answers at `count` names of a project, and at the keywords among half as many further tokens."""
    files = list(source_files(project, language_id))
    names = draw(files, count, random.Random(f"{seed} {project.name}"), names_only=True)
    tokens = draw(files, count // 2, random.Random(f"keywords {seed} {project.name}"), names_only=False)
    places = names + [place for place in tokens if is_keyword(place)]
    drawn = {place.path for place in places}
    read = sorted(files, key=lambda row: row[0] not in drawn)[: max(FILES_AROUND, len(drawn))]
    around = Neighbourhood([row[:2] for row in read], language_of(language_id))
    path, roles, elsewhere = "", None, None
    for place in sorted(places, key=lambda place: (place.path, place.start)):
        if roles is None or path != place.path:
            path, roles = place.path, NameRoles(place.content, place.language)
            elsewhere = around.around(path)
        kind, is_in_file = KEYWORD, False
        for letters in LETTERS:
            before = place.before(letters)
            document = document_of(place.language, before + place.below, Settings())
            document = replace(document, elsewhere=elsewhere, admitted=True)
            if not letters:
                lines = document.syntax.lines(0, document.syntax.line_count)
                is_in_file = any(place.token in names_of(line) for line in lines)
                if place.is_name:
                    slot = slot_at(place_at(document, len(before)).lines, place.language.id)
                    kind = kind_of(roles.role(place.start, place.token), slot.kind)
            decision = engine.complete(document, len(before), Cancel())
            labels = [item.label for item in decision.value.items] if isinstance(decision, Shown) else []
            rank = labels.index(place.token) if place.token in labels else None
            yield Answer(language_id, kind, letters, rank, is_in_file or kind == KEYWORD)


def is_keyword(place: DrawnPlace) -> bool:
    """Whether a drawn token is a word that the grammar reserves, of more than a letter."""
    return not place.is_name and len(place.token) > 1 and place.token in grammar_words(place.language)


def kind_of(role: str, slot: SlotKind) -> str:
    """One of KINDS for a name."""
    return _BY_ROLE.get(role) or _BY_SLOT.get(slot, OTHER)


def page(answers: Sequence[Answer], seed: int, commit: str) -> list[str]:
    """The lines of the page."""
    lines = [
        "# Where completions miss",
        "",
        "Names of three and more letters and keywords of the dev projects; in half of the places the file ends at the",
        "cursor. *Missed*: the due word is not among the first five.",
        "",
        f"Measured by `editahead-models evaluate misses --seed {seed}` at commit {commit}, with the default settings.",
    ]
    for letters, title in zip(LETTERS, ("Nothing typed", "One letter typed"), strict=True):
        asked = [answer for answer in answers if answer.letters == letters]
        lines += [
            "",
            f"## {title}",
            "",
            *_table("kind", [(kind, [a for a in asked if a.kind == kind]) for kind in KINDS]),
        ]
        by_language = [(LANGUAGE_NAMES[name], [a for a in asked if a.language == name]) for name in languages("dev")]
        lines += ["", *_table("language", [*by_language, ("all", asked)])]
    return lines


def _table(head: str, groups: Sequence[tuple[str, Sequence[Answer]]]) -> list[str]:
    rows = [
        f"| {head} | places | first, % | first five, % | listed lower | in the file, not listed | not in the file |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, answers in groups:
        n, ranks = max(1, len(answers)), [answer.rank for answer in answers if answer.rank is not None]
        first, five = (sum(rank < most for rank in ranks) for most in (1, 5))
        cut = sum(answer.rank is None and answer.is_in_file for answer in answers)
        missed = f"{len(ranks) - five} | {cut} | {len(answers) - len(ranks) - cut}"
        rows.append(f"| {name} | {len(answers)} | {100 * first / n:.1f} | {100 * five / n:.1f} | {missed} |")
    return rows
