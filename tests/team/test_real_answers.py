"""With the shipped models on both sides: what the server answers is what the local engine would have answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import QueuedEdit, Shown
from editahead.team.cluster.inference import Inference
from editahead.team.remote.engine import RemoteEngine
from team_pair import Team

TEXT = '''class Store:
    """Entries of a folder."""

    def __init__(self, folder, limit):
        self.folder = folder
        self.limit = limit

    def add(self, entry):
        if len(self.entries) >= self.limit:
            self.entries.pop(0)


def store_of(folder):
'''
TYPED = "    store = Store(folder, 10)\n    return st"


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Team, Engine]]:
    def engine() -> Engine:
        return Engine.load(find_bundles([]), "cpu", lambda text, part: None)

    team = Team(tmp_path)
    team.host.kill()
    team.inference.stop()
    team.inference = Inference(engine())
    team.restart_with_inference()
    local = engine()
    team.engine = RemoteEngine(local, team.connection, team.replies, budget=30.0)
    team.connect()
    yield team, local
    team.end()


def test_the_server_answers_as_the_local_engine(pair: tuple[Team, Engine]) -> None:
    team, local = pair
    team.session.settings = Settings(precision=0.0, completion_imports=False, index_environment=False)
    other = team.open("other.py", "from store import Store\n\n\nmine = Store('a', 3)\n")
    opened = team.open("store.py", TEXT)
    shown = 0
    for number, character in enumerate(TYPED):
        at = len(TEXT) + number
        team.type(opened, at, character)
        snapshot = team.session.snapshot(opened, at + 1).document
        document = _with(snapshot, others=(team.document(other),))
        for method in ("complete", "inline", *(["next_edit"] if number % 5 == 0 else [])):
            theirs = getattr(team.engine, method)(document, at + 1, Cancel())
            assert theirs == getattr(local, method)(document, at + 1, Cancel()), (number, method)
            shown += isinstance(theirs, Shown)
    assert shown > len(TYPED)
    counts = team.outcomes()
    assert counts["remote"] > 2 * len(TYPED)
    assert set(counts) <= {"remote", "kept-here"}


def test_a_rename_is_carried_into_another_document_as_locally(pair: tuple[Team, Engine]) -> None:
    team, local = pair
    team.session.settings = Settings(precision=0.0)
    other = team.open("other.py", "from store import store_of\n\nmine = store_of('a')\n")
    opened = team.open("store.py", f"{TEXT}    return Store(folder, 1)\n")
    at = TEXT.index("store_of")
    team.type(opened, at, "new_")
    team.session.documents[opened.uri].history.settle()
    snapshot = _with(team.session.snapshot(opened, 0).document, idle=True, others=(team.document(other),))
    theirs = team.engine.next_edits(snapshot, 0, Cancel())
    ours = local.next_edits(snapshot, 0, Cancel())
    assert isinstance(theirs, Shown)
    assert isinstance(ours, Shown)
    assert [_plain(item) for item in theirs.value.items] == [_plain(item) for item in ours.value.items]
    assert {item.uri for item in theirs.value.items} == {other.uri}


def _plain(item: QueuedEdit) -> QueuedEdit:
    """Without the number of its group, which stands for the URI of the document that was edited."""
    plain = {name: re.sub(r"-[0-9a-f]{8}\b", "", getattr(item, name)) for name in ("key", "pattern", "group")}
    return replace(item, **plain)


def _with(document: Any, **changes: Any) -> Any:
    fields = {name: getattr(document, name) for name in document.__dataclass_fields__}
    return type(document)(**{**fields, **changes})
