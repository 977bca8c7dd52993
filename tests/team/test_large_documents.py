"""Documents beyond what a team server takes: they stay on the laptop, and the connection of the others goes on."""

from __future__ import annotations

from dataclasses import replace

from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.team.cluster.documents import ClientLimits
from editahead.team.remote.documents import MAX_TEXT
from editahead.team.wire.messages import MAX_MESSAGE
from team_pair import Team

LINE = "x = 1\n"


def of_size(size: int) -> str:
    return LINE * (size // len(LINE) + 1)


def test_a_document_that_no_message_holds_is_answered_here(team: Team) -> None:
    team.session.settings = Settings(max_file_bytes=1 << 30)
    large = team.open("large.py", of_size(MAX_MESSAGE))
    team.engine.prepare(team.document(large))
    team.complete(large)
    assert team.outcomes() == {"kept-here": 1}
    small = team.open("a.py", "first = 1\nfir")
    document = replace(team.document(small), others=(team.document(large),))
    team.engine.next_edits(document, 0, Cancel())
    assert team.outcomes() == {"kept-here": 1, "remote": 1}
    assert (team.connection.session, team.problems) == (1, [])


def test_a_document_without_suggestions_does_not_leave(team: Team) -> None:
    team.session.settings = Settings(max_file_bytes=1000)
    large = team.open("large.py", of_size(2000))
    team.engine.prepare(team.document(large))
    team.complete(large)
    assert team.outcomes() == {"kept-here": 1}


def test_no_more_text_is_sent_than_a_server_takes(team: Team) -> None:
    assert ClientLimits().text >= MAX_TEXT + 2 * MAX_MESSAGE, "a document is put before an older one is dropped"
    opened = [team.open(f"{number}.py", of_size(3_900_000)) for number in range(10)]
    document = replace(team.document(opened[0]), others=tuple(map(team.document, opened[1:])))
    team.engine.next_edits(document, 0, Cancel())
    for each in opened:
        team.complete(each)
    assert (team.connection.session, team.problems) == (1, [])
    assert team.outcomes() == {"remote": 11}
    [session] = team.host.app._clients
    assert 2 <= len(session.documents) <= MAX_TEXT // 3_900_000
