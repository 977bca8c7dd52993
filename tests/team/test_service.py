"""The server's side: tokens, limits, messages of any kind, and models that are replaced while requests run."""

from __future__ import annotations

import asyncio
import json
import logging
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from editahead.team.cluster.documents import ClientLimits
from editahead.team.wire import websocket
from editahead.team.wire.messages import (
    MAX_BATCHED,
    PROTOCOL,
    REFUSED_CONNECTIONS,
    Answer,
    Ask,
    Batch,
    Declined,
    DocumentVersion,
    FromServer,
    Hello,
    PutDocument,
    Resend,
    Welcome,
    decode_from_client,
    decode_from_server,
    encode,
    encode_all,
)
from team_pair import TOKEN, BundledFake, Team, wait_for

SECRET = "planted_in_the_code"


async def raw(team: Team, messages: list[Any], replies: int, token: str = TOKEN) -> list[FromServer]:
    """Send messages (bytes are sent as they are) and return so many replies. Raises what the connection raises."""
    reader, writer = await asyncio.open_connection("127.0.0.1", team.host.port, limit=websocket.MAX_HEADER)
    try:
        await websocket.connect(reader, writer, "h", "/v1", {"Authorization": f"Bearer {token}"})
        for message in messages:
            data = message if isinstance(message, bytes) else encode(message)
            writer.write(websocket.encode_frame(websocket.BINARY, data, mask=True))
        read = websocket.read_message
        return [decode_from_server(await read(reader, writer, 1 << 20, mask=True)) for _ in range(replies)]
    finally:
        writer.close()


def ask(number: int, serial: int = 0, document: int = 1, method: Any = "complete") -> Ask:
    return Ask(number, method, DocumentVersion(document, serial, None), [], 0, 0, 5000, 0.0, False, 0, [], [], [])


HELLO = Hello(PROTOCOL, "0")
PUT = PutDocument(1, "a.py", "python", 0, b"first = first\n")


def test_a_wrong_token_is_one_line_on_the_laptop_and_reaches_nothing(team: Team) -> None:
    stranger = team.connection_with("b" * 32)
    stranger.start()
    wait_for(lambda: team.problems != [], "problem")
    assert team.problems == [
        f"the team server 127.0.0.1:{team.host.port} refuses the token: suggestions are computed locally. "
        "Ask for a new one"
    ]
    assert stranger.session == 0
    stranger.stop()


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x"])
async def test_without_the_token_the_handshake_is_refused(team: Team, header: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", team.host.port, limit=websocket.MAX_HEADER)
    with pytest.raises(websocket.HandshakeRefusedError):
        await websocket.connect(reader, writer, "h", "/v1", {"Authorization": header} if header else {})
    writer.close()


async def test_another_version_of_the_protocol_is_refused(team: Team) -> None:
    with pytest.raises(websocket.WebSocketClosedError) as closed:
        await raw(team, [Hello(1, "0")], 1)
    assert closed.value.code == 4400


@pytest.mark.parametrize("first", [b"rubbish", b"\xc1", b"\x91" * 5000, encode(PUT), b"[" * 100_000])
async def test_rubbish_ends_the_connection_and_nothing_else(team: Team, first: bytes) -> None:
    with pytest.raises(websocket.WebSocketClosedError) as closed:
        await raw(team, [first], 1)
    assert closed.value.code == 4409
    replies = await raw(team, [HELLO, PUT, ask(1)], 2)
    assert [type(reply) for reply in replies] == [Welcome, Answer]


async def test_a_message_that_is_too_large_ends_the_connection(tmp_path: Path) -> None:
    team = Team(tmp_path, limits=ClientLimits(message=2000))
    with pytest.raises(websocket.WebSocketClosedError) as closed:
        await raw(team, [HELLO, PutDocument(1, "a.py", "python", 0, b"x" * 3000)], 2)
    assert closed.value.code == 4409
    team.end()


async def test_a_message_holds_so_many_messages(team: Team) -> None:
    """All clients of a replica wait while one message is processed."""
    asks = [ask(number, method="rank") for number in range(1, MAX_BATCHED + 2)]
    with pytest.raises(websocket.WebSocketClosedError) as closed:
        await raw(team, [HELLO, PUT, Batch([*asks])], 1 + len(asks))
    assert closed.value.code == 4409
    frames = encode_all([*asks])
    assert [len(message.messages) for message in map(decode_from_client, frames[:1]) if isinstance(message, Batch)] == [
        MAX_BATCHED
    ]
    replies = await raw(team, [HELLO, PUT, *frames], 1 + len(asks))
    assert len(replies) == 1 + len(asks)


async def test_a_replayed_request_is_declined(team: Team) -> None:
    replies = await raw(team, [HELLO, PUT, ask(5), ask(5), ask(4), ask(6)], 5)
    assert sorted(reply.number for reply in replies if isinstance(reply, Declined) and reply.why == "replayed") == [
        4,
        5,
    ]


async def test_a_request_about_another_version_asks_for_the_document(team: Team) -> None:
    replies = await raw(team, [HELLO, PUT, ask(1, serial=7)], 2)
    assert replies[1] == Resend(1, 1)
    replies = await raw(team, [HELLO, ask(1)], 2)
    assert replies[1] == Resend(1, 1)


async def test_requests_beyond_the_rate_are_declined(tmp_path: Path) -> None:
    team = Team(tmp_path, limits=ClientLimits(requests_per_second=0.001, burst=2))
    replies = await raw(team, [HELLO, PUT, *(ask(number, method="rank") for number in range(1, 6))], 6)
    assert sum(isinstance(reply, Declined) and reply.why == "busy" for reply in replies) == 3
    team.end()


async def test_a_token_has_so_many_connections(tmp_path: Path) -> None:
    team = Team(tmp_path, limits=ClientLimits(connections=1))
    team.connect()
    with pytest.raises(websocket.WebSocketClosedError) as closed:
        await raw(team, [HELLO], 1)
    assert closed.value.code == REFUSED_CONNECTIONS
    another = team.connection_with(TOKEN)
    another.start()
    wait_for(lambda: bool(team.problems), "problem")
    assert "too many connections with this token" in team.problems[0]
    another.stop()
    team.end()


async def test_who_never_speaks_is_disconnected(tmp_path: Path) -> None:
    team = Team(tmp_path, limits=ClientLimits(hello_seconds=0.05))
    with pytest.raises(websocket.WebSocketClosedError):
        await raw(team, [], 1)
    team.end()


async def test_no_code_is_logged_whatever_fails(team: Team, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    def fail(*arguments: Any) -> Any:
        raise RuntimeError(f"in {SECRET}")

    team.theirs.complete = fail  # type: ignore[method-assign]
    text = f"{SECRET} = 1\n".encode()
    replies = await raw(team, [HELLO, PutDocument(1, f"{SECRET}.py", "python", 0, text), ask(1)], 2)
    assert replies[1] == Declined(1, "failed")
    with pytest.raises(websocket.WebSocketClosedError):
        await raw(team, [HELLO, text], 2)
    assert "RuntimeError" in caplog.text
    assert SECRET not in caplog.text


def test_a_revoked_token_ends_its_connections(team: Team) -> None:
    team.host.call(team.host.app.use_tokens({}))
    wait_for(lambda: team.problems != [], "problem")
    assert "refuses the token" in team.problems[0]
    assert team.connection.session == 0


def test_models_are_replaced_while_requests_run_and_none_is_lost(team: Team) -> None:
    opened = team.open("a.py", "first = first\nfir")
    newer = BundledFake()
    answers = []
    for number in range(40):
        if number == 20:
            team.host.call(team.host.app.use_engine(newer))
        team.type(opened, 0, "#")
        answers.append(team.complete(opened))
    assert team.outcomes() == {"remote": 40}
    assert (len(team.theirs.seen), len(newer.seen)) == (20, 20)
    assert team.connection.session == 1


def test_a_replica_that_leaves_sends_its_clients_away_without_a_word(team: Team) -> None:
    opened = team.open("a.py", "first = first\nfir")
    team.complete(opened)
    team.host.call(team.host.app.leave())
    wait_for(lambda: team.connection.session > 1, "new connection")
    team.complete(opened)
    assert team.outcomes() == {"remote": 2}
    assert team.problems == []


def page(team: Team, path: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{team.host.port}{path}", timeout=5) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_the_health_page_tells_nothing_of_a_client(team: Team) -> None:
    team.complete(team.open(f"{SECRET}.py", f"{SECRET} = 1\npla"))
    status, body = page(team, "/health")
    assert status == 200
    assert json.loads(body)["ready"] is True
    assert SECRET.encode() not in body
    assert page(team, "/")[0] == 404
    team.inference.stop()
    wait_for(lambda: not team.inference.is_alive, "end of the thread")
    assert page(team, "/health")[0] == 503


def test_a_client_that_leaves_leaves_nothing_behind(team: Team) -> None:
    team.complete(team.open("a.py", "first = first\nfir"))
    team.connection.stop()
    wait_for(lambda: team.host.app.clients == 0, "end of the client")
    wait_for(lambda: len(team.theirs.forgotten) == 1, "end of its documents")
