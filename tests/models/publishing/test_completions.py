"""Completions are requested of the real server while a name is typed, and ranked with and without what is typed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from editahead.bench.stdio_client import ServerError
from editahead.syntax.language import by_id
from editahead_models.publishing import completions, other_servers
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import LINE, DrawnPlace
from editahead_models.replay.simulated_user import user_of, user_of_other

CODE = b"total = 1\nt = 2\nto = t\nprint(total, t, to)\nvalue = total\nlast = 1\n"
SERVER = """
import json, sys

FAULTY = ()

count = 0

def send(number, result):
    send_body({"jsonrpc": "2.0", "id": number, "result": result})

def send_body(value):
    body = json.dumps(value).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
    sys.stdout.buffer.flush()

while line := sys.stdin.buffer.readline():
    if line.startswith(b"Content-Length"):
        size = int(line.split(b":")[1])
    elif line == b"\\r\\n":
        asked = json.loads(sys.stdin.buffer.read(size))
        if asked.get("method") == "initialize":
            about = {"name": "toyserver", "version": "3"}
            send(asked["id"], {"capabilities": {"completionProvider": {}}, "serverInfo": about})
        elif asked.get("method") == "textDocument/completion":
            count += 1
            if count in FAULTY:
                send_body({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32603, "message": "no answer"}})
            else:
                send(asked["id"], [{"label": "tally"}, {"label": "total"}])
        elif "id" in asked:
            send(asked["id"], None)
"""
"""A server that offers the same two names everywhere; a faulty one has an error for some requests."""


@pytest.mark.slow
def test_what_is_typed_stands_first_where_it_is_a_name_and_is_left_out_of_the_second_rank() -> None:
    language = by_id("python")
    assert language is not None
    start = CODE.rindex(b"total")
    place = DrawnPlace("a.py", language, CODE, start, start + 5, True, LINE)
    with user_of([("a.py", CODE, language)]) as user:
        (row,) = completions.measure(user, [place])
    assert (row["situation"], row["role"], row["foreign"]) == (LINE, "use in scope", False)
    assert (row["rank"][1], row["rank"][2]) != (0, 0)  # `t` and `to` are names
    assert [a - b for a, b in zip(row["rank"][1:], row["longer"][1:], strict=True)] == [1, 1]
    assert row["words"][0] is not None


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_servers, "WARM_UP_SECONDS", 0.0)


def measured(folder: Path, faulty: str, count: int = 1) -> list[Row]:
    """What is measured of the toy server at so many equal places, after three requests to warm up."""
    language = by_id("python")
    assert language is not None
    start = CODE.rindex(b"total")
    place = DrawnPlace("a.py", language, CODE, start, start + 5, True, LINE)
    server = folder / "server.py"
    server.write_text(SERVER.replace("FAULTY = ()", f"FAULTY = {faulty}"), encoding="utf-8")
    with user_of_other([("a.py", CODE, language)], [sys.executable, str(server)]) as user:
        return other_servers.measure(user, [place] * count)


def test_another_server_is_asked_at_the_same_places(tmp_path: Path) -> None:
    assert measured(tmp_path, "()") == [{"server": "toyserver 3", "rank": [1, 1, 0]}]


def test_an_error_now_and_then_is_no_answer(tmp_path: Path) -> None:
    rows = measured(tmp_path, "(8,)", 4)
    assert [row["rank"] for row in rows] == [[1, 1, 0], [1, None, 0], [1, 1, 0], [1, 1, 0]]


def test_a_server_that_answers_with_errors_has_no_figure(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=r"^9 requests were answered with an error, the first: .*no answer"):
        measured(tmp_path, "range(99)", 3)


def test_a_server_that_answers_with_errors_is_not_asked_to_the_end(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=r"^9 requests were answered"):
        measured(tmp_path, "range(99)", 30)
