"""`editahead-models evaluate offered`: held-out commits replayed edit by edit, with the real engine asked after each.

Two questions. What is offered: of the edits that are still to come, how many were offered exactly, by the next edit or
as a sure place of the queue, at some moment before they were made; and how much of what was shown was right. And who
should write: where the edit model is asked for its best guess whatever its probability, and a span-copying model for
its best rewriting of the lines around the true place, and around the place that the edit model found.

An edit is right when it lies on a shortest way to the text that was committed (`repeat_cases`).
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.fixes.fixes import Fixer
from editahead.suggest.types import Document, Shown
from editahead.syntax.language import Language, by_id
from editahead.text.edits import ByteEdit

from editahead_models.data.mining.commits import Commit, commits_of
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.repeats.cases import MAX_EVENTS, OpenFile, Replay, is_right, meets

NEWEST = 2000


@dataclass
class Tally:
    """Counts of a replay.

    `later` edits were to come after the first; `offered` ones were offered exactly before they were made. `shown`,
    `right` by surface. The others are counts of the second question.
    """

    commits: int = 0
    later: int = 0
    offered: int = 0
    shown: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)

    def report(self) -> dict[str, Any]:
        """Shares and counts as plain values."""
        surfaces = {
            name: {"shown": count, "right": round(self.right[name] / count, 4)} for name, count in self.shown.items()
        }
        asked = self.asked["moments"]
        writers = {
            name: round(count / asked, 4) for name, count in sorted(self.asked.items()) if name != "moments" and asked
        }
        return {
            "commits": self.commits, "later": self.later, "offered": round(self.offered / max(1, self.later), 4),
            "surfaces": surfaces, "moments": asked, "writers": writers,
        }  # fmt: skip


def replayed(engine: Engine, commit: Commit, language: Language, rng: random.Random, tally: Tally) -> None:
    """One commit; nothing where it has a single edit or too many."""
    replay = Replay(commit, language, rng)
    if not 2 <= len(replay.events) <= MAX_EVENTS:
        return
    fixer = engine.fixer(language.id)
    offered: set[int] = set()
    for number in range(len(replay.events) - 1):
        replay.step(number)
        file = replay.events[number][0]
        document = replace(file.document, others=tuple(replay.documents(file)[1:]))
        byte = file.history.view().settled[-1].end if file.history.view().settled else 0
        later = [(at, *replay.events[at]) for at in range(number + 1, len(replay.events))]
        offered |= _offered(engine, replay, file, document, byte, later, tally)
        if fixer is not None:
            _writers(engine, fixer, file, document, byte, later, tally)
    tally.commits += 1
    tally.later += len(replay.events) - 1
    tally.offered += len(offered)


def _offered(
    engine: Engine, replay: Replay, file: OpenFile, document: Document, byte: int,
    later: Sequence[tuple[int, OpenFile, int]], tally: Tally,
) -> set[int]:  # fmt: skip
    """Which later events are offered now; counts what is shown."""
    found: list[tuple[str, OpenFile, ByteEdit]] = []
    one = engine.next_edit(document, byte, Cancel())
    if isinstance(one, Shown):
        found.append(("next edit", file, one.value.edit))
    queue = engine.next_edits(document, byte, Cancel())
    files = {other.document.uri: other for other in (*replay.files, *replay.beside)}
    if isinstance(queue, Shown):
        found += [("sure places", files[item.uri], item.edit) for item in queue.value.items if item.sure]
    hits: set[int] = set()
    for surface, home, edit in found:
        good = is_right(home, edit)
        tally.shown[surface] += 1
        tally.right[surface] += good
        hits |= {at for at, other, index in later if good and other is home and meets(other.now(index), edit)}
    return hits


def _writers(
    engine: Engine, fixer: Fixer, file: OpenFile, document: Document, byte: int,
    later: Sequence[tuple[int, OpenFile, int]], tally: Tally,
) -> None:  # fmt: skip
    """The best guesses of both models where a further edit of the same file is to come."""
    coming = [other.now(index) for _, other, index in later if other is file]
    if not coming:
        return
    tally.asked["moments"] += 1
    guess = engine.next_edit(replace(document, settings=replace(document.settings, precision=0.0)), byte, Cancel())
    place: ByteEdit | None = guess.value.edit if isinstance(guess, Shown) else None
    written = place is not None and is_right(file, place)
    there = place is not None and any(meets(edit, place) for edit in coming)
    tally.asked["edit model right"] += written
    tally.asked["edit model finds the place"] += there
    nearest = min(coming, key=lambda edit: abs(edit.start - byte))
    tally.asked["spans right at the true place"] += _rewritten(fixer, file, document, nearest)
    if there and not written and place is not None:
        tally.asked["spans right where the edit model only finds the place"] += _rewritten(fixer, file, document, place)


def _rewritten(fixer: Fixer, file: OpenFile, document: Document, edit: ByteEdit) -> bool:
    """Whether the span model's best rewriting of the lines around an edit is right."""
    anything = replace(document, settings=replace(document.settings, fix_floor=0.0))
    made = fixer.suggest(anything, edit.start, edit.start, Cancel())
    return isinstance(made, Shown) and is_right(file, made.value.items[0].edit)


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path, typer.Option(help="The file of figures to write.")],
    bundle: Annotated[list[Path] | None, typer.Option(help="Bundles that go before the shipped ones.")] = None,
    commits: Annotated[int, typer.Option(help="Commits to replay of each dev project.")] = 40,
    seed: Annotated[int, typer.Option(help="Which commits are drawn.")] = 11,
) -> None:
    """What a user would have been offered on held-out commits, and which model should write it."""
    from editahead.runtime.bundle import find_bundles
    from rich.progress import track

    engine = Engine.load(find_bundles(bundle or ()), "cpu", lambda text, share: None)
    figures: dict[str, Any] = {"models": [b.manifest.name for b in engine.report().bundles], "seed": seed}
    for language_id, extension in EXTENSIONS.items():
        language, tally = by_id(language_id), Tally()
        assert language is not None
        for name in projects_of("dev", language_id):
            project = open_project(mirror, name)
            if project is None or project.licence is None:
                continue
            drawn = list(commits_of(project.path, extension, newest=NEWEST, limit=commits, seed=seed))
            for commit in track(drawn, description=name, transient=True):
                replayed(engine, commit, language, random.Random(f"{seed}:{commit.name}"), tally)
        figures[language_id] = tally.report()
        out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))
