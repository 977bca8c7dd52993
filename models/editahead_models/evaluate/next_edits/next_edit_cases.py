"""Next edits on commits replayed by the real engine: what is proposed at a moment, and which of it the commit did.

A moment is the state of the files after some edits of a commit, the last one included: then nothing is to come, and
whatever is proposed is wrong. Commits of a single edit count, for most changes that people make are such.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from editahead.runtime.bundle import load_bundle
from editahead.runtime.manifest import thaw
from editahead.runtime.ort import Cancel, select_providers
from editahead.suggest.gate import parses_no_worse
from editahead.suggest.next_edit.editor import SURFACE, NextEditor, RankedProposal, reverses
from editahead.suggest.next_edit.rollout.rollout_scorer import FEATURES
from editahead.suggest.types import Document
from editahead.syntax.language import Language, by_id

from editahead_models.data.mining.commits import Commit, commits_of
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project
from editahead_models.evaluate.edit_models.hunk_fit import crossed, fit_scorer, report, top_choices
from editahead_models.evaluate.edit_models.hunks import Case
from editahead_models.evaluate.fitting.calibration_fit import fit_isotonic, never_certain
from editahead_models.evaluate.fitting.project_files import project_files
from editahead_models.evaluate.fitting.rewritten_bundle import describe, rewritten
from editahead_models.evaluate.repeats.cases import MAX_EVENTS, OpenFile, Replay, is_right
from editahead_models.evaluate.repeats.command import rounded

NEWEST = 2000
MOMENTS = 4
"""Moments of a commit, drawn."""


def cases(editor: NextEditor, commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Case]:
    """What is proposed at drawn moments of one commit; moments before which the model sees nothing are left out."""
    replay = Replay(commit, language, rng)
    if not 1 <= len(replay.events) <= MAX_EVENTS:
        return
    asked = set(rng.sample(range(len(replay.events)), min(MOMENTS, len(replay.events))))
    for number in range(max(asked) + 1):
        replay.step(number)
        if number in asked:
            file = replay.events[number][0]
            coming = sum(other is file for other, _ in replay.events[number + 1 :])
            yield _case(editor, file, file.document, project, coming)


def _case(editor: NextEditor, file: OpenFile, document: Document, project: str, coming: int) -> Case:
    settled = document.history.settled
    byte = settled[-1].end if settled else 0
    began = time.perf_counter()
    found = editor.proposed(document, byte, Cancel())
    seconds = time.perf_counter() - began
    kept = [one for one in found if _may_be_shown(one, document)]
    right = np.asarray([is_right(file, one.edit) for one in kept], dtype=np.bool_)
    features = np.asarray([one.features for one in kept], dtype=np.float64).reshape(-1, len(FEATURES))
    return Case(project, coming, features, right, right, seconds, False)


def _may_be_shown(one: RankedProposal, document: Document) -> bool:
    """Whether the gates behind the probability let it pass."""
    edit, buffer = one.edit, document.syntax.buffer
    if edit.is_noop(buffer.data) or reverses(edit, one.present, document):
        return False
    after = document.syntax.advance(buffer.apply(edit), [edit])
    return parses_no_worse(document.syntax.error_count(), after.error_count()).passed


def collect(bundle: Path, mirror: Path, out: Path, *, commits: int, seed: int) -> list[Case]:
    """Cases of the fit projects below `mirror`; one file a project in `out`, finished ones are kept."""
    editor = NextEditor(load_bundle(bundle), select_providers("cpu"))

    def make(project: Project, language_id: str, target: Path) -> None:
        language = by_id(language_id)
        assert language is not None
        drawn = commits_of(project.path, EXTENSIONS[language_id], newest=NEWEST, limit=commits, seed=seed)
        found: list[Case] = []
        for commit in drawn:
            found += cases(editor, commit, project.name, language, random.Random(f"{seed}:{commit.name}"))
        save(target, found)

    files = project_files(mirror, out, "fit", "replaying", make)
    return [case for target, name, _ in files for case in load(target, name)]


def save(path: Path, found: Sequence[Case]) -> None:
    """Write cases as flat arrays."""
    part = path.with_suffix(".part.npz")
    np.savez_compressed(
        part,
        size=np.asarray([len(case.right) for case in found], dtype=np.int64),
        remaining=np.asarray([case.remaining for case in found], dtype=np.int64),
        features=np.concatenate([np.zeros((0, len(FEATURES))), *(case.features for case in found)]),
        right=np.concatenate([np.zeros(0, dtype=np.bool_), *(case.right for case in found)]),
    )
    part.rename(path)


def load(path: Path, project: str) -> list[Case]:
    """Read them again."""
    with np.load(path, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    found: list[Case] = []
    at = 0
    for size, remaining in zip(arrays["size"].tolist(), arrays["remaining"].tolist(), strict=True):
        right = arrays["right"][at : at + size]
        found.append(Case(project, remaining, arrays["features"][at : at + size], right, right, 0.0, False))
        at += size
    return found


def main(
    bundle: Annotated[Path, typer.Argument(help="A bundle of edits; it is rewritten in place.")],
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path, typer.Option(help="Where replayed cases go, one file a project; finished ones are kept.")],
    commits: Annotated[int, typer.Option(help="Commits to replay of each fit project.")] = 150,
    seed: Annotated[int, typer.Option(help="Which commits are drawn.")] = 23,
) -> None:
    """Fit how sure the model of next edits may be on commits replayed by the real engine."""
    found = collect(bundle, mirror, out, commits=commits, seed=seed)
    scorer = fit_scorer(found)
    calibration = never_certain(fit_isotonic(*top_choices(found, scorer)))
    loaded = load_bundle(bundle)
    table = {name: thaw(value) for name, value in loaded.manifest.get("calibration", {}).items()}
    metrics = {"replayed": report(found, scorer, calibration), "replayed_crossed": crossed(found)}
    rewritten(
        loaded,
        calibration=table | {SURFACE: calibration.to_manifest()},
        metrics=rounded(metrics),
        more={"scorer": dict(scorer.weights)},
    )
    print(describe(SURFACE, calibration))
    print(rounded(metrics))
