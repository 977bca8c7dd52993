"""The laptop's side: who answers, how long it may take, and what never leaves."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from editahead.runtime.ort import Cancel, Cancelled
from editahead.settings import Settings
from editahead.suggest.types import Reason, Rejection, Shown, Suppressed
from editahead.team.remote.connection import LATE_TO_PAUSE
from editahead.team.remote.documents import SentDocuments
from editahead.text.edits import ByteEdit
from team_pair import Team, wait_for

TEXT = "first = second\nsecond = first\nfir"


def test_the_server_answers_in_the_terms_of_the_laptop(team: Team) -> None:
    opened = team.open("a.py", TEXT)
    decision = team.complete(opened)
    assert isinstance(decision, Shown)
    assert [item.label for item in decision.value.items] == ["first"]
    assert (team.outcomes(), len(team.ours.seen)) == ({"remote": 1}, 0)


def test_every_kind_of_request_is_answered_as_the_local_engine_would(team: Team) -> None:
    team.session.settings = Settings(precision=0.5)
    other = team.open("b.py", "old = 1\nold = 2\n")
    opened = team.open("a.py", "old = 1\nif old == None:\n    pass\nold = 3\nif ol")
    opened.apply([ByteEdit(0, 3, b"new")])
    document = team.session.snapshot(opened, 0).document
    document = type(document)(**{**_fields(document), "others": (team.document(other),)})
    at, end = 20, len(opened.buffer.data)
    for name, arguments in [
        ("complete", (end,)), ("inline", (end,)), ("next_edit", (at,)), ("next_edits", (at,)),
        ("next_edit_elsewhere", (at,)), ("fixes", (0, end)), ("bodies", (opened.buffer.data.index(b"pass"),)),
    ]:  # fmt: skip
        theirs = getattr(team.engine, name)(document, *arguments, Cancel())
        ours = getattr(team.ours, name)(document, *arguments, Cancel())
        assert isinstance(theirs, Shown), name
        assert theirs == ours, name
    assert team.outcomes() == {"remote": 7}


def _fields(document: Any) -> dict[str, Any]:
    return {name: getattr(document, name) for name in document.__dataclass_fields__}


def test_a_late_answer_is_given_locally_within_the_budget(tmp_path: Path) -> None:
    team = Team(tmp_path, budget=0.04)
    team.connect()
    opened = team.open("a.py", TEXT)
    team.complete(opened)
    team.host.delay = 1.0
    started = time.perf_counter()
    decision = team.complete(opened)
    assert time.perf_counter() - started < 0.5
    assert isinstance(decision, Shown)
    assert team.outcomes()["late"] >= 1
    team.end()


def test_after_late_answers_nothing_waits_and_later_the_server_answers_again(tmp_path: Path) -> None:
    team = Team(tmp_path, budget=0.2)
    team.connect()
    opened = team.open("a.py", TEXT)
    team.host.delay = 0.5
    for _ in range(LATE_TO_PAUSE):
        team.complete(opened)
    started = time.perf_counter()
    team.complete(opened)
    assert time.perf_counter() - started < 0.1
    assert team.outcomes() == {"late": LATE_TO_PAUSE, "paused": 1}
    team.host.delay = 0.0

    def answered() -> bool:
        team.complete(opened)
        return "remote" in team.outcomes()

    wait_for(answered, "answer of the server again")
    team.end()


def test_while_the_server_is_late_requests_are_tried_and_none_waits(tmp_path: Path) -> None:
    team = Team(tmp_path, budget=0.2)
    team.connect()
    opened = team.open("a.py", TEXT)
    team.host.delay = 0.3
    for _ in range(LATE_TO_PAUSE):
        team.complete(opened)
    until, longest, back = time.perf_counter() + 3.0, 0.0, 0.0
    while time.perf_counter() < until:
        started = time.perf_counter()
        if started > until - 1.5 and team.host.delay:
            team.host.delay, back = 0.0, started
        team.type(opened, 0, "#")
        team.complete(opened)
        longest = max(longest, time.perf_counter() - started)
        if "remote" in team.outcomes():
            break
        time.sleep(0.02)
    assert longest < 0.15, "no request waits while the server is late"
    assert 3 <= len(team.theirs.seen) - LATE_TO_PAUSE <= 12, "a few tries"
    assert 0.0 < time.perf_counter() - back < 1.4, "a pause does not grow"
    team.end()


def test_a_server_that_is_gone_costs_nothing_and_gets_the_documents_again(team: Team) -> None:
    opened = team.open("a.py", TEXT)
    team.complete(opened)
    team.host.kill()
    wait_for(lambda: team.connection.session == 0, "end of the connection")
    started = time.perf_counter()
    assert isinstance(team.complete(opened), Shown)
    assert time.perf_counter() - started < 0.1
    assert team.outcomes() == {"remote": 1, "down": 1}
    wait_for(lambda: team.problems != [], "line for the user")
    team.type(opened, len(TEXT), "s")
    team.restart()
    wait_for(lambda: team.connection.session != 0, "new connection")
    assert isinstance(team.complete(opened), Shown)
    assert team.outcomes()["remote"] == 2
    assert team.theirs.seen[-1].syntax.buffer.data == TEXT.encode() + b"s"
    assert len(team.problems) == 1


def test_a_document_that_the_server_dropped_is_sent_again(team: Team) -> None:
    opened = team.open("a.py", TEXT)
    team.complete(opened)
    [session] = team.host.app._clients
    session.documents.drop_all()
    assert isinstance(team.complete(opened), Shown)  # locally: the server asks for the document
    assert team.outcomes() == {"remote": 1, "refused": 1}
    team.complete(opened)
    assert team.outcomes() == {"remote": 2, "refused": 1}


def test_a_cancelled_request_ends_at_once(team: Team) -> None:
    opened = team.open("a.py", "fake:block\n")
    cancel = Cancel()
    threading.Timer(0.05, cancel.cancel).start()
    document = team.document(opened)
    started = time.perf_counter()
    with pytest.raises(Cancelled):
        team.engine.complete(document, 0, cancel)
    assert time.perf_counter() - started < 1.0


def test_a_newer_request_supersedes_the_older_on_the_server(team: Team) -> None:
    cancel = Cancel()
    threading.Timer(0.05, cancel.cancel).start()
    with pytest.raises(Cancelled):
        team.engine.complete(team.document(team.open("a.py", "x = 1\nfake:block\n")), 0, cancel)
    assert isinstance(team.complete(team.open("b.py", "xy = 1\nx")), Shown)
    assert team.theirs.ended == ["cancelled"]
    assert team.outcomes() == {"remote": 1}


# -- what never leaves


class Tap:
    """A connection that keeps all that would be sent."""

    def __init__(self, team: Team) -> None:
        self._inner = team.connection
        self.data = b""
        self.session, self.backlog, self.welcome = 1, 0, team.connection.welcome

    def send(self, session: int, frames: Any) -> None:
        self.data += b"".join(frames)
        self._inner.send(session, frames)

    def report_problems(self, report: Any) -> None:
        pass


@pytest.fixture
def tapped(team: Team) -> Team:
    team.engine.link = Tap(team)  # type: ignore[assignment]
    return team


@pytest.mark.parametrize("name", [".env", "my_secret.py", "build/x.py", "vendor/y.py", "id_rsa"])
def test_secret_excluded_and_ignored_files_never_leave(tapped: Team, name: str) -> None:
    (tapped.folder / ".git").mkdir()
    (tapped.folder / ".gitignore").write_text("build/\n")
    tapped.session.settings = Settings(exclude=("vendor/",))
    hidden = tapped.open(name, "planted = 1\nplan")
    tapped.engine.prepare(tapped.document(hidden))
    assert isinstance(tapped.complete(hidden), Shown)
    visible = tapped.open("a.py", "open = 1\nop")
    document = tapped.document(visible)
    document = type(document)(**{**_fields(document), "others": (tapped.document(hidden),)})
    tapped.engine.next_edits(document, 0, Cancel())
    sent = tapped.engine.link.data  # type: ignore[attr-defined]
    assert b"open = 1" in sent
    assert b"planted" not in sent
    assert name.encode() not in sent
    assert all(b"planted" not in seen.syntax.buffer.data for seen in tapped.theirs.seen)
    assert tapped.outcomes()["kept-here"] == 1


def test_a_link_to_a_secret_file_never_leaves(tapped: Team) -> None:
    (tapped.folder / ".env").write_text("planted = 1\nplan")
    (tapped.folder / "a.py").symlink_to(tapped.folder / ".env")
    tapped.complete(tapped.open("a.py", "planted = 1\nplan"))
    assert tapped.engine.link.data == b""  # type: ignore[attr-defined]


def test_an_untitled_document_never_leaves(tapped: Team) -> None:
    opened = tapped.session.open("untitled:Untitled-1", "python", 1, "planted = 1\nplan")
    assert isinstance(tapped.complete(opened), Shown)
    assert tapped.engine.link.data == b""  # type: ignore[attr-defined]


def test_only_the_path_below_the_workspace_folder_leaves(tapped: Team) -> None:
    tapped.complete(tapped.open("pkg/a.py", TEXT))
    sent = tapped.engine.link.data  # type: ignore[attr-defined]
    assert f"{tapped.folder.name}/pkg/a.py".encode() in sent
    assert str(tapped.folder.parent).encode() not in sent


def test_members_and_imports_are_completed_here(team: Team) -> None:
    for text in ("first = 1\nos.fir", "first = 1\nimport fir", "first = 1\nfrom a import fir"):
        assert isinstance(team.complete(team.open("a.py", text)), Shown)
    assert team.outcomes() == {"kept-here": 3}


def test_a_rejection_in_a_document_that_the_server_does_not_have_does_not_leave(tapped: Team) -> None:
    """Its key holds the path on this machine, and a line of the document."""
    opened, other = tapped.open("pkg/a.py", TEXT), tapped.open("my_secret.py", "planted = 1\n")
    theirs = Rejection(f"1 -> 2 @ {other.uri} planted = 1", 0.0, other.uri)
    own = Rejection(f"1 -> 2 @ {opened.uri} first = second", 0.0, opened.uri)
    document = replace(tapped.document(opened), rejections=(theirs, own))
    tapped.engine.next_edit(document, 0, Cancel())
    sent = tapped.engine.link.data  # type: ignore[attr-defined]
    assert b"planted" not in sent
    assert str(tapped.folder.parent).encode() not in sent
    [rejection] = tapped.theirs.seen[-1].rejections
    assert rejection.key == f"1 -> 2 @ {tapped.theirs.seen[-1].uri} first = second"


def test_switched_off_documents_do_not_leave(tapped: Team) -> None:
    tapped.session.settings = Settings(enabled=False)
    tapped.engine.prepare(tapped.document(tapped.open("a.py", TEXT)))
    assert tapped.engine.link.data == b""  # type: ignore[attr-defined]


# -- wrong answers


def test_an_answer_outside_the_text_is_not_shown(team: Team) -> None:
    opened = team.open("a.py", TEXT)
    local = team.complete(opened)

    def wild(document: Any, byte: int, cancel: Cancel) -> Any:
        decision = type(team.ours).complete(team.ours, document, byte, cancel)
        return Shown(type(decision.value)(decision.value.items, 0, 10_000, True), 0.5)

    team.theirs.complete = wild  # type: ignore[method-assign]
    assert team.complete(opened) == local
    assert team.outcomes() == {"remote": 1, "wrong": 1}


def test_a_failure_of_the_server_is_answered_locally(team: Team) -> None:
    def fail(*arguments: Any) -> Any:
        raise MemoryError("holds first = second")

    team.theirs.complete = fail  # type: ignore[method-assign]
    assert isinstance(team.complete(team.open("a.py", TEXT)), Shown)
    assert team.outcomes() == {"refused": 1}


def test_no_suggestion_of_the_server_is_an_answer(team: Team) -> None:
    decision = team.complete(team.open("a.py", "first\nzzz"))
    assert isinstance(decision, Suppressed)
    assert decision.reason is Reason.EMPTY
    assert team.outcomes() == {"remote": 1}


def test_a_closed_document_is_dropped_on_the_server(team: Team) -> None:
    opened = team.open("a.py", TEXT)
    team.complete(opened)
    team.engine.forget(opened.uri)
    wait_for(lambda: team.theirs.forgotten != [], "end of the document")
    assert team.ours.forgotten == [opened.uri]
    [session] = team.host.app._clients
    assert len(session.documents) == 0


def test_documents_with_one_path_in_two_folders_are_told_apart(team: Team) -> None:
    sent = SentDocuments()
    for folder in ("x/p", "y/p"):
        (team.folder / folder).mkdir(parents=True)
        team.session.roots.append(team.folder / folder)
    paths = [sent.sync(team.document(team.open(f"{folder}/a.py", "x")))[2] for folder in ("x/p", "y/p")]
    assert paths == ["p/a.py", "2/p/a.py"]
