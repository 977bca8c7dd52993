"""Next edits at moments of replayed commits, from the real engine, beside a baseline that repeats the last edit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict

from editahead.suggest.engine import Engine
from editahead.syntax.language import Language

from editahead_models.data.mining.commits import commits_of
from editahead_models.data.projects import Project
from editahead_models.evaluate.next_edits.candidate_moments import Moment, Setting, moments
from editahead_models.evaluate.next_edits.candidate_report import OPEN_KINDS, QUIET_KINDS
from editahead_models.evaluate.repeats.last_edit import repeat_last_edit
from editahead_models.publishing.ghost_text import PRECISIONS
from editahead_models.replay.measured_rows import Row

NEWEST = 3000
"""Commits of a project, newest first, from which those to replay are drawn."""
COMMITS = 3
"""Commits that are read for each request that is wanted: most have one or two."""


def measure(
    engine: Engine, project: Project, language: Language, extension: str, requests: int, quiet: int, seed: int
) -> Iterator[Row]:
    """Rows of a project's drawn commits, until there are enough requests and enough moments with nothing to come."""
    setting = Setting(engine, project.name, language, PRECISIONS, rated=False, baseline=repeat_last_edit)
    limit = COMMITS * max(requests, quiet)
    for commit in commits_of(project.path, extension, newest=NEWEST, limit=limit, seed=seed):
        if requests <= 0 and quiet <= 0:
            return
        for moment in moments(setting, commit, random.Random(f"{seed}:{commit.name}")):
            requests -= is_request(moment.kind, moment.coming)
            quiet -= is_quiet(moment.kind, moment.coming, moment.elsewhere)
            yield row_of(moment)


def row_of(moment: Moment) -> Row:
    """A moment without its candidates."""
    return {
        "kind": moment.kind,
        "coming": moment.coming,
        "elsewhere": moment.elsewhere,
        "category": moment.category,
        "answers": [asdict(answer) if answer else None for answer in moment.answers],
        "baseline": asdict(moment.baseline) if moment.baseline else None,
    }


def is_request(kind: str, coming: int) -> bool:
    """Whether an edit is still to come in the file of the cursor, in a moment where a user would look for one."""
    return bool(coming) and kind in OPEN_KINDS


def is_quiet(kind: str, coming: int, elsewhere: int) -> bool:
    """Whether nothing is to come, in any open file."""
    return not coming and not elsewhere and kind in QUIET_KINDS
